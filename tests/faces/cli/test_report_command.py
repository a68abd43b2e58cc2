"""`testwright report`: looking back."""

from pathlib import Path

from tests.conftest import CommandLine
from tests.postgres import PostgresServer


def test_runs_are_listed_newest_first(testwright: CommandLine, project: Path) -> None:
    testwright("run", "-k", "test_adds")
    testwright("run")

    newest, oldest = testwright("report", "runs", "--json").json

    assert (newest["total"], newest["failed"], newest["success"]) == (3, 1, False)
    assert (oldest["total"], oldest["failed"], oldest["success"]) == (1, 0, True)


def test_a_run_is_found_by_the_start_of_its_id_and_tells_what_failed(testwright: CommandLine, project: Path) -> None:
    testwright("run")
    run_id = testwright("report", "runs", "--json").json[0]["id"]

    said = testwright("report", "run", run_id[:-2])

    assert said.code == 0
    assert "✗ test_is_wrong" in said.out
    assert testwright("report", "run", "latest", "--json").json["id"] == run_id


def test_a_journal_that_cannot_be_read_is_put_aside_and_told_of(testwright: CommandLine, project: Path) -> None:
    testwright("run")
    broken = project / ".testwright" / "pending" / "broken.jsonl"
    broken.write_text("this is no journal\n")

    said = testwright("report", "runs", "--json")

    assert len(said.json) == 1
    assert "broken.jsonl.unreadable" in said.err
    assert broken.with_name("broken.jsonl.unreadable").read_text() == "this is no journal\n"


def test_tests_are_listed_with_what_they_said_last(testwright: CommandLine, project: Path) -> None:
    testwright("run")

    failed = testwright("report", "tests", "--outcome", "failed", "--json").json

    assert [test["id"] for test in failed] == ["pytest:tests/test_sums.py::test_is_wrong"]


def test_one_test_is_followed_through_time(testwright: CommandLine, project: Path) -> None:
    testwright("run")
    source = (project / "tests" / "test_sums.py").read_text()
    (project / "tests" / "test_sums.py").write_text(source.replace("== 3", "== 2"))
    testwright("run")

    history = testwright("report", "test", "test_is_wrong", "--json").json

    assert [entry["outcome"] for entry in history["entries"]] == ["passed", "failed"]


def test_a_test_that_is_not_known_or_not_the_only_one_is_said_to_be(testwright: CommandLine, project: Path) -> None:
    testwright("run")

    assert "[not_found]" in testwright("report", "test", "test_nobody").err
    several = testwright("report", "test", "test_")
    assert several.code == 2
    assert "3 tests" in several.err


def test_old_runs_are_forgotten_when_asked(testwright: CommandLine, project: Path) -> None:
    for _ in range(3):
        testwright("run", "-k", "test_adds")

    said = testwright("report", "prune", "--keep", "1")

    assert "Forgot 2 run(s)" in said.out
    assert len(testwright("report", "runs", "--json").json) == 1


def test_pruning_needs_to_be_told_what_to_forget(testwright: CommandLine, project: Path) -> None:
    assert testwright("report", "prune").code == 2


def test_runs_travel_between_projects(testwright: CommandLine, project: Path, tmp_path: Path) -> None:
    testwright("run")
    testwright("report", "export", "-o", "runs.jsonl")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    first = testwright("import", project / "runs.jsonl", "--json", cwd=elsewhere).json
    again = testwright("import", project / "runs.jsonl", "--json", cwd=elsewhere).json

    assert [row["new"] for row in first["imported"]] == [True]
    assert [row["new"] for row in again["imported"]] == [False]
    assert testwright("report", "run", "latest", "--json", cwd=elsewhere).json["totalFailed"] == 1


def test_the_same_commands_work_on_postgresql(testwright: CommandLine, project: Path, postgres: PostgresServer) -> None:
    env = {"TESTWRIGHT_STORE": postgres.fresh_url()}

    assert testwright("run", env=env).code == 1

    assert testwright("report", "runs", "--json", env=env).json[0]["failed"] == 1
    assert not (project / ".testwright" / "testwright.db").exists()


def test_a_server_that_does_not_answer_loses_nothing_and_keeps_its_password_to_itself(
    testwright: CommandLine, project: Path
) -> None:
    said = testwright("run", env={"TESTWRIGHT_STORE": "postgresql://me:geheim@127.0.0.1:9/db"})

    assert "Not in the store" in said.out
    assert "geheim" not in said.out + said.err
    assert len(testwright("report", "runs", "--json").json) == 1


def test_without_runs_the_reports_on_failures_say_so(testwright: CommandLine, project: Path) -> None:
    assert testwright("report", "flaky").out == "There are no runs yet: `testwright run` makes one.\n"
    for kind in ("quality", "improvements"):
        said = testwright("report", kind)
        assert (said.code, "There are no runs yet. [not_found]" in said.err) == (2, True)


def test_after_one_run_nothing_is_called_flaky(testwright: CommandLine, project: Path) -> None:
    testwright("run")

    flaky = testwright("report", "flaky", "--json").json
    quality = testwright("report", "quality", "--json").json
    said = testwright("report", "improvements").out

    assert flaky["counts"] == {"confirmed": 0, "suspected": 0, "broken": 0, "insufficient_data": 2, "healthy": 0}
    assert quality["stats"] == {"total": 3, "passed": 1, "failed": 1, "flaky": 0, "needsRegeneration": 0}
    assert quality["qualityAnalytics"]["byOrigin"] == {"human": 1}
    assert "where: tests/test_sums.py:8" in said
    assert said.endswith("1 bug_note\n")


def test_a_page_that_cannot_be_written_is_an_error_that_names_it(testwright: CommandLine, project: Path) -> None:
    testwright("run")

    said = testwright("report", "quality", "--html", "/proc/quality.html")

    assert said.code != 0
    assert "/proc/quality.html could not be written" in said.err


def test_a_test_that_is_wrong_itself_is_left_to_a_person_while_there_is_no_model(
    testwright: CommandLine, project: Path
) -> None:
    source = project / "tests" / "test_sums.py"
    source.write_text("def test_adds(calculatr):\n    assert calculatr.add(1, 1) == 2\n")
    before = source.read_bytes()
    testwright("run")

    said = testwright("report", "improvements", "--propose", "--json").json

    [step] = said["steps"]
    assert (step["route"], step["proposal"]) == ("rewrite", None)
    assert step["said"].startswith("No model is configured that could rewrite the test: a person has to.")
    assert source.read_bytes() == before
    assert testwright("review", "list", "--json").json == []
