"""The files of a repository that are its own: no environments, no caches, no vendored packages."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

_SKIPPED = frozenset(
    {
        "node_modules", "__pycache__", "site-packages", "dist-packages", "venv", "env", "dist", "build", "target",
        "htmlcov", "bower_components", "_vendor", "__pypackages__",
    }
)  # fmt: skip
_DOCUMENT_ENDINGS = (".md", ".rst", ".markdown")
_ENVIRONMENT_FOLDERS = frozenset({"site-packages", "dist-packages"})
_STANDARD_LIBRARY = re.compile(r"python3\.\d+t?")


def walk(root: Path, *, depth: int | None = None) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Folders from `root` down, with their subfolders and files, sorted; `depth` 0 is the root alone."""
    base = len(root.parts)
    for name, subfolders, files in os.walk(root):
        folder = Path(name)
        kept = sorted(sub for sub in subfolders if _is_own(folder, sub))
        subfolders[:] = [] if depth is not None and len(folder.parts) - base >= depth else kept
        yield folder, kept, sorted(files)


def python_files(root: Path) -> Iterator[Path]:
    """Every Python file of the repository at `root`, in an order that is always the same."""
    for folder, _, files in walk(root):
        for name in files:
            if name.endswith(".py") and (folder / name).is_file():  # not a pipe, on which a reader would wait for ever
                yield folder / name


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
        if folder.name in _ENVIRONMENT_FOLDERS:
            return folder
        if _STANDARD_LIBRARY.fullmatch(folder.name) and (folder / "os.py").is_file() and (folder / "site.py").is_file():
            return folder
    return None


def absolute(path: Path) -> Path:
    """`path` from the root of the file system, `..` removed; links stay, for they are part of what was asked for."""
    return Path(os.path.abspath(path))  # noqa: PTH100


def _is_own(folder: Path, name: str) -> bool:
    if name.startswith(".") or name in _SKIPPED or name.endswith(".egg-info"):
        return False
    return not (folder / name / "pyvenv.cfg").exists()


def _below_docs(page: Path, root: Path) -> bool:
    return page.relative_to(root).parts[0].lower() in ("doc", "docs", "documentation")
