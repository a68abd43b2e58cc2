"""What one generated test does and what it saw: plain values that travel between the explorer and the writer.

Everything is source text. An *expression* is Python source that may use these free names and no others:
`_under_test` (the module under test), `tmp_path` (a fresh folder), builtins, and modules by their full dotted name
(`datetime.date(2020, 1, 2)`, `shop.model.Basket()`). What evaluates or prints the expression imports these modules.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

UNDER_TEST = "_under_test"
SUBJECT = "subject"
TMP_PATH = "tmp_path"


@dataclass(frozen=True)
class Argument:
    """One argument of a call; `name` is None for a positional one, and `*` or `**` for an unpacked one."""

    name: str | None
    value: str


@dataclass(frozen=True)
class Call:
    """`callee` is an expression, or `subject.method` for a call on the object that the case built first."""

    callee: str
    arguments: tuple[Argument, ...] = ()


class Use(Enum):
    """How the action's value is used, so that a test can check it."""

    CALL = "call"  # result = callee(...)
    GET = "get"  # result = callee, an attribute or property; no arguments
    SET = "set"  # callee = arguments[0]
    AWAIT = "await"  # result = asyncio.run(callee(...))
    ITERATE = "iterate"  # result = the first items of callee(...)
    ITERATE_ASYNC = "iterate_async"  # the same for an asynchronous generator
    ENTER = "enter"  # with callee(...) as result: the body does nothing
    ENTER_ASYNC = "enter_async"


ITEMS_TAKEN = 20
"""How many items of a generator are looked at: `itertools.islice(..., ITEMS_TAKEN)`; it may have no end."""


@dataclass(frozen=True)
class Case:
    """Arrange: build `subject` (when the unit is bound to an object) and call `before` on it. Act: `action`."""

    unit: str
    action: Call
    use: Use = Use.CALL
    subject: Call | None = None
    before: tuple[Call, ...] = ()

    @property
    def calls(self) -> list[Call]:
        """The action first, then the calls before it, then the one that builds the subject."""
        return [self.action, *self.before, *([self.subject] if self.subject else [])]


class Relation(Enum):
    EQUAL = "=="
    IDENTICAL = "is"
    CLOSE = "approx"  # pytest.approx(expected)
    INSTANCE = "isinstance"  # isinstance(value, expected)
    RAISES = "raises"  # of == "error": expected is the exception's class
    # Of "error": expected is not an expression but the very text that str(error) must be, begin with, or contain.
    MESSAGE_IS = "message is"
    MESSAGE_BEGINS = "message begins"
    MESSAGE_HAS = "message has"


MESSAGES = (Relation.MESSAGE_IS, Relation.MESSAGE_BEGINS, Relation.MESSAGE_HAS)


@dataclass(frozen=True)
class Check:
    """One thing that was seen and that the test will assert.

    `of` says what it is about: "result", "subject", "stdout", "stderr", "error", "argument NAME-OR-INDEX" (the
    argument after the call), "file RELATIVE-PATH" (text of a file under tmp_path), "module NAME" (a global of the
    module under test after the call). `path` is an expression with `{}` for that thing: "{}", "len({})", "{}.name".
    """

    of: str
    path: str
    relation: Relation
    expected: str


class CaseOutcome(Enum):
    RETURNED = "returned"
    RAISED = "raised"
    UNUSABLE = "unusable"  # too slow, too large, exited, or nothing can be said about it


@dataclass(frozen=True)
class Observation:
    outcome: CaseOutcome
    checks: tuple[Check, ...] = ()
    kind: str = ""
    """What is new about it, for the search: result type or True/False/None/empty, or exception type and line."""
    reason: str = ""  # why it is unusable

    @property
    def is_usable(self) -> bool:
        """Whether a test can be written of it."""
        return self.outcome is not CaseOutcome.UNUSABLE and bool(self.checks)


def case_as_json(case: Case) -> dict[str, Any]:
    return {
        "unit": case.unit,
        "action": _call_as_json(case.action),
        "use": case.use.value,
        "subject": _call_as_json(case.subject) if case.subject else None,
        "before": [_call_as_json(call) for call in case.before],
    }


def case_from_json(data: dict[str, Any]) -> Case:
    return Case(
        unit=data["unit"],
        action=_call_from_json(data["action"]),
        use=Use(data["use"]),
        subject=_call_from_json(data["subject"]) if data["subject"] else None,
        before=tuple(_call_from_json(call) for call in data["before"]),
    )


def checks_as_json(checks: tuple[Check, ...]) -> list[list[str]]:
    return [[check.of, check.path, check.relation.value, check.expected] for check in checks]


def checks_from_json(data: list[list[str]]) -> tuple[Check, ...]:
    return tuple(Check(of, path, Relation(relation), expected) for of, path, relation, expected in data)


def _call_as_json(call: Call) -> dict[str, Any]:
    return {"callee": call.callee, "arguments": [[each.name, each.value] for each in call.arguments]}


def _call_from_json(data: dict[str, Any]) -> Call:
    return Call(data["callee"], tuple(Argument(name, value) for name, value in data["arguments"]))
