"""What a function does with one of its parameters, as far as its syntax tells: the evidence for what to pass."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class ParameterUsage:
    """Evidence about one value. Collected in place, then only read; dictionaries keep the order of the source."""

    methods: dict[str, None] = field(default_factory=dict)
    attributes: "dict[str, ParameterUsage]" = field(default_factory=dict)
    """Attributes read, and what is done with each."""
    keys: "dict[str | int, ParameterUsage]" = field(default_factory=dict)
    """Constant subscripts, and what is done with what they give."""
    element: "ParameterUsage | None" = None
    """What is done with each item, when it is iterated over or subscripted by a variable."""
    key: "ParameterUsage | None" = None  # what is done with each key of a mapping
    result: "ParameterUsage | None" = None  # what is done with what a call of it gives
    classes: list[Any] = field(default_factory=list)  # live classes that it is tested against
    constants: list[Any] = field(default_factory=list)  # plain values that it is compared with, or looked for in
    members: list[Any] = field(default_factory=list)
    """Plain values that are looked for inside it, or that it is expected to start or end with."""
    separators: dict[str, None] = field(default_factory=dict)
    patterns: list[tuple[str, int]] = field(default_factory=list)  # regular expressions that it is matched with
    lengths: dict[int, None] = field(default_factory=dict)
    reach: int = 0  # how long it has to be for every constant index to be inside
    arities: dict[int, None] = field(default_factory=dict)  # with how many arguments it is called
    abilities: dict[str, None] = field(default_factory=dict)
    """Plain words for the rest: "text", "number", "iterable", "sized", "path", "json", "truth", ..."""
    annotations: list[Any] = field(default_factory=list)  # types that callees declare for it

    def able(self, *words: str) -> None:
        for word in words:
            self.abilities[word] = None

    def items(self) -> "ParameterUsage":
        self.element = self.element or ParameterUsage()
        return self.element

    def names(self) -> "ParameterUsage":
        self.key = self.key or ParameterUsage()
        return self.key

    def outcome(self) -> "ParameterUsage":
        self.result = self.result or ParameterUsage()
        return self.result

    def attribute(self, name: str) -> "ParameterUsage":
        return self.attributes.setdefault(name, ParameterUsage())

    def under(self, key: str | int) -> "ParameterUsage":
        return self.keys.setdefault(key, ParameterUsage())

    @property
    def is_empty(self) -> bool:
        return not any(getattr(self, name) for name in self.__slots__)

    def absorb(self, other: "ParameterUsage", depth: int = 3) -> None:
        """Add what was learned about the same value elsewhere, as in a function that it was passed to."""
        if other is self or depth == 0:
            return
        for name in ("methods", "separators", "lengths", "arities", "abilities"):
            getattr(self, name).update(getattr(other, name))
        self.reach = max(self.reach, other.reach)
        for name in ("classes", "constants", "members", "patterns", "annotations"):
            mine = getattr(self, name)
            mine.extend(each for each in getattr(other, name) if not any(each is one for one in mine))
        for name, usage in list(other.attributes.items()):
            self.attribute(name).absorb(usage, depth - 1)
        for key, usage in list(other.keys.items()):
            self.under(key).absorb(usage, depth - 1)
        for name, get in (("element", self.items), ("key", self.names), ("result", self.outcome)):
            theirs = getattr(other, name)
            if theirs is not None:
                get().absorb(theirs, depth - 1)
