"""Everything that is known about one value to be made: its name, its use, and the literals and words around it."""

from dataclasses import dataclass, field, replace

from testwright.generate.inside.values.parameter_usage import ParameterUsage
from testwright.generate.inside.values.source_literals import Literals

NOTHING = Literals(())


@dataclass(frozen=True)
class Clue:
    name: str = ""
    usage: ParameterUsage = field(default_factory=ParameterUsage)
    near: Literals = NOTHING  # literals of the function itself
    wide: Literals = NOTHING  # literals of its module
    patterns: tuple[tuple[str, int], ...] = ()  # regular expressions that the function uses, perhaps on this value
    named: frozenset[str] = frozenset()  # words of the names of the function, its class and its module
    around: frozenset[str] = frozenset()  # words of docstrings and imports
    choices: tuple[object, ...] = ()  # plain values that the documentation names for it

    def inner(self, usage: ParameterUsage | None, name: str = "") -> "Clue":
        """The clue for a part of this value: an item, a key, an attribute."""
        singular = self.name[:-1] if self.name.endswith("s") and not self.name.endswith("ss") else ""
        return replace(self, name=name or singular, usage=usage or ParameterUsage(), choices=())
