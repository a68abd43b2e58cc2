"""What the expressions of a test stand for: names followed, page objects entered, locators joined. Nothing is run."""

from typing import TYPE_CHECKING

from testwright.heal.source.call_chains import (
    CallChain,
    ChainLink,
    arguments_of,
    chain_of,
    descend,
    is_chain,
    unwrapped,
)
from testwright.heal.source.call_pieces import AT_RUN_TIME, call_piece
from testwright.heal.source.declarations import Declaration, DeclarationKind, ancestors
from testwright.heal.source.expression_values import CodeEntity, EntityKind, Locator, Text, Unknown, Value, Verbatim
from testwright.heal.source.imported_sources import ImportedSources
from testwright.heal.source.languages import Language, ParsedSource
from testwright.heal.source.literal_values import is_string, quote_of, string_value
from testwright.heal.source.locator_uses import LiteralPlace
from testwright.heal.source.playwright_methods import is_page, makes_locator, narrows
from testwright.heal.source.python_names import PythonNames

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_STEPS = 40  # names that stand for names that stand for names
_AS_WRITTEN = frozenset({"number", "true", "false", "null", "undefined", "regex", "integer", "float", "none"})
_TABLES = frozenset({"object", "dictionary"})
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "lambda", "method_definition"})


class Evaluator:
    def __init__(self, project: ImportedSources) -> None:
        self.project = project
        self._depth = 0

    def value(self, source: ParsedSource, node: "Node") -> Value:
        if self._depth >= MOST_STEPS:
            return Unknown("it goes through too many names")
        self._depth += 1
        try:
            return self._value(source, unwrapped(node))
        finally:
            self._depth -= 1

    def _value(self, source: ParsedSource, node: "Node") -> Value:
        if is_string(node):
            return self._text(source, node)
        if node.type in _AS_WRITTEN:
            return Verbatim(" ".join(source.written(node).split()) if node.type != "regex" else source.written(node))
        if node.type == "unary_expression" or node.type == "unary_operator":
            return Verbatim("".join(source.written(node).split()))
        if node.type in _TABLES:
            return CodeEntity(EntityKind.TABLE, source, node)
        if node.type in _FUNCTIONS:
            return CodeEntity(EntityKind.FUNCTION, source, node)
        if node.type in ("identifier", "shorthand_property_identifier"):
            return self._named(source, node)
        if node.type == "this":
            return self._own_instance(source, node)
        if node.type == "new_expression":
            return self._made(source, node)
        if is_chain(node):
            return self.chain_values(source, chain_of(source, node))[-1]
        return Unknown(AT_RUN_TIME)

    def _text(self, source: ParsedSource, node: "Node") -> Value:
        said = string_value(source, node)
        if said is None:
            return Unknown(AT_RUN_TIME)
        line, column = node.start_point.row + 1, source.column(node)
        quote, dialect, written = quote_of(source, node), source.language.dialect, source.written(node)
        place = LiteralPlace(source.file, node.start_byte, node.end_byte, line, column, quote, dialect, written, said)
        return Text(said, place)

    # --- chains ------------------------------------------------------------------------------

    def chain_values(self, source: ParsedSource, chain: CallChain) -> tuple[Value, ...]:
        """What the chain's start gives, and what it gives after each link."""
        if not chain.links:
            return (self.value(source, chain.base),)
        if self._is_pattern(source, chain):
            return (Verbatim("".join(source.written(chain.node).splitlines())),)
        values = [self.value(source, chain.base)]
        for link in chain.links:
            values.append(self._after(source, chain, link, values[-1]))
        return tuple(values)

    def _is_pattern(self, source: ParsedSource, chain: CallChain) -> bool:
        """`re.compile("x")` and `re.I`."""
        return source.language is Language.PYTHON and source.written(chain.base) == "re"

    def _after(self, source: ParsedSource, chain: CallChain, link: ChainLink, before: Value) -> Value:
        if isinstance(before, CodeEntity):
            found = self._member(before, link)
            if not isinstance(found, Unknown):
                return found
        is_python = source.language is Language.PYTHON
        builds = makes_locator(link.name, is_called=link.is_call, is_python=is_python)
        if builds and not (narrows(link.name) and not isinstance(before, Locator)):
            earlier = before.pieces if isinstance(before, Locator) else ()
            is_whole = before.is_whole if isinstance(before, Locator) else _starts_whole(before)
            return Locator((*earlier, call_piece(self, source, chain, link)), is_whole)
        if isinstance(before, Locator) and link.name == "describe":
            return before
        if isinstance(before, Text) and link.name == "value" and not link.is_call:
            return before  # of an enum in Python
        if isinstance(before, CodeEntity):
            return Unknown(f"`{link.name}` is not found in the project", is_page(link.name))
        return Unknown(AT_RUN_TIME, is_page(link.name))

    def _member(self, thing: CodeEntity, link: ChainLink) -> Value:
        if thing.kind is EntityKind.FUNCTION and link.name == "" and link.is_call:
            return self._given_back(thing.source, thing.node)
        if thing.kind is EntityKind.CLASS and link.name == "" and link.is_call:
            return CodeEntity(EntityKind.INSTANCE, thing.source, thing.node)
        if thing.kind in (EntityKind.INSTANCE, EntityKind.CLASS):
            return self._of_class(thing.source, thing.node, link, seen=0)
        if thing.kind is EntityKind.TABLE:
            entry = self.project.names(thing.source).entry(thing.node, link.name)
            return Unknown("there is no such entry") if entry is None else self._called(thing.source, entry, link)
        if thing.kind is EntityKind.MODULE:
            found = self.project.imported(thing.source, _self_import(thing.source), link.name)
            return Unknown("the module has no such name") if found is None else self._imported(*found, link)
        if thing.kind is EntityKind.FIXTURES and link.name == "extend":
            return Unknown(AT_RUN_TIME)
        return Unknown(AT_RUN_TIME)

    def _called(self, source: ParsedSource, node: "Node", link: ChainLink) -> Value:
        value = self.value(source, node)
        return self._as_called(value, link)

    def _as_called(self, value: Value, link: ChainLink) -> Value:
        """`value`, or what calling it gives if the link is a call."""
        if not link.is_call or not isinstance(value, CodeEntity):
            return value
        if value.kind is EntityKind.FUNCTION:
            return self._given_back(value.source, value.node)
        return CodeEntity(EntityKind.INSTANCE, value.source, value.node) if value.kind is EntityKind.CLASS else value

    def _imported(self, source: ParsedSource, declaration: Declaration | None, link: ChainLink) -> Value:
        if declaration is None:
            return CodeEntity(EntityKind.MODULE, source, source.root)
        return self._as_called(self._stands_for(source, declaration), link)

    def _given_back(self, source: ParsedSource, function: "Node") -> Value:
        returned = self.project.names(source).returned(function)
        return Unknown("a function works it out") if returned is None else self.value(source, returned)

    def _of_class(self, source: ParsedSource, class_node: "Node", link: ChainLink, seen: int) -> Value:
        names = self.project.names(source)
        found = names.member(class_node, link.name)
        if found is not None:
            if found.kind is DeclarationKind.FUNCTION:
                return self._given_back(source, found.node) if link.is_call else Unknown("it is a method")
            return self._as_called(self._stands_for(source, found), link)
        for parent in names.parents(class_node) if seen < MOST_STEPS else ():
            above = self.value(source, parent)
            if isinstance(above, CodeEntity) and above.kind is EntityKind.CLASS:
                inherited = self._of_class(above.source, above.node, link, seen + 1)
                if not isinstance(inherited, Unknown):
                    return inherited
        return Unknown("the class has no such member")

    # --- names -------------------------------------------------------------------------------

    def _named(self, source: ParsedSource, node: "Node") -> Value:
        name = source.written(node)
        if source.language is Language.PYTHON and name in ("self", "cls"):
            return self._own_instance(source, node)
        declaration = self.project.names(source).declared(node, name)
        if declaration is None:
            return Unknown(f"`{name}` is not defined in the project", is_page(name))
        if declaration.node.id == node.id:
            return Unknown(AT_RUN_TIME)
        value = self._stands_for(source, declaration)
        return Unknown(value.reason, is_page(name)) if isinstance(value, Unknown) else value

    def _stands_for(self, source: ParsedSource, declaration: Declaration) -> Value:
        kind, node = declaration.kind, declaration.node
        if kind is DeclarationKind.VALUE:
            return self._of_expression(source, node)
        if kind is DeclarationKind.GETTER:
            return self._given_back(source, node)
        if kind is DeclarationKind.MEMBER:
            return self._taken_out(source, declaration)
        if kind is DeclarationKind.IMPORT:
            return self._from_elsewhere(source, declaration)
        if kind is DeclarationKind.FIXTURE:
            return self._fixture(source, declaration)
        if kind is DeclarationKind.PARAMETER:
            return self._annotated(source, declaration)
        things = {
            DeclarationKind.FUNCTION: EntityKind.FUNCTION,
            DeclarationKind.CLASS: EntityKind.CLASS,
            DeclarationKind.TABLE: EntityKind.TABLE,
        }
        return CodeEntity(things[kind], source, node) if kind in things else Unknown(declaration.key)

    def _of_expression(self, source: ParsedSource, node: "Node") -> Value:
        if node.type in ("call_expression", "await_expression") and source.language.is_script:
            chain = chain_of(source, node)
            if chain.links and chain.links[-1].name == "extend":
                return CodeEntity(EntityKind.FIXTURES, source, unwrapped(node))
            required = self._required(source, chain)
            if required is not None:
                return self._from_elsewhere(source, Declaration(DeclarationKind.IMPORT, node, "default", required))
        return self.value(source, node)

    def _required(self, source: ParsedSource, chain: CallChain) -> str | None:
        """The module that `require('./x')` names."""
        if len(chain.links) != 1 or source.written(chain.base) != "require" or chain.links[0].arguments is None:
            return None
        given = arguments_of(source, chain.links[0].arguments)
        return string_value(source, given.positional[0]) if given and given.positional else None

    def _taken_out(self, source: ParsedSource, declaration: Declaration) -> Value:
        """`const { a } = value`."""
        chain = chain_of(source, declaration.node)
        required = self._required(source, chain)
        if required is not None:
            return self._from_elsewhere(
                source, Declaration(DeclarationKind.IMPORT, chain.node, declaration.key, required)
            )
        value = self.value(source, declaration.node)
        if not isinstance(value, CodeEntity):
            return Unknown(AT_RUN_TIME)
        return self._member(value, ChainLink(declaration.key, 0, 0, 0, 0))

    def _from_elsewhere(self, source: ParsedSource, declaration: Declaration) -> Value:
        found = self.project.imported(source, declaration.module, declaration.key)
        if found is None:
            return Unknown(f"`{declaration.module}` is not part of the project")
        other, there = found
        return CodeEntity(EntityKind.MODULE, other, other.root) if there is None else self._stands_for(other, there)

    def _annotated(self, source: ParsedSource, declaration: Declaration) -> Value:
        """A parameter: its value is not known, but its type may be a class of the project."""
        if declaration.annotation:
            named = self.project.names(source).declared(declaration.node, declaration.annotation)
            value = self._stands_for(source, named) if named is not None else None
            if isinstance(value, CodeEntity) and value.kind is EntityKind.CLASS:
                return CodeEntity(EntityKind.INSTANCE, value.source, value.node)
        return Unknown(f"`{declaration.key}` is handed in", is_page(declaration.key))

    def _own_instance(self, source: ParsedSource, node: "Node") -> Value:
        own = self.project.names(source).enclosing_class(node)
        return Unknown("there is no class around it") if own is None else CodeEntity(EntityKind.INSTANCE, source, own)

    def _made(self, source: ParsedSource, node: "Node") -> Value:
        """`new Class(...)`."""
        constructor = node.child_by_field_name("constructor")
        value = self.value(source, constructor) if constructor is not None else Unknown(AT_RUN_TIME)
        if isinstance(value, CodeEntity) and value.kind is EntityKind.CLASS:
            return CodeEntity(EntityKind.INSTANCE, value.source, value.node)
        return Unknown(AT_RUN_TIME)

    # --- fixtures ----------------------------------------------------------------------------

    def _fixture(self, source: ParsedSource, declaration: Declaration) -> Value:
        if source.language is Language.PYTHON:
            return self._pytest_fixture(source, declaration)
        fixtures = self._fixtures_around(source, declaration.node, declaration.key)
        while isinstance(fixtures, CodeEntity) and fixtures.kind is EntityKind.FIXTURES:
            found = self._handed_to_use(fixtures, declaration)
            if found is not None:
                return found
            chain = chain_of(fixtures.source, fixtures.node)
            fixtures = self._base_fixtures(fixtures.source, chain)
        return Unknown(f"`{declaration.key}` is handed in", is_page(declaration.key))

    def _base_fixtures(self, source: ParsedSource, chain: CallChain) -> Value:
        return self.value(source, chain.base) if len(chain.links) == 1 else Unknown(AT_RUN_TIME)

    def _fixtures_around(self, source: ParsedSource, function: "Node", key: str) -> Value:
        """The fixtures that the function's arguments come from: those of the `test` or the `extend` it is given to."""
        for node in ancestors(function):
            if node.type != "call_expression":
                continue
            chain = chain_of(source, node)
            if chain.links[-1].name == "extend":
                own = self._entry_of_extend(source, node, key)
                is_itself = own is not None and own.start_byte <= function.start_byte < own.end_byte
                return (
                    self._base_fixtures(source, chain) if is_itself else CodeEntity(EntityKind.FIXTURES, source, node)
                )
            value = self.value(source, chain.base)
            if isinstance(value, CodeEntity) and value.kind is EntityKind.FIXTURES:
                return value
        return Unknown(AT_RUN_TIME)

    def _entry_of_extend(self, source: ParsedSource, call: "Node", key: str) -> "Node | None":
        arguments = call.child_by_field_name("arguments")
        given = arguments_of(source, arguments) if arguments is not None else None
        if given is None or not given.positional or given.positional[0].type != "object":
            return None
        return self.project.names(source).entry(given.positional[0], key)

    def _handed_to_use(self, fixtures: CodeEntity, declaration: Declaration) -> Value | None:
        """What a fixture gives to its test: the argument of the only `use(...)` in it."""
        source = fixtures.source
        entry = self._entry_of_extend(source, fixtures.node, declaration.key)
        if entry is None:
            return None
        handed = []
        for node in descend(entry):
            chain = chain_of(source, node) if node.type == "call_expression" else None
            if chain is not None and len(chain.links) == 1 and source.written(chain.base) == "use":
                handed.append(chain.links[0].arguments)
        given = arguments_of(source, handed[0]) if len(handed) == 1 and handed[0] is not None else None
        if given is None or len(given.positional) != 1:
            return Unknown("a fixture works it out")
        return self.value(source, given.positional[0])

    def _pytest_fixture(self, source: ParsedSource, declaration: Declaration) -> Value:
        for one in self.project.fixture_files(source.file):
            names = self.project.names(one)
            function = names.fixture(declaration.key) if isinstance(names, PythonNames) else None
            if function is not None and function.id != declaration.node.id:
                value = self._given_back(one, function)
                if not isinstance(value, Unknown):
                    return value
                break
        return self._annotated(source, declaration)


def _starts_whole(before: Value) -> bool:
    return isinstance(before, Unknown) and before.is_page


def _self_import(source: ParsedSource) -> str:
    """What the file itself would write to import itself."""
    name = source.file.rpartition("/")[2]
    if source.language is not Language.PYTHON:
        return f"./{name}"
    return f".{name.removesuffix('.py')}"
