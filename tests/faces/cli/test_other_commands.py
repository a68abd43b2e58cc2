"""`init`, `doctor`, `import` and `skills`."""

from pathlib import Path

import pytest

from tests.conftest import CommandLine


def test_init_writes_settings_that_change_nothing_and_names_the_tests(testwright: CommandLine, project: Path) -> None:
    said = testwright("init")

    assert said.code == 0
    assert "pytest tests in ." in said.out
    assert testwright("run", "-k", "test_adds").code == 0


def test_init_leaves_existing_settings_alone(testwright: CommandLine, project: Path) -> None:
    (project / "testwright.toml").write_text("timeout = 5\n")

    testwright("init")

    assert (project / "testwright.toml").read_text() == "timeout = 5\n"


def test_a_setting_that_does_not_exist_is_named_before_anything_runs(testwright: CommandLine, project: Path) -> None:
    (project / "testwright.toml").write_text("timeuot = 5\n")

    said = testwright("run")

    assert said.code == 2
    assert "timeuot" in said.err
    assert "[invalid_settings]" in said.err


def test_doctor_says_what_is_there_and_leaves_no_trace(testwright: CommandLine, project: Path) -> None:
    found = {finding["about"]: finding for finding in testwright("doctor", "--json").json}

    assert found["pytest in ."]["ok"] is True
    assert "Isolation" in found["Isolation of generated code"]["found"]
    assert found["Store"]["ok"] is None
    assert not (project / ".testwright").exists()


def test_doctor_says_what_is_missing_and_how_to_get_it(testwright: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "playwright.config.ts").write_text("export default {};\n")

    said = testwright("doctor")

    assert said.code == 3
    assert "✗ playwright in .: @playwright/test is not installed" in said.out
    assert "npm ci" in said.out


def test_a_junit_report_is_imported_once(testwright: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "junit.xml").write_text(
        '<testsuite name="s" tests="2" failures="1"><testcase classname="a" name="b"/>'
        '<testcase classname="a" name="c"><failure message="no"/></testcase></testsuite>'
    )

    assert testwright("import", "junit.xml").code == 0
    assert testwright("import", "junit.xml", "--json").json["imported"][0]["new"] is False

    assert testwright("report", "runs", "--json").json[0]["failed"] == 1


@pytest.mark.parametrize(
    ("content", "code"),
    [
        pytest.param(b"[" * 100_000 + b"]" * 100_000, "malformed_report", id="nested beyond reason"),
        pytest.param(b'{"suites": [NaN]}', "malformed_report", id="not a number"),
        pytest.param(b'{"i":' + b"9" * 5000 + b"}", "malformed_report", id="a number of 5,000 digits"),
        pytest.param(b"\xff\xfe\x00", "malformed_report", id="no text at all"),
        pytest.param(b"", "malformed_report", id="empty"),
    ],
)
def test_a_report_that_makes_no_sense_is_refused_and_the_others_are_taken_in(
    testwright: CommandLine, tmp_path: Path, content: bytes, code: str
) -> None:
    (tmp_path / "bad.json").write_bytes(content)
    (tmp_path / "good.xml").write_text('<testsuite name="s"><testcase classname="a" name="b"/></testsuite>')

    said = testwright("import", "bad.json", "good.xml")

    assert said.code == 2
    assert f"[{code}]" in said.err
    assert "bad.json" in said.err
    assert "good.xml: run" in said.out


@pytest.mark.needs_node
def test_skills_answer_in_the_shape_agents_know(testwright: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "skills" / "greet").mkdir(parents=True)
    (tmp_path / "skills" / "greet" / "SKILL.md").write_text("# Greet\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "greet.tests.mjs").write_text(
        "export default async () => ({ passed: 2, failed: 1, errors: ['no hello'] });\n"
    )

    listed = testwright("skills", "list", "--json").json
    said = testwright("skills", "run", "greet", "--json")

    assert [(test["skillName"], test["skillType"]) for test in listed] == [("greet", "skill")]
    assert said.code == 1
    assert {name: said.json[name] for name in ("success", "totalTests", "totalPassed", "totalFailed", "errors")} == {
        "success": False,
        "totalTests": 1,
        "totalPassed": 2,
        "totalFailed": 1,
        "errors": ["no hello"],
    }
    assert testwright("skills", "show", "nobody").code == 2
