"""The environment with the packages whose modules are tested, made once and used again."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

REQUIREMENTS = "requirements.txt"
FOCAL_PACKAGES = "focal-packages.txt"
OLDEST = (3, 12)
"""Some of the focal packages need it."""
_NAMES = ("python3.12", "python3.13", "python3.14")

# Runs in the environment that is asked about.
_WANTING = """
import re, sys
from importlib.metadata import PackageNotFoundError, version
for line in sys.argv[1:]:
    name, _, pinned = line.partition("==")
    try:
        found = version(re.match(r"[\\w.-]+", name)[0])
    except PackageNotFoundError:
        found = None
    if found is None or (pinned and found != pinned):
        print(line)
"""
_ORIGIN = """
import importlib.util, sys
spec = importlib.util.find_spec(sys.argv[1])
print(spec.origin if spec is not None and spec.origin is not None else "")
"""


class NotReady(SystemExit):
    """The benchmark cannot start; says why and what to do."""


def ready_environment(venv: Path, folder: Path) -> Path:
    """The interpreter of `venv`, with all that the lists in `folder` name. Only what is wanting is installed."""
    python = venv / "bin" / "python"
    if not python.exists():
        base = newest_enough()
        print(f"making {venv} with {base}", file=sys.stderr, flush=True)
        _run([base, "-m", "venv", str(venv)])
    if version_of(str(python)) < OLDEST:
        raise NotReady(f"{venv} has a Python older than {_dotted(OLDEST)}: remove it, or name another with --venv.")
    for name, extra in ((REQUIREMENTS, ()), (FOCAL_PACKAGES, ("--no-deps",))):
        if wanting(python, required(folder / name)):
            print(f"installing {name} into {venv}", file=sys.stderr, flush=True)
            _run([str(python), "-m", "pip", "install", "-q", *extra, "-r", str(folder / name)])
    return python


def required(file: Path) -> list[str]:
    """The requirements that a file lists, one a line."""
    lines = (line.split("#")[0].strip() for line in file.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line]


def wanting(python: Path, requirements: Sequence[str]) -> list[str]:
    """Those that are not installed, or not in the version that is pinned."""
    return _run([str(python), "-c", _WANTING, *requirements]).split("\n")[:-1]


def module_file(python: Path, module: str) -> Path:
    origin = _run([str(python), "-c", _ORIGIN, module]).strip()
    if not origin:
        raise NotReady(f"{python} finds no module {module}. Is its package in {FOCAL_PACKAGES}?")
    return Path(origin)


def newest_enough() -> str:
    """An interpreter that the focal packages can live with."""
    candidates = [*(shutil.which(name) for name in _NAMES), sys.executable]
    for candidate in filter(None, candidates):
        if version_of(candidate) >= OLDEST:
            return candidate
    raise NotReady(
        f"The packages of this benchmark need CPython {_dotted(OLDEST)} or newer, and none was found on PATH.\n"
        "Install one, or name an environment that has one: --venv DIR (make bench VENV=DIR)."
    )


def version_of(python: str) -> tuple[int, ...]:
    """Its version; nothing at all, which is older than any, where it does not start: a shim may lead nowhere."""
    done = subprocess.run(
        [python, "-c", "import sys; print(*sys.version_info[:3])"], capture_output=True, text=True, check=False
    )
    return tuple(map(int, done.stdout.split())) if done.returncode == 0 else ()


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    )
    if done.returncode != 0:
        raise NotReady(f"{' '.join(command[:6])} ... exited with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout
