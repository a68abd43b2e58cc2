"""What is written for a broken promise: a test that fails as long as the bug is there, and a note that goes with it."""

import ast
import textwrap
from dataclasses import dataclass, replace

from testwright.generate.inside.generated_case import Check, Relation
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.writing.body import write_body
from testwright.generate.writing.draft import CaseDraft, ChosenCase, KnownUnits, draft_of
from testwright.generate.writing.expression_trees import THING, name, parse, substituted, text_of
from testwright.generate.writing.functions import HELPERS
from testwright.generate.writing.import_book import ImportBook
from testwright.generate.writing.name_words import slug, snake
from testwright.generate.writing.pytest_file import references_of, variable_names
from testwright.generate.writing.source_layout import formatted
from testwright.generate.writing.style import ProjectStyle

_NOT_KNOWN = "Not known."
_DEFAULT_STYLE = ProjectStyle()


@dataclass(frozen=True, slots=True)
class BugFile:
    """A file about a bug: its test, or its note."""

    file_name: str
    text: str


def bug_slug(breach: Breach) -> str:
    """`slugify_loses_spaces`: what the test, its file and the note are named for."""
    symptom = snake(slug(breach.symptom, most_words=12, most_characters=80) or "breaks_its_promise")
    target = "_".join(snake(part) for part in breach.unit.split("."))
    return f"{target}_{symptom}"


def write_bug_test(
    breach: Breach, import_line: str, module_name: str, *, style: ProjectStyle = _DEFAULT_STYLE
) -> BugFile:
    """The file `test_bug_<target>_<symptom>.py`."""
    title = f"test_bug_{bug_slug(breach)}"
    draft = _draft(breach)
    book = ImportBook(module_name, references_of(draft), variable_names([draft]))
    body = write_body(draft, book, (), {}, style.line_length)
    docstring = _docstring(breach, style.line_length - 4)
    function = f"def {title}({', '.join(body.fixtures)}):\n{textwrap.indent(docstring, '    ')}\n\n"
    function += textwrap.indent(body.text(style.line_length - 4), "    ")
    parts = [book.block(), *(HELPERS[helper] for helper in dict.fromkeys(body.helpers)), function]
    opening = f'"""{_plain(f"A bug in {module_name}: {_headline(breach)}.")}"""'
    gap = "\n\n" if book.block() else "\n\n\n"
    text = f"{opening}\n\n{import_line}{gap}{formatted(chr(10).join(filter(None, parts)), style)}"
    return BugFile(f"{title}.py", text)


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The bug as a script, and what should hold."""

    script: str
    expected: str


def reproduction(
    breach: Breach, import_line: str, module_name: str, *, style: ProjectStyle = _DEFAULT_STYLE
) -> Reproduction:
    """The statements that show the bug, for the steps of a note."""
    draft = _draft(breach)
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


def _headline(breach: Breach) -> str:
    return f"{breach.unit} {breach.symptom.replace('_', ' ')}"


def _draft(breach: Breach) -> CaseDraft:
    checks = breach.expected
    if breach.property_source:
        property_path = text_of(substituted(parse(breach.property_source), {"result": name(THING)}))
        checks = (*checks, Check("result", property_path.replace(THING, "{}"), Relation.IDENTICAL, "True"))
    owner_kind = "function" if "." not in breach.unit else "method"
    written = ChosenCase(
        breach.case,
        checks,
        imports=breach.imports,
        unit_kind=owner_kind,
        parameters=breach.parameters,
        setup=breach.setup,
    )
    return draft_of(written, KnownUnits.among([replace(written)]))


def _docstring(breach: Breach, width: int) -> str:
    """Which promise is broken, and where it is written."""
    first = _plain(f"{breach.unit} promises at {breach.promised_at}:")
    said = [f"    {_plain(line)}" for line in _wrapped(breach.promise, width - 4)]
    last = _wrapped(f"This fails until the code keeps it. Seen instead: {breach.actual}.", width)
    lines = [f'"""{first}', "", *said, "", *map(_plain, last), '"""']
    return "\n".join(line.rstrip() for line in lines)


def _wrapped(text: str, width: int) -> list[str]:
    lines = [line for part in text.strip().splitlines() for line in textwrap.wrap(part.strip(), width) or [""]]
    return lines or [""]


def _plain(text: str) -> str:
    """Text that may stand in a docstring."""
    return text.replace("\\", "\\\\").replace('"""', "'''")


def write_bug_note(
    breach: Breach, import_line: str, module_name: str, *, test_file: str, style: ProjectStyle = _DEFAULT_STYLE
) -> BugFile:
    """The note for the breach; `test_file` is where its test lies, as the project's developers would name it."""
    shown = reproduction(breach, import_line, module_name, style=style)
    summary = (
        f"`{breach.unit}` in `{module_name}` does not do what is written at `{breach.promised_at}`:\n\n"
        f"{_quoted(breach.promise)}\n\nFor the input below it was seen otherwise: {_one_line(breach.actual)}."
    )
    sections = {
        "Title": _headline(breach),
        "Summary": summary,
        "Steps to Reproduce": _steps(shown, test_file),
        "Expected vs Actual": _expected_and_actual(breach, shown),
        "Suspected root-cause (file:line)": f"`{breach.where}`",
        "Related methods/tests": _listed((*breach.related, f"{test_file}")),
        "Risk/Blast radius": breach.risk.strip() or _NOT_KNOWN,
        "Suggested fix sketch": breach.suggestion.strip()
        or "None yet: whoever mends it decides whether the code or the promise is wrong.",
    }
    body = "\n\n".join(f"## {heading}\n\n{text}" for heading, text in sections.items())
    return BugFile(f"bug_{bug_slug(breach)}.md", f"# BUG NOTE\n\n{body}\n")


def _steps(shown: Reproduction, test_file: str) -> str:
    return (
        f"1. Run this with the project's Python:\n\n{_fenced(shown.script, 'python')}\n\n"
        f"2. Or run the test: `python -m pytest {test_file}`. It fails now, and passes once the bug is fixed."
    )


def _expected_and_actual(breach: Breach, shown: Reproduction) -> str:
    return f"Expected:\n\n{_fenced(shown.expected, 'python')}\n\nActual: {_one_line(breach.actual) or _NOT_KNOWN}"


def _fenced(code: str, language: str) -> str:
    """A code block whose fence is longer than any in the code."""
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}{language}\n{code}\n{fence}"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines())


def _one_line(text: str) -> str:
    return " ".join(text.split()).rstrip(".")


def _listed(things: tuple[str, ...]) -> str:
    return "\n".join(f"- `{thing}`" for thing in things)
