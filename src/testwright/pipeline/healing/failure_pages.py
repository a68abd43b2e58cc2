"""The page at the moment of a failure, from what the run kept of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from testwright.model.artifact_names import ERROR_CONTEXT, PAGE_WALK, TRACE
from testwright.model.dom import DomSnapshot
from testwright.model.errors import TestwrightError
from testwright.model.result import Artifact, Attempt
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE
from testwright.observe.aria_page import snapshot_from_aria
from testwright.observe.live_page import snapshot_from_walk
from testwright.observe.playwright_trace import read_trace

_MOST_WALK_BYTES = 64 << 20
_MOST_CONTEXT_BYTES = 4 << 20


class SeenPage(NamedTuple):
    page: DomSnapshot
    selector: str = ""  # that was looked for, where the record of the page tells
    test_id_attribute: str = DEFAULT_TEST_ID_ATTRIBUTE


def page_at_failure(attempt: Attempt, root: Path) -> SeenPage | None:
    """The best record there is: a trace, the page as it was read, the outline that Playwright leaves."""
    for seen in (_from_trace(attempt, root), _from_walk(attempt, root), _from_outline(attempt, root)):
        found = next(seen, None)
        if found is not None:
            return found
    return None


def has_page(attempt: Attempt) -> bool:
    """Whether the attempt left more of its page than an outline."""
    return any(artifact.name in (TRACE, PAGE_WALK) for artifact in attempt.artifacts)


def _from_trace(attempt: Attempt, root: Path) -> Iterator[SeenPage]:
    for artifact in _named(attempt, TRACE):
        try:
            trace = read_trace(root / artifact.path)
            call = trace.failed_call()
            page = trace.page_at_failure(call) if call is not None else None
        except TestwrightError:  # as if there were no trace; the other records may do
            continue
        if call is not None and page is not None:
            yield SeenPage(page, call.selector, trace.test_id_attribute)


def _from_walk(attempt: Attempt, root: Path) -> Iterator[SeenPage]:
    for artifact in _named(attempt, PAGE_WALK):
        try:
            records = json.loads(_content(root / artifact.path, _MOST_WALK_BYTES))
            yield SeenPage(snapshot_from_walk(records))
        except (OSError, ValueError, TestwrightError):  # gone or torn: as if it had not been kept
            continue


def _from_outline(attempt: Attempt, root: Path) -> Iterator[SeenPage]:
    for artifact in _named(attempt, ERROR_CONTEXT):
        try:
            text = _content(root / artifact.path, _MOST_CONTEXT_BYTES).decode("utf-8", "replace")
            yield SeenPage(snapshot_from_aria(text))
        except (OSError, ValueError, TestwrightError):
            continue


def _named(attempt: Attempt, name: str) -> Iterator[Artifact]:
    return (artifact for artifact in attempt.artifacts if artifact.name == name)


def _content(file: Path, limit: int) -> bytes:
    with file.open("rb") as opened:
        content = opened.read(limit + 1)
    if len(content) > limit:
        raise ValueError("too large")
    return content
