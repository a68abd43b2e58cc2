"""The body of a test: arrange, act and assert, from a draft."""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from testwright.generate.inside.generated_case import (
    ITEMS_TAKEN,
    MESSAGES,
    SUBJECT,
    TMP_PATH,
    UNDER_TEST,
    Relation,
    Use,
)
from testwright.generate.writing.draft import UNIT_CONSTRUCTOR, CaseDraft, PlannedCall, PlannedCheck
from testwright.generate.writing.expression_trees import (
    THING,
    attribute,
    call,
    chain,
    dotted,
    literal_of,
    name,
    of,
    substituted,
    text_of,
    uses,
)
from testwright.generate.writing.import_book import ImportBook
from testwright.generate.writing.name_words import snake
from testwright.generate.writing.operator_forms import operator_form, statement_form
from testwright.generate.writing.variables import Variables

FIRST_ITEMS = "_first_items"
ENTERED = "_entered"
_LONG_ARGUMENT = 24
_AT_MOST_TOGETHER = 3  # a body of so many lines needs no blank lines in it
# They give only True or False, so the test need not compare with either.
_PREDICATES = frozenset(
    {("all",), ("any",), ("callable",), ("hasattr",), ("isinstance",), ("math", "isinf"), ("math", "isnan")}
)
_SIMPLE = int | float | str | bytes | None
_INDENT = 4


@dataclass
class FunctionBody:
    """Statements as text, and what the test function must ask pytest for."""

    arrange: list[str] = field(default_factory=list)
    act: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    fixtures: list[str] = field(default_factory=list)
    helpers: list[str] = field(default_factory=list)

    @property
    def lines(self) -> list[str]:
        return [line for part in (self.arrange, self.act, self.checks) for text in part for line in text.splitlines()]

    def fits(self, width: int) -> bool:
        return all(len(line) <= width for line in self.lines)

    def text(self, width: int) -> str:
        sections = ["\n".join(part) for part in (self.arrange, self.act, self.checks) if part]
        together = len(self.lines) <= _AT_MOST_TOGETHER and self.fits(width)
        return ("\n" if together else "\n\n").join(sections)


def write_body(
    draft: CaseDraft,
    book: ImportBook,
    reserved: Iterable[str],
    columns: Mapping[str, str],
    line_length: int,
    *,
    fixture: str = "",
) -> FunctionBody:
    """The body with the fewest variables whose lines fit.

    `columns` are the variables for the holes that a table fills; `fixture` is the one that gives the subject.
    """
    width = line_length - _INDENT
    reserved = [*reserved, *columns.values()]
    long_arguments = [
        slot.key
        for slot in draft.action.slots
        if slot.key not in columns
        and slot.built is None
        and len(draft.holes[slot.key].text) > _LONG_ARGUMENT
        and not isinstance(draft.holes[slot.key].node, ast.Lambda)
    ]
    attempts: list[tuple[bool, list[str]]] = [(False, []), (True, []), (True, long_arguments)]
    for keeps_result, lifted in attempts:
        body = _Writer(
            draft, book, reserved, columns, keeps_result=keeps_result, lifted=lifted, fixture=fixture
        ).write()
        if body.fits(width):
            break
    return body


def statement_of(draft: CaseDraft, book: ImportBook) -> FunctionBody:
    """Act and assert in one statement, the subject built in place: for tests that do several things."""
    writer = _Writer(draft, book, (), {}, keeps_result=False, lifted=[])
    if draft.subject is not None:
        writer.subject = writer.called(draft.subject)
    return writer.in_one_statement()


def subject_of(draft: CaseDraft, book: ImportBook) -> str:
    """The expression that builds the subject."""
    assert draft.subject is not None
    return text_of(_Writer(draft, book, (), {}, keeps_result=False, lifted=[]).called(draft.subject))


class _Writer:
    """Writes one body, and holds what its parts need from one another."""

    def __init__(
        self,
        draft: CaseDraft,
        book: ImportBook,
        reserved: Iterable[str],
        columns: Mapping[str, str],
        *,
        keeps_result: bool,
        lifted: list[str],
        fixture: str = "",
    ) -> None:
        self.draft, self.book, self.columns = draft, book, dict(columns)
        self.variables = Variables((*reserved, *draft.own_names, *filter(None, [fixture])))
        self.fixture = fixture
        self.body = FunctionBody()
        self.modules = draft.written.imports
        self.lifted = [*lifted, *self._looked_at_afterwards()]
        self.subject: ast.expr | None = None
        if draft.subject is not None:
            self.subject = name(fixture or self.variables.take(draft.subject_words))
        about_result = [check for check in draft.checks if check.of == "result"]
        self.needs_result = bool(about_result) and draft.error is None
        self.inline = (
            self.needs_result
            and len(draft.checks) == 1
            and not keeps_result
            and draft.case.use not in (Use.ENTER, Use.SET)
            and _mentions(about_result[0].path) == 1
        )

    def write(self) -> FunctionBody:
        self._arrange()
        action = self.action()
        if self.draft.error is not None:
            self._expect_error(action)
        elif self.inline:
            (check,) = self.draft.checks
            self.body.checks.append(self._assertion(check, action))
        else:
            self._act_and_check(action)
        self._ask_for_tmp_path()
        return self.body

    def in_one_statement(self) -> FunctionBody:
        if self.draft.error is not None:
            self._expect_error(self.action())
        else:
            self.body.checks.append(self._assertion(self.draft.checks[0], self.action()))
        return self.body

    # --- arrange --------------------------------------------------------------------------------

    def _looked_at_afterwards(self) -> list[str]:
        keys = [self._argument_key(check.of) for check in self.draft.checks if check.of.startswith("argument ")]
        return [key for key in dict.fromkeys(keys) if key not in self.columns]

    def _argument_key(self, thing: str) -> str:
        which = thing.partition(" ")[2]
        slots = self.draft.action.slots
        named = [slot.key for slot in slots if slot.prefix == f"{which}="]
        if named:
            return named[0]
        parameters = self.draft.written.parameters
        index = int(which) if which.isdecimal() else parameters.index(which) if which in parameters else -1
        if not 0 <= index < len(slots):
            raise ValueError(f"The case has no argument {which!r}.")
        return slots[index].key

    def _arrange(self) -> None:
        arrange = self.body.arrange
        arrange += [
            text_of(self.book.rewritten(statement, self.modules, given=self.draft.own_names))
            for statement in self.draft.setup
        ]
        for variable in dict.fromkeys(
            check.of.partition(" ")[2] for check in self.draft.checks if check.of.startswith("module ")
        ):
            arrange.append(self._put_back_later(variable))
        if self.fixture:
            self._ask_for(self.fixture)
        elif self.draft.subject is not None and self.subject is not None:
            arrange.append(text_of(_assigned(self.subject, self.called(self.draft.subject))))
        for planned in self.draft.before:
            arrange.append(text_of(self._step(planned)))
        for key in dict.fromkeys(self.lifted):
            variable = self.variables.take(self.draft.holes[key].variable)
            arrange.append(text_of(_assigned(name(variable), self._value(key))))
            self.columns[key] = variable

    def _step(self, planned: PlannedCall) -> ast.AST:
        """A call before the action."""
        node = self.called(planned)
        if planned.is_async:
            return self._run(node)
        return (statement_form(planned, node, self.subject) if self.subject is not None else None) or node

    def _put_back_later(self, variable: str) -> str:
        """A line after which pytest will restore the module's variable, so that the order of tests does not matter."""
        self._ask_for("monkeypatch")
        value: ast.expr = dotted(f"{UNDER_TEST}.{variable}")
        if not self._stays_simple(variable):
            value = call(attribute(self.book.module("copy"), "deepcopy"), value)
        return text_of(call(dotted("monkeypatch.setattr"), name(UNDER_TEST), ast.Constant(variable), value))

    def _stays_simple(self, variable: str) -> bool:
        checks = [check for check in self.draft.checks if check.of == f"module {variable}"]
        return all(
            isinstance(check.path, ast.Name) and isinstance(literal_of(check.expected), _SIMPLE) for check in checks
        )

    # --- act ------------------------------------------------------------------------------------

    def action(self) -> ast.expr:
        """What the test does, as an expression; for a context manager and an assignment, the part that is one."""
        use = self.draft.case.use
        if use in (Use.GET, Use.SET):
            return self._callee(self.draft.action)
        node = self.called(self.draft.action)
        formed = operator_form(self.draft, node, self.subject) if self.subject is not None else None
        action: ast.expr = formed or node
        if use is Use.AWAIT:
            return self._run(action)
        if use is Use.ITERATE:
            if not self.draft.takes_all_items:
                action = call(attribute(self.book.module("itertools"), "islice"), action, ast.Constant(ITEMS_TAKEN))
            return call(name("list"), action)
        if use is Use.ITERATE_ASYNC:
            return self._run(self._helped(FIRST_ITEMS, action))
        if use is Use.ENTER_ASYNC:
            return self._run(self._helped(ENTERED, action))
        return action

    def _helped(self, helper: str, node: ast.expr) -> ast.expr:
        self.body.helpers.append(helper)
        return call(name(helper), node)

    def _run(self, node: ast.expr) -> ast.expr:
        return call(attribute(self.book.module("asyncio"), "run"), node)

    def _statement(self, action: ast.expr, result: ast.expr | None) -> ast.stmt:
        use = self.draft.case.use
        if use is Use.SET:
            return _assigned(action, self._value(self.draft.action.slots[0].key))
        if use is Use.ENTER:
            item = ast.withitem(context_expr=action, optional_vars=result)
            return ast.With(items=[item], body=[ast.Pass()])
        if result is not None:
            return _assigned(result, action)
        if isinstance(action, ast.Call) and use is Use.CALL and self.subject is not None:
            formed = statement_form(self.draft.action, action, self.subject)
            if formed is not None:
                return formed
        if isinstance(action, ast.Call):
            return ast.Expr(action)
        return _assigned(name("_"), action)  # an expression alone on a line looks like a mistake

    def _expect_error(self, action: ast.expr) -> None:
        error = self.draft.error
        assert error is not None
        others = [each for each in self.draft.checks if each.relation not in (Relation.RAISES, *MESSAGES)]
        about_error = any(check.of == "error" for check in others)
        caught = name(self.variables.take("caught")) if about_error else None
        raises = call(attribute(self.book.module("pytest"), "raises"), self._rewritten(error.expected))
        for check in self.draft.checks:
            if check.relation in MESSAGES:
                raises.keywords.append(ast.keyword(arg="match", value=self._value(check.key)))
        item = ast.withitem(context_expr=raises, optional_vars=caught)
        self.body.act.append(text_of(ast.With(items=[item], body=[self._statement(action, None)])))
        self._check(others, {"error": attribute(caught, "value")} if caught else {})

    # --- assert ---------------------------------------------------------------------------------

    def _act_and_check(self, action: ast.expr) -> None:
        result = name(self.variables.take(self._result_name())) if self.needs_result else None
        self.body.act.append(text_of(self._statement(action, result)))
        self._check(self.draft.checks, {"result": result} if result else {})

    def _result_name(self) -> str:
        if self.draft.written.unit_kind == UNIT_CONSTRUCTOR:
            return snake(self.draft.owner)
        return "entered" if self.draft.case.use is Use.ENTER else "result"

    def _check(self, checks: Iterable[PlannedCheck], things: dict[str, ast.expr]) -> None:
        checks = list(checks)
        streams = [check.of for check in checks if check.of in ("stdout", "stderr")]
        if streams:
            self._ask_for("capsys")
            read = call(dotted("capsys.readouterr"))
            captured: ast.expr = read
            if len(streams) > 1:
                captured = name(self.variables.take("captured"))
                self.body.act.append(text_of(_assigned(captured, read)))
            things = {**things, "stdout": attribute(captured, "out"), "stderr": attribute(captured, "err")}
        for check in checks:
            self.body.checks.append(self._assertion(check, things.get(check.of) or self._thing(check)))

    def _thing(self, check: PlannedCheck) -> ast.expr:
        kind, _, which = check.of.partition(" ")
        if kind == "subject" and self.subject is not None:
            return self.subject
        if kind == "argument":
            return name(self.columns[self._argument_key(check.of)])
        if kind == "module":
            return dotted(f"{UNDER_TEST}.{which}")
        if kind == "file":
            return self._file_text(which, check)
        raise ValueError(f"A check is about {check.of!r}, which the case does not have.")

    def _file_text(self, path: str, check: PlannedCheck) -> ast.expr:
        self._ask_for(TMP_PATH)
        place = ast.BinOp(left=name(TMP_PATH), op=ast.Div(), right=ast.Constant(path))
        value = literal_of(check.expected)
        if isinstance(value, bytes):
            return call(attribute(place, "read_bytes"))
        beyond_ascii = not (isinstance(value, str) and value.isascii())
        named: dict[str, ast.expr] = {"encoding": ast.Constant("utf-8")} if beyond_ascii else {}
        return call(attribute(place, "read_text"), **named)

    def _assertion(self, check: PlannedCheck, thing: ast.expr) -> str:
        left = _without_needless_iter(of(self._rewritten(check.path), thing))
        expected = self._value(check.key) if check.key else self._rewritten(check.expected)
        if check.relation is Relation.INSTANCE:
            return text_of(ast.Assert(test=call(name("isinstance"), left, expected)))
        if check.relation is Relation.CLOSE:
            expected = call(attribute(self.book.module("pytest"), "approx"), expected)
        if isinstance(expected, ast.Constant) and isinstance(expected.value, bool):
            plain = _as_predicate(left, holds=expected.value)
            if plain is not None:
                return text_of(ast.Assert(test=plain))
        operator = ast.Is() if check.relation is Relation.IDENTICAL else ast.Eq()
        return text_of(ast.Assert(test=ast.Compare(left=left, ops=[operator], comparators=[expected])))

    # --- expressions ----------------------------------------------------------------------------

    def _value(self, key: str) -> ast.expr:
        if key in self.columns:
            return name(self.columns[key])
        return self._rewritten(self.draft.holes[key].node)

    def _rewritten(self, node: ast.expr) -> ast.expr:
        rewritten = self.book.rewritten(node, self.modules, given=self.draft.own_names)
        return substituted(rewritten, {SUBJECT: self.subject}) if self.subject is not None else rewritten

    def _callee(self, planned: PlannedCall) -> ast.expr:
        return self._rewritten(planned.callee)

    def called(self, planned: PlannedCall) -> ast.Call:
        node = ast.Call(func=self._callee(planned), args=[], keywords=[])
        for slot in planned.slots:
            value = self._value(slot.key) if slot.built is None else self.called(slot.built)
            if slot.prefix == "*":
                node.args.append(ast.Starred(value=value, ctx=ast.Load()))
            elif slot.prefix:
                node.keywords.append(ast.keyword(arg=slot.prefix.rstrip("=*") or None, value=value))
            else:
                node.args.append(value)
        return node

    def _ask_for(self, fixture: str) -> None:
        if fixture not in self.body.fixtures:
            self.body.fixtures.append(fixture)

    def _ask_for_tmp_path(self) -> None:
        draft = self.draft
        calls = [each for each in (draft.subject, *draft.before, draft.action) if each is not None]
        nodes: list[ast.AST] = [*draft.setup, *(each.callee for each in calls)]
        nodes += [hole.node for hole in draft.holes.values()]
        if any(uses(node, TMP_PATH) for node in [*nodes, *(check.path for check in draft.checks)]):
            self._ask_for(TMP_PATH)


def _mentions(path: ast.expr) -> int:
    """How often a path names the thing that it is about: what is named twice must not be done twice."""
    return sum(isinstance(node, ast.Name) and node.id == THING for node in ast.walk(path))


def _without_needless_iter(node: ast.expr) -> ast.expr:
    """`list(iter(basket))` as `list(basket)`."""
    if isinstance(node, ast.Call) and chain(node.func) == ("list",) and len(node.args) == 1:
        inner = node.args[0]
        if isinstance(inner, ast.Call) and chain(inner.func) == ("iter",) and len(inner.args) == 1:
            return call(node.func, inner.args[0])
    return node


def _assigned(target: ast.expr, value: ast.expr) -> ast.Assign:
    return ast.Assign(targets=[target], value=value, lineno=0)


def _as_predicate(node: ast.expr, *, holds: bool) -> ast.expr | None:
    """A question whose answer need not be compared with True or False; None when it must be."""
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In):
        return node if holds else ast.Compare(left=node.left, ops=[ast.NotIn()], comparators=node.comparators)
    if isinstance(node, ast.Compare) and holds:
        return node
    if isinstance(node, ast.BoolOp) and holds and all(_as_predicate(each, holds=True) for each in node.values):
        return node
    if isinstance(node, ast.Call) and chain(node.func) in _PREDICATES:
        return node if holds else ast.UnaryOp(op=ast.Not(), operand=node)
    return None
