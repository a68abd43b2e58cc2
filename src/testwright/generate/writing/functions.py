"""Test functions as source text: a plain one, a table of values, a table of calls."""

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from testwright.generate.inside.case import ITEMS_TAKEN, MESSAGES
from testwright.generate.writing.body import ENTERED, FIRST_ITEMS, action_of, write_body
from testwright.generate.writing.draft import Draft
from testwright.generate.writing.expressions import call, dotted, text_of
from testwright.generate.writing.grouping import Plan
from testwright.generate.writing.imports import ImportBook
from testwright.generate.writing.merging import IDENTICAL, RAISES, CallTable
from testwright.generate.writing.row_ids import call_ids, row_ids
from testwright.generate.writing.variables import Variables
from testwright.generate.writing.words import snake

HELPERS = {
    FIRST_ITEMS: f'''async def {FIRST_ITEMS}(items):
    """At most {ITEMS_TAKEN} items of an asynchronous iterator, which may have no end."""
    taken = []
    async for item in items:
        taken.append(item)
        if len(taken) == {ITEMS_TAKEN}:
            break
    return taken
''',
    ENTERED: f'''async def {ENTERED}(manager):
    """What an asynchronous context manager gives, after it was left."""
    async with manager as value:
        pass
    return value
''',
}


@dataclass(frozen=True)
class WrittenFunction:
    text: str
    helpers: tuple[str, ...] = ()


def function_of(
    title: str, plan: Plan | CallTable, book: ImportBook, reserved: Collection[str], line_length: int
) -> WrittenFunction:
    """The test function for a plan."""
    if isinstance(plan, CallTable):
        return _call_table(title, plan, book)
    columns = _columns(plan, reserved)
    body = write_body(plan.first, book, reserved, columns, line_length)
    decorator = _value_rows(plan, columns, book) if columns else ""
    arguments = [*columns.values(), *body.fixtures]
    text = f"{decorator}def {title}({', '.join(arguments)}):\n{_indented(body.text(line_length - 4))}\n"
    return WrittenFunction(text, tuple(body.helpers))


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())


def _columns(plan: Plan, reserved: Collection[str]) -> dict[str, str]:
    """A variable for each varying hole."""
    variables = Variables(reserved)
    return {key: variables.take(plan.first.holes[key].variable, of=_belonging(plan.first, key)) for key in plan.varying}


def _belonging(draft: Draft, key: str) -> str:
    """Whose value it is, for a variable whose plain name is taken."""
    place = key.split()
    if place[0] == "before":
        callee = draft.before[int(place[1])].callee
        return snake(callee.attr) if isinstance(callee, ast.Attribute) else ""
    return snake(draft.owner) if place[0] == "subject" and draft.owner else ""


def _value_rows(plan: Plan, columns: dict[str, str], book: ImportBook) -> str:
    rows = []
    for draft, row_id in zip(plan.drafts, row_ids(plan), strict=True):
        values = [book.rewritten(draft.holes[key].node, draft.written.imports) for key in columns]
        rows.append(_row(book, values, row_id))
    return _parametrize(book, list(columns.values()), rows)


def _row(book: ImportBook, values: Sequence[ast.expr], row_id: str) -> str:
    book.module("pytest")
    return text_of(call(dotted("pytest.param"), *values, id=ast.Constant(row_id)))


def _parametrize(book: ImportBook, columns: Sequence[str], rows: Sequence[str]) -> str:
    book.module("pytest")
    names = repr(columns[0]) if len(columns) == 1 else repr(tuple(columns))
    # The comma after the last row makes black give each row its own line.
    return f"@pytest.mark.parametrize({names}, [{', '.join(rows)},],)\n"


def _call_table(title: str, table: CallTable, book: ImportBook) -> WrittenFunction:
    helpers: list[str] = []
    columns = ["act", "error", "message"] if table.check == RAISES else ["act", "expected"]
    says_message = any(len(draft.checks) > 1 for draft in table.drafts)
    if table.check == RAISES and not says_message:
        columns.pop()
    rows = []
    for draft, row_id in zip(table.drafts, call_ids(table), strict=True):
        action, needed = action_of(draft, book)
        helpers += needed
        act = ast.Lambda(args=ast.arguments([], [], None, [], [], None, []), body=action)
        values = [act, *(book.rewritten(node, draft.written.imports) for node in _expected(draft, columns))]
        rows.append(_row(book, values, row_id))
    if table.check == RAISES:
        match = ", match=message" if says_message else ""
        body = f"    with pytest.raises(error{match}):\n        act()\n"
    else:
        body = f"    assert act() {'is' if table.check == IDENTICAL else '=='} expected\n"
    text = f"{_parametrize(book, columns, rows)}def {title}({', '.join(columns)}):\n{body}"
    return WrittenFunction(text, tuple(helpers))


def _expected(draft: Draft, columns: Sequence[str]) -> list[ast.expr]:
    if "error" not in columns:
        return [draft.checks[0].expected]
    assert draft.error is not None
    messages = [check.expected for check in draft.checks if check.relation in MESSAGES]
    message = messages[0] if messages else ast.Constant(None)
    return [draft.error.expected, message][: len(columns) - 1]
