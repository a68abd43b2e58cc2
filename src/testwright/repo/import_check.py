"""Ask a project's interpreter, once, where it would find a package. No code of the project runs for the answer."""

import json
import os
import subprocess
from functools import lru_cache
from pathlib import Path

from testwright.model.errors import RunnerMissing

_SECONDS = 30.0
# A parent is imported to look below it, so we look below namespaces only: they have no code.
_QUESTION = """
import importlib.util, json, sys
name, found = "", []
for part in sys.argv[1].split("."):
    name = name + "." + part if name else part
    try:
        spec = importlib.util.find_spec(name)
    except Exception:  # a broken parent: not found
        spec = None
    if spec is None:
        found = []
        break
    found = list(spec.submodule_search_locations or [spec.origin or ""])
    if spec.origin is not None:
        break
print(json.dumps([name, found]))
"""


def is_importable(python: Path, module_name: str, file: Path) -> bool:
    """Whether `python`, started anywhere, imports `module_name` from `file` and not from elsewhere."""
    found_name, places = _found_by(python, module_name)
    inside = module_name.removeprefix(found_name).removeprefix(".")
    wanted = file.parent if file.name == "__init__.py" else file.with_suffix("")
    for _ in inside.split(".") if inside else ():
        wanted = wanted.parent
    real = os.path.realpath(wanted)
    return any(os.path.realpath(place.removesuffix(".py")) == real for place in places)


@lru_cache(maxsize=1024)
def _found_by(python: Path, module_name: str) -> tuple[str, tuple[str, ...]]:
    try:
        done = subprocess.run(
            [str(python), "-I", "-c", _QUESTION, module_name],
            capture_output=True,
            timeout=_SECONDS,
            check=True,
            stdin=subprocess.DEVNULL,
            cwd=os.sep,
        )
        name, places = json.loads(done.stdout.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        raise RunnerMissing(
            f"{python} did not answer as a Python interpreter does.",
            next_step="Name an interpreter, or an environment's folder, with --python.",
        ) from error
    return name, tuple(places)
