"""The source files of a project, read when they are asked for, and what they import from one another."""

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from testwright.heal.source.declarations import Declaration, SourceNames
from testwright.heal.source.languages import Language, ParsedSource, language_of, read_source
from testwright.heal.source.python_names import PythonNames
from testwright.heal.source.script_names import ScriptNames
from testwright.model.errors import TestwrightError

# --- Which file of the project an import means ----------------------------------------------------------------------


_SCRIPT_ENDINGS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
# An import may name the file that the compiler will have made.
_COMPILED = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}


def script_files(importer: str, module: str) -> Iterator[str]:
    """Paths that a relative import of TypeScript or JavaScript may mean, the likeliest first; others mean packages."""
    if not module.startswith("."):
        return
    path = posixpath.normpath(posixpath.join(posixpath.dirname(importer), module))
    if path.startswith(".."):
        return
    stem, ending = posixpath.splitext(path)
    yield path
    for compiled in _COMPILED.get(ending, ()):
        yield stem + compiled
    for own in _SCRIPT_ENDINGS:
        yield path + own
    for own in _SCRIPT_ENDINGS:
        yield f"{path}/index{own}"


def python_files(importer: str, module: str, name: str = "") -> Iterator[tuple[str, str]]:
    """Paths that an import of Python may mean, each with the name that is left to be looked up in it."""
    for path in _python_paths(importer, module):
        if name:
            yield f"{path}/{name}.py" if path else f"{name}.py", ""
        if path:
            yield f"{path}.py", name
        yield f"{path}/__init__.py" if path else "__init__.py", name


def _python_paths(importer: str, module: str) -> Iterator[str]:
    folder = PurePosixPath(importer).parent
    stripped = module.lstrip(".")
    dots = len(module) - len(stripped)
    inner = stripped.replace(".", "/")
    if dots:
        for _ in range(dots - 1):
            folder = folder.parent
        yield _joined(folder, inner)
        return
    above = [folder, *folder.parents]
    for root in above:
        yield _joined(root, inner)
    for root in above:
        for usual in ("src", "tests", "test"):
            yield _joined(root / usual, inner)


def _joined(folder: PurePosixPath, inner: str) -> str:
    path = str(folder / inner) if inner else str(folder)
    return "" if path == "." else path


MOST_FILES = 200  # imports are followed no further than this


class ImportedSources:
    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._read: dict[str, ParsedSource | None] = {}
        self._names: dict[str, SourceNames] = {}

    def source(self, file: str) -> ParsedSource | None:
        """None: there is no such file, or it cannot be read as source."""
        if file not in self._read:
            self._read[file] = self._load(file) if len(self._read) < MOST_FILES else None
        return self._read[file]

    def _load(self, file: str) -> ParsedSource | None:
        if language_of(file) is None:
            return None
        try:
            return read_source(self._files[file], file)
        except (KeyError, TestwrightError):
            return None

    def names(self, source: ParsedSource) -> SourceNames:
        if source.file not in self._names:
            made = PythonNames(source) if source.language is Language.PYTHON else ScriptNames(source)
            self._names[source.file] = made
        return self._names[source.file]

    def imported(
        self, importer: ParsedSource, module: str, name: str
    ) -> tuple[ParsedSource, Declaration | None] | None:
        """The file an import means, with what `name` is there, or None where the file itself was named."""
        for source, left in self._sources(importer, module, name):
            if not left:
                return source, None
            found = self._exported(source, left, set())
            if found is not None:
                return found
        return None

    def _exported(self, source: ParsedSource, name: str, seen: set[str]) -> tuple[ParsedSource, Declaration] | None:
        if source.file in seen:
            return None
        seen.add(source.file)
        own = self.names(source).exported(name)
        if own is not None:
            return source, own
        for module in self.names(source).passed_on():
            for other, _ in self._sources(source, module, ""):
                found = self._exported(other, name, seen)
                if found is not None:
                    return found
        return None

    def _sources(self, importer: ParsedSource, module: str, name: str) -> Iterable[tuple[ParsedSource, str]]:
        if importer.language is Language.PYTHON:
            paths = python_files(importer.file, module, name)
        else:
            paths = ((path, name) for path in script_files(importer.file, module))
        for path, left in paths:
            if path in self._files and (source := self.source(path)) is not None:
                yield source, left

    def fixture_files(self, file: str) -> Iterable[ParsedSource]:
        """The file itself and every conftest.py above it, the nearest first."""
        own = self.source(file)
        if own is not None:
            yield own
        folder = file
        while folder:
            folder = folder.rpartition("/")[0]
            path = f"{folder}/conftest.py" if folder else "conftest.py"
            if path != file and path in self._files and (source := self.source(path)) is not None:
                yield source
