"""What one source file exports, calls, looks up and needs, read from its syntax tree."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from testwright.generate.web.syntax_trees import MOST_CHARACTERS, above, language_of, root_of, walk, written

if TYPE_CHECKING:
    from tree_sitter import Node

FUNCTIONS = frozenset({
    "function_declaration", "generator_function_declaration", "function_expression", "arrow_function",
    "method_definition",
})  # fmt: skip
_LOOKUPS = {
    "getElementById": "#{}", "querySelector": "{}", "querySelectorAll": "{}",
    "getElementsByClassName": ".{}", "getElementsByTagName": "{}",
}  # fmt: skip
# What a page without layout and without navigation cannot do.
_NEEDS_LAYOUT = frozenset(
    {
        "getBoundingClientRect", "getClientRects", "offsetWidth", "offsetHeight", "offsetTop", "offsetLeft",
        "clientWidth", "clientHeight", "scrollTop", "scrollLeft", "scrollTo", "scrollBy", "scrollIntoView",
        "innerWidth", "innerHeight", "matchMedia", "elementFromPoint", "IntersectionObserver", "ResizeObserver",
        "getContext", "scrollY", "scrollHeight", "pageYOffset", "animate",
    }
)  # fmt: skip
_NEEDS_NAVIGATION = re.compile(
    r"\blocation\.(?:assign|replace|reload)\s*\(|\blocation(?:\.href)?\s*=[^=]|\bwindow\.open\s*\("
)
_JSX = frozenset({"jsx_element", "jsx_self_closing_element", "jsx_fragment"})


@dataclass(frozen=True, slots=True)
class ScriptParameter:
    name: str  # empty: taken apart on the spot
    type: str = ""
    can_be_left_out: bool = False


@dataclass(frozen=True, slots=True)
class Exported:
    """A function that a test can import."""

    name: str  # as it is exported; `default` for the default export
    local: str  # as the module calls it
    owner: str = ""  # the exported class it is a static method of


@dataclass(frozen=True)
class Module:
    """A source file. Positions in it count from 1, columns in UTF-16 units, as browsers count them."""

    path: str
    text: str

    @property
    def is_readable(self) -> bool:
        return bool(self.text) and len(self.text) <= MOST_CHARACTERS and language_of(self.path) not in ("", "python")

    @cached_property
    def root(self) -> "Node":
        return root_of(self.text, language_of(self.path))

    @cached_property
    def nodes(self) -> tuple["Node", ...]:
        return tuple(walk(self.root))

    @cached_property
    def is_esm(self) -> bool:
        return any(node.type in ("import_statement", "export_statement") for node in self.root.children)

    # --- where things are ------------------------------------------------------------------------

    def node_at(self, line: int, column: int) -> "Node | None":
        lines = self.text.split("\n")
        if not 1 <= line <= len(lines):
            return None
        units = lines[line - 1].encode("utf-16-le", errors="replace")[: max(column - 1, 0) * 2]
        at = (line - 1, len(units.decode("utf-16-le", errors="ignore").encode()))
        return self.root.descendant_for_point_range(at, at)

    # --- what is exported ------------------------------------------------------------------------

    def exported(self, function: "Node") -> Exported | None:
        """How a test gets hold of a function, if the module gives it away."""
        if function.type == "method_definition":
            return self._exported_method(function)
        name = name_of(function)
        if any(one.type in FUNCTIONS or one.type == "class_body" for one in above(function)):
            return None
        if function in self._default_functions:
            return Exported("default", name or "run")
        given = self._exports.get(name) or self._cjs_exports.get(name)
        return Exported(given, name) if given else None

    def _exported_method(self, method: "Node") -> Exported | None:
        body = method.parent
        owner = body.parent if body is not None and body.type == "class_body" else None
        if owner is None or not any(child.type == "static" for child in method.children):
            return None  # what an object was like when its method was called is not known
        name = written(owner.child_by_field_name("name"))
        given = self._exports.get(name) or self._cjs_exports.get(name)
        return Exported(given, written(method.child_by_field_name("name")), name) if given else None

    @cached_property
    def _exports(self) -> dict[str, str]:
        """What ES modules export: local name -> exported name."""
        found: dict[str, str] = {}
        for statement in self.root.children:
            if statement.type != "export_statement" or statement.child_by_field_name("source") is not None:
                continue
            is_default = any(child.type == "default" for child in statement.children)
            declaration = statement.child_by_field_name("declaration")
            if declaration is not None:
                for name in _declared(declaration):
                    found[name] = "default" if is_default else name
            value = statement.child_by_field_name("value")
            if is_default and value is not None and value.type == "identifier":
                found[written(value)] = "default"
            for one in (node for node in walk(statement) if node.type == "export_specifier"):
                name = written(one.child_by_field_name("name"))
                found.setdefault(name, written(one.child_by_field_name("alias")) or name)
        return found

    @cached_property
    def _default_functions(self) -> tuple["Node", ...]:
        """Functions that stand in `export default` or `module.exports =` themselves."""
        found = []
        for statement in self.root.children:
            if statement.type == "export_statement":
                value = statement.child_by_field_name("value")
                found += [value] if value is not None and value.type in FUNCTIONS else []
        found += [value for name, value in self._cjs_assignments if not name and value.type in FUNCTIONS]
        return tuple(found)

    @cached_property
    def _cjs_assignments(self) -> tuple[tuple[str, "Node"], ...]:
        """`module.exports = VALUE` with no name, `exports.name = VALUE`, and each pair of an exported object."""
        found: list[tuple[str, Node]] = []
        for node in self.nodes:
            if node.type != "assignment_expression":
                continue
            target = written(node.child_by_field_name("left"))
            value = node.child_by_field_name("right")
            match = re.fullmatch(r"(?:module\.)?exports(?:\.([\w$]+))?", target)
            if match is None or value is None or target == "exports":
                continue
            if match[1] is None and value.type == "object":
                found += _pairs(value)
            else:
                found.append((match[1] or "", value))
        return tuple(found)

    @cached_property
    def _cjs_exports(self) -> dict[str, str]:
        """Local name -> exported name; functions without a name of their own go by the exported one."""
        found: dict[str, str] = {}
        for name, value in self._cjs_assignments:
            if value.type in ("identifier", "shorthand_property_identifier"):
                found[written(value)] = name or "default"
            elif name and value.type in FUNCTIONS:
                found[name_of(value) or name] = name
        return found

    # --- what it does ----------------------------------------------------------------------------

    @cached_property
    def _calls(self) -> tuple[tuple[str, "Node"], ...]:
        """Each call with the last word of what it calls."""
        found = []
        for node in self.nodes:
            if node.type == "call_expression":
                called = node.child_by_field_name("function")
                last = called.child_by_field_name("property") if called is not None else None
                found.append((written(last if last is not None else called), node))
        return tuple(found)

    @cached_property
    def lookups(self) -> tuple[str, ...]:
        """Selectors of elements that its code asks for by name."""
        found = []
        for name, call in self._calls:
            if name in _LOOKUPS and (text := first_text(call)):
                found.append(_LOOKUPS[name].format(text))
        return tuple(dict.fromkeys(found))

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """What it imports, as it is written."""
        found = [
            written(source)[1:-1]
            for node in self.nodes
            if node.type in ("import_statement", "export_statement")
            and (source := node.child_by_field_name("source")) is not None
        ]
        found += [first_text(call) for name, call in self._calls if name in ("require", "import")]
        return tuple(dict.fromkeys(name for name in found if name))

    @cached_property
    def listeners(self) -> tuple["Node", ...]:
        """Where it attaches handlers."""
        found = [call for name, call in self._calls if name == "addEventListener"]
        for node in self.nodes:
            if node.type == "assignment_expression":
                left = node.child_by_field_name("left")
                member = left.child_by_field_name("property") if left is not None else None
                if re.fullmatch(r"on[a-z]{3,}", written(member)):
                    found.append(node)
        return tuple(found)

    def calls_of(self, local: str, line: int) -> Iterator["Node"]:
        """Calls of a function, by its name, that stand on a line or reach over it."""
        for name, call in self._calls:
            if name == local and call.start_point.row <= line - 1 <= call.end_point.row:
                yield call


# --- functions ------------------------------------------------------------------------------------


def function_around(node: "Node") -> "Node | None":
    return node if node.type in FUNCTIONS else next((one for one in above(node) if one.type in FUNCTIONS), None)


def name_of(function: "Node") -> str:
    """Its own name, or that of the variable, property or key it is given to."""
    own = function.child_by_field_name("name")
    if own is not None:
        return written(own)
    holder = function.parent
    if holder is None:
        return ""
    if holder.type == "variable_declarator":
        return written(holder.child_by_field_name("name"))
    if holder.type == "pair":
        return written(holder.child_by_field_name("key"))
    if holder.type == "assignment_expression":
        left = holder.child_by_field_name("left")
        member = left.child_by_field_name("property") if left is not None else None
        return written(member if member is not None else left)
    return ""


def parameters_of(function: "Node") -> tuple[ScriptParameter, ...]:
    single = function.child_by_field_name("parameter")
    if single is not None:
        return (_parameter(single),)
    listed = function.child_by_field_name("parameters")
    return (
        tuple(_parameter(one) for one in listed.named_children if one.type != "comment") if listed is not None else ()
    )


def _parameter(node: "Node") -> ScriptParameter:
    kind = written(node.child_by_field_name("type")).lstrip(": ")
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("left") or node
    has_default = node.type == "assignment_pattern" or node.child_by_field_name("value") is not None
    optional = node.type in ("optional_parameter", "rest_pattern") or pattern.type == "rest_pattern" or has_default
    return ScriptParameter(written(pattern) if pattern.type == "identifier" else "", kind, optional)


def draws_itself(function: "Node") -> bool:
    """It returns markup for a framework to draw: calling it does nothing by itself."""
    return any(node.type in _JSX for node in walk(function))


def unlike_here(node: "Node") -> str:
    """What in this code a page without layout and navigation cannot do; empty: nothing known."""
    for one in walk(node):
        if one.type in ("identifier", "property_identifier") and written(one) in _NEEDS_LAYOUT:
            return f"it uses {written(one)}, and unit tests have no layout"
    found = _NEEDS_NAVIGATION.search(written(node))
    return "it goes to another page, and unit tests have no navigation" if found else ""


def first_text(call: "Node") -> str:
    """The first argument, where it is a plain text."""
    given = call.child_by_field_name("arguments")
    first = given.named_children[0] if given is not None and given.named_children else None
    if first is None or first.type not in ("string", "template_string"):
        return ""
    if any(child.type in ("escape_sequence", "template_substitution") for child in first.children):
        return ""
    return written(first)[1:-1]


def _declared(declaration: "Node") -> Iterator[str]:
    name = declaration.child_by_field_name("name")
    if name is not None:
        yield written(name)
    for one in declaration.named_children:
        if one.type == "variable_declarator":
            yield written(one.child_by_field_name("name"))


def _pairs(value: "Node") -> list[tuple[str, "Node"]]:
    found = []
    for one in value.named_children:
        if one.type == "shorthand_property_identifier":
            found.append((written(one), one))
        elif one.type == "method_definition":
            found.append((written(one.child_by_field_name("name")), one))
        elif one.type == "pair":
            key, given = one.child_by_field_name("key"), one.child_by_field_name("value")
            if key is not None and given is not None:
                found.append((written(key), given))
    return found
