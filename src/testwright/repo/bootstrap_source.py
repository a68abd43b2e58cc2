"""The source of a bootstrap conftest."""

import os
from collections.abc import Sequence
from pathlib import Path

MARKER = "# Testwright: where imports start. Written once; keep it, or install the project instead."
_ROOTS = """\
for _root in {roots}:
    if _root not in sys.path:
        sys.path.insert(0, _root)
"""
_FINDER = """\

class _ByFile(importlib.abc.MetaPathFinder):
    \"\"\"Loads modules that no search path leads to.\"\"\"

    _files = {files}

    def find_spec(self, name, path=None, target=None):
        if name not in self._files:
            return None
        return importlib.util.spec_from_file_location(name, self._files[name])


sys.meta_path.insert(0, _ByFile())
"""


def render_bootstrap(roots: Sequence[str], by_file: Sequence[tuple[str, str]], tests_dir: Path | None) -> str:
    """Source that makes `roots` searched, the first one first, and `by_file` importable."""
    imports = ["pathlib", "sys"] if tests_dir is not None else ["sys"]
    body = ""
    if roots:
        # The last one is inserted first, so that the first one ends up in front.
        written = [_written(root, tests_dir) for root in reversed(roots)]
        body += "\n" + _ROOTS.format(roots=_listed(written, tests_dir))
    if by_file:
        imports = ["importlib.abc", "importlib.util", *imports]
        files = ", ".join(f'"{name}": {_expression(_written(path, tests_dir), tests_dir)}' for name, path in by_file)
        body += ("\n" if roots else "") + _FINDER.format(files="{" + files + "}")
    lines = "".join(f"import {name}\n" for name in imports)
    return f"{MARKER}\n{lines}{body}"


def _written(path: str, tests_dir: Path | None) -> str:
    if tests_dir is None:
        return path
    return os.path.relpath(path, tests_dir).replace(os.sep, "/")


def _expression(written: str, tests_dir: Path | None) -> str:
    quoted = '"' + written.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return quoted if tests_dir is None else f"str(pathlib.Path(__file__).parent.joinpath({quoted}).resolve())"


def _listed(written: list[str], tests_dir: Path | None) -> str:
    items = [_expression(path, tests_dir) for path in written]
    if len(items) == 1:
        return f"[{items[0]}]"
    return "[\n" + "".join(f"    {item},\n" for item in items) + "]"
