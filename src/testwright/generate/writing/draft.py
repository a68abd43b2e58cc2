"""A case taken apart: the structure that its test will have, and the places in it where values stand."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from keyword import iskeyword

from testwright.generate.inside.generated_case import (
    ITEMS_TAKEN,
    MESSAGES,
    SUBJECT,
    Argument,
    Call,
    Case,
    Check,
    Relation,
    Use,
)
from testwright.generate.writing.expression_trees import (
    THING,
    bound_names,
    chain,
    literal_of,
    parse,
    parse_path,
    text_of,
    uses,
)
from testwright.generate.writing.name_words import literal_kind, snake
from testwright.generate.writing.string_literals import search_pattern

UNIT_CONSTRUCTOR = "constructor"
ARGS, KWARGS = "action *", "action **"
"""Keys of the holes that hold all arguments of an action, where a table has calls with different ones."""
_SHAPING = (Relation.RAISES, Relation.INSTANCE)
"""Relations whose expected class belongs to the structure: tests for different classes are different tests."""
_VARIABLE_BY_KIND = {
    "str": "text", "bytes": "data", "int": "number", "float": "number", "bool": "flag", "list": "items",
    "tuple": "items", "set": "items", "dict": "mapping", "function": "function",
}  # fmt: skip


@dataclass(frozen=True)
class ChosenCase:
    """A chosen case with what the writer must know about it."""

    case: Case
    checks: tuple[Check, ...]
    imports: tuple[str, ...] = ()  # dotted modules that its expressions name
    kind: str = ""  # Observation.kind, e.g. "raised ValueError L12", "returned bool True".
    unit_kind: str = "function"  # UnitKind.value
    parameters: tuple[str, ...] = ()  # the unit's parameter names
    proves: tuple[str, ...] = ()  # branches and mutants that only this case covers, e.g. "L42 true".
    condition: str = ""  # source text of the branch condition it is about, where there is one
    setup: tuple[str, ...] = ()  # statements that go first and bind names that the expressions of the case may use


@dataclass(frozen=True)
class Hole:
    """A place where a value stands."""

    key: str  # the same in every draft of one shape: "action text", "subject 0", "before 1 item", "expected 0"
    variable: str  # what a variable for the value would be called
    node: ast.expr
    text: str

    @property
    def is_input(self) -> bool:
        return not self.key.startswith("expected")


@dataclass(frozen=True)
class Slot:
    """One argument of a planned call: `prefix` is "", "name=", "*" or "**"; `key` names its hole."""

    prefix: str
    key: str
    built: "PlannedCall | None" = None
    """How the value is built, where its parts have holes of their own; then `key` names none."""


@dataclass(frozen=True)
class PlannedCall:
    callee: ast.expr
    slots: tuple[Slot, ...]
    is_async: bool = False

    @property
    def shape(self) -> tuple[str, ...]:
        inner = [part for slot in self.slots if slot.built for part in (slot.key, *slot.built.shape)]
        return (text_of(self.callee), *(slot.prefix or "positional" for slot in self.slots), *inner)


@dataclass(frozen=True)
class PlannedCheck:
    of: str
    path: ast.expr
    relation: Relation
    key: str  # its hole; empty where the expected value belongs to the structure
    expected: ast.expr

    @property
    def shape(self) -> tuple[str, ...]:
        return (self.of, text_of(self.path), self.relation.name, "" if self.key else text_of(self.expected))


@dataclass(frozen=True)
class CaseDraft:
    written: ChosenCase
    holes: Mapping[str, Hole]
    subject: PlannedCall | None
    before: tuple[PlannedCall, ...]
    action: PlannedCall
    checks: tuple[PlannedCheck, ...]
    setup: tuple[ast.stmt, ...] = ()

    @property
    def own_names(self) -> tuple[str, ...]:
        """Names in its expressions that the test itself defines, or that only stand for something."""
        return (THING, *sorted(name for statement in self.setup for name in bound_names(statement)))

    @property
    def case(self) -> Case:
        return self.written.case

    @property
    def unit(self) -> str:
        return self.written.case.unit

    @property
    def owner(self) -> str:
        """Simple name of the class that the unit belongs to, or that it makes; empty for a function."""
        if self.written.unit_kind == UNIT_CONSTRUCTOR:
            return self.unit.rpartition(".")[2]
        return self.unit.rpartition(".")[0].rpartition(".")[2]

    @property
    def subject_words(self) -> str:
        """What the subject is called: after the class that is called to make it, else after the unit's own."""
        made_by = chain(self.subject.callee)[-1] if self.subject and chain(self.subject.callee) else ""
        return snake(made_by if made_by.lstrip("_")[:1].isupper() else self.owner)

    @property
    def target(self) -> str:
        """The unit as names of tests have it: `slugify`, `basket_total`, `basket` for its constructor."""
        simple = snake(self.unit.rpartition(".")[2])
        is_member = self.owner and self.written.unit_kind != UNIT_CONSTRUCTOR
        return f"{snake(self.owner)}_{simple}" if is_member else simple

    @property
    def error(self) -> PlannedCheck | None:
        return next((each for each in self.checks if each.relation is Relation.RAISES), None)

    @property
    def inputs(self) -> list[Hole]:
        return [hole for hole in self.holes.values() if hole.is_input]

    @property
    def shape(self) -> tuple[object, ...]:
        """Equal for drafts whose tests differ in nothing but the values in their holes."""
        calls = (self.subject, *self.before, self.action)
        return (
            self.unit,
            self.written.setup,
            self.case.use,
            self.takes_all_items,
            tuple(call.shape if call else () for call in calls),
            tuple(check.shape for check in self.checks),
        )

    @property
    def takes_all_items(self) -> bool:
        """Whether an iterator came to its end among the items that were looked at."""
        if self.case.use not in (Use.ITERATE, Use.ITERATE_ASYNC):
            return True
        return self.error is not None or any(_length(check) < ITEMS_TAKEN for check in self.checks)


def _length(check: PlannedCheck) -> float:
    """How many items of the result the check counts; endless when it does not."""
    if check.of != "result" or check.relation not in (Relation.EQUAL, Relation.CLOSE):
        return float("inf")
    path = text_of(check.path)
    value = literal_of(check.expected)
    if path.startswith("len(") and isinstance(value, int):
        return value
    if isinstance(check.path, ast.Name) and isinstance(check.expected, ast.List):
        return len(check.expected.elts)
    return float("inf")


@dataclass
class KnownUnits:
    """What the cases of a suite tell about its units, for the calls that lead up to an action."""

    parameters: dict[str, tuple[str, ...]] = field(default_factory=dict)
    asynchronous: set[str] = field(default_factory=set)

    @classmethod
    def among(cls, cases: "list[ChosenCase]") -> "KnownUnits":
        known = cls()
        for written in cases:
            known.parameters.setdefault(written.case.unit, written.parameters)
            if written.case.use is Use.AWAIT:
                known.asynchronous.add(written.case.unit)
        return known


def draft_of(written: ChosenCase, known: KnownUnits) -> CaseDraft:
    """Take a case apart; SyntaxError when one of its expressions is none."""
    holes: dict[str, Hole] = {}
    case = written.case
    owner = case.unit.rpartition(".")[0]
    subject = None
    if case.subject is not None:
        subject = _planned(_unpacked(case.subject), "subject", _parameters_of(case.subject, owner, known), holes)
    before = tuple(
        _planned(
            _unpacked(call), f"before {index}", _parameters_of(call, owner, known), holes, known.asynchronous, owner
        )
        for index, call in enumerate(case.before)
    )
    keeps_unpacking = any(check.of.startswith("argument ") for check in written.checks)
    action = _planned(case.action if keeps_unpacking else _unpacked(case.action), "action", written.parameters, holes)
    checks = tuple(_planned_check(index, check, holes) for index, check in enumerate(written.checks))
    setup = tuple(ast.parse("\n".join(written.setup)).body)
    return CaseDraft(written, holes, subject, before, action, checks, setup)


def _parameters_of(call: Call, owner: str, known: KnownUnits) -> tuple[str, ...]:
    root, _, rest = call.callee.partition(".")
    return known.parameters.get(f"{owner}.{rest}" if root == SUBJECT else rest, ())


def _planned(
    call: Call,
    place: str,
    parameters: tuple[str, ...],
    holes: dict[str, Hole],
    asynchronous: "set[str] | frozenset[str]" = frozenset(),
    owner: str = "",
) -> PlannedCall:
    slots = []
    positional = [each for each in parameters if not each.startswith("*")]
    for index, argument in enumerate(call.arguments):
        node = parse(argument.value)
        prefix = _prefix(argument)
        known = positional[index] if argument.name is None and index < len(positional) else ""
        variable = argument.name if prefix.endswith("=") and argument.name else known
        key = f"{place} {index}"
        holes[key] = Hole(key, (variable or variable_by_looks(node)).strip("_") or "value", node, text_of(node))
        slots.append(Slot(prefix, key))
    method = call.callee.removeprefix(f"{SUBJECT}.")
    return PlannedCall(parse(call.callee), tuple(slots), is_async=f"{owner}.{method}" in asynchronous)


def _prefix(argument: Argument) -> str:
    if argument.name is None:
        return ""
    return argument.name if argument.name in ("*", "**") else f"{argument.name}="


def variable_by_looks(node: ast.expr) -> str:
    """What a variable for a value would be called of which nothing is known but the value."""
    kind = literal_kind(node)
    return _VARIABLE_BY_KIND.get(kind, snake(kind) if kind else "value")


def _unpacked(call: Call) -> Call:
    """`f(*[1, 2], **{"a": 3})` as `f(1, 2, a=3)`."""
    arguments: list[Argument] = []
    for argument in call.arguments:
        node = parse(argument.value) if argument.name in ("*", "**") else None
        if argument.name == "*" and isinstance(node, ast.List | ast.Tuple):
            arguments += map(_item_argument, node.elts)
        elif argument.name == "**" and isinstance(node, ast.Dict) and all(map(_is_word, node.keys)):
            keys = [str(literal_of(key)) for key in node.keys if key is not None]
            arguments += [Argument(key, text_of(value)) for key, value in zip(keys, node.values, strict=True)]
        else:
            arguments.append(argument)
    names = [each.name for each in arguments if each.name not in (None, "*", "**")]
    clean = len(names) == len(set(names)) and not _positional_after_named(arguments)
    return Call(call.callee, tuple(arguments)) if clean else call


def _item_argument(node: ast.expr) -> Argument:
    return Argument("*", text_of(node.value)) if isinstance(node, ast.Starred) else Argument(None, text_of(node))


def _is_word(node: ast.expr | None) -> bool:
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, str) and value.isidentifier() and not iskeyword(value)


def _positional_after_named(arguments: list[Argument]) -> bool:
    named_seen = False
    for argument in arguments:
        if argument.name is None and named_seen:
            return True
        named_seen = named_seen or argument.name not in (None, "*")
    return False


def _planned_check(index: int, check: Check, holes: dict[str, Hole]) -> PlannedCheck:
    path = parse_path(check.path)
    if check.relation in MESSAGES:
        expected: ast.expr = ast.Constant(_pattern(check))
        variable = "message"
    else:
        expected = parse(check.expected)
        variable = _expected_variable(check, path)
    shaping = check.relation in _SHAPING or uses(expected, SUBJECT)
    key = "" if shaping else f"expected {index}"
    if key:
        holes[key] = Hole(key, variable, expected, text_of(expected))
    return PlannedCheck(check.of, path, check.relation, key, expected)


def _pattern(check: Check) -> str:
    """What `match=` is to find. Anchored where it can be: a message that only contains the text is another one."""
    pattern = search_pattern(check.expected)
    if check.relation is Relation.MESSAGE_HAS:
        return pattern
    return f"^{pattern}$" if check.relation is Relation.MESSAGE_IS else f"^{pattern}"


def _expected_variable(check: Check, path: ast.expr) -> str:
    thing = check.of.rpartition(" ")[2].rpartition("/")[2]
    if isinstance(path, ast.Call) and isinstance(path.func, ast.Name) and path.func.id == "len":
        return "expected_length"
    if isinstance(path, ast.Attribute):
        return f"expected_{snake(path.attr)}"
    if check.of in ("stdout", "stderr"):
        return "expected_output"
    if check.of.startswith(("argument ", "module ")) and thing.isidentifier():
        return f"expected_{snake(thing)}"
    return "expected"
