"""Text to tree and tree to code, without warnings about the text: Python gives them when the module is imported."""

import ast
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType

_DEEPEST = 50_000


def parse(source: str, filename: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source, filename)


def compiled(tree: ast.Module, filename: str) -> CodeType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compile(tree, filename, "exec", dont_inherit=True)


@contextmanager
def room_for_depth() -> Iterator[None]:
    """For walks over a tree: a sum of a thousand texts is a thousand levels deep, and valid Python."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
