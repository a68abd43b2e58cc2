"""Code that is shown rather than run: doctests, and the examples in READMEs and documentation pages."""

import ast
import doctest
import re
import textwrap
import warnings
from collections.abc import Iterator

_FENCE = re.compile(r"^(```+|~~~+)[ \t]*([\w{}.+-]*)[^\n]*\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_RST_BLOCK = re.compile(
    r"^\.\. (?:code-block|code|sourcecode):: *(?:python3?|py|pycon)[^\n]*\n((?:[ \t]+[^\n]*\n|[ \t]*\n)+)", re.MULTILINE
)
_RST_OPTION = re.compile(r"^[ \t]*:[\w-]+:[^\n]*\n", re.MULTILINE)
_PYTHON = frozenset({"", "python", "python3", "py", "pycon", "{python}", ".python"})
_DOCTESTS = doctest.DocTestParser()


def doctests_of(tree: ast.Module) -> list[ast.Module]:
    """The examples of each docstring in a module, as a module of their own."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node) or ""
            statements = list(_prompted(docstring))
            if statements:
                found.append(ast.Module(body=statements, type_ignores=[]))
    return found


def examples_in(document: str) -> ast.Module:
    """All Python that a page shows, in one piece: an import above serves the examples below it."""
    statements = list(_prompted(document))
    blocks = [found[3] for found in _FENCE.finditer(document) if found[2].lower() in _PYTHON]
    blocks += [textwrap.dedent(_RST_OPTION.sub("", found[1])) for found in _RST_BLOCK.finditer(document)]
    for block in blocks:
        if ">>>" not in block:
            statements += _parsed(block)
    return ast.Module(body=statements, type_ignores=[])


def _prompted(text: str) -> Iterator[ast.stmt]:
    if ">>>" not in text:
        return
    try:
        examples = _DOCTESTS.get_examples(text)
    except ValueError:  # prompts that do not line up: somebody's drawing, no doctest
        return
    for example in examples:
        yield from _parsed(example.source)


def _parsed(source: str) -> list[ast.stmt]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(textwrap.dedent(source)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # shell output, an ellipsis, another language
        return []
