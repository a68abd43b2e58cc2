"""Source text as a syntax tree, and ways to walk through one."""

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node

MOST_CHARACTERS = 500_000  # of a file that is read; a longer one was not written by hand
_BY_ENDING = {
    "ts": "typescript", "mts": "typescript", "cts": "typescript", "tsx": "tsx", "js": "javascript",
    "mjs": "javascript", "cjs": "javascript", "jsx": "javascript", "py": "python",
}  # fmt: skip


def language_of(path: str) -> str:
    """typescript, tsx, javascript or python; empty for anything else."""
    return _BY_ENDING.get(path.rpartition(".")[2].lower(), "")


def root_of(text: str, language: str) -> "Node":
    """The tree of a text. Where the text is not valid, some of its nodes are errors; nothing is raised."""
    from tree_sitter import Parser  # late: start-up: tree-sitter

    return Parser(_grammar(language)).parse(text.encode(errors="replace")).root_node


@functools.cache
def _grammar(language: str) -> "Grammar":
    from tree_sitter import Language as Grammar  # late: start-up: tree-sitter

    if language == "python":
        import tree_sitter_python  # late: only the grammar that is asked for

        return Grammar(tree_sitter_python.language())
    if language == "javascript":
        import tree_sitter_javascript  # late: only the grammar that is asked for

        return Grammar(tree_sitter_javascript.language())
    import tree_sitter_typescript  # late: only the grammar that is asked for

    if language == "tsx":
        return Grammar(tree_sitter_typescript.language_tsx())
    return Grammar(tree_sitter_typescript.language_typescript())


def walk(node: "Node") -> Iterator["Node"]:
    """The node and all below it, in the order of the text. No recursion: strangers nest deep."""
    waiting = [node]
    while waiting:
        at = waiting.pop()
        yield at
        waiting.extend(reversed(at.children))


def above(node: "Node") -> Iterator["Node"]:
    """From the parent up."""
    at = node.parent
    while at is not None:
        yield at
        at = at.parent


def written(node: "Node | None") -> str:
    """The text of a node; empty for none."""
    return node.text.decode(errors="replace") if node is not None and node.text is not None else ""
