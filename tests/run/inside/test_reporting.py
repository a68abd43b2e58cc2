"""The JavaScript end of the channel, and what the reporters share."""

import fnmatch
import json
import os
import shutil
from pathlib import Path

import pytest

from testwright.isolate.channel_listener import Record
from testwright.isolate.child import Child, ChildReport
from testwright.isolate.command import Command

pytestmark = pytest.mark.needs_node

INSIDE = Path(__file__).parents[3] / "src/testwright/run/inside"


@pytest.fixture
def node() -> str:
    found = shutil.which("node")
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("there is no node on the PATH")
    return str(found)


def _talk(
    node: str, folder: Path, script: str, config: dict[str, object] | None = None
) -> tuple[list[Record], ChildReport]:
    (folder / "script.cjs").write_text(f"const inside = {json.dumps(str(INSIDE))};\n{script}")
    given = {"framework": "jest", "project": str(folder), **(config or {})}
    with Child(Command([node, str(folder / "script.cjs")], folder, dict(os.environ)), channel=given) as child:
        return list(child.records()), child.report


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("*cart*", ["the cart", "carts", "car t", ""]),
        ("a?c", ["abc", "a›c", "ac", "abbc"]),
        ("[ab]c", ["ac", "bc", "cc", "[ab]c"]),
        ("[!ab]c", ["ac", "cc", "!c"]),
        ("[]x]", ["]", "x", "[]x]"]),
        ("x[", ["x[", "x"]),
        ("[*]x[?][[]", ["*x?[", "yxz["]),
        ("a.b (c) $^|+{1}/\\", ["a.b (c) $^|+{1}/\\", "aXb (c) $^|+{1}/\\"]),
        ("a*\n*b", ["a\nb", "ax\nyb", "ab"]),
        ("* › adds", ["cart › adds", "adds", "cart › adds more"]),
        ("😀?", ["😀x", "😀😀"]),
    ],
)
def test_globs_mean_what_they_mean_in_python(node: str, tmp_path: Path, pattern: str, names: list[str]) -> None:
    script = f"""
        const {{ globPattern }} = require(`${{inside}}/selection.cjs`);
        const {{ openChannel }} = require(`${{inside}}/channel.cjs`);
        const found = {json.dumps(names)}.map((name) => globPattern({json.dumps(pattern)}).test(name));
        openChannel().send('found', {{ found }});
    """

    records, _ = _talk(node, tmp_path, script)

    assert records == [{"kind": "found", "found": [fnmatch.fnmatchcase(name, pattern) for name in names]}]


def test_the_last_word_is_the_exit_code_that_comes_true(node: str, tmp_path: Path) -> None:
    script = """
        const { Reporting } = require(`${inside}/reporting.cjs`);
        const reporting = Reporting.open();
        reporting.isComplete = true;
        process.on('exit', () => { process.exitCode = 7; }); // as Jest does, after everybody else
    """

    records, report = _talk(node, tmp_path, script)

    assert records == [{"kind": "end", "exit_code": 7, "stopped": False}]
    assert report.exit_code == 7


def test_a_listener_that_exits_at_once_does_not_cut_off_the_last_word(node: str, tmp_path: Path) -> None:
    script = """
        const { Reporting } = require(`${inside}/reporting.cjs`);
        const reporting = Reporting.open();
        reporting.isComplete = true;
        process.once('exit', () => process.exit(3)); // as Vitest does
        process.exit(1);
    """

    records, report = _talk(node, tmp_path, script)

    assert records == [{"kind": "end", "exit_code": 3, "stopped": False}]
    assert report.exit_code == 3


def test_a_process_that_exits_before_its_runner_is_done_has_no_last_word(node: str, tmp_path: Path) -> None:
    records, report = _talk(node, tmp_path, "require(`${inside}/reporting.cjs`).Reporting.open(); process.exit(0);")

    assert records == []
    assert report.exit_code == 0


def test_what_the_tests_start_does_not_know_of_the_channel(node: str, tmp_path: Path) -> None:
    script = """
        const { openChannel } = require(`${inside}/channel.cjs`);
        const channel = openChannel();
        const { spawnSync } = require('node:child_process');
        const { stdout } = spawnSync(process.execPath, ['-p', 'process.env.TESTWRIGHT_CHANNEL']);
        channel.send('child', { saw: String(stdout).trim() });
    """

    records, _ = _talk(node, tmp_path, script)

    assert records == [{"kind": "child", "saw": "undefined"}]


def test_what_was_not_asked_for_is_reported_only_when_it_fails(node: str, tmp_path: Path) -> None:
    script = """
        const path = require('node:path');
        const { Reporting } = require(`${inside}/reporting.cjs`);
        const reporting = Reporting.open();
        const describe = (name) => reporting.describe(name, path.join(reporting.config.project, 'a.test.js'), [name]);
        reporting.announce([describe('wanted'), describe('unwanted')]);
        reporting.finished(describe('wanted'), 'passed');
        reporting.finished(describe('unwanted'), 'passed');
        reporting.finished(describe('unwanted'), 'failed');
    """
    only = [{"file": "a.test.js", "title": ["wanted"], "variant": ""}]

    records, _ = _talk(node, tmp_path, script, {"only": only})

    assert [(record["kind"], record.get("outcome")) for record in records] == [
        ("collected", None),
        ("finished", "passed"),
        ("finished", "failed"),
    ]
    assert [test["key"] for test in records[0]["tests"]] == ["wanted"]


def test_texts_lose_their_colours_and_their_excess(node: str, tmp_path: Path) -> None:
    script = r"""
        const { openChannel } = require(`${inside}/channel.cjs`);
        const { plain } = require(`${inside}/reporting.cjs`);
        const long = plain('x'.repeat(1 << 20)).length;
        openChannel().send('texts', { coloured: plain('\u001b[31mred\u001b[39m'), long });
    """

    [record], _ = _talk(node, tmp_path, script)

    assert record["coloured"] == "red"
    assert record["long"] < 70_000
