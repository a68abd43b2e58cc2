"""Which failures of Flutter tests are lost finders, and how the finder is spelled."""

import pytest

from tests.heal.flutter.app import NOTHING_FOUND, app, button, expectation, printed, report, semantics
from testwright.heal.flutter.finder_failures import call_sites, finished_tests, original_selector
from testwright.heal.heal_adapter import NotHealable
from testwright.model.heal import CallSite

NEW = "_KeyWidgetFinder:<Found 0 widgets with key [<'save'>]: []>"
OLD = "_KeyFinder:<zero widgets with key [<'save'>] (ignoring offstage widgets)>"


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(expectation(NEW), id="new wording"),
        pytest.param(
            f"Expected: exactly one matching node in the widget tree\n  Actual: {OLD}\n   Which: means none were found",
            id="old wording",
        ),
        pytest.param(expectation(NEW.replace("]: []", "]:\n[]")), id="wrapped"),
        pytest.param("\n".join(f"flutter: {line}" for line in expectation(NEW).split("\n")), id="on a device"),
        pytest.param("\n".join(f"I/flutter ( 4242): {line}" for line in expectation(NEW).split("\n")), id="in logcat"),
        pytest.param(expectation(NEW).replace("exactly one", "at least one"), id="at least one"),
        pytest.param(f"\x1b[31m{expectation(NEW)}\x1b[0m", id="in colour"),
        pytest.param(f"00:00 +0 -1: shows the report [E]\n{expectation(NEW)}", id="compact reporter"),
    ],
)
def test_a_key_that_nothing_has_is_read_in_every_wording(message: str) -> None:
    assert original_selector(message).text == "find.byKey(const Key('save'))"


@pytest.mark.parametrize(
    ("said", "finder"),
    [
        ("with key [<7>]", "find.byKey(const ValueKey(7))"),
        ('with type "FilledButton"', "find.byType(FilledButton)"),
        ("with key [<'it\\'s $5'>]", r"find.byKey(const Key('it\\\'s \$5'))"),
    ],
)
def test_finders_are_spelled_as_a_test_writes_them(said: str, finder: str) -> None:
    assert original_selector(expectation(f"_WidgetFinder:<Found 0 widgets {said}: []>")).text == finder


@pytest.mark.parametrize(
    "said", ["Found 0 widgets with key [<'save'>]: []", "zero widgets with key [<'save'>] (ignoring offstage widgets)"]
)
def test_a_tap_on_nothing_is_a_lost_finder_too(said: str) -> None:
    original = original_selector(
        f'The finder "{said}" (used in a call to "tap()") could not find any matching widgets.'
    )

    assert (original.text, original.action) == ("find.byKey(const Key('save'))", "tap")


def test_a_finder_of_several_widgets_is_known_as_such() -> None:
    message = expectation('_TypeWidgetFinder:<Found 0 widgets with type "Card": []>').replace(
        "exactly one", "exactly 3"
    )

    assert original_selector(message).is_list


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("Expected: no matching candidates\n  Actual: _KeyFinder:<Found 1 widget with type A: [A]>", "found_too_much"),
        (expectation("_KeyWidgetFinder:<Found 2 widgets with key [<'x'>]: [A, B]>"), "found_some"),
        ("Expected: <5>\n  Actual: <4>", "not_a_finder"),
        ("Bad state: no element", "not_a_finder"),
        (expectation('_TextWidgetFinder:<Found 0 widgets with text "Total: 5": []>'), "text_asserted"),
        (expectation("_PredicateWidgetFinder:<Found 0 widgets matching predicate (Closure): []>"), "finder_untold"),
        ("", "not_a_finder"),
    ],
)  # fmt: skip
def test_every_other_failure_passes_through(message: str, reason: str) -> None:
    with pytest.raises(NotHealable) as refusal:
        original_selector(message)

    assert refusal.value.reason == reason


def test_call_sites_are_those_in_the_projects_own_files() -> None:
    block = NOTHING_FOUND.format(what="TestFailure", message=expectation(NEW), line=57, name="saves")

    assert call_sites(block, ["test/documents_test.dart", "lib/main.dart"]) == (
        CallSite("test/documents_test.dart", 57, 5),
    )


def test_dumps_are_taken_from_what_a_test_printed() -> None:
    tree, spoken = printed(app(button("Save"))), semantics(("Save", (1, 2, 3, 4), "isButton"))

    (test,) = finished_tests(report("saves", "starting", printed(app()), tree, spoken, "done", passed=True))

    assert test.passed
    assert test.widget_tree == tree.split("\n", 1)[1]
    assert test.semantics.rstrip() == spoken.rstrip()


def test_lines_that_are_no_events_are_passed_over() -> None:
    lines = ["", "not json", "[1]", '{"type": 5}', "[" * 100_000, *report("saves", passed=False)]

    assert [test.name for test in finished_tests(lines)] == ["saves"]


@pytest.mark.parametrize(
    "flood",
    ['The finder "' * 20_000, expectation("_KeyFinder:<" + "x\n " * 100_000), "Expected: exactly one " * 50_000],
)
def test_a_flood_of_output_is_no_lost_finder(flood: str) -> None:
    with pytest.raises(NotHealable):
        original_selector(flood)
