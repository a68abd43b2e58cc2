"""`testwright heal flutter`: from two machine reports to a change that waits for review."""

from pathlib import Path

import pytest

from tests.conftest import CommandLine
from tests.heal.flutter.app import NOTHING_FOUND, app, button, printed, report

NAME = "saves the report"
SOURCE = """\
import 'package:flutter/material.dart';
import 'package:flutter_test/flutter_test.dart';

void main() {
  testWidgets('saves the report', (tester) async {
    await tester.pumpWidget(const App());
    await tester.tap(find.byKey(const Key("foo")));
  });
}
"""
TAPPED = (
    'The finder "Found 0 widgets with key [<\'foo\'>]: []" (used in a call to "tap()")'
    " could not find any matching widgets."
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "documents_test.dart").write_text(SOURCE)
    before, after = app(button("Save", "foo"), button("Discard")), app(button("Save"), button("Discard"))
    block = NOTHING_FOUND.format(what="assertion", message=TAPPED, line=7, name=NAME)
    (tmp_path / "passed.jsonl").write_text("\n".join(report(NAME, printed(before), passed=True)))
    (tmp_path / "failed.jsonl").write_text("\n".join(report(NAME, printed(after), block, passed=False)))
    return tmp_path


def test_a_lost_widget_is_found_and_proposed(testwright: CommandLine, project: Path) -> None:
    said = testwright("heal", "flutter", "failed.jsonl", "--passed", "passed.jsonl", "--propose", "--json", cwd=project)
    (heal,) = said.json["heals"]
    assert (said.code, heal["decision"], heal["strategy"]) == (1, "heal", "byText")
    shown = testwright("review", "show", heal["proposal"], "--json", cwd=project).json
    assert "find.widgetWithText(ElevatedButton, 'Save')" in shown["content"]
    assert (project / "test" / "documents_test.dart").read_text() == SOURCE


def test_what_is_shown_does_not_say_that_it_was_applied(testwright: CommandLine, project: Path) -> None:
    said = testwright("heal", "flutter", "failed.jsonl", "--passed", "passed.jsonl", cwd=project)
    assert "find.byKey(const Key('foo')) → find.widgetWithText(ElevatedButton, 'Save') (byText)" in said.out
    assert "SELF_HEAL_APPLIED" not in said.out


def test_without_a_passing_run_nothing_is_known_of_the_widget(testwright: CommandLine, project: Path) -> None:
    said = testwright("heal", "flutter", "failed.jsonl", "--passed", "failed.jsonl", cwd=project)
    assert (said.code, "[no_fingerprint]" in said.out) == (1, True)
