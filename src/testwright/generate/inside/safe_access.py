"""Look at live objects of the project safely: if they raise anything, we go on with an answer of our own."""

from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import Any, TypeVar

Result = TypeVar("Result")


def quietly(action: Callable[[], Result], otherwise: Result) -> Result:
    """What `action` gives, or `otherwise` when it raises."""
    try:
        return action()
    except (Exception, SystemExit):  # noqa: BLE001 - a class of the project may raise anything from anywhere
        return otherwise


def safely(items: Iterator[Result]) -> Iterator[Result]:
    """The items until there are no more, or until making the next one raises."""
    nothing: list[Result] = []
    while found := quietly(lambda: [next(items)], nothing):  # StopIteration ends it like any other exception
        yield found[0]


def attributes_of(thing: object) -> dict[str, Any]:
    """The attributes that a module or a class holds itself, read without running any of its code."""
    held: dict[Any, Any] = quietly(lambda: object.__getattribute__(thing, "__dict__"), {})
    return {name: value for name, value in list(held.items()) if type(name) is str}


def is_class(thing: object) -> bool:
    """`isinstance(thing, type)`, without asking `thing` what it claims to be."""
    return issubclass(type(thing), type)


def lineage(kind: object) -> tuple[type, ...]:
    """The classes that `kind` inherits from, itself first; nothing for what is not a class."""
    return quietly(lambda: tuple(type.__dict__["__mro__"].__get__(kind)), ()) if is_class(kind) else ()


def inherits(kind: object, parent: type) -> bool:
    """Like `issubclass`, by inheritance alone: no `__subclasscheck__` of the project runs."""
    return any(each is parent for each in lineage(kind))


def is_a(thing: object, *kinds: type) -> bool:
    """Like `isinstance`, without asking `thing` what it claims to be."""
    return any(inherits(type(thing), kind) for kind in kinds)


def member(kind: object, name: str) -> Any:
    """What a class holds or inherits under `name`, unbound and unevaluated; None when there is nothing."""
    for each in lineage(kind):
        held = attributes_of_class(each)
        if name in held:
            return held[name]
    return None


def attributes_of_class(kind: Any) -> dict[str, Any]:
    return quietly(lambda: dict(type.__dict__["__dict__"].__get__(kind)), {})


def own_text(thing: object, attribute: str) -> str:
    """`__name__`, `__qualname__` or `__module__` when it is plain text; empty otherwise."""
    value = quietly(lambda: getattr(thing, attribute, ""), "")
    return value if type(value) is str else ""


def unique(items: Iterable[str]) -> Iterator[str]:
    """Each item once, in the order of its first appearance."""
    seen: set[str] = set()
    for item in items:
        if item not in seen:
            seen.add(item)
            yield item


def interleave(*sources: Iterable[str]) -> list[str]:
    """One of each source in turn, so that the front of the list has something of everything; each item once."""
    rounds = zip_longest(*sources)
    return list(unique(item for each in rounds for item in each if item is not None))
