"""Golden failures in what `go test -json` prints."""

import json

import pytest

from testwright.heal.golden.golden_failures import GoldenFailure, golden_failures, unquoted
from testwright.heal.golden.golden_heals import golden_heals
from testwright.heal.heal_adapter import NotHealable
from testwright.model.heal import HealOutcome


def report(expected: str, got: str, *, test: str = "TestView", package: str = "shop/menu") -> list[str]:
    """As Go prints it: `expected` and `got` are quoted already."""
    diff = "--- golden\n+++ run\n@@ -1 +1 @@\n-a\n+b"
    log = f"output does not match, expected:\n\n{expected}\n\ngot:\n\n{got}\n\ndiff:\n\n{diff}"
    first, *rest = log.split("\n")
    printed = [f"    menu_test.go:9: {first}", *(f"        {line}" for line in rest), f"--- FAIL: {test} (0.00s)"]
    about = {"Package": package, "Test": test}
    output = [{"Action": "output", **about, "Output": f"{line}\n"} for line in printed]
    return [json.dumps(event) for event in ({"Action": "run", **about}, *output, {"Action": "fail", **about})]


@pytest.mark.parametrize(
    ("quoted", "meant"),
    [
        (r"\x1b[1mTea\x1b[0m\r", b"\x1b[1mTea\x1b[0m\r"),
        (r"\"quoted\" \\ back\tslash", b'"quoted" \\ back\tslash'),
        (r"\u00a0\U0001f600\xff\a", "\u00a0\U0001f600".encode() + b"\xff\a"),
        ("two\nlines 日本", "two\nlines 日本".encode()),
    ],
)
def test_quoted_lines_give_back_the_bytes(quoted: str, meant: bytes) -> None:
    assert unquoted(quoted) == meant


@pytest.mark.parametrize("quoted", ["\\q", "\\x1", "\\", "\\ud800"])
def test_what_go_does_not_write_is_refused(quoted: str) -> None:
    with pytest.raises(NotHealable):
        unquoted(quoted)


def test_the_golden_file_and_the_screen_are_told() -> None:
    (failure,) = golden_failures(report("Tea\\r\n\n  got:", "Coffee\\r\n\n  got:", test="TestView/wide screen"))

    assert failure.golden == "testdata/TestView/wide screen.golden"
    assert failure.actual(b"Tea\r\n\n  got:") == b"Coffee\r\n\n  got:"


def test_a_screen_that_holds_the_words_of_the_report_is_told_apart() -> None:
    screen = "Tea\n\ngot:\n\nMilk"

    (failure,) = golden_failures(report(screen, "Coffee"))

    assert failure.actual(screen.encode()) == b"Coffee"


def test_a_screen_that_ends_like_the_report_is_refused() -> None:
    (failure,) = golden_failures(report("Tea", "Milk\n\ndiff:\n\n--- golden\n+++ run\n"))

    with pytest.raises(NotHealable, match="where the screen ends"):
        failure.actual(b"Tea")


@pytest.mark.parametrize("name", ["TestView/../../etc", "TestView/./x", "TestView//x", "..", "TestView\\x"])
def test_a_name_that_leads_elsewhere_has_no_golden_file(name: str) -> None:
    with pytest.raises(NotHealable):
        _ = GoldenFailure("shop", name, "").golden


def heal(lines: list[str], files: dict[str, bytes]) -> tuple[HealOutcome, str, str]:
    (found,) = golden_heals(lines, files.get)
    return found.outcome, found.reason, found.file


def test_the_file_is_found_by_the_modules_name() -> None:
    files = {"go.mod": b"module example.org/shop\n\ngo 1.22\n", "menu/testdata/TestView.golden": b"Tea\nMilk\n\nq"}
    lines = report("Tea\nMilk\n\nq", "Tea\nMilk\n\n\nq", package="example.org/shop/menu")

    assert heal(lines, files) == (HealOutcome.HEAL, "healed", "menu/testdata/TestView.golden")


def test_two_files_that_may_be_it_are_none() -> None:
    files = {"menu/testdata/TestView.golden": b"Tea", "testdata/TestView.golden": b"Tea"}

    assert heal(report("Tea", "Milk"), files) == (HealOutcome.ABSTAIN, "no_golden_file", "")


@pytest.mark.parametrize(
    ("files", "reason"),
    [({}, "no_golden_file"), ({"menu/testdata/TestView.golden": b"Cider"}, "golden_changed")],
)
def test_a_golden_file_that_is_another_now_is_left_alone(files: dict[str, bytes], reason: str) -> None:
    assert heal(report("Tea", "Milk"), files)[:2] == (HealOutcome.ABSTAIN, reason)


def test_a_test_that_draws_something_else_each_time_is_not_healed() -> None:
    lines = report("Tea\n\nMilk", "Tea\n\n\nMilk") + report("Tea\n\nMilk", "Tea\nMilk")

    assert heal(lines, {"testdata/TestView.golden": b"Tea\n\nMilk"})[:2] == (HealOutcome.ABSTAIN, "unsteady")


def test_a_screen_that_cannot_be_read_is_no_reason_to_stop() -> None:
    assert heal(report("Tea", r"\xff"), {"testdata/TestView.golden": b"Tea"})[:2] == (
        HealOutcome.ABSTAIN,
        "invalid_golden",
    )


def test_lines_that_are_no_events_are_passed_over() -> None:
    noise = ["# shop/menu", "", "[" * 100_000, '{"Action": 4}', '{"Action":"output","Package":"p","Output":"ok"}']

    assert golden_failures(noise) == []


def test_a_file_with_windows_line_ends_is_recognised() -> None:
    (failure,) = golden_failures(report("Tea\nMilk", "Tea\n\nMilk"))

    assert failure.actual(b"Tea\r\nMilk") == b"Tea\n\nMilk"
