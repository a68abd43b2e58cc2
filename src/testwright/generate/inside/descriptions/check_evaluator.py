"""Whether checks still hold for another run of the case, judged as the written test would judge them."""

import io
import itertools
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from numbers import Number
from typing import Any

from testwright.generate.inside.case_run.case_files import text_or_bytes
from testwright.generate.inside.case_run.case_runner import CaseRun
from testwright.generate.inside.case_run.raised_errors import text_of
from testwright.generate.inside.case_run.standard_streams import Silence
from testwright.generate.inside.generated_case import ITEMS_TAKEN, MESSAGES, SUBJECT, Check, Relation
from testwright.generate.inside.namespace import Namespace
from testwright.generate.inside.safe_access import quietly

_RELATIVE, _ABSOLUTE = 1e-6, 1e-12  # the tolerances of pytest.approx


def still_true(checks: Iterable[Check], run: CaseRun, namespace: Namespace) -> bool:
    """Whether a test with these checks would pass."""
    if run.unusable:
        return False
    is_raise_expected = False
    with Silence():
        for check in checks:
            is_raise_expected = is_raise_expected or check.relation is Relation.RAISES
            if not holds(check, run, namespace):
                return False
    return is_raise_expected == (run.error is not None)


def holds(check: Check, run: CaseRun, namespace: Namespace) -> bool:
    """Whether this one assertion would pass."""
    try:
        return _holds(check, run, namespace)
    except (Exception, SystemExit):  # noqa: BLE001 - a check that cannot be evaluated is a failing test
        return False


def _says(text: str, check: Check) -> bool:
    if check.relation is Relation.MESSAGE_IS:
        return text == check.expected
    return text.startswith(check.expected) if check.relation is Relation.MESSAGE_BEGINS else check.expected in text


def _holds(check: Check, run: CaseRun, namespace: Namespace) -> bool:
    relation, error = check.relation, run.error
    if relation is Relation.RAISES:
        return error is not None and isinstance(error, namespace.evaluate(check.expected))
    if relation in MESSAGES:
        return error is not None and _says(text_of(error), check)
    if check.of == "result" and error is not None:
        return False
    actual = _seen(check, run, namespace)
    expected = namespace.evaluate(check.expected, run.subject)
    if relation is Relation.IDENTICAL:
        return actual is expected
    if relation is Relation.INSTANCE:
        return isinstance(actual, expected)
    if relation is Relation.CLOSE:
        return is_close(actual, expected)
    return bool(actual == expected)


def _seen(check: Check, run: CaseRun, namespace: Namespace) -> Any:
    thing = _thing(check.of, run, namespace)
    if check.path == "{}":
        return thing
    if check.of == "result" and check.path.startswith("list(") and is_iterator(thing):
        return _listed(check, run)
    return namespace.evaluate(check.path.replace("{}", SUBJECT, 1), thing)


def _thing(of: str, run: CaseRun, namespace: Namespace) -> Any:
    if of == "result":
        return run.result
    if of == "subject":
        return run.subject
    if of == "error":
        return run.error
    if of == "stdout":
        return run.stdout
    if of == "stderr":
        return run.stderr
    kind, _, name = of.partition(" ")
    if kind == "argument":
        return run.arguments[_index_of(name, run)]
    if kind == "module":
        return getattr(namespace.module, name)
    return text_or_bytes((namespace.tmp_path / name).read_bytes())


def _index_of(name: str, run: CaseRun) -> int:
    for index, argument in enumerate(run.case.action.arguments):
        if argument.name == name:
            return index
    return int(name)


def is_iterator(value: Any) -> bool:
    """Whether it gives items one by one, and only once."""
    kind = type(value)
    return hasattr(kind, "__next__") and hasattr(kind, "__iter__") and not isinstance(value, io.IOBase)


def items_of(run: CaseRun) -> list[Any] | None:
    """The first items of the iterator that is the result, one more than a test would take; None where that raises."""
    if run.items is None:
        source = run.result
        run.items = quietly(lambda: list(itertools.islice(source, ITEMS_TAKEN + 1)), None)
    return run.items


def _listed(check: Check, run: CaseRun) -> list[Any] | None:
    """What the test would take from the iterator; None where it would raise, or never come to an end."""
    items = items_of(run)
    if items is None or (check.path == "list({})" and len(items) > ITEMS_TAKEN):
        return None
    return items[:ITEMS_TAKEN]


def is_close(actual: Any, expected: Any) -> bool:
    """As `actual == pytest.approx(expected)` says."""
    if isinstance(expected, Mapping):
        return (
            isinstance(actual, Mapping)
            and set(actual) == set(expected)
            and all(is_close(actual[key], expected[key]) for key in expected)
        )
    if isinstance(expected, Sequence) and not isinstance(expected, str | bytes):
        if not hasattr(actual, "__len__") or len(actual) != len(expected):
            return False
        return all(map(is_close, actual, expected))
    if bool(actual == expected):
        return True
    if not (isinstance(expected, Number) and isinstance(actual, Number)):
        return False
    return _is_near(actual, expected)


def _is_near(actual: Any, expected: Any) -> bool:
    size = abs(expected)
    tolerance = max(_RELATIVE * float(size), _ABSOLUTE)
    if isinstance(expected, Decimal):
        return bool(abs(actual - expected) <= Decimal(repr(tolerance)))
    return bool(abs(actual - expected) <= tolerance) and size != float("inf")
