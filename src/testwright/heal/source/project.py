"""The source files of a project, read when they are asked for, and what they import from one another."""

from collections.abc import Iterable, Mapping

from testwright.heal.source.declarations import Declaration, Names
from testwright.heal.source.languages import Language, Source, language_of, read_source
from testwright.heal.source.modules import python_files, script_files
from testwright.heal.source.python_names import PythonNames
from testwright.heal.source.script_names import ScriptNames
from testwright.model.errors import TestwrightError

MOST_FILES = 200  # imports are followed no further than this


class Project:
    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._read: dict[str, Source | None] = {}
        self._names: dict[str, Names] = {}

    def source(self, file: str) -> Source | None:
        """None: there is no such file, or it cannot be read as source."""
        if file not in self._read:
            self._read[file] = self._load(file) if len(self._read) < MOST_FILES else None
        return self._read[file]

    def _load(self, file: str) -> Source | None:
        if language_of(file) is None:
            return None
        try:
            return read_source(self._files[file], file)
        except (KeyError, TestwrightError):
            return None

    def names(self, source: Source) -> Names:
        if source.file not in self._names:
            made = PythonNames(source) if source.language is Language.PYTHON else ScriptNames(source)
            self._names[source.file] = made
        return self._names[source.file]

    def imported(self, importer: Source, module: str, name: str) -> tuple[Source, Declaration | None] | None:
        """The file an import means, with what `name` is there, or None where the file itself was named."""
        for source, left in self._sources(importer, module, name):
            if not left:
                return source, None
            found = self._exported(source, left, set())
            if found is not None:
                return found
        return None

    def _exported(self, source: Source, name: str, seen: set[str]) -> tuple[Source, Declaration] | None:
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

    def _sources(self, importer: Source, module: str, name: str) -> Iterable[tuple[Source, str]]:
        if importer.language is Language.PYTHON:
            paths = python_files(importer.file, module, name)
        else:
            paths = ((path, name) for path in script_files(importer.file, module))
        for path, left in paths:
            if path in self._files and (source := self.source(path)) is not None:
                yield source, left

    def fixture_files(self, file: str) -> Iterable[Source]:
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
