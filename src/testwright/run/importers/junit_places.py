"""Where a JUnit test lies: JUnit names classes, and each reporter puts something else there."""

import posixpath
import re
from dataclasses import dataclass

from testwright.run.importers.project_paths import ProjectPaths

_SOURCE_FILE = re.compile(r"[^\s]+\.(?:py|[cm]?[jt]sx?|dart|go|java|kts?|scala|groovy|rb|php|cs|rs|feature)")
_DOTTED = re.compile(r"[\w$]+(?:\.[\w$]+)+|[\w$]+")
# Where build tools look for a class, and what its file is called there.
_LAYOUTS = (
    ("", ".py"),
    ("src/test/java/", ".java"),
    ("src/test/kotlin/", ".kt"),
    ("src/test/groovy/", ".groovy"),
    ("src/test/scala/", ".scala"),
)
_DEEPEST = 20  # each part costs a look at the disk


@dataclass(frozen=True, slots=True)
class Place:
    file: str
    groups: tuple[str, ...]  # what of the class name is not the file: a class inside a module


def place_of(classname: str, name: str, file: str, paths: ProjectPaths) -> Place:
    """The file and the groups of the test `name`: from `file` where the report gives one, else from its class name."""
    if file:
        return _in_file(paths.name_of(file), classname, name)
    if "/" in classname or "\\" in classname or _SOURCE_FILE.fullmatch(classname):
        return Place(paths.name_of(classname), ())
    return _in_project(classname, paths) or Place(classname, ())


def _in_file(file: str, classname: str, name: str) -> Place:
    """The file is known; the class name may repeat it, repeat the test's name, or tell the group."""
    module = posixpath.splitext(file)[0].replace("/", ".")
    if classname == module or classname.startswith(f"{module}."):
        return Place(file, tuple(classname[len(module) + 1 :].split(".")))
    repeats = not classname or classname in name or posixpath.basename(file) in classname
    return Place(file, () if repeats else (classname,))


def _in_project(classname: str, paths: ProjectPaths) -> Place | None:
    """A dotted name whose longest beginning is a file of the project: `tests.test_cart.TestTotal`."""
    parts = classname.split(".")
    if not _DOTTED.fullmatch(classname) or len(parts) > _DEEPEST:
        return None
    layouts = [(folder, suffix) for folder, suffix in _LAYOUTS if paths.has_folder(folder)]
    for length in range(len(parts), 0, -1):
        stem = "/".join(parts[:length])
        for folder, suffix in layouts:
            outer, *inner = stem.split("$") if suffix != ".py" else [stem]
            if paths.has_file(f"{folder}{outer}{suffix}"):
                return Place(f"{folder}{outer}{suffix}", (*inner, *parts[length:]))
    return None
