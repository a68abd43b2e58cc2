"""The mutants of a module: small wrong changes that a good test notices."""

from collections.abc import Iterable
from dataclasses import dataclass

from .mutation_sites import MutationSite, find_sites
from .quiet_compiler import parse


@dataclass(frozen=True)
class Mutant:
    """One small change. `function` is the qualified name of what runs it; None: the module or a class body does."""

    number: int
    operator: str
    line: int
    column: int
    function: str | None
    description: str
    statement: int  # the line of the innermost statement (or of a lambda's body) that it is in: that of its probe


def list_mutants(source: str) -> list[Mutant]:
    """Every mutant, in the order of the source; the same text gives the same numbers. Raises SyntaxError."""
    return numbered(find_sites(parse(source, "<mutants>"), source))


def numbered(sites: Iterable[MutationSite]) -> list[Mutant]:
    return [
        Mutant(number, site.operator, site.line, site.column, site.function, site.description, site.statement)
        for number, site in enumerate(sites)
    ]
