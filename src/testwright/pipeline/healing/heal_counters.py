"""The counters of the heal pass, by the names that dashboards know."""

from collections import Counter
from collections.abc import Iterator

from testwright.heal.strategy_chain import DEFAULT_ORDER
from testwright.model.heal import Strategy
from testwright.model.result import CounterValue
from testwright.store.counter_store import AMBIGUITIES, ATTEMPTS, MISSES, SUCCESSES


def strategy_counter(strategy: Strategy) -> str:
    """`kt_auto_heal_strategy_1` to `_4`, in the order in which strategies are tried by default."""
    return f"kt_auto_heal_strategy_{DEFAULT_ORDER.index(strategy) + 1}"


class Tally:
    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def attempt(self, module: str) -> None:
        self._counts[ATTEMPTS, module] += 1

    def success(self, module: str, strategy: Strategy) -> None:
        self._counts[SUCCESSES, module] += 1
        self._counts[strategy_counter(strategy), module] += 1

    def ambiguous(self, module: str) -> None:
        self._counts[AMBIGUITIES, module] += 1

    def miss(self, module: str) -> None:
        self._counts[MISSES, module] += 1

    def values(self) -> Iterator[CounterValue]:
        for (name, module), value in sorted(self._counts.items()):
            yield CounterValue(name, module, value)
