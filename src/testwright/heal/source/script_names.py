"""What names stand for in TypeScript and JavaScript."""

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from testwright.heal.source.call_chains import chain_of, descend
from testwright.heal.source.declarations import COMPUTED_IN_A_LOOP, Declaration, DeclarationKind, ancestors, chosen
from testwright.heal.source.languages import ParsedSource
from testwright.heal.source.literal_values import is_string, string_value

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset(
    {"function_declaration", "function_expression", "arrow_function", "method_definition", "generator_function"}
)
_CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "class"})
_FIELDS = frozenset({"public_field_definition", "field_definition"})
_SCOPES = _FUNCTIONS | {"program", "statement_block", "for_statement", "for_in_statement", "class_body"}


class ScriptNames:
    def __init__(self, source: ParsedSource) -> None:
        self._source = source
        self._declared: dict[tuple[int, str], list[Declaration]] = defaultdict(list)
        self._assigned: dict[str, list[Declaration]] = defaultdict(list)
        self._exported: dict[str, Declaration] = {}
        self._passed_on: list[str] = []
        for node in descend(source.root):
            self._note(node)

    def declared(self, at: "Node", name: str) -> Declaration | None:
        for scope in (at, *ancestors(at)):
            found = self._declared.get((scope.id, name))
            if found:
                return self._with_assignments(found, at, name)
        return None

    def _with_assignments(self, found: list[Declaration], at: "Node", name: str) -> Declaration | None:
        first = found[0]
        assigned = self._assigned.get(name, [])
        if first.kind not in (DeclarationKind.VALUE, DeclarationKind.COMPUTED) or not assigned:
            return chosen(found, at)
        has_value = [one for one in found if one.kind is DeclarationKind.VALUE]
        return chosen([*has_value, *assigned], at)

    def exported(self, name: str) -> Declaration | None:
        if name in self._exported:
            return self._exported[name]
        return chosen(self._declared.get((self._source.root.id, name), []))

    def passed_on(self) -> tuple[str, ...]:
        return tuple(self._passed_on)

    def member(self, class_node: "Node", name: str) -> Declaration | None:
        return chosen(list(self._members(class_node, name)))

    def parents(self, class_node: "Node") -> "tuple[Node, ...]":
        heritage = next((child for child in class_node.named_children if child.type == "class_heritage"), None)
        if heritage is None:
            return ()
        clause = next((child for child in heritage.named_children if child.type == "extends_clause"), None)
        value = clause.child_by_field_name("value") if clause is not None else heritage.named_children[0]
        return (value,) if value is not None else ()

    def enclosing_class(self, at: "Node") -> "Node | None":
        for node in ancestors(at):
            if node.type in _CLASSES:
                return node
            if node.type in ("function_declaration", "function_expression"):
                return None  # it has a `this` of its own
        return None

    def entry(self, table: "Node", key: str) -> "Node | None":
        body = table.child_by_field_name("body") if table.type == "enum_declaration" else table
        for child in body.named_children if body is not None else ():
            if child.type == "shorthand_property_identifier" and self._source.written(child) == key:
                return child
            if child.type == "method_definition" and self._text(child, "name") == key:
                return child
            name = child.child_by_field_name("key") or child.child_by_field_name("name")
            if child.type in ("pair", "enum_assignment") and name is not None and self._key(name) == key:
                return child.child_by_field_name("value")
        return None

    def returned(self, function: "Node") -> "Node | None":
        body = function.child_by_field_name("body")
        if body is None or body.type != "statement_block":
            return body
        returns = [node for node in _inside(body) if node.type == "return_statement"]
        if len(returns) != 1 or not returns[0].named_children:
            return None
        return returns[0].named_children[0]

    # --- noting down -------------------------------------------------------------------------

    def _text(self, node: "Node", field: str) -> str:
        child = node.child_by_field_name(field)
        return "" if child is None else self._source.written(child)

    def _key(self, node: "Node") -> str | None:
        return string_value(self._source, node) if is_string(node) else self._source.written(node)

    def _declare(self, at: "Node", name: str, declaration: Declaration) -> None:
        scope = next(node for node in (*ancestors(at), self._source.root) if node.type in _SCOPES)
        self._declared[scope.id, name].append(declaration)

    def _note(self, node: "Node") -> None:
        if node.type == "variable_declarator":
            self._note_variable(node)
        elif node.type == "assignment_expression":
            self._note_assignment(node)
        elif node.type in _FUNCTIONS:
            if node.type == "function_declaration":
                self._declare(node, self._text(node, "name"), Declaration(DeclarationKind.FUNCTION, node))
            self._note_parameters(node)
        elif node.type in _CLASSES and node.child_by_field_name("name") is not None:
            self._declare(node, self._text(node, "name"), Declaration(DeclarationKind.CLASS, node))
        elif node.type == "enum_declaration":
            self._declare(node, self._text(node, "name"), Declaration(DeclarationKind.TABLE, node))
        elif node.type == "for_in_statement":
            left = node.child_by_field_name("left")
            for name in () if left is None else _bound(left):
                computed = Declaration(DeclarationKind.COMPUTED, node, COMPUTED_IN_A_LOOP)
                self._declared[node.id, self._source.written(name)].append(computed)
        elif node.type == "import_statement":
            self._note_import(node)
        elif node.type == "export_statement":
            self._note_export(node)

    def _note_variable(self, node: "Node") -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None:
            return
        if name.type == "identifier":
            kind = DeclarationKind.COMPUTED if value is None else DeclarationKind.VALUE
            declaration = Declaration(kind, value or node, "" if value else "it is given no value here")
            self._declare(node, self._source.written(name), declaration)
        elif name.type == "object_pattern" and value is not None:
            for key, local in _pattern(name):
                member = Declaration(DeclarationKind.MEMBER, value, self._source.written(key))
                self._declare(node, self._source.written(local), member)

    def _note_assignment(self, node: "Node") -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        if left.type == "identifier":
            self._assigned[self._source.written(left)].append(Declaration(DeclarationKind.VALUE, right))
        elif left.type == "member_expression":
            written = self._source.written(left)
            if written == "module.exports":
                self._exported["default"] = Declaration(DeclarationKind.VALUE, right)
                for key in right.named_children if right.type == "object" else ():
                    name = self._text(key, "key") or self._source.written(key)
                    self._exported.setdefault(name, Declaration(DeclarationKind.MEMBER, right, name))
            elif written.startswith(("exports.", "module.exports.")):
                self._exported[written.rpartition(".")[2]] = Declaration(DeclarationKind.VALUE, right)

    def _note_parameters(self, function: "Node") -> None:
        only = function.child_by_field_name("parameter")
        listed = function.child_by_field_name("parameters")
        parameters = [only] if only is not None else [] if listed is None else listed.named_children
        for parameter in parameters:
            pattern = parameter.child_by_field_name("pattern") or parameter
            if pattern.type == "assignment_pattern":
                pattern = pattern.child_by_field_name("left") or pattern
            if pattern.type == "identifier":
                name = self._source.written(pattern)
                declaration = Declaration(
                    DeclarationKind.PARAMETER, function, name, annotation=self._annotation(parameter)
                )
                self._declared[function.id, name].append(declaration)
            elif pattern.type == "object_pattern":
                for key, local in _pattern(pattern):
                    fixture = Declaration(DeclarationKind.FIXTURE, function, self._source.written(key))
                    self._declared[function.id, self._source.written(local)].append(fixture)

    def _annotation(self, parameter: "Node") -> str:
        said = parameter.child_by_field_name("type")
        named = [] if said is None else [child for child in said.named_children if child.type == "type_identifier"]
        return self._source.written(named[0]) if len(named) == 1 else ""

    def _note_import(self, node: "Node") -> None:
        origin = node.child_by_field_name("source")
        module = string_value(self._source, origin) if origin is not None else None
        clause = next((child for child in node.named_children if child.type == "import_clause"), None)
        if module is None or clause is None:
            return
        for child in clause.named_children:
            if child.type == "identifier":
                self._import(node, self._source.written(child), module, "default")
            elif child.type == "namespace_import":
                self._import(node, self._source.written(child.named_children[0]), module, "")
            for one in child.named_children if child.type == "named_imports" else ():
                name = self._text(one, "name")
                self._import(node, self._text(one, "alias") or name, module, name)

    def _import(self, node: "Node", local: str, module: str, name: str) -> None:
        self._declare(node, local, Declaration(DeclarationKind.IMPORT, node, name, module))

    def _note_export(self, node: "Node") -> None:
        origin = node.child_by_field_name("source")
        module = string_value(self._source, origin) if origin is not None else None
        clause = next((child for child in node.named_children if child.type == "export_clause"), None)
        for one in clause.named_children if clause is not None else ():
            name = self._text(one, "name")
            shown = self._text(one, "alias") or name
            if module is not None:
                self._exported[shown] = Declaration(DeclarationKind.IMPORT, node, name, module)
            else:
                local = one.child_by_field_name("name")
                assert local is not None
                self._exported[shown] = Declaration(DeclarationKind.VALUE, local)
        if module is not None and clause is None:
            self._passed_on.append(module)
        if any(child.type == "default" for child in node.children):
            value, declaration = node.child_by_field_name("value"), node.child_by_field_name("declaration")
            if declaration is not None and declaration.type in _CLASSES:
                self._exported["default"] = Declaration(DeclarationKind.CLASS, declaration)
            elif declaration is not None and declaration.type in _FUNCTIONS:
                self._exported["default"] = Declaration(DeclarationKind.FUNCTION, declaration)
            elif value is not None:
                self._exported["default"] = Declaration(DeclarationKind.VALUE, value)

    # --- classes -----------------------------------------------------------------------------

    def _members(self, class_node: "Node", name: str) -> Iterator[Declaration]:
        body = class_node.child_by_field_name("body")
        for child in body.named_children if body is not None else ():
            called = self._text(child, "name") or self._text(child, "property")
            value = child.child_by_field_name("value")
            if child.type in _FIELDS and called == name and value is not None:
                yield Declaration(DeclarationKind.VALUE, value)
            elif child.type == "method_definition":
                is_getter = any(part.type == "get" for part in child.children)
                if called == name and not any(part.type == "set" for part in child.children):
                    yield Declaration(DeclarationKind.GETTER if is_getter else DeclarationKind.FUNCTION, child)
                if called == "constructor":
                    yield from self._parameter_properties(child, name)
                yield from self._set_on_this(child, name)

    def _parameter_properties(self, constructor: "Node", name: str) -> Iterator[Declaration]:
        parameters = constructor.child_by_field_name("parameters")
        for parameter in parameters.named_children if parameters is not None else ():
            is_property = any(child.type in ("accessibility_modifier", "readonly") for child in parameter.children)
            if is_property and self._text(parameter, "pattern") == name:
                yield Declaration(DeclarationKind.PARAMETER, constructor, name, annotation=self._annotation(parameter))

    def _set_on_this(self, method: "Node", name: str) -> Iterator[Declaration]:
        for node in descend(method):
            if node.type != "assignment_expression":
                continue
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is None or right is None:
                continue
            target = chain_of(self._source, left)
            if target.base.type == "this" and [link.name for link in target.links] == [name]:
                yield Declaration(DeclarationKind.VALUE, right)


def _pattern(pattern: "Node") -> "Iterator[tuple[Node, Node]]":
    """The key and the local name of each part of `{ a, b: c, d = 1 }`."""
    for child in pattern.named_children:
        if child.type == "shorthand_property_identifier_pattern":
            yield child, child
        elif child.type == "object_assignment_pattern" and child.named_children:
            yield child.named_children[0], child.named_children[0]
        elif child.type == "pair_pattern":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is not None and value is not None and value.type == "identifier":
                yield key, value


def _bound(pattern: "Node") -> "Iterator[Node]":
    names = ("identifier", "shorthand_property_identifier_pattern")
    return (node for node in descend(pattern) if node.type in names)


def _inside(body: "Node") -> "Iterator[Node]":
    """What belongs to a function itself and not to functions inside it."""
    waiting = list(reversed(body.named_children))
    while waiting:
        node = waiting.pop()
        yield node
        if node.type not in _FUNCTIONS and node.type not in _CLASSES:
            waiting.extend(reversed(node.named_children))
