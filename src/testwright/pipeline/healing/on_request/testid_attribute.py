"""The attribute that a project keeps its test ids in: `data-testid`, unless its Playwright settings say otherwise."""

import re
from collections.abc import Callable
from pathlib import PurePosixPath

from testwright.model.errors import TestwrightError
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE

_CONFIGS = tuple(f"playwright.config.{ending}" for ending in ("ts", "js", "mts", "mjs", "cts", "cjs"))
_SAID = re.compile(
    r"testIdAttribute['\"]?\s*:\s*['\"]([A-Za-z][\w-]*)['\"]"
    r"|set_?[tT]est_?[iI]d_?[aA]ttribute\(\s*['\"]([A-Za-z][\w-]*)['\"]"
)


def attribute_for(file: str, content: bytes, read: Callable[[str], bytes]) -> str:
    """What the file itself says, or the nearest settings or conftest above it."""
    if said := _said(content):
        return said
    for folder in PurePosixPath(file).parents:
        for name in (*_CONFIGS, "conftest.py"):
            try:
                said = _said(read(str(folder / name)))
            except TestwrightError:  # there is none here, or none that may be read
                continue
            if said:
                return said
    return DEFAULT_TEST_ID_ATTRIBUTE


def _said(content: bytes) -> str:
    found = _SAID.search(content.decode("utf-8", errors="replace"))
    return (found[1] or found[2]) if found else ""
