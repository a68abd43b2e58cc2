"""Test functions as source text: a plain one, a table of values, several calls in a row."""

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from testwright.generate.inside.generated_case import ITEMS_TAKEN
from testwright.generate.writing.body import ENTERED, FIRST_ITEMS, statement_of, subject_of, write_body
from testwright.generate.writing.case_groups import FunctionPlan
from testwright.generate.writing.draft import CaseDraft, KnownUnits, draft_of
from testwright.generate.writing.expression_trees import call, dotted, text_of
from testwright.generate.writing.import_book import ImportBook
from testwright.generate.writing.name_words import snake
from testwright.generate.writing.row_ids import row_ids, speaks_for_itself
from testwright.generate.writing.several_calls import SeveralCalls
from testwright.generate.writing.variables import Variables

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
    title: str,
    plan: FunctionPlan | SeveralCalls,
    book: ImportBook,
    reserved: Collection[str],
    line_length: int,
    *,
    fixture: str = "",
) -> WrittenFunction:
    """The test function for a plan; `fixture` is the name of the one that gives its subject, if any does."""
    if isinstance(plan, SeveralCalls):
        return _several_calls(title, plan, book)
    columns = _columns(plan, [*reserved, fixture])
    body = write_body(plan.first, book, reserved, columns, line_length, fixture=fixture)
    decorator = _value_rows(plan, columns, book) if columns else ""
    arguments = [*columns.values(), *body.fixtures]
    text = f"{decorator}def {title}({', '.join(arguments)}):\n{_indented(body.text(line_length - 4))}\n"
    return WrittenFunction(text, tuple(body.helpers))


def fixture_function(title: str, draft: CaseDraft, book: ImportBook) -> str:
    """A fixture that builds the subject of the draft."""
    book.module("pytest")
    return f"@pytest.fixture\ndef {title}():\n    return {subject_of(draft, book)}\n"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())


def _columns(plan: FunctionPlan, reserved: Collection[str]) -> dict[str, str]:
    """A variable for each varying hole."""
    variables = Variables(reserved)
    return {key: variables.take(plan.first.holes[key].variable, of=_belonging(plan.first, key)) for key in plan.varying}


def _belonging(draft: CaseDraft, key: str) -> str:
    """What the value belongs to, for a variable whose plain name is taken."""
    place = key.split()
    if place[0] == "before":
        callee = draft.before[int(place[1])].callee
        return snake(callee.attr) if isinstance(callee, ast.Attribute) else ""
    return snake(draft.owner) if place[0] == "subject" and draft.owner else ""


def _value_rows(plan: FunctionPlan, columns: dict[str, str], book: ImportBook) -> str:
    rows = []
    plain = [speaks_for_itself(plan, draft) for draft in plan.drafts]
    for draft, row_id, is_plain in zip(plan.drafts, row_ids(plan), plain, strict=True):
        values = [book.rewritten(draft.holes[key].node, draft.written.imports) for key in columns]
        rows.append(_plain_row(values) if is_plain else _row(book, values, row_id))
    return _parametrize(book, list(columns.values()), rows, may_share_a_line=len(columns) == 1 and all(plain))


def _plain_row(values: Sequence[ast.expr]) -> str:
    return text_of(ast.Tuple(elts=list(values), ctx=ast.Load()) if len(values) > 1 else values[0])


def _row(book: ImportBook, values: Sequence[ast.expr], row_id: str) -> str:
    book.module("pytest")
    return text_of(call(dotted("pytest.param"), *values, id=ast.Constant(row_id)))


def _parametrize(
    book: ImportBook, columns: Sequence[str], rows: Sequence[str], *, may_share_a_line: bool = False
) -> str:
    book.module("pytest")
    names = repr(columns[0]) if len(columns) == 1 else repr(tuple(columns))
    if may_share_a_line:
        return f"@pytest.mark.parametrize({names}, [{', '.join(rows)}])\n"
    # The comma after the last row makes black give each row its own line.
    return f"@pytest.mark.parametrize({names}, [{', '.join(rows)},],)\n"


def _several_calls(title: str, plan: SeveralCalls, book: ImportBook) -> WrittenFunction:
    # The drafts are made again: in those of a table the arguments may stand in a list.
    bodies = [statement_of(draft_of(draft.written, KnownUnits()), book) for draft in plan.drafts]
    lines = "\n".join(line for body in bodies for line in body.lines)
    helpers = [helper for body in bodies for helper in body.helpers]
    return WrittenFunction(f"def {title}():\n{_indented(lines)}\n", tuple(helpers))
