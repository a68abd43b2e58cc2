"""What passing tests found, taken from what a watched run left behind, and remembered for the day it is lost."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from testwright.model.artifact_names import OUR_TRACE, TARGETS, TRACE
from testwright.model.case import TestId
from testwright.model.errors import TestwrightError
from testwright.model.foreign_folders import is_in_packages
from testwright.model.heal import CallSite, Sighting
from testwright.model.outcome import Outcome
from testwright.model.result import Artifact, RunResult, TestResult
from testwright.model.selector import Dialect
from testwright.run.project import Project
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import canonical

if TYPE_CHECKING:
    from testwright.observe.live_page import WalkedPage
    from testwright.observe.playwright_trace import Trace, TracedCall
    from testwright.store.fingerprint_store import FingerprintStore

_MOST_BYTES = 64 << 20
_MOST_SIGHTINGS = 60  # of one test; each may bring a page of its own


class RecordedSightings(NamedTuple):
    places: frozenset[CallSite]  # where in the code something was seen
    unfinished: frozenset[str]  # test files of which more could have been seen, had there been time


def record_run(run: RunResult, root: Path, memory: "FingerprintStore") -> RecordedSightings:
    """Remember what the tests that passed found."""
    places: set[CallSite] = set()
    unfinished: set[str] = set()
    for result in run.results:
        sightings = sightings_of(result, root)
        marks = _marks(result, root)
        if sightings:
            whole = marks.get("whole", True) is True
            memory.remember(result.case.id, sightings, run=run.id, at=datetime.now(UTC), whole=whole)
            places |= {seen.site for seen in sightings}
        if marks.get("cut_short") is True:
            unfinished.add(result.case.file)
    return RecordedSightings(frozenset(places), frozenset(unfinished))


def _marks(result: TestResult, root: Path) -> Mapping[str, Any]:
    """What our reporter inside pytest says of its recording of a test."""
    for artifact in result.last.artifacts:
        if artifact.name == TARGETS:
            try:
                marks = _read(root / artifact.path)
            except (OSError, ValueError):
                return {}
            return marks if isinstance(marks, dict) else {}
    return {}


def sightings_of(result: TestResult, root: Path) -> list[Sighting]:
    """What the test found, once for each place in the code and selector. Nothing of a test that did not just pass."""
    if result.outcome is not Outcome.PASSED:
        return []
    found: dict[tuple[CallSite, str], Sighting] = {}
    for artifact in result.last.artifacts:
        for sighting in _in_artifact(artifact, result.case.id, root):
            found.setdefault((sighting.site, sighting.selector), sighting)
            if len(found) >= _MOST_SIGHTINGS:
                break
    return list(found.values())


def _in_artifact(artifact: Artifact, test: TestId, root: Path) -> Iterator[Sighting]:
    try:
        if artifact.name in (TRACE, OUR_TRACE):
            yield from _in_trace(root / artifact.path, test, Project(root))
        elif artifact.name == TARGETS:
            yield from _in_targets(root / artifact.path, test)
    except (OSError, ValueError, KeyError, TypeError, TestwrightError):
        return  # gone, torn or of another version: as if it had not been kept; the next run may do better


def _in_trace(file: Path, test: TestId, project: Project) -> Iterator[Sighting]:
    from testwright.observe.playwright_trace import read_trace  # late: start-up: zipfile, not needed for pytest

    trace = read_trace(file)
    for call in trace.calls:
        sighting = _of_call(trace, call, test, project) if call.selector and not call.error else None
        if sighting is not None:
            yield sighting


def _of_call(trace: "Trace", call: "TracedCall", test: TestId, project: Project) -> Sighting | None:
    site, selector = _own_site(call, project), _canonical(call.selector)
    seen = trace.seen(call) if site is not None and selector else None
    if site is None or seen is None:
        return None
    return Sighting(test, site, selector, seen.page, seen.targets, call.params.get("expression") or call.method)


def _own_site(call: "TracedCall", project: Project) -> CallSite | None:
    """The innermost place in the project's own files."""
    for frame in call.stack:
        name = project.name_of(frame.file)
        if not name.startswith("/") and not is_in_packages(name):
            return CallSite(name, frame.line, frame.column)
    return None


def _in_targets(file: Path, test: TestId) -> Iterator[Sighting]:
    pages: dict[tuple[str, str], WalkedPage] = {}
    for target in _read(file)["targets"]:
        key = str(target["page"]), json.dumps(target["elements"])
        if key not in pages:
            pages[key] = _pointed_out(file.with_name(Path(key[0]).name), target["elements"])
        seen = pages[key]
        name, line = target["sites"][0]
        selector = _canonical(str(target["selector"]))
        if seen.targets and selector:
            site = CallSite(str(name), int(line))
            yield Sighting(test, site, selector, seen.page, seen.targets, str(target["action"]))


def _pointed_out(file: Path, elements: Sequence[Sequence[int]]) -> "WalkedPage":
    """The page of that file, with the elements that were found in each of its frames."""
    from testwright.observe.live_page import page_from_walk  # late: start-up: a run of Playwright does without

    records: list[Mapping[str, Any]] = []
    for record, targets in zip(_read(file), elements, strict=True):
        walk = json.loads(record["walk"])
        walk["targets"] = list(targets)
        records.append({**record, "walk": json.dumps(walk)})
    return page_from_walk(records)


def _read(file: Path) -> Any:
    with file.open("rb") as opened:
        content = opened.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise ValueError("too large")
    return json.loads(content)


def _canonical(selector: str) -> str:
    try:
        return canonical(parse_selector(selector, Dialect.INTERNAL))
    except TestwrightError:  # a selector of the user's own engine: it cannot be tried on a kept page
        return ""
