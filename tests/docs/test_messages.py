"""Every code a person can meet has a section in docs/messages.md, and no section is left over."""

import re
from collections.abc import Iterator
from pathlib import Path

from testwright.model.errors import TestwrightError
from testwright.model.outcome import Outcome

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "testwright"
# The ways in which a problem or a reason is written in Python and in JavaScript.
WRITTEN = (
    re.compile(r"""\bProblem\(\s*["']([a-z_]+)["']"""),
    re.compile(r"""\b(?:code|reason)\s*[=:]\s*["']([a-z_]+)["']"""),
    re.compile(r"""["'](?:code|reason)["']\s*:\s*["']([a-z_]+)["']"""),
    re.compile(r"""\breturn ["']([a-z]+_[a-z_]+)["'](?:, |$)""", re.MULTILINE),
    re.compile(r"""\b_missing\([^)]*?"([a-z]+_[a-z_]+)\""""),
)


def errors_of(kind: type[TestwrightError]) -> Iterator[str]:
    for error in kind.__subclasses__():
        yield error.code
        yield from errors_of(error)


def codes_in_the_source() -> set[str]:
    files = [path for ending in ("py", "cjs", "mjs") for path in (SOURCE / "run").rglob(f"*.{ending}")]
    return {code for path in files for pattern in WRITTEN for code in pattern.findall(path.read_text(encoding="utf-8"))}


def sections() -> list[str]:
    return re.findall(
        r"^### `([a-z_0-9]+)`$", (ROOT / "docs" / "messages.md").read_text(encoding="utf-8"), re.MULTILINE
    )


def test_every_error_and_every_reason_is_explained() -> None:
    met = {*errors_of(TestwrightError), *codes_in_the_source(), *Outcome, "internal"}

    assert met - set(sections()) == set()


def test_nothing_is_explained_that_no_longer_exists() -> None:
    met = {*errors_of(TestwrightError), *codes_in_the_source(), *Outcome, "internal", "signal_n"}

    assert set(sections()) - met == set()


def test_no_code_is_explained_twice() -> None:
    assert len(sections()) == len(set(sections()))
