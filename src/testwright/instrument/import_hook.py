"""Serve a module's code on import in place of what its file would give, with everything else as it would be."""

import os
import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import PurePath
from types import CodeType, ModuleType
from typing import Any, TypeAlias

Prepare: TypeAlias = Callable[[dict[str, Any]], None]


def serve(module_name: str, code: CodeType, path: str, prepare: Prepare | None = None) -> "ServedModule":
    """From now on `import module_name` executes `code`; `prepare` gets the module's globals just before.

    A module that is already imported stays as it is.
    """
    return _in_front(_ByName(code, path, prepare, module_name))


def serve_file(code: CodeType, path: str, prepare: Prepare | None = None) -> "ServedModule":
    """The same for any name that the file is imported by: the importing code knows where it belongs."""
    return _in_front(_ByFile(code, path, prepare))


def _in_front(served: "ServedModule") -> "ServedModule":
    sys.meta_path.insert(0, served)
    return served


class ServedModule(MetaPathFinder):
    """A finder that knows one module. It stays active until `stop`."""

    def __init__(self, code: CodeType, path: str, prepare: Prepare | None) -> None:
        self._code, self._path, self._prepare = code, path, prepare

    def stop(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def _loader(self, name: str) -> "_Loader":
        return _Loader(name, self._path, self._code, self._prepare)


class _ByName(ServedModule):
    def __init__(self, code: CodeType, path: str, prepare: Prepare | None, name: str) -> None:
        super().__init__(code, path, prepare)
        self._name = name

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002  the protocol's
        target: ModuleType | None = None,  # noqa: ARG002  the protocol's
    ) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        file = PurePath(self._path)
        inside = [str(file.parent)] if file.name == "__init__.py" else None
        loader = self._loader(fullname)
        return spec_from_file_location(fullname, self._path, loader=loader, submodule_search_locations=inside)


class _ByFile(ServedModule):
    """Asks the other finders, and takes over from them when what they found is our file."""

    def __init__(self, code: CodeType, path: str, prepare: Prepare | None) -> None:
        super().__init__(code, path, prepare)
        self._real = os.path.realpath(path)
        file = PurePath(self._real)
        self._last_name = file.parent.name if file.name == "__init__.py" else file.stem
        self._is_asking = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if self._is_asking or fullname.rpartition(".")[2] != self._last_name:
            return None
        self._is_asking = True
        try:
            spec = self._found_by_others(fullname, path, target)
        finally:
            self._is_asking = False
        if spec is None or not spec.origin or os.path.realpath(spec.origin) != self._real:
            return None
        spec.loader = self._loader(fullname)
        return spec

    def _found_by_others(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None
    ) -> ModuleSpec | None:
        for finder in sys.meta_path:
            look = getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = None if look is None or finder is self else look(fullname, path, target)
            if spec is not None:
                return spec
        return None


class _Loader(SourceFileLoader):
    """The usual loader in all but the code: `inspect`, `linecache` and resources find what they always find."""

    def __init__(self, name: str, path: str, code: CodeType, prepare: Callable[[dict[str, Any]], None] | None) -> None:
        super().__init__(name, path)
        self._code, self._prepare = code, prepare

    def get_code(self, fullname: str) -> CodeType | None:
        return self._code if fullname == self.name else super().get_code(fullname)

    def exec_module(self, module: ModuleType) -> None:
        if self._prepare is not None:
            self._prepare(module.__dict__)
        super().exec_module(module)
