"""The symbols of every file in a repository, remembered by what the files contain, so that only changes are read."""

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from testwright.model.errors import TestwrightError
from testwright.repo.python_source import decode_source, parse_text, read_bytes
from testwright.repo.repo_files import python_files
from testwright.repo.symbols import ClassSymbol, ConstantSymbol, FunctionSymbol, ModuleSymbols, module_symbols

CACHE_FILE = "symbols.db"
_VERSION = 2  # of what is remembered; another number means that everything is read again
_SCHEMA = """
CREATE TABLE IF NOT EXISTS seen (path TEXT PRIMARY KEY, size INTEGER, mtime INTEGER, hash TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS symbols (hash TEXT PRIMARY KEY, facts TEXT) WITHOUT ROWID;
"""

Progress = Callable[[int, int], None]
"""Told how many files are done, of how many."""


@dataclass(frozen=True, slots=True)
class RepoIndex:
    root: Path
    modules: dict[Path, ModuleSymbols]
    read: int
    """How many files had to be parsed for it; the rest was remembered."""

    def module_names(self) -> dict[str, Path]:
        """Module names and their files, by the packages they lie in: quick, and right where packages have __init__."""
        found: dict[str, Path] = {}
        packages: dict[Path, str] = {}
        for file in self.modules:
            package = self._package_name(file.parent, packages)
            own = [] if file.name == "__init__.py" else [file.stem]
            found.setdefault(".".join([*([package] if package else []), *own]), file)
        return found

    def _package_name(self, folder: Path, known: dict[Path, str]) -> str:
        if folder not in known:
            known[folder] = ""
            if folder / "__init__.py" in self.modules:
                above = self._package_name(folder.parent, known)
                known[folder] = f"{above}.{folder.name}" if above else folder.name
        return known[folder]

    def module(self, file: Path) -> ModuleSymbols | None:
        return self.modules.get(file)


def index_repository(root: Path, *, cache: Path | None = None, progress: Progress | None = None) -> RepoIndex:
    """Symbols of all Python files below `root`. Files that cannot be parsed are left out: they define nothing."""
    files = list(python_files(root))
    modules: dict[Path, ModuleSymbols] = {}
    with _remembered(cache, root) as memory:
        for number, file in enumerate(files, 1):
            facts = memory.symbols(file)
            if facts is not None:
                modules[file] = facts
            if progress is not None:
                progress(number, len(files))
        return RepoIndex(root, modules, memory.read)


@contextlib.contextmanager
def _remembered(folder: Path | None, root: Path) -> Iterator["_Memory"]:
    """The memory in `folder`; one that cannot be used costs time, never an answer."""
    connection = _opened(folder) if folder is not None else None
    if connection is None:
        connection = sqlite3.connect(":memory:")
        connection.executescript(_SCHEMA)
    try:
        memory = _Memory(connection)
        yield memory
        with contextlib.suppress(sqlite3.Error):  # full disk, or a store in use: the next call reads again
            memory.keep(root)
    finally:
        connection.close()


def _opened(folder: Path) -> sqlite3.Connection | None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(folder / CACHE_FILE, timeout=1.0)
    except (OSError, sqlite3.Error):
        return None
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
            connection.executescript("DROP TABLE IF EXISTS seen; DROP TABLE IF EXISTS symbols;")
            connection.execute(f"PRAGMA user_version = {_VERSION}")
        connection.executescript(_SCHEMA)
    except sqlite3.Error:  # locked, or no database at all
        connection.close()
        return None
    return connection


class _NotRemembered(Exception):
    """The memory holds nothing of use for this content."""


class _Memory:
    """Two tables: which content a path had when it was last seen, and the symbols of a content."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._seen = {row[0]: row[1:] for row in connection.execute("SELECT path, size, mtime, hash FROM seen")}
        self._facts = dict(connection.execute("SELECT hash, facts FROM symbols"))
        self._new_seen: list[tuple[str, int, int, str]] = []
        self._new_facts: dict[str, str] = {}
        self._met: set[str] = set()
        self.read = 0

    def symbols(self, file: Path) -> ModuleSymbols | None:
        try:
            status = file.stat()
        except OSError:
            return None
        self._met.add(str(file))
        known = self._seen.get(str(file))
        if known is not None and known[:2] == (status.st_size, status.st_mtime_ns):
            with contextlib.suppress(_NotRemembered):
                return self._recalled(known[2])
        return self._read(file, status.st_size, status.st_mtime_ns)

    def _recalled(self, digest: str) -> ModuleSymbols | None:
        facts = self._new_facts.get(digest) or self._facts.get(digest) or ""
        try:
            return unpacked(json.loads(facts))
        except (ValueError, TypeError, IndexError) as error:  # nothing there, or somebody else wrote into the cache
            raise _NotRemembered from error

    def _read(self, file: Path, size: int, mtime: int) -> ModuleSymbols | None:
        try:
            raw = read_bytes(file)
            digest = hashlib.blake2b(raw, digest_size=16).hexdigest()
            self._new_seen.append((str(file), size, mtime, digest))
            with contextlib.suppress(_NotRemembered):
                return self._recalled(digest)
            self.read += 1
            self._new_facts[digest] = "null"
            found = module_symbols(parse_text(decode_source(raw, file), file))
        except (TestwrightError, RecursionError):  # no Python that we can read, or nested too deeply to walk
            return None
        self._new_facts[digest] = json.dumps(astuple(found), separators=(",", ":"))
        return found

    def keep(self, root: Path) -> None:
        """Write down what is new, and forget files that are gone and contents that no file has any more."""
        gone = [(path,) for path in self._seen if path not in self._met and Path(path).is_relative_to(root)]
        if not (gone or self._new_seen):
            return
        with self._connection:
            self._connection.executemany("DELETE FROM seen WHERE path = ?", gone)
            self._connection.executemany("REPLACE INTO seen VALUES (?, ?, ?, ?)", self._new_seen)
            self._connection.executemany("REPLACE INTO symbols VALUES (?, ?)", self._new_facts.items())
            self._connection.execute("DELETE FROM symbols WHERE hash NOT IN (SELECT hash FROM seen)")


def unpacked(facts: Any) -> ModuleSymbols | None:
    """Symbols from what `json` made of them: lists where there were tuples."""
    if facts is None:
        return None
    doc, classes, functions, constants, imports = facts
    return ModuleSymbols(
        doc,
        tuple(ClassSymbol(*map(_frozen, row)) for row in classes),
        tuple(FunctionSymbol(*map(_frozen, row)) for row in functions),
        tuple(ConstantSymbol(*row) for row in constants),
        tuple(imports),
    )


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
