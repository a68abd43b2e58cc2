"""Flutter tests that are healed, and those that fail as they did."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.heal.flutter.app import NOTHING_FOUND, W, app, button, expectation, icon_button, printed, report, semantics
from testwright.heal.engine.element_fingerprint import fingerprint_of
from testwright.heal.flutter.adapter import FlutterAdapter
from testwright.heal.flutter.dump_snapshot import snapshot_from_dumps
from testwright.heal.flutter.flutter_heals import FlutterHeal, flutter_heals, pages_of, remembered_from
from testwright.heal.heal_adapter import HealAdapter
from testwright.heal.strategy_chain import StrategyOutcome, walk_chain
from testwright.model.dom import Fingerprint
from testwright.model.heal import HealOutcome, Strategy

NAME = "saves the report"
SOURCE = b"""import 'package:flutter/material.dart';
import 'package:flutter_test/flutter_test.dart';

void main() {
  testWidgets('saves the report', (tester) async {
    await tester.pumpWidget(const App());
    await tester.tap(find.byKey(const Key("foo")));
    expect(find.text('Saved'), findsOneWidget);
  });
}
"""
TAPPED = (
    'The finder "Found 0 widgets with key [<\'foo\'>]: []" (used in a call to "tap()")'
    " could not find any matching widgets."
)


def healed(
    before: W,
    after: W,
    *,
    message: str = TAPPED,
    places: tuple[str, str] = ("", ""),
    source: bytes = SOURCE,
    line: int = 7,
) -> FlutterHeal:
    """What comes of the test when the app changes from `before` to `after`."""
    files: Mapping[str, bytes] = {"test/documents_test.dart": source}
    block = NOTHING_FOUND.format(what="assertion", message=message, line=line, name=NAME)
    pages = pages_of(report(NAME, printed(before), places[0], passed=True))
    (heal,) = flutter_heals(report(NAME, printed(after), places[1], block, passed=False), files, remembered_from(pages))
    return heal


def nothing_remembered(test: str, finder: str) -> Fingerprint | None:
    return None


def test_T1_a_button_that_lost_its_key_is_found_by_its_text() -> None:  # noqa: N802
    made = healed(
        app(button("Save", "foo"), button("Discard", "bar", "TextButton")),
        app(button("Save"), button("Discard", "bar", "TextButton")),
    )

    assert (made.heal.outcome, made.heal.found_by) == (HealOutcome.HEAL, Strategy.BY_TEXT)
    assert made.heal.old == "find.byKey(const Key('foo'))"
    assert made.heal.new == "find.widgetWithText(ElevatedButton, 'Save')"
    assert made.row.startswith(f"SELF_HEAL_APPLIED saves the report: {made.heal.old} -> {made.heal.new} (byText, ")
    assert made.after == SOURCE.replace(b'find.byKey(const Key("foo"))', b"find.widgetWithText(ElevatedButton, 'Save')")


def test_T1_holds_for_an_expectation_in_the_old_wording() -> None:  # noqa: N802
    message = (
        "Expected: exactly one matching node in the widget tree\n"
        "  Actual: _KeyFinder:<zero widgets with key [<'foo'>] (ignoring offstage widgets)>\n"
        "   Which: means none were found but one was expected\n"
    )
    source = SOURCE.replace(
        b'tester.tap(find.byKey(const Key("foo")))', b"expect(find.byKey(Key('foo')), findsOneWidget)"
    )

    made = healed(app(button("Save", "foo")), app(button("Save")), message=message, source=source)

    assert (made.heal.outcome, made.heal.found_by) == (HealOutcome.HEAL, Strategy.BY_TEXT)


def test_T2_two_identical_buttons_near_the_place_end_the_search_there() -> None:  # noqa: N802
    old = semantics(("Buy", (250, 180, 350, 220), "isButton"))
    new = semantics(("Put away", (250, 175, 350, 215), "isButton"), ("Put away", (250, 185, 350, 225), "isButton"))
    before = app(button("Buy", "foo"))
    after = app(button("Put away"), button("Put away"))

    made = healed(before, after, places=(old, new))

    assert (made.heal.outcome, made.heal.reason) == (HealOutcome.SUGGEST, "ambiguous")
    assert made.heal.found_by == Strategy.BY_COORDINATES
    assert made.patch == b""
    page = snapshot_from_dumps(printed(before), old)
    lost = next(element.number for element in page.elements if element.get("key") == "foo")
    chain = walk_chain(FlutterAdapter({}), snapshot_from_dumps(printed(after), new), fingerprint_of(page, lost))
    assert chain.tried == (
        (Strategy.BY_TEXT, StrategyOutcome.NOTHING),
        (Strategy.BY_ROLE, StrategyOutcome.NOTHING),
        (Strategy.BY_TOOLTIP, StrategyOutcome.NOT_APPLICABLE),
        (Strategy.BY_COORDINATES, StrategyOutcome.AMBIGUOUS),
    )


def test_an_icon_button_is_found_by_its_tooltip() -> None:
    made = healed(app(icon_button("Save changes", "foo")), app(icon_button("Save changes")))

    assert made.heal.outcome is HealOutcome.HEAL
    assert "byTooltip('Save changes')" in made.heal.new


def test_a_file_that_does_not_know_the_type_gets_a_finder_without_it() -> None:
    bare = SOURCE.replace(b"import 'package:flutter/material.dart';\n", b"import 'package:app/app.dart';\n")

    assert healed(app(button("Save", "foo")), app(button("Save")), source=bare).heal.new == "find.text('Save')"


def test_a_widget_that_is_gone_is_not_healed() -> None:
    made = healed(app(button("Save", "foo"), button("Discard", "bar")), app(button("Discard", "bar")))

    assert made.heal.outcome is not HealOutcome.HEAL
    assert made.patch == b""


def test_twins_are_not_healed() -> None:
    made = healed(app(button("Save", "foo")), app(button("Save"), button("Save")))

    assert (made.heal.outcome, made.heal.reason) == (HealOutcome.SUGGEST, "ambiguous")


def test_a_widget_that_another_finder_of_the_file_finds_is_not_taken_from_it() -> None:
    source = SOURCE.replace(
        b"expect(find.text", b"await tester.tap(find.byKey(const Key('store')));\n    expect(find.text"
    )

    made = healed(
        app(button("Save", "foo"), button("Discard", "store")),
        app(button("Save", "store"), button("Close")),
        source=source,
    )

    assert made.heal.outcome is not HealOutcome.HEAL


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("Expected: <1>\n  Actual: <2>", "not_a_finder"),
        (expectation('_TextWidgetFinder:<Found 0 widgets with text "Saved": []>'), "text_asserted"),
    ],
)
def test_other_failures_are_left_alone(message: str, reason: str) -> None:
    made = healed(app(button("Save", "foo")), app(button("Save")), message=message)

    assert (made.heal.outcome, made.heal.reason) == (HealOutcome.ABSTAIN, reason)


def test_without_a_dump_or_a_memory_nothing_is_healed() -> None:
    block = NOTHING_FOUND.format(what="assertion", message=TAPPED, line=7, name=NAME)
    files = {"test/documents_test.dart": SOURCE}
    no_page = flutter_heals(report(NAME, block, passed=False), files, nothing_remembered)
    page = snapshot_from_dumps(printed(app(button("Save"))))
    no_memory = flutter_heals(report(NAME, block, passed=False), files, nothing_remembered, page)

    assert [made.heal.reason for made in (*no_page, *no_memory)] == ["no_page", "no_fingerprint"]


def test_a_finder_put_together_at_run_time_is_not_patched() -> None:
    made = healed(
        app(button("Save", "foo")), app(button("Save")), source=SOURCE.replace(b'Key("foo")', b'Key("f$suffix")')
    )

    assert (made.heal.outcome, made.heal.reason) == (HealOutcome.ABSTAIN, "not_definable")


def test_a_finder_that_is_kept_under_a_name_is_healed_where_it_is_kept() -> None:
    kept = b"find /* the button */ .byKey(const Key('foo'))"
    source = SOURCE.replace(
        b'await tester.tap(find.byKey(const Key("foo")))', b"final save = " + kept + b"; await tester.tap(save)"
    )

    made = healed(app(button("Save", "foo")), app(button("Save")), source=source)

    assert (made.heal.outcome, made.heal.reason) == (HealOutcome.HEAL, "healed")
    assert made.after == source.replace(kept, b"find.widgetWithText(ElevatedButton, 'Save')")


def test_the_patch_is_one_that_git_takes(tmp_path: Path) -> None:
    made = healed(app(button("Save", "foo")), app(button("Save")))
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "documents_test.dart").write_bytes(SOURCE)
    (tmp_path / "made.patch").write_bytes(made.patch)

    subprocess.run(["git", "apply", "made.patch"], cwd=tmp_path, check=True)

    assert (tmp_path / "test" / "documents_test.dart").read_bytes() == made.after
    assert made.patch.startswith(
        b"# strategy: byText\n# old: find.byKey(const Key('foo'))\n# new: find.widgetWithText("
    )


def test_after_a_hundred_attempts_the_rest_pass_through() -> None:
    block = NOTHING_FOUND.format(what="assertion", message=TAPPED, line=7, name=NAME)
    lines = [line for _ in range(101) for line in report(NAME, block, passed=False)]

    heals = flutter_heals(lines, {}, nothing_remembered)

    assert [made.heal.reason for made in heals][-2:] == ["no_page", "heal_budget_exhausted"]


def test_the_adapter_keeps_to_the_seam() -> None:
    adapter: HealAdapter = FlutterAdapter({})

    assert adapter.find_by_text(snapshot_from_dumps(), "Save") is None
