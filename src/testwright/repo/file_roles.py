"""What a Python file is in its repository: a test, a file that we wrote, a module of a package."""

from pathlib import Path

from testwright.repo.layout import RepoLayout

MARK = "written by Testwright"
"""In the first lines of a test file that is ours to write again, in whatever case."""
_MARKED_WITHIN = 500


def is_written_by_us(path: Path) -> bool:
    """Whether we wrote it, by what its first lines say."""
    try:
        with path.open("rb") as opened:
            return is_marked(opened.read(_MARKED_WITHIN))
    except OSError:
        return False


def is_marked(raw: bytes) -> bool:
    """The same for a file that was read already."""
    return MARK.lower().encode() in raw[:_MARKED_WITHIN].lower()


def is_bug_test(path: Path) -> bool:
    """Whether it is one of those we write for broken promises, by the place and the name that we give them."""
    return path.parent.name == "bugs" and path.name.startswith("test_bug_")


def is_collected(path: Path) -> bool:
    """By the names that pytest looks for unless settings say otherwise."""
    return path.name.startswith("test_") or path.stem.endswith("_test")


def is_test_file(path: Path) -> bool:
    """Whether it belongs to the tests: collected, or there for those that are."""
    return is_collected(path) or path.name in ("tests.py", "conftest.py")


def package_of(path: Path, layout: RepoLayout) -> str:
    """The package that relative imports in `path` start from."""
    parts: list[str] = []
    folder = path.parent
    while (folder / "__init__.py").is_file() and folder != layout.root.parent:
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts)
