"""The examples of a docstring, run one after the other, and what became of each."""

import ast
import doctest
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from testwright.generate.inside.case_run.standard_streams import Streams
from testwright.generate.inside.promises.docstring_reader import DocstringLine

NOTHING = object()
"""The example is a statement, or it raised: there is no value."""
_LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


@dataclass
class ExampleRun:
    """One example: what it says, and what came."""

    source: str
    want: str
    line: int
    wanted_error: str = ""
    """The name of the exception that it shows."""
    is_skipped: bool = False
    value: Any = NOTHING
    printed: str = ""
    error: BaseException | None = None
    error_line: int = 0
    """The deepest line of the module under test on the way to the error."""
    agrees: bool = True
    names: dict[str, Any] = field(default_factory=dict)
    """The names as they were when it ran."""


def run_examples(lines: Sequence[DocstringLine], module: ModuleType) -> list[ExampleRun]:
    """All examples, as doctest would run them; ends at the first that raises what it does not show."""
    text = "\n".join(line.text for line in lines)
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:  # its indentation or its prompts are not what doctest asks for
        return []
    names = dict(vars(module))
    found: list[ExampleRun] = []
    for example in examples:
        each = ExampleRun(example.source, example.want, lines[min(example.lineno, len(lines) - 1)].number)
        if example.exc_msg is not None:
            each.wanted_error = example.exc_msg.partition(":")[0].strip().rpartition(".")[2]
        each.is_skipped = bool(example.options.get(doctest.SKIP))
        found.append(each)
        if each.is_skipped:
            continue
        _run(each, names, module)
        each.agrees = _agrees(each)
        if each.error is not None and not each.wanted_error:
            break
    return found


def _run(each: ExampleRun, names: dict[str, Any], module: ModuleType) -> None:
    each.names = dict(names)
    with Streams() as streams:
        try:
            tree = ast.parse(each.source)
            if len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr):
                code = compile(ast.Expression(tree.body[0].value), "<example>", "eval")
                each.value = eval(code, names)  # noqa: S307 - examples of the code under test, in a process for running it
            else:
                exec(compile(tree, "<example>", "exec"), names)  # noqa: S102 - the same
        except Exception as error:  # noqa: BLE001 - whatever an example raises is what came of it
            each.error = error
            each.error_line = _line_in(error, module)
            error.__traceback__ = None
    each.printed = streams.printed()[0]


def _line_in(error: BaseException, module: ModuleType) -> int:
    line, at = 0, error.__traceback__
    while at is not None:
        if at.tb_frame.f_globals is vars(module):
            line = at.tb_lineno
        at = at.tb_next
    return line


def _agrees(each: ExampleRun) -> bool:
    """By text, as doctest compares, and more leniently than most projects ask it to."""
    if each.wanted_error:
        return each.error is not None and type(each.error).__name__ == each.wanted_error
    if each.error is not None:
        return False
    got = each.printed
    if each.value is not NOTHING and each.value is not None:
        got += f"{each.value!r}\n"
    return doctest.OutputChecker().check_output(each.want, got, _LENIENT)


# --- Whether a value is the one that an example shows, as a person would read it ------------------------------------


_CLOSE = 1e-9


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
