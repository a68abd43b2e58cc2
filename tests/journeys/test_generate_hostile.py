"""A package full of hostile modules: each is named with its reason, the rest is done, and nobody is hurt."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import TESTWRIGHT, CommandLine
from tests.generate.hostile.at_import import AT_IMPORT, NOTHING_TO_TEST
from tests.generate.hostile.corpus import HONEST, Hostile
from tests.generate.hostile.watching import Fingerprint, fingerprint, machine, survivors, write_project
from tests.generate.hostile.when_called import WHEN_CALLED

# Those that would hurt the machine, the project or the gates, should anything let them.
HARMFUL = (
    "deletes_the_project",
    "starts_processes",
    "writes_over_its_source",
)
MODULES: dict[str, Hostile] = {**AT_IMPORT, **{name: WHEN_CALLED[name] for name in HARMFUL}}
SMALL = ("--budget", "2")


@dataclass(frozen=True)
class Journey:
    """The one run that every test here looks at."""

    code: int
    err: str
    modules: dict[str, dict[str, Any]]
    output: Path
    before: tuple[Fingerprint, list[str]]
    after: tuple[Fingerprint, list[str]]
    survivors: list[str]
    left_in_temp: list[str]

    def reasons(self, name: str) -> str:
        module = self.modules[name]
        return " ".join([module["reason"], *(each["reason"] for each in module["skipped"])])


@pytest.fixture(scope="module")
def journey(tmp_path_factory: pytest.TempPathFactory, bare_python: Path) -> Journey:
    place = tmp_path_factory.mktemp("hostile")
    root, output, temp = place / "project", place / "out", place / "temp"
    write_project(
        root, {"honest_only": HONEST, **NOTHING_TO_TEST, **{name: module.text for name, module in MODULES.items()}}
    )
    temp.mkdir()
    before = fingerprint(root), machine()
    done = subprocess.run(
        [str(TESTWRIGHT), "generate", "src", *SMALL, "--python", str(bare_python), "--output", str(output), "--json"],
        cwd=root,
        env={**os.environ, "TMPDIR": str(temp)},
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.stdout, done.stderr
    return Journey(
        code=done.returncode,
        err=done.stderr,
        modules={Path(module["module"]).stem: module for module in json.loads(done.stdout)["modules"]},
        output=output,
        before=before,
        after=(fingerprint(root), machine()),
        survivors=survivors(temp),
        left_in_temp=sorted(path.name for path in temp.iterdir()),
    )


# --- the run as a whole ----------------------------------------------------------------------


def test_the_run_comes_to_its_end_and_says_that_some_modules_have_no_tests(journey: Journey) -> None:
    assert journey.code == 1
    assert "Traceback" not in journey.err
    assert set(journey.modules) == {"__init__", "honest_only", *NOTHING_TO_TEST, *MODULES}


def test_the_project_is_as_it_was_byte_for_byte_and_mode_for_mode(journey: Journey) -> None:
    assert journey.after == journey.before


def test_nothing_survives(journey: Journey) -> None:
    assert journey.survivors == []
    assert journey.left_in_temp == []


def test_the_module_without_harm_has_its_tests_among_all_the_others(journey: Journey) -> None:
    assert journey.modules["honest_only"]["status"] == "tested"
    assert journey.modules["honest_only"]["covered"] == 1.0


def test_what_was_written_passes_for_everybody(journey: Journey, bare_python: Path) -> None:
    """In fresh interpreters, one for each file: what one hostile module does must not count against another."""
    for name in ("honest_only", "has_no_name"):
        done = subprocess.run(
            [bare_python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"test_{name}.py"],
            cwd=journey.output,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            check=False,
            text=True,
        )
        assert done.returncode == 0, done.stdout


# --- module by module ------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(name for name, module in MODULES.items() if not module.is_tested))
def test_what_cannot_be_tested_is_named_with_the_reason(journey: Journey, name: str) -> None:
    assert journey.modules[name]["status"] == "failed"
    assert MODULES[name].says in journey.reasons(name)
    assert "fault of Testwright" not in journey.reasons(name)
    assert not (journey.output / f"test_{name}.py").exists()


@pytest.mark.parametrize("name", sorted(name for name, module in MODULES.items() if module.is_tested))
def test_what_is_honest_in_a_hostile_module_is_tested_all_the_same(journey: Journey, name: str) -> None:
    assert journey.modules[name]["status"] == "tested", journey.reasons(name)
    assert MODULES[name].says in journey.reasons(name)
    assert "_under_test.honest(" in (journey.output / f"test_{name}.py").read_text()


@pytest.mark.parametrize("name", sorted(NOTHING_TO_TEST))
def test_what_has_nothing_to_test_is_no_failure(journey: Journey, name: str) -> None:
    assert journey.modules[name]["status"] == "nothing"
    assert journey.modules[name]["reason"]


# --- targets that are no modules -------------------------------------------------------------


def test_targets_that_are_no_modules_are_each_named_with_the_reason(
    testwright: CommandLine, tmp_path: Path, bare_python: Path
) -> None:
    package = write_project(tmp_path / "project", {})
    (package / "_fast.so").write_bytes(b"\x7fELF")
    (package / "notes.txt").write_text("words")
    (package / "empty").mkdir()
    names = ["missing.py", "_fast.so", "notes.txt", "empty", "__init__.py::nothing_of_that_name"]

    said = testwright(
        "generate", *names, "--json", *SMALL, "--python", bare_python, "--output", tmp_path / "out", cwd=package
    )

    assert said.code == 2
    assert [module["module"] for module in said.json["modules"]] == names
    assert all(module["status"] == "failed" and module["reason"] for module in said.json["modules"])
    assert "compiled" in said.json["modules"][1]["reason"]


def test_files_that_cannot_be_read_are_named_and_do_not_hold_up_the_rest(
    testwright: CommandLine, tmp_path: Path, bare_python: Path
) -> None:
    package = write_project(tmp_path / "project", {"honest_only": HONEST})
    (package / "leads_nowhere.py").symlink_to("not there")
    (package / "is_a_folder.py").mkdir()
    (package / "is_too_large.py").write_bytes(b"# nothing but words\n" * 500_000)

    said = testwright(
        "generate",
        "src",
        "--json",
        *SMALL,
        "--python",
        bare_python,
        "--output",
        tmp_path / "out",
        cwd=tmp_path / "project",
    )

    states = {Path(module["module"]).stem: module["status"] for module in said.json["modules"]}
    assert states.pop("honest_only") == "tested"
    assert "tested" not in states.values()
