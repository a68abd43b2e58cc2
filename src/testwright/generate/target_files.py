"""Which modules a person means: files, folders walked in a fixed order, and `file.py::Class.method`."""

import fnmatch
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from testwright.generate.measured_results import Skipped
from testwright.model.errors import TestwrightError
from testwright.repo.code_target import parse_code_target
from testwright.repo.repo_files import absolute, walk

_COMPILED = (".so", ".pyd", ".pyx", ".c")
_NOT_PRODUCT = ("test_*.py", "*_test.py", "conftest.py", "setup.py", "noxfile.py", "__main__.py", "_version.py")
_NOT_PRODUCT_FOLDERS = frozenset({"tests", "test", "testing", "docs", "doc", "examples", "migrations"})


@dataclass(frozen=True, slots=True)
class ModuleTarget:
    """One module, and which of its functions, classes and methods; none named: all of them."""

    file: Path
    qualnames: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModuleTargets:
    files: tuple[ModuleTarget, ...]
    unusable: tuple[Skipped, ...]  # what was named and cannot be generated for, with the reason


def find_targets(texts: Iterable[str], folder: Path) -> ModuleTargets:
    """The modules that `texts`, read from `folder`, stand for; each once, in the order they were named."""
    wanted: dict[Path, list[str] | None] = {}  # None: all of the module
    unusable: list[Skipped] = []
    for text in texts:
        path = absolute(folder / text.partition("::")[0])
        qualname, reason = _read(text, path, folder)
        if reason:
            unusable.append(Skipped(text, reason))
            continue
        files = list(_modules_below(path)) if path.is_dir() else [path]
        if not files:
            unusable.append(Skipped(text, "there is no Python module in it that is not a test"))
        for file in files:
            names = wanted.setdefault(file, [])
            if not qualname:
                wanted[file] = None
            elif names is not None and qualname not in names:
                names.append(qualname)
    return ModuleTargets(
        tuple(ModuleTarget(file, tuple(names or ())) for file, names in wanted.items()), tuple(unusable)
    )


def _read(text: str, path: Path, folder: Path) -> tuple[str, str]:
    """What is named inside the file, and why the target cannot be used, each empty where there is nothing to say."""
    if path.suffix in _COMPILED and path.exists():
        return "", "it is compiled: there is no Python source to write tests from"
    if path.is_dir() and "::" not in text:
        return "", ""
    try:
        return parse_code_target(text, folder=folder).qualname, ""
    except TestwrightError as error:
        return "", f"{error.message} {error.next_step}".strip()


def _modules_below(folder: Path) -> Iterator[Path]:
    """The modules of a folder that somebody would test: not its tests, its set-up or its documents."""
    for here, _, names in walk(folder):
        inner = here.relative_to(folder).parts
        if _NOT_PRODUCT_FOLDERS.isdisjoint(inner):
            yield from (here / name for name in names if name.endswith(".py") and not _is_side_file(name))


def _is_side_file(name: str) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in _NOT_PRODUCT)
