"""What names stand for in Python."""

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from testwright.heal.source.call_chains import chain_of, descend
from testwright.heal.source.declarations import COMPUTED_IN_A_LOOP, Declaration, DeclarationKind, ancestors, chosen
from testwright.heal.source.languages import ParsedSource
from testwright.heal.source.literal_values import is_string, string_value

if TYPE_CHECKING:
    from tree_sitter import Node

_SCOPES = frozenset({"module", "function_definition", "class_definition", "lambda"})
_LOOPS = frozenset({"for_statement", "for_in_clause"})


class PythonNames:
    def __init__(self, source: ParsedSource) -> None:
        self._source = source
        self._declared: dict[tuple[int, str], list[Declaration]] = defaultdict(list)
        self._passed_on: list[str] = []
        for node in descend(source.root):
            self._note(node)

    def declared(self, at: "Node", name: str) -> Declaration | None:
        inside_function = False
        for scope in (at, *ancestors(at)):
            if scope.type == "class_definition" and inside_function:
                continue  # a method does not see the names of its class
            found = self._declared.get((scope.id, name))
            if found:
                return chosen(found, at)
            inside_function = inside_function or scope.type == "function_definition"
        return None

    def exported(self, name: str) -> Declaration | None:
        return chosen(self._declared.get((self._source.root.id, name), []))

    def passed_on(self) -> tuple[str, ...]:
        return tuple(self._passed_on)

    def member(self, class_node: "Node", name: str) -> Declaration | None:
        own = self._declared.get((class_node.id, name), [])
        return chosen([*own, *self._set_on_self(class_node, name)])

    def parents(self, class_node: "Node") -> "tuple[Node, ...]":
        listed = class_node.child_by_field_name("superclasses")
        found = () if listed is None else listed.named_children
        return tuple(node for node in found if node.type in ("identifier", "attribute"))

    def enclosing_class(self, at: "Node") -> "Node | None":
        return next((node for node in ancestors(at) if node.type == "class_definition"), None)

    def entry(self, table: "Node", key: str) -> "Node | None":
        for pair in table.named_children:
            name = pair.child_by_field_name("key")
            if pair.type == "pair" and name is not None and is_string(name) and string_value(self._source, name) == key:
                return pair.child_by_field_name("value")
        return None

    def returned(self, function: "Node") -> "Node | None":
        body = function.child_by_field_name("body")
        if body is None or function.type == "lambda":
            return body
        given = [node for node in _inside(body) if node.type in ("return_statement", "yield")]
        if len(given) != 1 or len(given[0].named_children) != 1:
            return None
        return given[0].named_children[0]

    def fixture(self, name: str) -> "Node | None":
        """The pytest fixture of that name that this file defines."""
        for node in descend(self._source.root):
            if node.type != "decorated_definition":
                continue
            function = node.child_by_field_name("definition")
            if function is None or function.type != "function_definition":
                continue
            for decorator in (child for child in node.named_children if child.type == "decorator"):
                written = self._source.written(decorator)
                if "fixture" in written and (self._text(function, "name") == name or _names(written, name)):
                    return function
        return None

    # --- noting down -------------------------------------------------------------------------

    def _text(self, node: "Node", field: str) -> str:
        child = node.child_by_field_name(field)
        return "" if child is None else self._source.written(child)

    def _declare(self, at: "Node", name: str, declaration: Declaration) -> None:
        scope = next(node for node in (*ancestors(at), self._source.root) if node.type in _SCOPES)
        self._declared[scope.id, name].append(declaration)

    def _note(self, node: "Node") -> None:
        if node.type == "assignment":
            self._note_assignment(node)
        elif node.type == "function_definition":
            kind = DeclarationKind.GETTER if self._is_property(node) else DeclarationKind.FUNCTION
            self._declare(node, self._text(node, "name"), Declaration(kind, node))
            self._note_parameters(node)
        elif node.type == "class_definition":
            self._declare(node, self._text(node, "name"), Declaration(DeclarationKind.CLASS, node))
        elif node.type in _LOOPS:
            self._note_computed(node, node.child_by_field_name("left"), COMPUTED_IN_A_LOOP)
        elif node.type == "augmented_assignment":
            self._note_computed(node, node.child_by_field_name("left"), "it is changed in place")
        elif node.type == "as_pattern_target":
            self._note_computed(node, node, "a `with` gives it its value")
        elif node.type == "import_from_statement":
            self._note_import_from(node)
        elif node.type == "import_statement":
            self._note_import(node)

    def _note_assignment(self, node: "Node") -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        if left.type == "identifier":
            self._declare(node, self._source.written(left), Declaration(DeclarationKind.VALUE, right))
        elif left.type == "pattern_list":
            self._note_computed(node, left, "several names are given values at once")

    def _note_computed(self, node: "Node", names: "Node | None", why: str) -> None:
        for name in descend(names) if names is not None else ():
            if name.type == "identifier":
                self._declare(node, self._source.written(name), Declaration(DeclarationKind.COMPUTED, node, why))

    def _note_parameters(self, function: "Node") -> None:
        parameters = function.child_by_field_name("parameters")
        for parameter in parameters.named_children if parameters is not None else ():
            name = parameter.child_by_field_name("name")
            if name is None:
                name = parameter if parameter.type == "identifier" else next(iter(parameter.named_children), None)
            if name is None or name.type != "identifier":
                continue
            said = self._text(parameter, "type").strip("\"'")
            annotation = said if said.isidentifier() else ""
            declaration = Declaration(
                DeclarationKind.FIXTURE, function, self._source.written(name), annotation=annotation
            )
            self._declared[function.id, self._source.written(name)].append(declaration)

    def _is_property(self, function: "Node") -> bool:
        outer = function.parent
        if outer is None or outer.type != "decorated_definition":
            return False
        decorators = [self._source.written(child) for child in outer.named_children if child.type == "decorator"]
        return any(written.strip("@ \t").endswith("property") for written in decorators)

    def _note_import_from(self, node: "Node") -> None:
        module = self._text(node, "module_name")
        if any(child.type == "wildcard_import" for child in node.named_children):
            self._passed_on.append(module)
        for one in node.children_by_field_name("name"):
            name = self._text(one, "name") or self._source.written(one)
            local = self._text(one, "alias") or name
            self._declare(node, local, Declaration(DeclarationKind.IMPORT, node, name, module))

    def _note_import(self, node: "Node") -> None:
        for one in node.children_by_field_name("name"):
            module = self._text(one, "name") or self._source.written(one)
            alias = self._text(one, "alias")
            if alias or "." not in module:
                self._declare(node, alias or module, Declaration(DeclarationKind.IMPORT, node, "", module))

    def _set_on_self(self, class_node: "Node", name: str) -> Iterator[Declaration]:
        for node in descend(class_node):
            if node.type != "assignment":
                continue
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is None or right is None or left.type != "attribute":
                continue
            target = chain_of(self._source, left)
            is_self = self._source.written(target.base) in ("self", "cls")
            if is_self and [link.name for link in target.links] == [name]:
                yield Declaration(DeclarationKind.VALUE, right)


def _names(decorator: str, name: str) -> bool:
    return f'name="{name}"' in decorator or f"name='{name}'" in decorator


def _inside(body: "Node") -> "Iterator[Node]":
    """What belongs to a function itself and not to functions inside it."""
    waiting = list(reversed(body.named_children))
    while waiting:
        node = waiting.pop()
        yield node
        if node.type not in _SCOPES:
            waiting.extend(reversed(node.named_children))
