"""`testwright run`, as a person and as a program meet it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.conftest import TESTWRIGHT, CommandLine
from testwright.pipeline.running.run_keeper import MOST_WAITING


def test_a_run_says_what_failed_why_and_where_and_ends_with_one(testwright: CommandLine, project: Path) -> None:
    said = testwright("run")

    assert said.code == 1
    assert "✗ test_is_wrong  (tests/test_sums.py:6)" in said.out
    assert "assert (1 + 1) == 3" in said.out
    assert "about to be wrong" in said.out
    assert "1 passed, 1 failed, 1 skipped" in said.out


def test_a_run_where_everything_passes_ends_with_zero(testwright: CommandLine, project: Path) -> None:
    assert testwright("run", "-k", "test_adds").code == 0


def test_json_has_the_fields_other_programs_know(testwright: CommandLine, project: Path) -> None:
    said = testwright("run", "--json")

    report = said.json
    assert said.code == report["exitCode"] == 1
    assert report["success"] is False
    assert (report["totalTests"], report["totalPassed"], report["totalFailed"]) == (3, 1, 1)
    (suite,) = report["suites"]
    failed = next(result for result in suite["results"] if result["outcome"] == "failed")
    assert failed["id"] == "pytest:tests/test_sums.py::test_is_wrong"
    assert failed["output"] == "about to be wrong\n"
    assert report["errors"] == failed["errors"]
    assert report["duration"] > 0


def test_junit_xml_is_written_beside_the_text(testwright: CommandLine, project: Path) -> None:
    testwright("run", "--junit", "out/report.xml")

    suite = ET.parse(project / "out" / "report.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")


def test_one_test_can_be_named(testwright: CommandLine, project: Path) -> None:
    said = testwright("run", "tests/test_sums.py::test_adds", "--json")

    assert [result["title"] for suite in said.json["suites"] for result in suite["results"]] == [["test_adds"]]


def test_a_name_with_options_in_it_runs_nothing(testwright: CommandLine, project: Path) -> None:
    said = testwright("run", "tests/test_sums.py::test_adds -p evil_plugin")

    assert said.code == 2
    assert "[no_tests]" in said.out


def test_a_path_that_does_not_exist_is_named(testwright: CommandLine, project: Path) -> None:
    said = testwright("run", "tests/test_nothing.py")

    assert said.code == 2
    assert "tests/test_nothing.py" in said.err
    assert "[test_file_not_found]" in said.err


def test_the_last_failed_run_again_alone(testwright: CommandLine, project: Path) -> None:
    testwright("run")

    said = testwright("run", "--last-failed", "--json")

    assert [result["title"] for suite in said.json["suites"] for result in suite["results"]] == [["test_is_wrong"]]


def test_when_nothing_failed_there_is_nothing_to_run_again(testwright: CommandLine, project: Path) -> None:
    testwright("run", "-k", "test_adds")

    said = testwright("run", "--last-failed")

    assert said.code == 2
    assert "No test failed when it last ran." in said.err


def test_retries_keep_every_attempt_and_call_a_late_pass_flaky(testwright: CommandLine, project: Path) -> None:
    (project / "tests" / "test_moody.py").write_text(
        "from pathlib import Path\n"
        "def test_moody():\n"
        "    seen = Path('seen')\n"
        "    first = not seen.exists()\n"
        "    seen.touch()\n"
        "    assert not first\n"
    )

    said = testwright("run", "tests/test_moody.py", "--retries", "2", "--json")

    (result,) = said.json["suites"][0]["results"]
    assert [attempt["outcome"] for attempt in result["attempts"]] == ["failed", "passed"]
    assert result["flaky"] is True
    assert said.code == 0


def test_options_after_two_dashes_reach_the_runner(testwright: CommandLine, project: Path) -> None:
    said = testwright("run", "--json", "--", "-k", "adds")

    assert said.json["totalTests"] == 1


def test_coverage_is_kept_as_data(testwright: CommandLine, project: Path) -> None:
    said = testwright("run", "--coverage", "-k", "test_adds", "--json")

    (artifact,) = said.json["suites"][0]["artifacts"]
    assert (project / artifact["path"]).stat().st_size > 0
    assert (project / ".testwright" / ".gitignore").read_text() == "*\n"


def test_a_project_without_tests_is_told_what_was_looked_for(testwright: CommandLine, tmp_path: Path) -> None:
    said = testwright("run")

    assert said.code == 2
    assert "[no_tests]" in said.err
    assert "pytest" in said.err


def test_what_a_test_prints_cannot_forge_the_screen_or_a_ci_log(testwright: CommandLine, project: Path) -> None:
    (project / "tests" / "test_sums.py").write_text(
        "def test_forges():\n"
        "    print('\\x1b]8;;http://evil.test\\x07click\\x1b]8;;\\x07')\n"
        "    print('::error::forged')\n"
        "    assert False, 'Trojan \\u202e\\u2066source\\u2069'\n"
    )

    said = testwright("run")

    assert "\x1b" not in said.out
    assert "\u202e" not in said.out
    assert "\\u{202e}" in said.out
    assert not [line for line in said.out.splitlines() if line.lstrip().startswith("::")]


def test_output_that_is_not_utf8_is_shown_with_replacements(testwright: CommandLine, project: Path) -> None:
    (project / "tests" / "test_sums.py").write_text(
        "import os\ndef test_bytes():\n    os.write(1, b'FAILED \\xff\\xfe \\x80 test\\n')\n    assert False\n"
    )

    said = testwright("run")

    assert said.code == 1
    assert "FAILED \ufffd\ufffd \ufffd test" in said.out
    (result,) = testwright("run", "--json").json["suites"][0]["results"]
    assert result["attempts"][0]["invalidUtf8"] is True


def test_a_first_interrupt_keeps_what_finished_and_leaves_no_process(project: Path) -> None:
    marker = f"marker-{os.getpid()}-{time.monotonic_ns()}"
    (project / "tests" / "test_sums.py").write_text(
        "import subprocess, sys\n"
        "def test_first(): pass\n"
        "def test_second():\n"
        f"    child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)', '{marker}'])\n"
        "    open('running', 'w').close()\n"
        "    child.wait()\n"
        "def test_third(): pass\n"
    )
    running = subprocess.Popen([TESTWRIGHT, "run", "--json"], cwd=project, stdout=subprocess.PIPE)
    _await(project / "running")

    running.send_signal(signal.SIGINT)
    out, _ = running.communicate()

    report = json.loads(out)
    outcomes = {result["title"][0]: result["outcome"] for result in report["suites"][0]["results"]}
    assert outcomes == {"test_first": "passed", "test_second": "interrupted", "test_third": "interrupted"}
    assert report["interrupted"] is True
    assert running.returncode == 1
    assert not _processes_with(marker)


def test_a_store_that_is_broken_loses_no_result(testwright: CommandLine, project: Path) -> None:
    folder = project / ".testwright"
    folder.mkdir()
    (folder / "testwright.db").write_bytes(b"this is no database, whatever its name says" * 100)

    said = testwright("run")

    assert "1 passed, 1 failed, 1 skipped" in said.out
    refused = testwright("report", "runs")
    assert refused.code == 3
    assert "[store_corrupt]" in refused.err

    for damaged in folder.glob("testwright.db*"):
        damaged.unlink()
    assert len(testwright("report", "runs", "--json").json) == 1


def test_runs_that_are_never_looked_at_do_not_pile_up(testwright: CommandLine, project: Path) -> None:
    pending = project / ".testwright" / "pending"
    testwright("run", "-k", "test_adds")
    (journal,) = pending.glob("*.jsonl")
    for number in range(MOST_WAITING):
        copy = journal.read_text().replace(journal.stem, f"{journal.stem}-{number}")
        (pending / f"{journal.stem}-{number}.jsonl").write_text(copy)

    testwright("run", "-k", "test_adds")

    assert not list(pending.glob("*.jsonl"))
    assert len(testwright("report", "runs", "--limit", 100, "--json").json) == MOST_WAITING + 2


def test_the_runner_of_another_interpreter_can_be_missing(testwright: CommandLine, project: Path) -> None:
    bare = project / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)

    said = testwright("run", "--python", bare)

    assert said.code == 3
    assert "[runner_missing]" in said.out


def _await(file: Path) -> None:
    deadline = time.monotonic() + 30
    while not file.exists():
        assert time.monotonic() < deadline, f"{file} never came"
        time.sleep(0.01)


def _processes_with(marker: str) -> list[str]:
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if marker.encode() in (folder / "cmdline").read_bytes():
                    found.append(folder.name)
            except OSError:
                continue
    return found
