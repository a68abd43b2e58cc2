"""What names in some file mean to the module under test: which of them are its own."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from testwright.repo.own_symbols import OwnSymbols, absolute_module

# Values that a test can hold in its hand and that say all about themselves when written down.
VALUE_TYPES = frozenset(
    {
        "datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta", "datetime.timezone",
        "datetime.timezone.utc", "decimal.Decimal", "fractions.Fraction", "uuid.UUID", "collections.OrderedDict",
        "collections.Counter", "collections.deque", "pathlib.PurePosixPath", "re.compile", "ipaddress.ip_address",
        "types.SimpleNamespace",
    }
)  # fmt: skip
_VALUE_MODULES = frozenset(name.partition(".")[0] for name in VALUE_TYPES)


@dataclass(slots=True)
class Scope:
    """Local dotted names: those of the module's own symbols, and those of standard library values."""

    own: OwnSymbols
    prefixes: dict[str, Mapping[str, str]] = field(default_factory=dict)
    """A local name of the module or of a package that offers its symbols -> name there -> own name."""
    names: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)

    def own_path(self, dotted: str) -> tuple[str, ...] | None:
        """`dotted` as a path from the module under test: `slugify`, `Basket`, `Basket.empty`; None when not its own."""
        head, _, rest = dotted.partition(".")
        if head in self.names:
            return (self.names[head], *(rest.split(".") if rest else ()))
        for prefix, offered in self.prefixes.items():
            if dotted.startswith(prefix + "."):
                first, *more = dotted[len(prefix) + 1 :].split(".")
                if first in offered:
                    return (offered[first], *more)
        return None

    def value_path(self, dotted: str) -> str | None:
        """`dotted` as the full name of a standard library value type, or None."""
        head, dot, rest = dotted.partition(".")
        full = self.values.get(head, "") + dot + rest
        is_constructor_of_one = full.rpartition(".")[0] in VALUE_TYPES
        return full if head in self.values and (full in VALUE_TYPES or is_constructor_of_one) else None


def inside_scope(own: OwnSymbols) -> Scope:
    """The scope of the module itself, for its own doctests."""
    everything = {name: name for name in sorted([*own.functions, *own.classes, *own.values])}
    scope = Scope(own, names=dict(everything))
    _add_prefixes(scope, everything)
    return scope


def document_scope(own: OwnSymbols) -> Scope:
    """The scope of a README, which may leave imports out but says `package.name`."""
    scope = Scope(own)
    _add_prefixes(scope, _everything(own))
    return scope


def _everything(own: OwnSymbols) -> dict[str, str]:
    return {name: name for name in sorted([*own.functions, *own.classes, *own.values])}


def _add_prefixes(scope: Scope, everything: Mapping[str, str]) -> None:
    own = scope.own
    scope.prefixes[own.module_name] = everything
    scope.prefixes[own.module_name.rpartition(".")[2]] = everything
    scope.prefixes.update(own.exports)


def add_imports(scope: Scope, nodes: Iterable[ast.AST], package: str = "") -> None:
    """Take in what the import statements among `nodes` bind; `package` is that of the file they stand in."""
    everything = _everything(scope.own)
    offered = {scope.own.module_name: everything, **scope.own.exports}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                _add_import(scope, alias, offered)
        elif isinstance(node, ast.ImportFrom):
            source = absolute_module(node, package)
            for alias in node.names:
                _add_from(scope, source, alias, offered)


def _add_import(scope: Scope, alias: ast.alias, offered: Mapping[str, Mapping[str, str]]) -> None:
    bound = alias.asname or alias.name.partition(".")[0]
    if alias.name in _VALUE_MODULES:
        scope.values[bound] = alias.name
    start = alias.name if alias.asname else bound
    for module, names in offered.items():
        if module == start or module.startswith(start + "."):
            scope.prefixes[bound + module[len(start) :]] = names


def _add_from(scope: Scope, source: str, alias: ast.alias, offered: Mapping[str, Mapping[str, str]]) -> None:
    bound = alias.asname or alias.name
    if alias.name == "*":
        scope.names.update(offered.get(source, {}))
        return
    if alias.name in offered.get(source, {}):
        scope.names[bound] = offered[source][alias.name]
        return
    full = f"{source}.{alias.name}"
    if source in _VALUE_MODULES:
        scope.values[bound] = full
    for module, names in offered.items():
        if module == full or module.startswith(full + "."):
            scope.prefixes[bound + module[len(full) :]] = names
