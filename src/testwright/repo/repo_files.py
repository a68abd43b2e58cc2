"""The files of a repository that are its own: no environments, no caches, no vendored packages."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from testwright.model.foreign_folders import (
    BUILD_OUTPUT,
    BYTECODE,
    COVERAGE_REPORTS,
    ENVIRONMENTS,
    NODE_PACKAGES,
    PYTHON_PACKAGES,
    is_foreign,
)

_LEFT_OUT = (
    NODE_PACKAGES | PYTHON_PACKAGES | ENVIRONMENTS | BUILD_OUTPUT | BYTECODE | COVERAGE_REPORTS | {"_vendor"}
)  # not `vendor`, which may be a package of the product
_DOCUMENT_ENDINGS = (".md", ".rst", ".markdown")
_STANDARD_LIBRARY = re.compile(r"python3\.\d+t?")


def walk(root: Path, *, depth: int | None = None) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Folders from `root` down, with their subfolders and files, sorted; `depth` 0 is the root alone."""
    base = len(root.parts)
    for name, subfolders, files in os.walk(root):
        folder = Path(name)
        kept = sorted(sub for sub in subfolders if not is_foreign(folder, sub, _LEFT_OUT))
        subfolders[:] = [] if depth is not None and len(folder.parts) - base >= depth else kept
        yield folder, kept, sorted(files)


def python_files(root: Path) -> Iterator[Path]:
    """Every Python file of the repository at `root`, in an order that is always the same."""
    for folder, _, files in walk(root):
        for name in files:
            if name.endswith(".py") and (folder / name).is_file():  # not a pipe, which may never end
                yield folder / name


def has_python_files(folder: Path) -> bool:
    """Whether Python files of the repository's own lie anywhere in `folder`."""
    if not folder.is_dir() or is_foreign(folder.parent, folder.name, _LEFT_OUT):
        return False
    return next(python_files(folder), None) is not None


def documents(root: Path) -> Iterator[Path]:
    """READMEs first, then what lies below `docs`, then other pages at the top: where usage is shown."""
    top: list[Path] = []
    deep: list[Path] = []
    for folder, _, files in walk(root, depth=3):
        pages = [folder / name for name in files if name.lower().endswith(_DOCUMENT_ENDINGS)]
        pages = [page for page in pages if page.is_file()]
        (top if folder == root else deep).extend(pages)
    yield from sorted(top, key=lambda page: (not page.name.lower().startswith("readme"), page.name))
    yield from (page for page in deep if page.name.lower().startswith("readme") or _below_docs(page, root))


def environment_root(file: Path) -> Path | None:
    """The folder that an installed file is imported from: `site-packages`, or the standard library's."""
    for folder in file.parents:
        if folder.name in PYTHON_PACKAGES:
            return folder
        if _STANDARD_LIBRARY.fullmatch(folder.name) and (folder / "os.py").is_file() and (folder / "site.py").is_file():
            return folder
    return None


def above_packages(folder: Path) -> Path:
    """`folder`, or the first folder above it that is not a package."""
    while (folder / "__init__.py").is_file() and folder != folder.parent:
        folder = folder.parent
    return folder


def absolute(path: Path) -> Path:
    """`path` from the root of the file system, `..` removed; links stay, for they are part of what was asked for."""
    return Path(os.path.abspath(path))  # noqa: PTH100


def _below_docs(page: Path, root: Path) -> bool:
    return page.relative_to(root).parts[0].lower() in ("doc", "docs", "documentation")
