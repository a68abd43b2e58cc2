"""A test for a broken promise: it fails as long as the bug is there, and passes once it is fixed."""

import ast
import textwrap
from dataclasses import dataclass, replace

from testwright.generate.broken_promise import BrokenPromise
from testwright.generate.inside.generated_case import Check, Relation
from testwright.generate.writing.body import write_body
from testwright.generate.writing.draft import CaseDraft, ChosenCase, KnownUnits, draft_of
from testwright.generate.writing.expression_trees import THING, name, parse, substituted, text_of
from testwright.generate.writing.functions import HELPERS
from testwright.generate.writing.import_book import ImportBook
from testwright.generate.writing.name_words import slug, snake
from testwright.generate.writing.pytest_file import references_of, variable_names
from testwright.generate.writing.source_layout import formatted
from testwright.generate.writing.style import ProjectStyle

_DEFAULT_STYLE = ProjectStyle()


@dataclass(frozen=True, slots=True)
class BugFile:
    """A file about a bug: its test, or its note."""

    file_name: str
    text: str


def bug_slug(promise: BrokenPromise) -> str:
    """`slugify_loses_spaces`: what the test, its file and the note are named for."""
    symptom = snake(slug(promise.symptom, most_words=12, most_characters=80) or "breaks_its_promise")
    target = "_".join(snake(part) for part in promise.unit.split("."))
    return f"{target}_{symptom}"


def write_bug_test(
    promise: BrokenPromise, import_line: str, module_name: str, *, style: ProjectStyle = _DEFAULT_STYLE
) -> BugFile:
    """The file `test_bug_<target>_<symptom>.py`."""
    title = f"test_bug_{bug_slug(promise)}"
    draft = _draft(promise)
    book = ImportBook(module_name, references_of(draft), variable_names([draft]))
    body = write_body(draft, book, (), {}, style.line_length)
    docstring = _docstring(promise, style.line_length - 4)
    function = f"def {title}({', '.join(body.fixtures)}):\n{textwrap.indent(docstring, '    ')}\n\n"
    function += textwrap.indent(body.text(style.line_length - 4), "    ")
    parts = [book.block(), *(HELPERS[helper] for helper in dict.fromkeys(body.helpers)), function]
    opening = f'"""{_plain(f"A bug in {module_name}: {_headline(promise)}.")}"""'
    gap = "\n\n" if book.block() else "\n\n\n"
    text = f"{opening}\n\n{import_line}{gap}{formatted(chr(10).join(filter(None, parts)), style)}"
    return BugFile(f"{title}.py", text)


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The bug as a script, and what should hold."""

    script: str
    expected: str


def reproduction(
    promise: BrokenPromise, import_line: str, module_name: str, *, style: ProjectStyle = _DEFAULT_STYLE
) -> Reproduction:
    """The statements that show the bug, for the steps of a note."""
    draft = _draft(promise)
    book = ImportBook(module_name, references_of(draft), variable_names([draft]))
    body = write_body(replace(draft, checks=()), book, (), {}, style.line_length)
    imports = "\n".join(filter(None, (import_line, book.block())))
    statements = "\n".join([*body.arrange, *map(_printed, body.act)])
    checks = write_body(draft, book, (), {}, style.line_length)
    expected = "\n".join(checks.checks or checks.act)
    return Reproduction(f"{imports}\n\n{formatted(statements, style).strip()}", formatted(expected, style).strip())


def _printed(statement: str) -> str:
    """An expression is printed, so that running the script shows something."""
    (node,) = ast.parse(statement).body
    return f"print({statement})" if isinstance(node, ast.Expr) else statement


def _headline(promise: BrokenPromise) -> str:
    return f"{promise.unit} {promise.symptom.replace('_', ' ')}"


def _draft(promise: BrokenPromise) -> CaseDraft:
    checks = promise.expected
    if promise.property_source:
        property_path = text_of(substituted(parse(promise.property_source), {"result": name(THING)}))
        checks = (*checks, Check("result", property_path.replace(THING, "{}"), Relation.IDENTICAL, "True"))
    owner_kind = "function" if "." not in promise.unit else "method"
    written = ChosenCase(
        promise.case,
        checks,
        imports=promise.imports,
        unit_kind=owner_kind,
        parameters=promise.parameters,
        setup=promise.setup,
    )
    return draft_of(written, KnownUnits.among([replace(written)]))


def _docstring(promise: BrokenPromise, width: int) -> str:
    """Which promise is broken, and where it is written."""
    first = _plain(f"{promise.unit} promises at {promise.promised_at}:")
    said = [f"    {_plain(line)}" for line in _wrapped(promise.promise, width - 4)]
    last = _wrapped(f"This fails until the code keeps it. Seen instead: {promise.actual}.", width)
    lines = [f'"""{first}', "", *said, "", *map(_plain, last), '"""']
    return "\n".join(line.rstrip() for line in lines)


def _wrapped(text: str, width: int) -> list[str]:
    lines = [line for part in text.strip().splitlines() for line in textwrap.wrap(part.strip(), width) or [""]]
    return lines or [""]


def _plain(text: str) -> str:
    """Text that may stand in a docstring."""
    return text.replace("\\", "\\\\").replace('"""', "'''")
