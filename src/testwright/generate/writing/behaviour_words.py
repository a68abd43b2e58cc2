"""What a case shows, in words: `raises_value_error`, `returns_empty_list`, `updates_items`, `prints_hello`."""

import ast
from collections.abc import Callable, Iterator, Sequence

from testwright.generate.inside.generated_case import SUBJECT, UNDER_TEST, Relation, Use
from testwright.generate.writing.draft import UNIT_CONSTRUCTOR, CaseDraft, PlannedCheck
from testwright.generate.writing.expression_trees import THING, chain, literal_of
from testwright.generate.writing.name_words import joined, literal_kind, slug, snake

_COARSE = {
    "str": "text", "compile": "pattern", "bytes": "bytes", "int": "number", "float": "number",
    "complex": "number", "tuple": "tuple",
}  # fmt: skip
_QUESTIONS = {"isnan": "not_a_number", "isinf": "infinity", "callable": "function"}
_VERBS = {
    Use.GET: "is", Use.ITERATE: "yields", Use.ITERATE_ASYNC: "yields", Use.ENTER: "gives",
    Use.ENTER_ASYNC: "gives",
}  # fmt: skip


_TEXT_OF_ITSELF = ("__repr__", "__str__")
_NOTHING_ALONE = frozenset({"Error", "error", "Exception", "Warning", "Timeout", "timeout", "Empty", "Full"})
"""Classes of errors that are told apart by the module that has them: `binascii.Error`."""
_VAGUE = ("bool", "bytes", "dict", "items", "list", "number", "object", "set", "text", "tuple", "value")
_CHANGES_OF_TEXT: dict[str, Callable[[str], str]] = {
    "lowercases": str.lower,
    "uppercases": str.upper,
    "strips": str.strip,
    "reverses": lambda text: text[::-1],
}
_LARGEST_SAID = 1_000_000
_LETTERS_THAT_SHOW = 3
"""With so many letters it is unlikely to be chance that one text is the other in capitals, or backwards."""


def outcome_words(draft: CaseDraft) -> str:
    """The outcome in general words: cases that differ in the exact value share them."""
    if draft.error is not None:
        return f"raises_{_error_name(chain(draft.error.expected))}"
    effects = list(dict.fromkeys(_effects(draft)))
    if draft.written.unit_kind == UNIT_CONSTRUCTOR:
        return joined(effects, instead="sets_its_attributes") or _attributes(draft)
    result = _result(draft)
    # That nothing is returned need not be said where something else happens.
    said = [result] if result and not (result.endswith("_none") and effects) else []
    return joined(said + effects, most=2, instead=(said or effects or [""])[0]) or "works_as_recorded"


def _error_name(parts: tuple[str, ...]) -> str:
    if not parts:
        return "error"
    owners = [part for part in parts[-2:-1] if part != UNDER_TEST]
    return snake("_".join((*owners, parts[-1]) if parts[-1] in _NOTHING_ALONE else parts[-1:]))


def is_vague(outcome: str) -> bool:
    """Whether the words leave open what happened and why: another case of the unit could be named the same."""
    is_said_of_result = outcome.startswith(("returns_", "yields_", "gives_", "is_")) and "_empty_" not in outcome
    is_some = is_said_of_result and outcome.endswith(tuple(f"_{word}" for word in _VAGUE))
    return is_some or outcome.startswith("raises_")


def brief_words(draft: CaseDraft) -> str:
    """The outcome without side effects."""
    return _result(draft) if draft.error is None and draft.written.unit_kind != UNIT_CONSTRUCTOR else ""


def exact_words(draft: CaseDraft) -> str:
    """The outcome with the value itself, where that makes a word; else empty."""
    check = _main_check(draft)
    if check is None or draft.error is not None:
        return ""
    value = literal_of(check.expected)
    if isinstance(check.path, ast.Call) and chain(check.path.func) == ("list",) and isinstance(value, list) and value:
        return f"yields_{_plural(len(value), 'item')}"
    if not isinstance(check.path, ast.Name):
        return ""
    if isinstance(value, str) and draft.unit.endswith(_TEXT_OF_ITSELF):
        return ""
    verb = _VERBS.get(draft.case.use, "returns")
    if verb == "returns" and (related := _relation_to_input(draft, check.expected, value)):
        return related
    if isinstance(value, bytes):
        value = value.decode("ascii", "replace")
    if isinstance(value, str):
        word = slug(value)
        return f"{verb}_{word}" if word and not word.isdecimal() else ""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < abs(value) < _LARGEST_SAID:
        return f"{verb}_{_number_word(value)}"
    if isinstance(value, list | tuple | dict | set) and value:
        return f"{verb}_{_plural(len(value), 'item')}"
    return ""


def _number_word(value: float) -> str:
    digits = (str(abs(value)) if isinstance(value, int) else f"{abs(value):.6f}".rstrip("0").rstrip(".")).replace(
        ".", "_"
    )
    return f"minus_{digits}" if value < 0 else digits


def _relation_to_input(draft: CaseDraft, expected: ast.expr, value: object) -> str:
    """`returns_text_unchanged`, `lowercases_text`: what was done to an input, where the values show it."""
    inputs = [hole for hole in draft.inputs if hole.key.startswith("action")]
    text = ast.unparse(expected)
    # A small number is the same as another by chance; a word or a list is not.
    is_something = isinstance(value, str | bytes | list | tuple | dict | set) and len(text) > _LETTERS_THAT_SHOW + 1
    for hole in inputs:
        if is_something and hole.text == text:
            return f"returns_{snake(hole.variable)}_unchanged"
    for hole in inputs:
        given = literal_of(hole.node)
        if not (isinstance(value, str) and isinstance(given, str)):
            continue
        verbs = [verb for verb, change in _CHANGES_OF_TEXT.items() if change(given) == value]
        if len(verbs) == 1 and sum(map(str.isalpha, value)) >= _LETTERS_THAT_SHOW:
            return f"{verbs[0]}_{snake(hole.variable)}"
    return ""


def kind_words(drafts: Sequence[CaseDraft]) -> str:
    """What several cases of one shape give, in a word for all of them: `returns_text`, `is_true_or_false`."""
    kinds = list(dict.fromkeys(filter(None, map(_result_kind, drafts))))
    verb = _VERBS.get(drafts[0].case.use, "returns")
    if set(kinds) == {"bool"}:
        return "is_true_or_false"
    if set(kinds) == {"bool", "none"}:
        return "is_none_or_bool"
    return f"{verb}_{kinds[0]}" if len(kinds) == 1 else f"{verb}_known_values"


def _result_kind(draft: CaseDraft) -> str:
    instances = [check for check in draft.checks if check.of == "result" and check.relation is Relation.INSTANCE]
    if instances and chain(instances[0].expected):
        return snake(chain(instances[0].expected)[-1])
    check = _main_check(draft)
    if check is None or not isinstance(check.path, ast.Name):
        return ""
    kind = literal_kind(check.expected)
    return {"NoneType": "none"}.get(kind, _COARSE.get(kind, snake(kind))) if kind else ""


def _plural(count: int, noun: str) -> str:
    return f"one_{noun}" if count == 1 else f"{count}_{noun}s"


def _main_check(draft: CaseDraft) -> PlannedCheck | None:
    """The check of the whole result, or the first one of any part of it."""
    of_result = [check for check in draft.checks if check.of == "result"]
    whole = [check for check in of_result if isinstance(check.path, ast.Name)]
    ranked = sorted(whole, key=lambda check: check.relation is Relation.INSTANCE)
    return next(iter(ranked or of_result), None)


def _result(draft: CaseDraft) -> str:
    check = _main_check(draft)
    if check is None:
        return ""
    verb = _VERBS.get(draft.case.use, "returns")
    question = chain(check.path.func)[-1:] if isinstance(check.path, ast.Call) else ()
    if question and question[0] in _QUESTIONS:
        return f"{verb}_{_QUESTIONS[question[0]]}"
    if question == ("list",):
        return "yields_nothing" if literal_of(check.expected) == [] else "yields_items"
    if not isinstance(check.path, ast.Name):
        attributes = list(dict.fromkeys(_attribute_names(draft, "result")))
        return f"{verb}_{joined(attributes, instead='object') or 'object'}"
    if check.relation is Relation.INSTANCE:
        parts = chain(check.expected)
        return f"{verb}_{snake(parts[-1]) if parts else 'object'}"
    value = literal_of(check.expected)
    if isinstance(value, bool):
        return f"is_{str(value).lower()}"
    if isinstance(value, str) and draft.unit.endswith(_TEXT_OF_ITSELF):
        return "shows_its_values"
    return f"{verb}_{_value_words(check.expected, value, verb)}"


def _value_words(node: ast.expr, value: object, verb: str) -> str:
    kind = literal_kind(node)
    if value is None:
        return "none"
    if verb == "yields":
        return "nothing" if value == [] else "items"
    if isinstance(value, int | float) and value == 0:
        return "zero"
    if isinstance(value, int | float) and value < 0:
        return "negative_number"
    if value in ("", b"", [], (), {}) or _is_empty_set(node):
        return f"empty_{_COARSE.get(kind, snake(kind))}"
    if parts := chain(node):
        return "itself" if parts == (SUBJECT,) else snake(parts[-1])
    return _COARSE.get(kind, snake(kind)) if kind else "value"


def _is_empty_set(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and not node.args and literal_kind(node) in ("set", "frozenset")


def _attributes(draft: CaseDraft) -> str:
    names = list(dict.fromkeys(_attribute_names(draft, "result")))
    if names:
        return f"sets_{joined(names, instead='its_attributes')}"
    return "is_created"


def _attribute_names(draft: CaseDraft, of: str) -> Iterator[str]:
    """The first attribute on each path that leads into the thing."""
    for check in draft.checks:
        if check.of != of:
            continue
        for node in ast.walk(check.path):
            if isinstance(node, ast.Attribute) and chain(node)[:1] == (THING,) and not node.attr.startswith("__"):
                yield snake(chain(node)[1])


def _effects(draft: CaseDraft) -> Iterator[str]:
    changed = list(dict.fromkeys(_attribute_names(draft, "subject")))
    if changed:
        yield f"updates_{joined(changed, instead='its_state')}"
    elif any(check.of == "subject" for check in draft.checks):
        yield "updates_its_state"
    for check in draft.checks:
        kind, _, thing = check.of.partition(" ")
        if kind == "argument":
            yield f"changes_{_argument_name(draft, thing)}_in_place"
        elif kind == "file":
            yield f"writes_{slug(thing) or 'a_file'}"
        elif kind == "module":
            yield f"updates_global_{snake(thing)}"
        elif kind == "stdout":
            value = literal_of(check.expected)
            yield f"prints_{(slug(value) if isinstance(value, str) else '') or 'text'}"
        elif kind == "stderr":
            yield "prints_to_stderr"


def _argument_name(draft: CaseDraft, thing: str) -> str:
    if not thing.isdecimal():
        return snake(thing)
    hole = draft.holes.get(f"action {thing}")
    return snake(hole.variable) if hole else "its_argument"
