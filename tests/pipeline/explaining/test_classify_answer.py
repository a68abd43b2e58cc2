"""What test_classify answers, of one failure and of a batch of them."""

from typing import Any

import pytest

from testwright.pipeline.explaining.classify_answer import ClassifyAnswer, answer_classify
from testwright.pipeline.explaining.classify_request import classify_request

LOST = "TimeoutError: locator.click: Timeout 30000ms exceeded.\nCall log:\n  - waiting for locator('#submit-btn')\n"
DIFFERS = "Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 3\nReceived: 4\n"
GOOD = {"type": "test_classify", "action": "failure", "failure": {"test_name": "pays", "error": LOST}}


def answered(**failure: object) -> ClassifyAnswer:
    return answer_classify(classify_request({**GOOD, "failure": failure}))


def test_TG_005_a_timeout_on_a_selector_is_a_broken_selector() -> None:  # noqa: N802  the case's name
    answer = answered(test_name="pays", error=LOST)
    data = answer.shape()

    assert data["classification"]["category"] == "selector_broken"
    assert data["classification"]["recommended_action"] == "heal"
    assert any("#submit-btn" in line for line in data["classification"]["evidence"])
    assert data["suggested_fix"] == {"type": "selector_update", "old": "locator('#submit-btn')"}
    percent = round(100 * data["classification"]["confidence"])
    assert answer.summary == f"Classified as selector_broken ({percent}% confidence) — recommended: heal selector"


def test_TG_006_a_failed_assertion_is_a_real_bug() -> None:  # noqa: N802
    classification = answered(test_name="counts", error=DIFFERS).shape()["classification"]

    assert classification["category"] == "real_bug"
    assert classification["is_real_bug"] is True
    assert not classification["is_flaky"]
    assert not classification["is_environment"]


def test_the_classification_has_the_fields_that_were_agreed_on_and_no_others() -> None:
    assert set(answered(error=LOST).shape()["classification"]) == {
        "category", "confidence", "evidence", "recommended_action", "is_real_bug", "is_flaky", "is_environment",
    }  # fmt: skip


def test_the_stack_counts_too() -> None:
    error = "TypeError: Cannot read properties of undefined (reading 'level')"
    in_product = answered(error=error, trace=f"{error}\n    at discountOf (src/discount.ts:4:12)")
    in_test = answered(error=error, trace=f"{error}\n    at tests/shop.spec.ts:4:12")

    assert in_product.shape()["classification"]["category"] == "real_bug"
    assert in_test.shape()["classification"]["category"] == "test_bug"


@pytest.mark.parametrize("error", ["", "   \n", "It failed."])
def test_what_cannot_be_classified_is_unknown_with_what_there_is(error: str) -> None:
    answer = answered(test_name="pays", error=error)
    data = answer.shape()

    assert data["classification"]["category"] == "unknown"
    assert data["classification"]["evidence"]
    assert data["uncertain"]["code"] == "classification_uncertain"
    assert "[classification_uncertain]" in answer.summary


def test_control_characters_of_a_page_cannot_hide_in_the_evidence() -> None:
    lines = answered(error=LOST.replace("submit", "sub\u202emit")).shape()["classification"]["evidence"]

    assert "\u202e" not in "".join(lines)
    assert any("\\u{202e}" in line for line in lines)


def test_B189_a_value_that_was_received_is_not_evidence() -> None:  # noqa: N802
    error = 'expect(received).toBe(expected)\nExpected: "5"\nReceived: "waiting for locator"'

    assert answered(error=error).shape()["classification"]["category"] == "real_bug"


def test_B183_a_long_text_without_an_end_is_answered() -> None:  # noqa: N802
    assert answered(error="expect" * 13333).shape()["classification"]["category"]  # an endless pattern would not end


def batch(*failures: dict[str, Any]) -> ClassifyAnswer:
    return answer_classify(classify_request({"type": "test_classify", "action": "batch", "failures": list(failures)}))


def test_a_batch_is_a_list_with_counts_and_causes() -> None:
    answer = batch(
        {"test_name": "pays", "error": LOST},
        {"test_name": "pays twice", "error": LOST},
        {"test_name": "counts", "error": DIFFERS},
    )
    data = answer.shape()

    assert [each["test_name"] for each in data["classifications"]] == ["pays", "pays twice", "counts"]
    assert data["counts"] == {"selector_broken": 2, "real_bug": 1}
    assert data["causes"] == [
        {"category": "selector_broken", "tests": ["pays", "pays twice"]},
        {"category": "real_bug", "tests": ["counts"]},
    ]
    assert answer.summary == "Classified 3 failures: 2 selector_broken, 1 real_bug (2 causes)"


def test_an_empty_batch_is_answered_as_such() -> None:
    assert batch().shape()["classifications"] == []


def test_what_a_runner_printed_is_taken_apart() -> None:
    output = (
        "=================================== FAILURES ===================================\n"
        "__________________________________ test_total __________________________________\n\n"
        "    def test_total():\n>       assert total() == 7\nE       assert 6 == 7\n\n"
        "tests/test_shop.py:4: AssertionError\n"
        "__________________________________ test_token __________________________________\n\n"
        "    def test_token():\n>       token()\nE       KeyError: 'SHOP_API_TOKEN'\n\ntests/test_shop.py:9: KeyError\n"
        "=========================== short test summary info ============================\n"
    )
    answer = answer_classify(classify_request({"action": "batch", "test_output": output}))
    one = answer_classify(classify_request({"action": "failure", "test_output": output}))

    assert answer.shape()["counts"] == {"real_bug": 1, "environment": 1}
    assert one.shape()["classification"]["category"] == "real_bug"
    assert one.shape()["not_reached"] == 1
