"""The project's own source files, each read once, when it is asked for, and never from outside the project."""

from collections.abc import Iterator, Mapping

from testwright.model.errors import TestwrightError
from testwright.review.confined_root import ConfinedRoot

MOST_BYTES = 500 << 10  # of a test file; larger ones are not written by hand


class ProjectFiles(Mapping[str, bytes]):
    """Paths from the project's root, with forward slashes, to what the files hold."""

    def __init__(self, root: ConfinedRoot) -> None:
        self._root = root
        self._read: dict[str, bytes | None] = {}

    def __getitem__(self, file: str) -> bytes:
        if file not in self._read:
            self._read[file] = self._content(file)
        content = self._read[file]
        if content is None:
            raise KeyError(file)
        return content

    def __iter__(self) -> Iterator[str]:
        return iter([file for file, content in self._read.items() if content is not None])

    def __len__(self) -> int:
        return sum(content is not None for content in self._read.values())

    def _content(self, file: str) -> bytes | None:
        try:
            return self._root.read(file, limit=MOST_BYTES)
        except TestwrightError:  # not there, not a file, too large, or outside of the project
            return None
