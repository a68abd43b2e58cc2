"""Make a mutant live: compile only the function it is in, and swap the code of the functions that run it."""

import ast
import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any, TypeAlias

from .ignored_code import is_future_import
from .mutants import Mutant, numbered
from .mutation_sites import Function, MutationSite, find_sites
from .probe_planter import plant
from .quiet_compiler import compiled, parse
from .tree_edits import Parents

_Key: TypeAlias = tuple[str, int]  # a function's qualified name and its first line


class LiveMutants:
    """The mutants of one module, as code for its live functions.

    The module must have been executed from the same `source` under the same `filename`: as it is, or as its twin.
    """

    def __init__(self, source: str, filename: str, *, twin: bool = False, capture: bool = False) -> None:
        self._filename = filename
        self._tree = parse(source, filename)
        self._sites = find_sites(self._tree, source)
        self.mutants = tuple(numbered(self._sites))
        if twin:
            plant(self._tree, source, capture=capture)
        self._parents = Parents(self._tree)
        self._futures = [node for node in self._tree.body if is_future_import(node)]
        self._made: dict[int, list[CodeType]] = {}
        self._plain: dict[Function, list[CodeType]] = {}
        self._live: dict[_Key, list[FunctionType]] | None = None

    def code_for(self, mutant: Mutant) -> CodeType | None:
        """The mutated code of the outermost function around it; None where no function runs it, but the module."""
        return next(iter(self._codes(mutant)), None)

    def module_code_for(self, mutant: Mutant) -> CodeType:
        """The code of the whole module with the mutant in it, to be executed again."""
        with self._sites[mutant.number].edit.made(self._parents):
            return compiled(self._tree, self._filename)

    @contextmanager
    def live(self, mutant: Mutant) -> Iterator[bool]:
        """While it lasts, the mutant runs in place of the original. False: there is no live function that runs it."""
        swaps = self.functions_of(mutant)
        before = [(function, function.__code__) for function, _ in swaps]
        try:
            for function, code in swaps:
                function.__code__ = code
            yield bool(swaps)
        finally:
            for function, code in before:
                function.__code__ = code

    def functions_of(self, mutant: Mutant) -> list[tuple[FunctionType, CodeType]]:
        """The live functions that run the mutant, each with the code that makes it do so.

        An inner function runs from the code of the one around it, and so do all it makes from now on; those it made
        before, such as the wrappers of a decorator, are live functions of their own.
        """
        found: list[tuple[FunctionType, CodeType]] = []
        codes = self._codes(mutant)
        if not codes:
            return found
        originals = self._original(self._sites[mutant.number])
        for original, code in zip(originals, codes, strict=True):
            for function in self._functions().get((code.co_qualname, code.co_firstlineno), ()):
                # Two lambdas on one line have the same name.
                is_it = code.co_name != "<lambda>" or function.__code__ == original
                if is_it and len(function.__code__.co_freevars) == len(code.co_freevars):
                    found.append((function, code))
        return found

    def look_again(self) -> None:
        """Find again which functions are alive. Without it they are found once, when they are first needed."""
        self._live = None
        self._functions()

    # --- code --------------------------------------------------------------------------------

    def _codes(self, mutant: Mutant) -> list[CodeType]:
        """The mutated code of each function around it, the outermost first."""
        if mutant.number not in self._made:
            site = self._sites[mutant.number]
            self._made[mutant.number] = self._mutated(site) if site.functions else []
        return self._made[mutant.number]

    def _mutated(self, site: MutationSite) -> list[CodeType]:
        originals = self._original(site)
        with site.edit.made(self._parents):
            codes = self._compiled(site)
            # A function keeps its closure, so its code must ask for the same variables from outside as before.
            lost = [
                tuple(name for name in original.co_freevars if name not in code.co_freevars)
                for original, code in zip(originals, codes, strict=True)
            ]
            if any(lost):
                with _keeping_names(site.functions, lost):
                    codes = self._compiled(site)
        return codes

    def _original(self, site: MutationSite) -> list[CodeType]:
        innermost = site.functions[-1]
        if innermost not in self._plain:
            self._plain[innermost] = self._compiled(site)
        return self._plain[innermost]

    def _compiled(self, site: MutationSite) -> list[CodeType]:
        tree = _skeleton(site.functions[0], site.classes, self._futures)
        return _chain_of_codes(compiled(tree, self._filename), site.functions)

    # --- live functions ----------------------------------------------------------------------

    def _functions(self) -> dict[_Key, list[FunctionType]]:
        if self._live is None:
            self._live = {}
            for thing in gc.get_objects():
                if type(thing) is FunctionType and thing.__code__.co_filename == self._filename:
                    key = (thing.__code__.co_qualname, thing.__code__.co_firstlineno)
                    self._live.setdefault(key, []).append(thing)
        return self._live


# --- the code of one function, from as little of the module as must be compiled ------------------


def _skeleton(function: Function, classes: Sequence[ast.ClassDef], futures: Sequence[ast.stmt]) -> ast.Module:
    """A module with the function in its classes, which give it its qualified name, its mangling and `__class__`."""
    place = _place(function)
    node: ast.stmt = ast.Expr(function, **place) if isinstance(function, ast.Lambda) else function
    for owner in reversed(classes):
        # Type parameters came with Python 3.12; a method may use those of its class.
        generic = {"type_params": owner.type_params} if hasattr(owner, "type_params") else {}
        node = ast.ClassDef(owner.name, bases=[], keywords=[], body=[node], decorator_list=[], **generic, **place)
    return ast.Module([*futures, node], [])


def _chain_of_codes(code: CodeType, functions: Sequence[Function]) -> list[CodeType]:
    """The code of each of the functions, which lie in one another, the outermost first."""
    chain = []
    for function in functions:
        code = _within(code, function)
        chain.append(code)
    return chain


@contextmanager
def _keeping_names(functions: Sequence[Function], names: Sequence[Sequence[str]]) -> Iterator[None]:
    """For a while each function also mentions these names, in code that never runs."""
    bodies = [function.body for function in functions]
    try:
        for function, wanted in zip(functions, names, strict=True):
            if wanted:
                _mention(function, wanted)
        yield
    finally:
        for function, body in zip(functions, bodies, strict=True):
            function.body = body


def _mention(function: Function, names: Sequence[str]) -> None:
    at = _place(function)
    mentioned = ast.Tuple([ast.Name(name, ast.Load(), **at) for name in names], ast.Load(), **at)
    # The compiler drops what a false constant guards, but not before it has seen which names are in it.
    if isinstance(function, ast.Lambda):
        function.body = ast.IfExp(ast.Constant(True, **at), function.body, mentioned, **at)
    else:
        never = ast.If(ast.Constant(False, **at), [ast.Expr(mentioned, **at)], [], **at)
        function.body = [*function.body, never]


def _place(node: Function) -> dict[str, Any]:
    return {"lineno": node.lineno, "col_offset": 0, "end_lineno": node.lineno, "end_col_offset": 0}


def _within(code: CodeType, function: Function) -> CodeType:
    """The code of the function in the code around it, perhaps below that of a class or a comprehension."""
    level = [code]
    while level:
        level = [each for parent in level for each in parent.co_consts if isinstance(each, CodeType)]
        # The last that fits: what a default value or a decorator holds is compiled before the function itself.
        for each in reversed(level):
            if _is_code_of(each, function):
                return each
    raise LookupError(f"no code of the function on line {function.lineno}")


def _is_code_of(code: CodeType, function: Function) -> bool:
    if isinstance(function, ast.Lambda):
        return code.co_name == "<lambda>" and code.co_firstlineno == function.lineno and _lies_in(code, function)
    line = min([function.lineno, *(each.lineno for each in function.decorator_list)])
    return code.co_name == function.name and code.co_firstlineno == line


def _lies_in(code: CodeType, node: ast.Lambda) -> bool:
    """Whether all of the code lies within the node: several lambdas may share a line."""
    first, last = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
    for line, end_line, column, end_column in code.co_positions():
        if line is None or end_line is None or column is None or not end_column:
            continue
        if (line, column) < first or (end_line, end_column) > last:
            return False
    return True
