"""What a writer of unit tests must know of the project, without touching a file itself."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ProjectConventions:
    """How a project loads modules and what it calls its tests."""

    is_module: bool = False  # package.json says "type": "module": a .js file is an ES module
    jest_transforms: bool = False  # Jest is set up to turn ES modules into what it can load
    jest_transforms_typescript: bool = False
    test_infix: str = ".test"  # or .spec
    has_typescript: bool = False


class ProjectSources(Protocol):
    """The project's source files, by their paths from its root with forward slashes."""

    @property
    def customs(self) -> ProjectConventions: ...

    def find(self, name: str) -> str | None:
        """The file that a source map or an address means; None where it is not there or not sure."""

    def read(self, path: str) -> str:
        """Its text; empty where it cannot be read."""
