"""`testwright classify`: texts, standard input, stored runs, and lines of JSON."""

import json
import subprocess
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.conftest import TESTWRIGHT, CommandLine, Said

LOST = "TimeoutError: locator.click: Timeout 400ms exceeded.\nCall log:\n  - waiting for locator('#pay')\n"
LOG = dedent(
    """\
    =================================== FAILURES ===================================
    __________________________________ test_total __________________________________

        def test_total():
    >       assert total() == 7
    E       assert 6 == 7

    tests/test_shop.py:4: AssertionError
    __________________________________ test_first __________________________________

        def test_first():
    >       connect()
    E       ConnectionRefusedError: [Errno 111] Connection refused

    tests/test_shop.py:9: ConnectionRefusedError
    _________________________________ test_second __________________________________

        def test_second():
    >       connect()
    E       ConnectionRefusedError: [Errno 111] Connection refused

    tests/test_shop.py:13: ConnectionRefusedError
    =========================== short test summary info ============================
    """
)


def fed(text: bytes, *arguments: str, cwd: Path) -> Said:
    """`testwright classify ARGUMENTS` with `text` on its standard input."""
    command = [str(TESTWRIGHT), "classify", *arguments]
    done = subprocess.run(command, input=text, cwd=cwd, capture_output=True, check=False)
    return Said(done.returncode, done.stdout.decode(), done.stderr.decode())


# --- texts -----------------------------------------------------------------------------------


def test_a_text_is_told_as_label_evidence_and_advice(testwright: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "output.txt").write_text(LOST)

    said = testwright("classify", "output.txt")

    first, quoted, advice = said.out.splitlines()
    assert said.code == 0
    assert first.startswith("selector_broken (")
    assert "% sure" in first
    assert "waiting for locator('#pay')" in quoted
    assert advice.strip().startswith("→ ")


def test_failures_of_one_cause_are_one_finding(tmp_path: Path) -> None:
    said = fed(LOG.encode(), "-", cwd=tmp_path)

    assert said.code == 0
    assert said.out.count("Connection refused") == 1
    assert "2 tests, one cause" in said.out
    assert "test_first" in said.out
    assert "test_second" in said.out


def test_json_has_every_failure_and_every_cause(tmp_path: Path) -> None:
    shape = fed(LOG.encode(), "-", "--json", cwd=tmp_path).json

    assert [each["verdict"]["label"] for each in shape["failures"]] == ["assertion_mismatch", *["environment"] * 2]
    assert [len(each["tests"]) for each in shape["causes"]] == [1, 2]
    assert shape["truncated"] is False


def test_a_failure_without_a_reason_is_unknown_and_the_exit_code_says_so(tmp_path: Path) -> None:
    said = fed(b"It failed.\n", "-", cwd=tmp_path)

    assert said.code == 1
    assert said.out.startswith("unknown (")


@pytest.mark.parametrize("text", [b"", b" \n\n"])
def test_an_empty_text_is_a_clear_error(tmp_path: Path, text: bytes) -> None:
    said = fed(text, "-", cwd=tmp_path)

    assert said.code == 2
    assert "[classification_uncertain]" in said.err


def test_bytes_that_are_no_text_do_no_harm(tmp_path: Path) -> None:
    said = fed(b"\xff\xfe" + LOST.encode(), "-", cwd=tmp_path)

    assert said.out.startswith("selector_broken")


def test_characters_that_deceive_are_made_visible(tmp_path: Path) -> None:
    said = fed(("\x1b[31m" + LOST.replace("pay", "p\u202eay") + "\x1b[0m\x1b]0;x\x07").encode(), "-", cwd=tmp_path)

    assert not {"\x1b", "\u202e", "\x07"} & set(said.out)
    assert "\\u{202e}" in said.out


def test_an_endless_text_is_read_up_to_a_limit_and_that_is_told(tmp_path: Path) -> None:
    (tmp_path / "start").write_text(LOST + "\n")
    with subprocess.Popen(["sh", "-c", "cat start; exec yes"], cwd=tmp_path, stdout=subprocess.PIPE) as endless:
        done = subprocess.run(
            [str(TESTWRIGHT), "classify", "-"], cwd=tmp_path, stdin=endless.stdout, capture_output=True, check=False
        )
        assert endless.stdout is not None
        endless.stdout.close()

    assert done.stdout.decode().startswith("selector_broken")
    assert b"only the first 4 MiB" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["missing.txt"], "test_file_not_found"),
        (["."], "not_a_regular_file"),
        ([], "usage"),
        (["--run", "20200101"], "not_found"),
        (["--run", "last"], "not_found"),
    ],
)
def test_what_is_not_there_is_named(testwright: CommandLine, arguments: list[str], code: str) -> None:
    said = testwright("classify", *arguments)

    assert said.code == 2
    assert f"[{code}]" in said.err


# --- runs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("wanted", ["last", "prefix"])
def test_a_stored_run_is_explained(testwright: CommandLine, project: Path, wanted: str) -> None:
    run = testwright("run", "--json").json

    said = testwright("classify", "--run", "last" if wanted == "last" else run["id"][:-2], "--json").json

    (failure,) = said["failures"]
    assert said["run"] == run["id"]
    assert failure["id"] == "pytest:tests/test_sums.py::test_is_wrong"
    assert failure["verdict"] == run["suites"][0]["results"][1]["verdict"]


def test_a_run_without_failures_says_so(testwright: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test_a(): pass\n")
    testwright("run")

    said = testwright("classify", "--run", "last")

    assert said.code == 0
    assert said.out.startswith("No test failed in run ")


# --- lines of JSON ---------------------------------------------------------------------------


def lines(tmp_path: Path, *asked: Any) -> list[dict[str, Any]]:
    text = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in asked)
    return [json.loads(line) for line in fed(text, "--jsonl", cwd=tmp_path).out.splitlines()]


def test_each_line_is_answered_in_order(tmp_path: Path) -> None:
    answers = lines(
        tmp_path,
        {"id": "a", "framework": "playwright", "text": LOST},
        {"id": 2, "text": "E   assert 6 == 7"},
        {"id": None, "framework": None, "text": ""},
    )

    assert [(each["id"], each["category"]) for each in answers] == [
        ("a", "selector_broken"),
        (2, "assertion_mismatch"),
        (None, "unknown"),
    ]
    assert answers[0]["second"]
    assert 0.8 < answers[0]["confidence"] < 1
    assert answers[0]["evidence"][0]["text"] == LOST[answers[0]["evidence"][0]["start"] :].splitlines()[0].strip()


def test_a_bad_line_is_answered_with_an_error_and_the_next_one_is_read(tmp_path: Path) -> None:
    bad = [
        b"{\n",
        b"[1]\n",
        {"id": "x", "text": 7},
        {"id": "y"},
        {"text": "z", "framework": []},
        b"[" * 100_000 + b"\n",
    ]
    answers = lines(tmp_path, *bad, b"\n", {"id": "good", "text": LOST})

    assert [each["error"]["code"] for each in answers[:-1]] == ["malformed_report"] * len(bad)
    assert [each["id"] for each in answers] == [None, None, "x", "y", None, None, "good"]
    assert "error" not in answers[-1]


def test_a_line_that_is_far_too_long_is_one_error(tmp_path: Path) -> None:
    answers = lines(tmp_path, {"id": "long", "text": "x" * (17 << 20)}, {"id": "good", "text": LOST})

    assert len(answers) == 2
    assert answers[0]["error"]["code"] == "malformed_report"
    assert answers[1]["category"] == "selector_broken"


def test_an_answer_comes_before_the_next_question(tmp_path: Path) -> None:
    with subprocess.Popen(
        [str(TESTWRIGHT), "classify", "--jsonl"], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(json.dumps({"id": number, "text": LOST}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait() == 0
