"""The note that goes with a bug's test: what is wrong, how to see it, where to look, in markdown."""

from testwright.generate.inside.promises.breach import Breach
from testwright.generate.writing.bug_test import BugFile, Reproduction, bug_slug, reproduction
from testwright.generate.writing.style import ProjectStyle

_DEFAULT_STYLE = ProjectStyle()
_NOT_KNOWN = "Not known."


def write_bug_note(
    breach: Breach, import_line: str, module_name: str, *, test_file: str, style: ProjectStyle = _DEFAULT_STYLE
) -> BugFile:
    """The note for the breach; `test_file` is where its test lies, as the project's developers would name it."""
    shown = reproduction(breach, import_line, module_name, style=style)
    title = f"{breach.unit} {breach.symptom.replace('_', ' ')}"
    summary = (
        f"`{breach.unit}` in `{module_name}` does not do what is written at `{breach.promised_at}`:\n\n"
        f"{_quoted(breach.promise)}\n\nFor the input below it was seen otherwise: {_one_line(breach.actual)}."
    )
    sections = {
        "Title": title,
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
