"""A dictionary by identity: keys need no hash, and their own `==` is never asked."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

Value = TypeVar("Value")


class IdentityDict(Generic[Value]):
    """Keeps its keys alive: the identity of an object that is gone may be given to the next one."""

    def __init__(self) -> None:
        self._held: dict[int, tuple[object, Value]] = {}

    def get(self, key: object) -> Value | None:
        found = self._held.get(id(key))
        return found[1] if found is not None else None

    def set(self, key: object, value: Value) -> None:
        self._held[id(key)] = (key, value)

    def remembered(self, key: object, make: Callable[[], Value]) -> Value:
        """The value of `key`, made when it is first asked for."""
        if id(key) not in self._held:
            self.set(key, make())
        return self._held[id(key)][1]

    def items(self) -> Iterator[tuple[object, Value]]:
        yield from self._held.values()

    def __contains__(self, key: object) -> bool:
        return id(key) in self._held
