"""Reads a function's syntax tree for what it does with its parameters, following them into the functions it calls."""

import ast
import re
from typing import Any

from testwright.generate.inside.safe_access import quietly
from testwright.generate.inside.values.name_resolver import (
    argument_values,
    classes,
    constant_of,
    declared_types,
    is_none,
    names_within,
    pairs,
    parameter_names,
    pattern_of,
    plain_items,
    target_of,
)
from testwright.generate.inside.values.package_sources import FunctionNode, PackageSources, SourceScope, dotted, live
from testwright.generate.inside.values.parameter_usage import ParameterUsage
from testwright.generate.inside.values.usage_tracker import LOOKING_UP, UsageTracker
from testwright.generate.inside.values.well_known_callees import (
    CALLED,
    FIRST_ARGUMENT,
    PATTERN_FUNCTIONS,
    SECOND_ARGUMENT,
)

DEEPEST_CALL = 3
TEXT_TESTS = frozenset(
    {"startswith", "endswith", "find", "index", "rfind", "count", "removeprefix", "removesuffix", "replace"}
)
CUTTING = frozenset({"split", "rsplit", "partition", "rpartition"})


class UsageReader:
    """Gives the usage of each parameter of a function of the package; each function is read once."""

    def __init__(self, sources: PackageSources) -> None:
        self._sources = sources
        self._read: dict[int, dict[str, ParameterUsage]] = {}

    def parameters(self, place: SourceScope, depth: int = 0) -> dict[str, ParameterUsage]:
        """What the function at `place` does with its parameters, by name. For a class: its `__init__` or its fields."""
        node = place.node
        if isinstance(node, ast.ClassDef):
            return self._of_class(node, place, depth)
        if not isinstance(node, FunctionNode):
            return {}
        if id(node) not in self._read:
            usages = {name: ParameterUsage() for name in parameter_names(node)}
            self._read[id(node)] = usages  # before reading: a function may call itself
            quietly(lambda: self._read_function(node, place, usages, depth), None)
        return self._read[id(node)]

    def _read_function(
        self, node: FunctionNode, place: SourceScope, usages: dict[str, ParameterUsage], depth: int
    ) -> None:
        visitor = _FunctionReader(self, place, dict(usages), depth)
        for statement in node.body:
            visitor.visit(statement)
        if place.owner is not None and node.name in ("__init__", "__new__", "__post_init__") and visitor.stored:
            self._read_methods(place, visitor.stored, depth, skip=node)

    def _read_methods(
        self, place: SourceScope, stored: dict[str, ParameterUsage], depth: int, skip: ast.AST | None
    ) -> None:
        """What a constructor keeps on `self` is used by the other methods."""
        for method in place.owner.body if place.owner is not None else ():
            if isinstance(method, FunctionNode) and method is not skip:
                visitor = _FunctionReader(self, place, {}, max(depth, 1), stored)
                for statement in method.body:
                    visitor.visit(statement)

    def _of_class(self, node: ast.ClassDef, place: SourceScope, depth: int) -> dict[str, ParameterUsage]:
        inner = SourceScope(node, node, place.names, place.owner_class)
        for method in node.body:
            if isinstance(method, FunctionNode) and method.name in ("__init__", "__new__"):
                return self.parameters(SourceScope(method, node, place.names, None), depth)
        if id(node) not in self._read:
            fields = {
                each.target.id: ParameterUsage()
                for each in node.body
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
            }
            self._read[id(node)] = fields
            quietly(lambda: self._read_methods(inner, fields, depth, skip=None), None)
        return self._read[id(node)]

    def callee(
        self, function: ast.expr, place: SourceScope, depth: int
    ) -> "tuple[dict[str, ParameterUsage], list[str], object] | None":
        """The usages and the parameter names of a called function of the package, and the live function."""
        if depth >= DEEPEST_CALL:
            return None
        target = target_of(function, place)
        if target is None:
            return None
        found = self._sources.place_of(target)
        if found is None:
            return {}, [], target
        return self.parameters(found, depth + 1), parameter_names(found.node), target


class _FunctionReader(UsageTracker, ast.NodeVisitor):
    """Walks one function body and notes what is done with the tracked values."""

    def __init__(
        self,
        reader: UsageReader,
        place: SourceScope,
        known: dict[str, ParameterUsage],
        depth: int,
        stored: dict[str, ParameterUsage] | None = None,
    ) -> None:
        super().__init__(place, known, stored)
        self._reader = reader
        self._depth = depth

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        for target in node.targets:
            self._bind(target, self._of(node.value), node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.generic_visit(node)
        self._bind(node.target, self._of(node.value), node.value)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.generic_visit(node)
        self._bind(node.target, self._of(node.value), node.value)

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        self._bind_items(node.target, node.iter)
        for each in (*node.body, *node.orelse):
            self.visit(each)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> None:
        usage = self._of(node.iter)
        if usage is not None:
            usage.able("async iterable")
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self.visit(node.iter)
        self._bind_items(node.target, node.iter)
        for each in node.ifs:
            self.visit(each)

    def _comprehension(self, node: Any) -> None:
        for each in node.generators:  # they bind the names that the element uses
            self.visit_comprehension(each)
        for part in ("key", "value", "elt"):
            inner = getattr(node, part, None)
            if inner is not None:
                self.visit(inner)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension  # noqa: N815 - names that ast looks for

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            usage = self._of(item.context_expr)
            if usage is not None:
                usage.able("context manager" if isinstance(node, ast.With) else "async context manager")
            self.visit(item.context_expr)
            if item.optional_vars is not None and usage is not None:
                self._bind(item.optional_vars, usage)
        for each in node.body:
            self.visit(each)

    visit_AsyncWith = visit_With  # noqa: N815 - the name that ast looks for

    def visit_Await(self, node: ast.Await) -> None:
        self._note(node.value, "awaitable")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        if node.exc is not None:
            self._note(node.exc, "exception")
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        self._truth(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._truth(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._truth(node.test)
        self.generic_visit(node)

    def _truth(self, test: ast.expr) -> None:
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test = test.operand
        for each in test.values if isinstance(test, ast.BoolOp) else [test]:
            inner = each.operand if isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.Not) else each
            if isinstance(inner, (ast.Name, ast.Attribute, ast.Subscript)):
                self._note(inner, "truth")

    def visit_Starred(self, node: ast.Starred) -> None:
        self._note(node.value, "iterable")
        self.generic_visit(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> None:
        self._note(node.value, "iterable")
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._of(node)  # noted by being looked up
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        owner = self._of(node.value)
        if owner is not None:
            self._subscripted(owner, node.slice)
        self._of(node)
        key = self._of(node.slice)
        if key is not None:
            key.constants.extend(self._keys_of(node.value))
        self.generic_visit(node)

    def _subscripted(self, owner: ParameterUsage, index: ast.expr) -> None:
        key = constant_of(index, self._place)
        if type(key) is str:
            owner.able("mapping")
        elif type(key) is int:
            owner.able("sequence")
            owner.reach = max(owner.reach, key + 1 if key >= 0 else -key)
            owner.lengths[owner.reach] = None
        elif isinstance(index, ast.Slice):
            owner.able("sequence")
            for bound in (index.lower, index.upper):
                number = constant_of(bound, self._place)
                if type(number) is int and number != 0:
                    owner.lengths[abs(number)] = None
        else:
            owner.able("subscripted")

    def visit_Compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
            self._compared(left, operator, right)
        self.generic_visit(node)

    def _compared(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> None:
        if isinstance(operator, (ast.In, ast.NotIn)):
            self._looked_for(left, right)
            return
        is_order = isinstance(operator, (ast.Lt, ast.LtE, ast.Gt, ast.GtE))
        for one, other in ((left, right), (right, left)):
            constant = constant_of(other, self._place)
            self._measured(one, constant)
            self._type_asked(one, other)
            usage = self._of(one)
            if usage is None:
                continue
            if constant is not None or is_none(other):
                usage.constants.append(constant)
            if is_order:
                usage.able("number" if type(constant) in (int, float) else "ordered")

    def _looked_for(self, left: ast.expr, right: ast.expr) -> None:
        """`left in right`"""
        container, item = self._of(right), self._of(left)
        constant = constant_of(left, self._place)
        if container is not None:
            container.able("container")
            container.members.extend([constant] if constant is not None else [])
        if item is None:
            return
        choices = constant_of(right, self._place)
        if choices is None:
            item.constants.extend(self._keys_of(right))
        elif isinstance(choices, str):
            item.constants.extend(choices[:6])
        elif isinstance(choices, (list, tuple, set, frozenset, dict)):
            item.constants.extend(plain_items(list(choices)))

    def _type_asked(self, node: ast.expr, other: ast.expr) -> None:
        """`type(x) is A`"""
        if isinstance(node, ast.Call) and dotted(node.func) == "type" and len(node.args) == 1:
            usage = self._of(node.args[0])
            if usage is not None:
                usage.classes.extend(classes(other, self._place))

    def _measured(self, node: ast.expr, constant: object) -> None:
        """`len(x) == 4`"""
        if isinstance(node, ast.Call) and dotted(node.func) == "len" and node.args and type(constant) is int:
            usage = self._of(node.args[0])
            if usage is not None and 0 <= constant <= 64:
                usage.lengths.update(dict.fromkeys((constant, constant + 1, max(constant - 1, 0))))

    def visit_BinOp(self, node: ast.BinOp) -> None:
        for one, other in ((node.left, node.right), (node.right, node.left)):
            usage = self._of(one)
            if usage is not None:
                self._combined(usage, node.op, other, is_left=one is node.left)
        self.generic_visit(node)

    def _combined(self, usage: ParameterUsage, operator: ast.operator, other: ast.expr, *, is_left: bool) -> None:
        constant = constant_of(other, self._place)
        if isinstance(operator, ast.Add) and isinstance(constant, (str, bytes)):
            usage.able("text" if isinstance(constant, str) else "bytes")
        elif isinstance(operator, ast.Add) and isinstance(constant, (list, tuple)):
            usage.able("sequence")
        elif isinstance(operator, ast.Mod) and not is_left and isinstance(constant, str):
            usage.able("formatted")
        elif isinstance(operator, (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)):
            usage.able("whole or set")
        elif isinstance(operator, ast.Add) or (isinstance(operator, (ast.Mod, ast.Mult)) and constant is None):
            usage.able("addable")
        elif isinstance(operator, ast.Div) and not isinstance(constant, (int, float)) and is_left:
            usage.able("divided")
        else:
            usage.able("number")
            if type(constant) in (int, float):
                usage.constants.append(constant)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        usage = self._of(node.value)
        if usage is not None:
            usage.able("number" if not isinstance(node.op, ast.Add) else "addable")
        target = self._of(node.target)
        if target is not None:
            self._combined(target, node.op, node.value, is_left=True)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = dotted(node.func)
        short = ".".join(name.split(".")[-2:])
        if isinstance(node.func, ast.Attribute):
            owner = self._of(node.func.value)
            if owner is not None:
                self._method_called(owner, node)
        called = self._of(node.func) if isinstance(node.func, (ast.Name, ast.Subscript)) else None
        if called is not None:
            called.arities[len(node.args)] = None
            called.able("callable")
        self._tested(name, node)
        for position, table in ((0, FIRST_ARGUMENT), (1, SECOND_ARGUMENT)):
            usage = self._of(node.args[position]) if len(node.args) > position else None
            if usage is not None and short in table:
                usage.able(table[short])
        self._handed_on(name, short, node)
        self.generic_visit(node)

    def _method_called(self, owner: ParameterUsage, node: ast.Call) -> None:
        assert isinstance(node.func, ast.Attribute)
        method = node.func.attr
        owner.methods[method] = None
        owner.attributes.pop(method, None)
        first = constant_of(node.args[0], self._place) if node.args else None
        if method in TEXT_TESTS and first is not None:
            owner.members.extend(plain_items(list(first)) if isinstance(first, tuple) else [first])
        if method in CUTTING and type(first) is str:
            owner.separators[first] = None
        if method in LOOKING_UP and type(first) is str:
            owner.under(first)
            owner.able("mapping")

    def _tested(self, name: str, node: ast.Call) -> None:
        """`isinstance(x, A)`, `hasattr(x, "a")`, `getattr(Options, x)`"""
        looked_up = self._of(node.args[1]) if len(node.args) > 1 and name in ("hasattr", "getattr") else None
        if looked_up is not None:
            looked_up.constants.extend(names_within(live(node.args[0], self._place.names)))
        usage = self._of(node.args[0]) if node.args else None
        if usage is None or len(node.args) < 2:
            return
        if name in ("isinstance", "issubclass"):
            found = classes(node.args[1], self._place)
            (usage.classes if name == "isinstance" else usage.annotations).extend(found)
        elif name in ("hasattr", "getattr"):
            attribute = constant_of(node.args[1], self._place)
            if type(attribute) is str and attribute.isidentifier():
                usage.attribute(attribute)

    def _handed_on(self, name: str, short: str, node: ast.Call) -> None:
        self._matched(name, node)
        if short in CALLED and node.args:
            keyed = [each.value for each in node.keywords if each.arg == "key"] or [node.args[0]]
            usage = self._of(keyed[0])
            if usage is not None and (
                short in ("map", "filter", "reduce", "functools.reduce") or keyed[0] is not node.args[0]
            ):
                usage.arities[CALLED[short]] = None
                usage.able("callable")
        if not any(self._of(each) is not None for each in argument_values(node)):
            return
        found = self._reader.callee(node.func, self._place, self._depth)
        if found is None:
            return
        usages, names, target = found
        declared = declared_types(target)
        for parameter, value in pairs(node, names or [each for each in declared if each != "self"]):
            usage = self._of(value)
            if usage is not None and parameter in usages:
                usage.absorb(usages[parameter])
            if usage is not None and declared.get(parameter) is not None:
                usage.annotations.append(declared[parameter])

    def _matched(self, name: str, node: ast.Call) -> None:
        """`PATTERN.match(x)`, `re.sub("...", "...", x)`"""
        function = name.rpartition(".")[2]
        if function not in PATTERN_FUNCTIONS or not node.args or not isinstance(node.func, ast.Attribute):
            return
        is_module = live(node.func.value, self._place.names) is re
        place = 2 if function in ("sub", "subn") else 1
        position = place if is_module else place - 1
        usage = self._of(node.args[position]) if len(node.args) > position else None
        if usage is None:
            return
        pattern = pattern_of(node.args[0] if is_module else node.func.value, self._place)
        if pattern is not None:
            usage.patterns.append(pattern)
            usage.able("text" if isinstance(pattern[0], str) else "bytes")
        elif is_module:
            usage.able("text")

    def _note(self, node: ast.AST, word: str) -> None:
        usage = self._of(node)
        if usage is not None:
            usage.able(word)

    def visit_FunctionDef(self, node: FunctionNode) -> None:
        """A function inside sees what is around it, and its own parameters hide what has the same name."""
        hidden = {name: self._known.pop(name) for name in parameter_names(node) if name in self._known}
        for each in node.body:
            self.visit(each)
        self._known.update(hidden)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - the name that ast looks for
