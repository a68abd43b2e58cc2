"""What a person asks about: a file, or something defined in it, as `path/to/mod.py::Class.method`."""

import difflib
from dataclasses import dataclass
from pathlib import Path

from testwright.model.errors import InvalidSource, NotARegularFile, PathNotFound, SymbolNotFound, UsageError
from testwright.repo.python_source import parse_file
from testwright.repo.repo_files import absolute
from testwright.repo.symbols import ModuleSymbols, module_symbols

_ENDINGS = (".py", ".pyw")


@dataclass(frozen=True, slots=True)
class CodeTarget:
    module_file: Path
    qualname: str = ""
    """`function`, `Class` or `Class.method`; empty for the whole module."""

    def __str__(self) -> str:
        return f"{self.module_file}::{self.qualname}" if self.qualname else str(self.module_file)


def parse_code_target(text: str, *, folder: Path | None = None) -> CodeTarget:
    """The target that `text` names, which exists; relative paths start from `folder`, else from the current one."""
    path_text, marker, rest = text.partition("::")
    qualname = rest.replace("::", ".")  # pytest's way of naming a method is understood too
    if not path_text or (marker and not qualname):
        raise UsageError(f"{text!r} names no target.", next_step="Write path/to/module.py or path/to/module.py::Name.")
    file = absolute((folder or Path()) / path_text)
    if not file.exists():
        raise PathNotFound(f"There is no file {path_text}.", next_step=_near_file(file))
    if file.is_dir():
        raise NotARegularFile(f"{path_text} is a folder.", next_step="Name one Python file in it.")
    if file.suffix not in _ENDINGS:
        raise InvalidSource(f"{path_text} is not a Python file.", next_step="Name a file that ends in .py.")
    if qualname:
        _check_name(module_symbols(parse_file(file)), path_text, qualname)
    return CodeTarget(file, qualname)


def _check_name(symbols: ModuleSymbols, path: str, qualname: str) -> None:
    names = symbols.names
    if qualname in names:
        return
    close = difflib.get_close_matches(qualname, names, n=3, cutoff=0.5)
    close += [name for name in names if name.endswith("." + qualname) and name not in close]
    near = f"Near it: {', '.join(close[:3])}." if close else _what_there_is(names)
    raise SymbolNotFound(f"{path} has no class, function or method {qualname!r}.", next_step=near)


def _what_there_is(names: tuple[str, ...]) -> str:
    return f"It has: {', '.join(names[:8])}." if names else "It defines no class and no function."


def _near_file(file: Path) -> str:
    if not file.parent.is_dir():
        return "Check the path."
    here = [path.name for path in file.parent.glob("*.py")]
    close = difflib.get_close_matches(file.name, sorted(here), n=1)
    return f"Did you mean {close[0]}?" if close else "Check the path."
