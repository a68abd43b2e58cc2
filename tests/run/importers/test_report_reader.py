"""A report is known by its content, bounded before it is read, and ends in nothing but a run or a clear error."""

import json
import os
import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from testwright.isolate.limits import MIB
from testwright.model.errors import (
    MalformedReport,
    NotARegularFile,
    PathNotFound,
    PathUnreadable,
    TestwrightError,
    TooLarge,
    UsageError,
)
from testwright.model.outcome import Outcome
from testwright.model.result import RunResult
from testwright.run.importers.report_reader import FORMATS, read_report

ReadText = Callable[..., RunResult]

SAMPLES = {
    "junit": '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<testsuites time="1"><testsuite name="s" timestamp="2026-01-01T00:00:00">'
    '<testcase classname="a.b" name="é" time="0.5"><failure message="m">stack</failure><system-out>o</system-out>'
    '</testcase><testcase classname="a.b" name="c"><flakyFailure message="x" type="y"/></testcase>'
    "</testsuite></testsuites>",
    "go": '{"Time":"2026-01-01T00:00:00Z","Action":"start","Package":"p"}\n'
    '{"Action":"run","Package":"p","Test":"TestA/b"}\n'
    '{"Action":"output","Package":"p","Test":"TestA/b","Output":"    a_test.go:1: é\\n"}\n'
    '{"Action":"fail","Package":"p","Test":"TestA/b","Elapsed":0.1}\n'
    '{"Action":"fail","Package":"p","Elapsed":1}\n',
    "flutter": '{"protocolVersion":"0.1.1","type":"start","time":0}\n'
    '{"suite":{"id":0,"path":"t.dart"},"type":"suite","time":0}\n'
    '{"test":{"id":1,"name":"é","suiteID":0,"groupIDs":[]},"type":"testStart","time":1}\n'
    '{"testID":1,"error":"no","stackTrace":"s","isFailure":true,"type":"error","time":2}\n'
    '{"testID":1,"result":"failure","type":"testDone","time":3}\n{"success":false,"type":"done","time":4}\n',
    "playwright": '{"config":{"rootDir":"/x"},"suites":[{"title":"a.ts","file":"a.ts","specs":[{"title":"é",'
    '"file":"a.ts","tests":[{"expectedStatus":"passed","status":"unexpected","results":[{"status":"failed",'
    '"duration":1,"error":{"message":"m"},"attachments":[{"name":"t","path":"/x/t.zip"}],'
    '"stdout":[{"text":"o"}]}]}]}]}],"stats":{}}',
    "jest": '{"numRuntimeErrorTestSuites":0,"success":false,"startTime":1,"testResults":[{"name":"/x/a.js",'
    '"status":"failed","message":"","assertionResults":[{"status":"failed","title":"é","ancestorTitles":["g"],'
    '"failureMessages":["m"],"invocations":2,"duration":3}]}]}',
    "vitest": '{"numTotalTests":1,"success":false,"startTime":1,"testResults":[{"name":"/x/a.js",'
    '"status":"failed","message":"","assertionResults":[{"status":"failed","title":"é","ancestorTitles":["g"],'
    '"failureMessages":["m"],"meta":{},"duration":3}]}]}',
}


# --- telling formats apart -------------------------------------------------------------------


def test_there_is_a_sample_of_every_format() -> None:
    assert sorted(SAMPLES) == sorted(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_the_content_tells_the_format_for_any_name_of_the_file(tmp_path: Path, name: str) -> None:
    for file_name in ("report.xml", "report.json", "report"):
        (tmp_path / file_name).write_text(SAMPLES[name])

        run = read_report(tmp_path / file_name, project=tmp_path)

        assert run.source == name
        assert run.results[0].case.title[-1] in ("é", "b")
        assert run.results[0].outcome is Outcome.FAILED


@pytest.mark.parametrize("name", ["go", "flutter", "playwright", "jest", "vitest"])
def test_json_may_be_spread_over_lines_or_marked_with_a_bom_or_be_utf_16(read_text: ReadText, name: str) -> None:
    text = SAMPLES[name]
    if name not in ("go", "flutter"):
        assert read_text(json.dumps(json.loads(text), indent=2)).source == name
    expected = [result.case.id for result in read_text(text).results]

    for encoding in ("utf-8-sig", "utf-16"):
        assert [result.case.id for result in read_text(text.encode(encoding)).results] == expected
    assert [result.case.id for result in read_text(text.replace("\n", "\r\n")).results] == expected


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("other", FORMATS)
def test_a_forced_format_is_used_or_refused_never_guessed_around(read_text: ReadText, name: str, other: str) -> None:
    is_same_shape = name == other or {name, other} == {"jest", "vitest"}
    if is_same_shape:
        assert read_text(SAMPLES[name], format=other).source == other
    else:
        with pytest.raises(MalformedReport):
            read_text(SAMPLES[name], format=other)


def test_a_format_that_does_not_exist_is_a_wrong_call(read_text: ReadText) -> None:
    with pytest.raises(UsageError) as caught:
        read_text("{}", format="tap")

    assert "playwright" in caught.value.next_step


@pytest.mark.parametrize(
    "content",
    ['{"hello": "world"}', '{\n "hello": "world"\n}', '{"a": 1}\n{"b": 2}\n'],
    ids=["one line", "spread", "lines"],
)
def test_json_of_no_known_format_says_what_was_tried_and_why_it_did_not_fit(read_text: ReadText, content: str) -> None:
    with pytest.raises(MalformedReport) as caught:
        read_text(content)

    for name in FORMATS:
        assert f"{name}: it" in caught.value.message


@pytest.mark.parametrize("content", ["", " \n\t", "TAP version 13\nok 1", "[1, 2]", "null", '"text"', "\x00\x01\x02"])
def test_what_is_not_a_report_is_refused(read_text: ReadText, content: str) -> None:
    with pytest.raises(MalformedReport) as caught:
        read_text(content)

    assert "report.dat" in caught.value.message


# --- identity and time -----------------------------------------------------------------------


def test_the_same_content_is_the_same_run_wherever_it_lies(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(SAMPLES["go"])
    (tmp_path / "b").write_text(SAMPLES["go"])
    (tmp_path / "c").write_text(SAMPLES["go"].replace("0.1", "0.2"))

    ids = [read_report(tmp_path / name, project=tmp_path).id for name in "abc"]

    assert ids[0] == ids[1] != ids[2]


def test_a_report_without_a_time_is_as_old_as_its_file(tmp_path: Path) -> None:
    file = tmp_path / "report"
    file.write_text(SAMPLES["flutter"])
    os.utime(file, (1_700_000_000, 1_700_000_000))

    assert read_report(file, project=tmp_path).started_at == datetime.fromtimestamp(1_700_000_000, UTC)


def test_the_time_in_the_report_wins_over_the_files(read_text: ReadText) -> None:
    assert read_text(SAMPLES["go"]).started_at == datetime(2026, 1, 1, tzinfo=UTC)


def test_a_project_reached_through_a_link_is_the_same_project(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    (tmp_path / "report").write_text(SAMPLES["jest"].replace("/x/", f"{real}/"))

    assert read_report(tmp_path / "report", project=tmp_path / "link").results[0].case.file == "a.js"


# --- files that cannot be read ---------------------------------------------------------------


def test_a_report_that_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "huge.json"
    with file.open("wb") as sparse:
        sparse.truncate(257 * MIB)

    with pytest.raises(TooLarge, match="257 MiB"):
        read_report(file, project=tmp_path)


def test_missing_and_special_files_are_named_for_what_they_are(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    expected: list[tuple[str, type[TestwrightError]]] = [
        ("missing", PathNotFound),
        ("missing/below", PathNotFound),
        (".", NotARegularFile),
        ("pipe", NotARegularFile),
        ("loop", PathUnreadable),
        ("nul\x00", PathUnreadable),
        ("x" * 5000, PathUnreadable),
    ]
    for name, error in expected:
        with pytest.raises(error):
            read_report(tmp_path / name, project=tmp_path)


# --- hostile JSON ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param('{"suites": [],\n "stats": {"duration": NaN}}', "NaN is not JSON", id="NaN"),
        pytest.param('{"suites": [],\n "stats": {"duration": -Infinity}}', "-Infinity is not JSON", id="Infinity"),
        pytest.param('{"suites": [],\n "suites": [], "stats": {}}', "'suites' stands twice", id="double key"),
        pytest.param('{"suites": ' + "[" * 200_000, "nested too deeply", id="nesting bomb"),
        pytest.param('{"suites":\n' + '{"a":' * 200_000, "nested too deeply", id="nesting bomb of objects"),
        pytest.param('{"suites": [],\n "stats": {"duration": ' + "9" * 5000 + "}}", "4300", id="endless number"),
        pytest.param(
            '{"suites": [],\n "stats": {"duration": ' + "9" * 400 + "}}", "$.stats.duration", id="huge number"
        ),
        pytest.param('{"suites": [\n{"title"', "line 2, column 9: the file ends", id="truncated"),
        pytest.param('{"Action":"run","Package":"p"}\n{"Action":"ru', "line 2, column 11", id="truncated lines"),
        pytest.param('{"Action":"run","Package":"p"}\n{"a":NaN}', "line 2: NaN is not JSON", id="NaN in a line"),
        pytest.param(
            '{"suites": {},\n "stats": {}}', "Expected `array`, got `object` - at `$.suites`", id="wrong type"
        ),
    ],
)
def test_json_that_is_not_strict_is_refused_with_the_place(read_text: ReadText, content: str, said: str) -> None:
    with pytest.raises(MalformedReport) as caught:
        read_text(content)

    assert said in caught.value.message


def test_half_a_surrogate_pair_cannot_break_what_comes_after_us(read_text: ReadText) -> None:
    run = read_text(SAMPLES["jest"].replace('"m"', r'"\ud83d"').replace('"g"', r'"\udc00g"'))

    result = run.results[0]
    assert result.last.message == "\ufffd"
    assert result.case.id.encode()


def test_bytes_that_are_not_utf_8_are_replaced_and_noted(read_text: ReadText) -> None:
    run = read_text(SAMPLES["go"].encode().replace("é".encode(), b"\xff"))

    assert run.results[0].last.message == "    a_test.go:1: \ufffd"
    assert run.results[0].last.reason == "replaced_characters"


def test_a_very_long_output_keeps_its_start_and_its_end(read_text: ReadText) -> None:
    output = "start" + "x" * 500_000 + "end"

    stdout = read_text(SAMPLES["playwright"].replace('"text":"o"', f'"text":"{output}"')).results[0].last.stdout

    assert len(stdout) < 140_000
    assert stdout.startswith("start")
    assert stdout.endswith("end")
    assert "bytes not kept" in stdout


def test_an_error_message_cannot_forge_what_surrounds_it(read_text: ReadText) -> None:
    with pytest.raises(MalformedReport) as caught:
        read_text('{"\x1b[2J\\n::error::\u202e": 1, "\x1b[2J\\n::error::\u202e": 1}'.replace("\x1b", r"\u001b"))

    assert caught.value.message.isprintable()


# --- damage ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS)
def test_every_truncation_gives_a_run_or_a_clear_error(read_text: ReadText, name: str) -> None:
    whole = SAMPLES[name].encode()
    for length in range(len(whole)):
        outcome = survive(read_text, whole[:length])
        if name in ("junit", "playwright", "jest", "vitest") and whole[:length].strip() != whole.strip():
            assert outcome is None, f"cut at {length}, it was taken for whole"


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("forced", [False, True], ids=["detected", "forced"])
def test_random_damage_gives_a_run_or_a_clear_error(read_text: ReadText, name: str, forced: bool) -> None:
    chance = random.Random(f"{name} {forced}")
    whole = SAMPLES[name].encode()
    tokens = [
        b"null",
        b"[]",
        b"{}",
        b"-1",
        b"1e999",
        b'"x"',
        b"true",
        b"\\ud800",
        b"<",
        b"&#0;",
        b"]]>",
        b"\xff\xfe",
        b"\x00",
    ]
    for _ in range(400):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            start = chance.randrange(len(damaged))
            kind = chance.random()
            if kind < 0.4:
                damaged[start] ^= 1 << chance.randrange(8)
            elif kind < 0.7:
                damaged[start : start + chance.randint(0, 6)] = chance.choice(tokens)
            else:
                end = min(len(damaged), start + chance.randint(1, 40))
                damaged[start:end] = damaged[start:end] * chance.randint(0, 3)
            damaged = damaged or bytearray(b"{")
        survive(read_text, bytes(damaged), name if forced else None)


def survive(read_text: ReadText, content: bytes, forced: str | None = None) -> RunResult | None:
    """The run, checked for being usable; None where it was refused as it should be."""
    try:
        run = read_text(content, format=forced)
    except TestwrightError as error:
        refusal = error
    else:
        check_usable(run)
        return run
    assert refusal.message
    assert refusal.next_step
    return None


def check_usable(run: RunResult) -> None:
    assert run.started_at.tzinfo is not None
    for result in run.results:
        assert result.attempts
        assert result.case.id.encode()
        assert 0 <= result.duration_ms < 1e13
    assert len({result.case.id for result in run.results}) == len(run.results)
