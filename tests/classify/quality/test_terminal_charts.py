"""Charts for a terminal, in blocks or in ASCII."""

from testwright.classify.quality.failure_counts import FailureCounts, count_failures
from testwright.classify.quality.terminal_charts import bar_chart, can_draw_blocks, quality_text, sparkline
from testwright.model.failure_labels import FailureLabel

from .failures import failed, improvements
from .test_trends import over


def test_a_bar_is_as_long_as_its_share_of_the_largest() -> None:
    assert bar_chart({"TIMEOUT": 8, "UNKNOWN": 3}, width=8) == "TIMEOUT  8 ████████\nUNKNOWN  3 ███"
    assert bar_chart({"a": 16, "b": 3}, width=8) == "a  16 ████████\nb   3 █▌"
    assert bar_chart({"a": 8, "b": 4}, width=8, plain=True) == "a  8 ########\nb  4 ####"


def test_the_smallest_number_above_zero_has_a_mark_and_zero_has_none() -> None:
    assert bar_chart({"a": 1000, "b": 1, "c": 0}, width=8, plain=True).splitlines()[1:] == ["b     1 #", "c     0"]
    assert bar_chart({"a": 1000, "b": 1}, width=8).splitlines()[1] == "b     1 ▏"
    assert bar_chart({}) == ""


def test_a_line_shows_each_value_by_its_height() -> None:
    assert sparkline([0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█"
    assert sparkline([0, 1, 100]) == "▁▂█"
    assert sparkline([0, 0]) == "▁▁"
    assert sparkline([]) == ""
    assert sparkline([0, 7, 3], plain=True) == "_#-"
    assert sparkline([1, 2], most=7) == "▂▃"


def test_a_stream_that_takes_no_blocks_is_kept_apart_from_one_that_does() -> None:
    assert can_draw_blocks("utf-8")
    assert not can_draw_blocks("ascii")
    assert not can_draw_blocks(None)
    assert not can_draw_blocks("no such encoding")


def test_the_whole_text_has_counts_the_line_of_time_and_what_to_look_at() -> None:
    judged = [failed(f"t{number}", FailureLabel.REAL_BUG) for number in range(3)]
    runs = over({}, {FailureLabel.REAL_BUG: 1}, {FailureLabel.REAL_BUG: 2}, {FailureLabel.REAL_BUG: 3})

    text = quality_text(count_failures(improvements(*judged)), over_time=runs, plain=True)

    assert text.isascii()
    assert "Failures by category\nASSERTION_FAIL  3 ####" in text
    assert "real_bug  _:+#  3 now  +2.0 a run" in text
    assert "- 3 tests found the product wrong: " in text


def test_names_cannot_forge_lines_or_colours() -> None:
    text = quality_text(FailureCounts(by_origin={"evil\x1b[31m\nFailures by category\u202e": 1}, total_failures=1))

    assert "\x1b" not in text
    assert "\u202e" not in text
    assert len(text.splitlines()) == 2


def test_no_failures_are_said_so() -> None:
    assert quality_text(FailureCounts()) == "No failures."
