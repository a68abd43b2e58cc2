"""Arguments that a test can give to a function honestly: what the caller wrote, or what the page itself provides."""

import re
from typing import TYPE_CHECKING

from testwright.generate.web.syntax_trees import walk, written
from testwright.generate.web.unit.script_module import Module, ScriptParameter, parameters_of

if TYPE_CHECKING:
    from tree_sitter import Node

_CONSTANT = frozenset({"string", "number", "true", "false", "null", "undefined", "regex"})
_GROUPS = frozenset({"array", "object", "pair", "unary_expression", "parenthesized_expression"})
_OF_THE_PAGE = re.compile(
    r"document|window|document\.(?:body|documentElement)|document\.(?:getElementById|querySelector)\((['\"])[^'\"\\]*\1\)"
)
_ELEMENT_NAMES = frozenset({"root", "container", "host", "body", "parent", "page"})
_ELEMENT_TYPES = re.compile(r"(?:HTML)?Element|ParentNode|Node|HTMLBodyElement|HTMLDivElement")
_EVENT_NAMES = frozenset({"e", "ev", "evt", "event"})
_EVENT_TYPES = re.compile(r"(?:\w*)Event(?:<.*>)?")
_ASKS_WHERE = frozenset({"target", "currentTarget", "submitter", "key", "code", "detail", "data", "dataTransfer"})


def arguments_for(function: "Node", local: str, caller: Module | None, line: int, event: str) -> str | None:
    """What to write between the brackets of a call. None: what it was called with is not known.

    `caller` and `line` are where the stack says that it was called; `event` is what the last action was.
    """
    if caller is not None:
        for call in caller.calls_of(local, line):
            return _as_written(call)
    wanted = parameters_of(function)
    given: list[str] = []
    for parameter in wanted:
        if parameter.can_be_left_out:
            break
        found = _from_the_page(parameter, function, event)
        if found is None:
            return None
        given.append(found)
    return ", ".join(given)


def _as_written(call: "Node") -> str | None:
    listed = call.child_by_field_name("arguments")
    if listed is None or listed.type != "arguments":
        return None
    given = [one for one in listed.named_children if one.type != "comment"]
    return ", ".join(map(written, given)) if all(_stands_alone(one) for one in given) else None


def _stands_alone(node: "Node") -> bool:
    """It means the same in a test as where it was written."""
    if node.type in _CONSTANT or _OF_THE_PAGE.fullmatch(written(node)):
        return True
    if node.type == "template_string":
        return not any(child.type == "template_substitution" for child in node.children)
    if node.type not in _GROUPS:
        return False
    parts = [one for one in node.named_children if one.type not in ("comment", "property_identifier")]
    return all(_stands_alone(one) for one in parts)


def _from_the_page(parameter: ScriptParameter, function: "Node", event: str) -> str | None:
    if parameter.type == "Document" or (not parameter.type and parameter.name in ("doc", "document")):
        return "document"
    if _ELEMENT_TYPES.fullmatch(parameter.type) or (not parameter.type and parameter.name in _ELEMENT_NAMES):
        return "document.body"
    is_event = _EVENT_TYPES.fullmatch(parameter.type) or (not parameter.type and parameter.name in _EVENT_NAMES)
    if is_event and event and not _asks_where(parameter.name, function):
        return f"new Event('{event}', {{ cancelable: true }})"
    return None


def _asks_where(event: str, function: "Node") -> bool:
    """It wants to know of the event what only a dispatched one can tell."""
    for node in walk(function):
        if node.type == "member_expression" and written(node.child_by_field_name("object")) == event:
            if written(node.child_by_field_name("property")) in _ASKS_WHERE:
                return True
        elif node.type in ("object_pattern", "arguments") and event in map(written, node.named_children):
            return True  # handed on to somebody who may ask
    return False
