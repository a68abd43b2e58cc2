"""The examples of a docstring, run one after the other, with the result of each."""

import ast
import doctest
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from testwright.generate.inside.case_run.standard_streams import Streams
from testwright.generate.inside.promises.docstring_reader import DocstringLine

NOTHING = object()  # the example is a statement, or it raised: there is no value
_LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


@dataclass
class ExampleRun:
    """One example: what it says, and what came."""

    source: str
    want: str
    line: int
    wanted_error: str = ""  # the name of the exception that it shows
    is_skipped: bool = False
    value: Any = NOTHING
    printed: str = ""
    error: BaseException | None = None
    error_line: int = 0  # the deepest line of the module under test in the error's traceback
    agrees: bool = True
    names: dict[str, Any] = field(default_factory=dict)  # the names as they were when it ran


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
        except Exception as error:  # noqa: BLE001 - anything that an example raises is its outcome
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
