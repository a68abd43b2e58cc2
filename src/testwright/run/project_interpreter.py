"""Which Python a project's tests run with: the project's own, not ours."""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from testwright.model.errors import RunnerMissing
from testwright.run.external_programs import program_on_path


def project_python(
    folder: Path, env: Mapping[str, str], *, given: Path | None = None, stop_at: Path | None = None
) -> Path:
    """The interpreter for tests in `folder`: the one given, the nearest `.venv`, the active environment, or ours.

    `stop_at` is the project's root: environments above it belong to somebody else.
    """
    if given is not None:
        found = _runnable(given)
        if found is None:
            raise RunnerMissing(
                f"{given} is not a Python interpreter that can be run.",
                next_step="Name an interpreter, or an environment's folder, with --python.",
            )
        return found
    for candidate in _candidates(folder, env, stop_at or folder):
        found = _runnable(candidate)
        if found is not None:
            return found
    return _without_environment(env)


def _without_environment(env: Mapping[str, str]) -> Path:
    """Ours, if tests can run in it: installed by pipx or uvx, we are alone in an environment that has no pytest."""
    from importlib.util import find_spec  # late: start-up: few projects have no interpreter of their own

    ours = Path(sys.executable)
    if find_spec("pytest") is not None:
        return ours
    found = program_on_path("python3", env)
    return found or ours


def _candidates(folder: Path, env: Mapping[str, str], stop_at: Path) -> Iterator[Path]:
    if env.get("UV_PROJECT_ENVIRONMENT"):  # uv reads a relative one from the project's root
        yield stop_at / env["UV_PROJECT_ENVIRONMENT"]
    for place in (folder, *folder.parents):
        yield place / ".venv"
        yield place / "venv"
        if place == stop_at:
            break
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if env.get(name):
            yield Path(env[name])


def _runnable(place: Path) -> Path | None:
    """`place` as an interpreter: itself, or the one in the environment it is the folder of."""
    if place.is_dir():
        place = place / "bin" / "python"
    elif len(place.parts) == 1:
        return program_on_path(str(place), os.environ)
    # Not resolved: an environment's python is a link, and what it links to is not the environment.
    absolute = Path(os.path.abspath(place))  # noqa: PTH100
    return absolute if place.is_file() and os.access(place, os.X_OK) else None
