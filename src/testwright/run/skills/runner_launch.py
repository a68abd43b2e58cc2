"""How the runner for skill tests is started."""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from testwright.isolate.command import Command
from testwright.model.errors import NoTests, RunnerMissing
from testwright.run.framework_adapter import RunnerLaunch, RunRequest
from testwright.run.project_interpreter import project_python
from testwright.run.skills.catalog import TEST_ENDINGS

_INSIDE = Path(__file__).parents[1] / "inside"


class Runtime(StrEnum):
    NODE = "node"
    PYTHON = "python"


@dataclass(frozen=True, slots=True)
class LaunchSettings:
    """What a launch needs besides its files."""

    env: Mapping[str, str]
    python: Path | None = None  # None: the project's own
    root: Path | None = None  # the project's; None: the folder around the test's


def runtime_of(file: Path) -> Runtime:
    match file.suffix:
        case ".mjs" | ".js" | ".cjs":
            return Runtime.NODE
        case ".py":
            return Runtime.PYTHON
    raise NoTests(
        f"{file} is not a test file of a skill.", next_step=f"Name a file that ends with {' or '.join(TEST_ENDINGS)}."
    )


def short_name_of(file: Path) -> str:
    """The skill's folder name, as its test file gives it."""
    for ending in TEST_ENDINGS:
        if file.name.endswith(ending):
            return file.name.removesuffix(ending)
    return file.stem


def launch_of(files: Sequence[Path], settings: LaunchSettings, request: RunRequest | None = None) -> RunnerLaunch:
    """One runner for `files`, which are absolute and of one runtime. The files travel as data, over the channel."""
    request = request or RunRequest()
    folder = files[0].parent
    tests = [
        {"key": number, "file": str(file), "title": [short_name_of(file)]} for number, file in enumerate(files, start=1)
    ]
    return RunnerLaunch(
        Command((*_runner(files[0], settings), *request.extra), cwd=folder, env=settings.env),
        config={"tests": tests, "fail_fast": request.fail_fast},
        request=request,
    )


def by_runtime(files: Iterable[Path]) -> list[list[Path]]:
    """`files` in as few groups as there are runtimes, their order kept."""
    groups: dict[Runtime, list[Path]] = {}
    for file in files:
        groups.setdefault(runtime_of(file), []).append(file)
    return list(groups.values())


def _runner(file: Path, settings: LaunchSettings) -> tuple[str, str]:
    if runtime_of(file) is Runtime.PYTHON:
        root = settings.root or file.parent.parent
        python = project_python(file.parent, settings.env, given=settings.python, stop_at=root)
        return str(python), str(_INSIDE / "skill_runner.py")
    node = shutil.which("node", path=settings.env.get("PATH"))
    if node is None:
        raise RunnerMissing(
            f"{file.name} needs Node.js, and there is no `node` on the PATH.",
            next_step="Install Node.js 18 or newer, or add its folder to PATH.",
        )
    return node, str(_INSIDE / "skill_runner.mjs")
