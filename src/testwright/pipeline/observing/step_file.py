"""A file of steps for a recorded browser: the commands of `testwright interact`, one after another."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from testwright.model.errors import InvalidSteps, TestwrightError
from testwright.model.untrusted_text import visible_line
from testwright.observe.recording.browser_commands import perform_command

if TYPE_CHECKING:
    from playwright.async_api import Page

_LARGEST = 4 << 20
_MOST_STEPS = 10_000
# What each needs, and what it may have besides.
_KEYS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "navigate": (frozenset({"url"}), frozenset()),
    "click": (frozenset({"selector"}), frozenset()),
    "fill": (frozenset({"selector", "value"}), frozenset()),
    "select": (frozenset({"selector", "values"}), frozenset()),
    "press": (frozenset({"key"}), frozenset({"selector"})),
    "wait": (frozenset(), frozenset({"selector", "text", "url"})),
}
_VARIABLE = "from_variable"  # in the place of `value`: the name of an environment variable

Step = Mapping[str, Any]


def read_steps(file: Path, env: Mapping[str, str] = os.environ) -> tuple[Step, ...]:
    """The steps in a file, each checked as far as that can be done without a page. Raises InvalidSteps."""
    try:
        with file.open("rb") as opened:
            content = opened.read(_LARGEST + 1)
        steps = json.loads(content) if len(content) <= _LARGEST else None
    except OSError as error:
        raise _invalid(f"{file} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise _invalid(f"{file} is not JSON: {visible_line(str(error), limit=200)}.") from error
    if not isinstance(steps, list) or not 0 < len(steps) <= _MOST_STEPS:
        raise _invalid(f"{file} is not a list of 1 to {_MOST_STEPS:,} steps.")
    return tuple(_checked(number, step, env) for number, step in enumerate(steps, start=1))


def _checked(number: int, step: object, env: Mapping[str, str]) -> Step:
    if not isinstance(step, dict) or step.get("do") not in tuple(_KEYS):
        raise _invalid(f'Step {number} has no "do" that is one of {", ".join(_KEYS)}.')
    needed, allowed = _KEYS[step["do"]]
    found = {name: value for name, value in step.items() if name != "do"}
    if _VARIABLE in found and "value" in needed:
        found["value"] = _from_variable(number, found.pop(_VARIABLE), env)
    if missing := sorted(needed - found.keys()):
        raise _invalid(f"Step {number}, {step['do']}, needs {' and '.join(missing)}.")
    if unknown := sorted(found.keys() - needed - allowed - {"timeout"}):
        raise _invalid(f"Step {number}, {step['do']}, knows no {visible_line(unknown[0], limit=50)!r}.")
    return {"do": step["do"], **found}


def _from_variable(number: int, name: object, env: Mapping[str, str]) -> str:
    if not isinstance(name, str) or name not in env:
        raise _invalid(f"Step {number} wants the variable {visible_line(str(name), limit=60)}, which is not set.")
    return env[name]


def _invalid(message: str) -> InvalidSteps:
    return InvalidSteps(message, next_step='Write a JSON list such as [{"do": "click", "selector": "text=Save"}].')


class StepRun:
    """Does the steps in the page it is called with; `failure` then says which one could not be done."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        self.failure = ""

    async def __call__(self, page: "Page") -> None:
        for number, step in enumerate(self._steps, start=1):
            open_pages = [one for one in page.context.pages if not one.is_closed()]
            try:
                await perform_command(open_pages[-1] if open_pages else page, step)  # a step may have opened a tab
            except TestwrightError as error:
                self.failure = f"Step {number} of {len(self._steps)} failed: {error.message} [{error.code}]"
                return
