"""What may be asked of test_classify, and what is refused."""

from collections.abc import Sequence

import pytest

from testwright.model.errors import TestwrightError
from testwright.pipeline.explaining.classify_request import MOST_FAILURES, TestClassifyRequest, classify_request

GOOD = {"type": "test_classify", "action": "failure", "failure": {"test_name": "pays", "error": "It failed."}}


def refused(**changes: object) -> TestwrightError:
    with pytest.raises(TestwrightError) as raised:
        classify_request({**GOOD, **changes})
    assert raised.value.next_step
    return raised.value


def batch(failures: Sequence[dict[str, str]]) -> TestClassifyRequest:
    return classify_request({"type": "test_classify", "action": "batch", "failures": list(failures)})


@pytest.mark.parametrize(
    "changes",
    [
        {"type": "test_heal"},
        {"action": "all"},
        {"action": None},
        {"failure": "it failed"},
        {"failure": {"error": 7}},
        {"failure": {"error": "x", "duration_ms": "long"}},
        {"failure": {"error": "x", "duration_ms": True}},
        {"failure": {"error": "x", "duration_ms": -1}},
        {"failure": {"error": "x", "surprise": 1}},
        {"surprise": 1},
        {"failures": []},
        {"test_output": "x"},
        {"action": "batch"},
    ],
)
def test_a_wrong_parameter_is_named(changes: dict[str, object]) -> None:
    assert refused(**changes).code == "usage"


def test_B094_failures_must_be_a_list() -> None:  # noqa: N802
    with pytest.raises(TestwrightError, match="failures"):
        classify_request({"type": "test_classify", "action": "batch", "failures": "none"})


def test_neither_a_failure_nor_an_output_is_nothing_to_go_by() -> None:
    with pytest.raises(TestwrightError, match="test_output"):
        classify_request({"action": "failure"})


def test_a_batch_has_its_limits() -> None:
    many = [{"error": "x"}] * (MOST_FAILURES + 1)
    large = [{"error": "x" * 400_000}] * 14

    assert len(batch(many[1:]).failures) == MOST_FAILURES
    for failures in (many, large):
        with pytest.raises(TestwrightError) as raised:
            batch(failures)
        assert raised.value.code == "batch_too_large"
    assert refused(failure={"error": "x" * 600_000}).code == "too_large"
