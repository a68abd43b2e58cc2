"""Examples in docstrings that do not give what they show."""

import ast
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from testwright.generate.inside.generated_case import Call, Case, Check, Relation, Use
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.inside.promises.breach_builder import Promise
from testwright.generate.inside.promises.docstring_reader import docstring_lines
from testwright.generate.inside.promises.example_source import ExampleWriter, call_of
from testwright.generate.inside.promises.limited_run import guarded
from testwright.generate.inside.promises.outcome_words import error_in_words, in_one_line, in_words
from testwright.generate.inside.promises.promise_context import Oddity, PromiseContext, exception_named
from testwright.generate.inside.units import Unit

if TYPE_CHECKING:
    from testwright.generate.inside.promises.example_runs import ExampleRun

_CLOSE = 1e-9
# What gives another answer on another day or another machine.
_UNSTEADY = {
    "now", "today", "utcnow", "time", "monotonic", "perf_counter", "random", "randint", "choice", "shuffle",
    "sample", "uuid", "uuid1", "uuid4", "urandom", "environ", "getenv", "getcwd", "getpid", "locale", "setlocale",
    "platform", "version_info", "gethostname", "getuser", "tempfile", "mkdtemp", "id", "hash", "tzlocal",
    "astimezone", "localtime", "strftime", "secrets", "getsizeof", "listdir", "glob", "walk", "stat", "home",
    "expanduser", "urlopen", "socket", "requests",
}  # fmt: skip
_ENVIRONMENT = (NameError, ImportError, OSError, EOFError, SyntaxError)
_SET_MAKERS = re.compile(r"\bset\(|\bfrozenset\(|\{[^:{}]+\}")


@dataclass(frozen=True)
class FailedExample:
    """An example that gives something else, and what would be seen if it gave what it shows."""

    promise: Promise
    case: Case
    expected: Check
    actual: str
    setup: tuple[str, ...]
    line: int
    symptom: str


def look(context: PromiseContext, unit: Unit) -> Iterator[Breach | Oddity]:
    lines = docstring_lines(unit.node)
    if not any(line.text.lstrip().startswith(">>>") for line in lines):
        return
    first = _failures(context, unit)
    again = _failures(context, unit) if first else []
    for each in first:
        if isinstance(each, Oddity):
            yield each
        elif each in again:  # the same again, or it is not the code that is to blame
            yield context.breach_builder.breach(
                unit,
                each.case,
                each.promise,
                symptom=each.symptom,
                actual=each.actual,
                suggestion=(
                    "Make the code give what the example shows; or, if the example is out of date, correct the example "
                    "and say what changed."
                ),
                expected=(each.expected,),
                setup=each.setup,
                line=each.line,
            )
            return  # one example is enough to go by; the others often fail for the same reason


def _failures(context: PromiseContext, unit: Unit) -> list[FailedExample | Oddity]:
    # late: start-up: doctest imports pdb and unittest, and most modules have no examples
    from testwright.generate.inside.promises.example_runs import run_examples

    context.under_test.namespace.begin()
    nothing: list[ExampleRun] = []
    ran = guarded(
        context.under_test, lambda: run_examples(docstring_lines(unit.node), context.under_test.module), nothing
    )
    found: list[FailedExample | Oddity] = []
    for at, each in enumerate(ran):
        if each.is_skipped or each.agrees or not each.want.strip():
            continue
        failed = guarded(context.under_test, lambda at=at: _failed(context, unit, ran, at), None)  # type: ignore[misc]  # a lambda with a default
        if failed is not None:
            found.append(failed)
    context.under_test.namespace.begin()
    return found


def _failed(context: PromiseContext, unit: Unit, ran: "Sequence[ExampleRun]", at: int) -> FailedExample | Oddity | None:
    each = ran[at]
    so_far = "\n".join(
        other.source for other in ran[: at + 1]
    )  # a line before may have asked the machine for something
    if isinstance(each.error, _ENVIRONMENT) or _is_unsteady(unit, so_far):
        return None
    expected = _expected(context, unit, each)
    if expected is None or isinstance(expected, Oddity):
        return expected
    writer = ExampleWriter(context.under_test, [other.source for other in ran[:at] if not other.is_skipped])
    written = writer.written(each.source, expected.expected)
    if written is None:
        return Oddity(unit.qualname, f"its example on line {each.line} gives something else: {_actual(each)}")
    case = _case(unit, written.expression, written.subject, written.before)
    check = Check(expected.of, expected.path, expected.relation, written.expected)
    quoted = f">>> {in_one_line(each.source)}\n{in_one_line(each.want)}"
    return FailedExample(
        Promise(quoted, each.line), case, check, _actual(each), written.setup, each.error_line, _symptom(each)
    )


def _symptom(each: "ExampleRun") -> str:
    return "contradicts_its_example" if each.error is None else "raises_in_its_example"


def _is_unsteady(unit: Unit, source: str) -> bool:
    words = set(re.findall(r"\w+", source))
    if unit.node is not None:
        nodes = list(ast.walk(unit.node))
        words |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        words |= {node.id for node in nodes if isinstance(node, ast.Name)}
    return bool(words & _UNSTEADY)


def _expected(context: PromiseContext, unit: Unit, each: "ExampleRun") -> Check | Oddity | None:
    """What would be seen if the example were right; None when it is right after all or nothing can be said."""
    if each.wanted_error:
        kind = exception_named(each.wanted_error, context.under_test)
        if kind is None or (each.error is not None and isinstance(each.error, kind)):
            return None
        return Check("error", "{}", Relation.RAISES, each.wanted_error)
    if each.error is not None and not each.error_line:
        return None
    if "..." in each.want:
        return None
    try:
        wanted = eval(each.want.strip(), dict(each.names))  # noqa: S307 - the project's own words, in a process for running them
    except Exception:  # noqa: BLE001 - it is text, and no expression
        return _expected_text(each)
    if each.error is None and (each.printed or not is_comparable(wanted, each.value) or is_same(wanted, each.value)):
        return None
    if is_reordered(wanted, each.value) and unit.node is not None and _SET_MAKERS.search(ast.unparse(unit.node)):
        return None
    if isinstance(wanted, float):
        return Check("result", "{}", Relation.CLOSE, each.want.strip())
    is_single = wanted is None or wanted is True or wanted is False
    return Check("result", "{}", Relation.IDENTICAL if is_single else Relation.EQUAL, each.want.strip())


def _expected_text(each: "ExampleRun") -> Check | Oddity | None:
    """What is shown is not an expression: the text can only be compared with what the example itself prints."""
    if each.error is not None or each.value is not None or not each.printed or " at 0x" in each.want:
        return None
    return Check("stdout", "{}", Relation.EQUAL, repr(each.want.replace("<BLANKLINE>", "")))


def _actual(each: "ExampleRun") -> str:
    if each.error is not None:
        return f"raised {error_in_words(each.error)}"
    if each.value is None and each.printed:
        return f"printed {in_words(each.printed)}"
    return f"returned {in_words(each.value)}"


def _case(unit: Unit, expression: ast.expr, subject: Call | None, before: tuple[Call, ...]) -> Case:
    if not isinstance(expression, ast.Call):
        return Case(unit.qualname, Call(ast.unparse(expression)), Use.GET, subject, before)
    return Case(unit.qualname, call_of(expression), Use.CALL, subject, before)


def is_same(wanted: Any, value: Any) -> bool:
    """Equal; or as close as the digits that are shown say; or the same text in bytes; or shown in the same way."""
    if isinstance(wanted, float) and isinstance(value, int | float) and not isinstance(value, bool):
        return _is_rounded(wanted, value)
    if isinstance(wanted, str) and isinstance(value, bytes):
        return wanted.encode("utf-8", "replace") == value
    if isinstance(wanted, bytes) and isinstance(value, str):
        return wanted == value.encode("utf-8", "replace")
    if isinstance(wanted, list | tuple) and isinstance(value, list | tuple):
        pairs = zip(wanted, value, strict=False)
        return len(wanted) == len(value) and all(is_same(one, other) for one, other in pairs)
    if isinstance(wanted, dict) and isinstance(value, dict):
        return wanted.keys() == value.keys() and all(is_same(item, value[key]) for key, item in wanted.items())
    return bool(wanted == value) or repr(wanted) == repr(value)


def _is_rounded(wanted: float, value: float) -> bool:
    if math.isnan(wanted) or math.isnan(value):
        return math.isnan(wanted) and math.isnan(value)
    digits = len(repr(wanted).partition(".")[2]) if "e" not in repr(wanted) else 12
    return math.isclose(wanted, value, rel_tol=_CLOSE, abs_tol=_CLOSE) or abs(wanted - value) <= 0.51 * 10**-digits


def is_reordered(wanted: Any, value: Any) -> bool:
    """The same items in another order."""
    if not isinstance(wanted, list | tuple) or not isinstance(value, list | tuple):
        return False
    return Counter(map(repr, wanted)) == Counter(map(repr, value))


def is_comparable(wanted: Any, value: Any) -> bool:
    """Whether the two can be held against each other: a list that is shown for an iterator says nothing."""
    if isinstance(value, Iterator) or type(value).__name__ in ("dict_keys", "dict_values", "dict_items"):
        return False
    comparing: object = type(wanted).__eq__
    if comparing is object.__eq__ and wanted is not None:
        return False  # two objects of such a class are never equal
    return not callable(value) or callable(wanted)
