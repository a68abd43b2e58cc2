"""Where a Go package lies: Go names packages by import path, a project by folder."""

import re

from testwright.run.importers.project_paths import ProjectPaths

_MODULE = re.compile(r'^\s*module\s+"?([^\s"]+)"?', re.MULTILINE)


class GoFolders:
    """Import paths of the project's own module as folders of the project."""

    def __init__(self, paths: ProjectPaths) -> None:
        found = _MODULE.search(paths.head_of("go.mod"))
        self._module = found[1] if found else ""

    def name_of(self, package: str) -> str:
        """The package's folder from the project's root, "." for the root; the import path if it is not ours."""
        if self._module and package == self._module:
            return "."
        return package.removeprefix(f"{self._module}/") if self._module else package
