"""An error's id names one error of its session, and looks as everybody expects."""

import re

import pytest

from testwright.model.errors import InvalidErrorId
from testwright.observe.recording.error_ids import ErrorIds, checked_error_id


def test_an_id_has_the_moment_and_a_hash() -> None:
    given = ErrorIds().give(1_706_520_600_000, "boom", "at f", "http://app/")

    assert re.fullmatch(r"err_1706520600000_[0-9a-f]{8}", given, re.ASCII)
    assert checked_error_id(given) == given


def test_the_same_error_gets_the_same_id_in_another_session() -> None:
    assert ErrorIds().give(1, "m", "s", "u") == ErrorIds().give(1, "m", "s", "u")


def test_fields_do_not_run_into_one_another() -> None:
    taken = ErrorIds()

    assert taken.give(1, "ab", "c", "d") != taken.give(1, "a", "bc", "d")
    assert ErrorIds().give(1, "ab", "c", "d") != ErrorIds().give(1, "a", "bc", "d")


def test_a_hundred_thousand_errors_in_one_millisecond_have_as_many_ids() -> None:
    taken = ErrorIds()

    given = {taken.give(1_700_000_000_000, f"m{number}", "", "u") for number in range(100_000)}

    assert len(given) == len(taken) == 100_000


def test_the_same_error_a_thousand_times_in_one_millisecond_has_a_thousand_ids() -> None:
    taken = ErrorIds()

    assert len({taken.give(7, "m", "s", "u") for _ in range(1_000)}) == 1_000


def test_texts_that_are_no_unicode_are_hashed_too() -> None:
    assert checked_error_id(ErrorIds().give(-1, "\ud800", "", "")).startswith("err_0000000000000_")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "err_-1_a1b2c3d4",
        "err_1706520600000_a1b2c3d4' OR '1'='1",
        "../err_1706520600000_a1b2c3d4",
        "err_1706520600000_A1B2C3D4",
        "err_170652060000_a1b2c3d4",
        "err_1706520600000_a1b2c3d4\n",
        "err_١٧٠٦٥٢٠٦٠٠٠٠٠_a1b2c3d4",
        "err_1706520600000_",
    ],
)
def test_a_text_that_is_no_id_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidErrorId) as refused:
        checked_error_id(text)

    assert refused.value.code == "invalid_error_id"
    assert refused.value.next_step
    assert "\n" not in refused.value.message
