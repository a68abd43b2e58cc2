"""Names for live objects: an expression that gives the same object in any test."""

import builtins
import importlib
import sys
from enum import Enum
from types import ModuleType
from typing import Any

from testwright.generate.inside.generated_case import UNDER_TEST

_PLAIN = frozenset(
    {int, float, complex, bool, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice, type(None)}
)
_NAMED_BUILTINS = {id(value): name for name, value in vars(builtins).items() if not name.startswith("_")}
_MISSING = object()


class ObjectNames:
    """Looks names up; every answer is checked to give the object itself."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        # The object is kept beside its name, so that its id is not given to another one meanwhile.
        self._known: dict[int, tuple[object, str | None]] = {}
        self._globals: dict[int, str] = {}

    def of(self, thing: object) -> str | None:
        """An expression for this very object, or None; values such as numbers and lists have no name here."""
        if type(thing) in _PLAIN:
            return None
        known = self._known.get(id(thing))
        if known is not None and known[0] is thing:
            return known[1]
        name = self._find(thing)
        # Classes and modules are few and stay; functions and objects made by each call are too many to keep.
        if name is not None or isinstance(thing, type | ModuleType):
            self._known[id(thing)] = (thing, name)
        return name

    def _find(self, thing: object) -> str | None:
        if thing is self._module:
            return UNDER_TEST
        builtin = _NAMED_BUILTINS.get(id(thing))
        if builtin is not None and getattr(builtins, builtin, None) is thing:
            return builtin
        if isinstance(thing, Enum):
            return self._member(thing)
        own = self._in_module(thing)
        if own is not None:
            return f"{UNDER_TEST}.{own}"
        if isinstance(thing, ModuleType):
            return thing.__name__ if sys.modules.get(thing.__name__) is thing and _is_path(thing.__name__) else None
        return _dotted(thing)

    def _member(self, member: Enum) -> str | None:
        owner = self.of(type(member))
        name = getattr(member, "_name_", None)
        if owner is None or not isinstance(name, str) or not name.isidentifier():
            return None
        return f"{owner}.{name}" if getattr(type(member), name, None) is member else None

    def _in_module(self, thing: object) -> str | None:
        """Its name in the module under test, which defines it or, if it is not a class or function, keeps it."""
        qualname = _text(thing, "__qualname__")
        if _text(thing, "__module__") == self._module.__name__ and qualname is not None:
            if _walk(self._module, qualname) is thing:
                return qualname
        elif _is_definition(thing) and "<locals>" not in (qualname or "<locals>"):
            return None  # it is only imported there: its own module names it better
        name = self._globals.get(id(thing))
        if name is None or vars(self._module).get(name, _MISSING) is not thing:
            # Values are looked up by identity; names that appeared since the last look are taken in here.
            self._globals = {id(value): key for key, value in reversed(vars(self._module).items())}
            name = self._globals.get(id(thing))
        return None if name is None or name.startswith("__") else name


def _is_definition(thing: object) -> bool:
    return isinstance(thing, type | ModuleType) or callable(thing)


def _dotted(thing: object) -> str | None:
    """The public dotted path of a class or function, the shortest without private modules."""
    qualname, home = _text(thing, "__qualname__"), _text(thing, "__module__")
    if home is None:
        owner = getattr(thing, "__objclass__", None)  # a method of a type written in C
        home = _text(owner, "__module__") if isinstance(owner, type) else None
    if qualname is None or home is None or not _is_path(qualname):
        return None
    if home == "builtins":
        return qualname if _walk(builtins, qualname) is thing else None
    for path in _homes(home):
        full_path = f"{path}.{qualname}"
        root, _, rest = full_path.partition(".")
        # Walked from the root, as an expression is: a package may have something else by the name of its own module.
        if _loaded(path) is not None and _walk(sys.modules[root], rest) is thing:
            return full_path
    return None


def _homes(home: str) -> list[str]:
    """The modules in which a thing of the module `home` may be found, the best first."""
    parts = home.split(".")
    if home == "__main__" or not _is_path(home):
        return []
    ancestors = [".".join(parts[:end]) for end in range(len(parts) - 1, 0, -1)]
    if not any(part.startswith("_") for part in parts):
        return [home, *ancestors]
    public = [path for path in ancestors if not any(part.startswith("_") for part in path.split("."))]
    bare = ".".join(part.lstrip("_") for part in parts)
    is_ours_to_name = parts[0] not in sys.stdlib_module_names  # a private module of Python moves between versions
    return [*public, bare, *([home] if is_ours_to_name else [])]


def _loaded(path: str) -> ModuleType | None:
    module = sys.modules.get(path)
    if module is None and path in sys.stdlib_module_names:
        try:
            module = importlib.import_module(path)
        except ImportError:  # a part of the standard library that this platform lacks
            return None
    return module if isinstance(module, ModuleType) else None


def _walk(start: object, path: str) -> object:
    """What `start.path` is, looked up without running descriptors or `__getattr__` of instances."""
    thing = start
    for part in path.split("."):
        try:
            thing = getattr(thing, part)
        except Exception:  # noqa: BLE001 - a class may answer with anything; then it has no name
            return _MISSING
    return thing


def _text(thing: Any, attribute: str) -> str | None:
    try:
        value = getattr(thing, attribute, None)
    except Exception:  # noqa: BLE001 - an object's own __getattr__ may raise anything; then it says nothing
        return None
    return value if type(value) is str else None


def _is_path(path: str) -> bool:
    return all(part.isidentifier() for part in path.split("."))
