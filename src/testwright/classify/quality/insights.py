"""Sentences on what failures have in common; each names the tests it rests on."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from testwright.classify.quality.run_analysis import Improvement
from testwright.classify.sentence_parts import counted, first_few
from testwright.model.case import TestId
from testwright.model.failure_labels import FailureLabel

_NAMED = 5


def insights_on(failures: Sequence[Improvement], *, flaky: Collection[TestId] = ()) -> Iterator[str]:
    """One sentence or two on each kind of failure, on the check that fails most, and on flaky tests among them."""
    for label in FailureLabel:
        tests = _tests(failure for failure in failures if failure.label is label)
        if tests:
            yield f"{_how_many(tests)} {label.traits.tests}: {_named(tests)}. {label.traits.insight}"
    yield from _on_methods(failures)
    shaky = frozenset(flaky)
    tests = _tests(failure for failure in failures if failure.test in shaky)
    if tests:
        yield (
            f"{_how_many(tests)} of these {'is' if len(tests) == 1 else 'are'} known to be flaky: {_named(tests)}. "
            "A failure may be a real one all the same: run again on the same code to know."
        )


def _on_methods(failures: Sequence[Improvement]) -> Iterator[str]:
    counts = Counter(failure.assertion_method for failure in failures if failure.assertion_method)
    if not counts:
        return
    most = max(counts.values())
    methods = sorted(method for method, count in counts.items() if count == most)
    if most < 2 or len(methods) > 1:
        return  # nothing stands out
    [method] = methods
    tests = _tests(failure for failure in failures if failure.assertion_method == method)
    yield f"`{method}` is the check that fails most often, {most} times: {_named(tests)}. Look at these together."


def _tests(failures: Iterable[Improvement]) -> list[TestId]:
    return sorted({failure.test for failure in failures})


def _how_many(tests: Sequence[TestId]) -> str:
    return counted(len(tests), "test", "tests")


def _named(tests: Sequence[TestId]) -> str:
    return first_few(tests, _NAMED)
