"""Where generated files go: into a folder that a person named, or into the review queue to wait for one."""

import errno
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from testwright.model.errors import DiskFull, TestwrightError, WriteFailed
from testwright.model.proposal import ENGINE, Evidence, Proposal, ProposalKind
from testwright.pipeline.generating.module_outcome import ModuleOutcome, NewFile
from testwright.review.confined_root import ConfinedRoot
from testwright.review.proposal_builder import make_proposal
from testwright.review.review_queue import ReviewQueue

FIGURES = "gen.json"
BUGS = "bugs"


@dataclass(frozen=True, slots=True)
class KeptFile:
    """What became of one file: `written`, `proposed`, `applied`, `unchanged`, or `failed` with the reason."""

    path: str
    state: str
    proposal: Proposal | None = None
    reason: str = ""


class Keeper(Protocol):
    def keep(self, outcome: ModuleOutcome) -> list[KeptFile]:
        """Hand on the files of one module. A file that cannot be kept has failed; the others are kept."""


def files_of(outcome: ModuleOutcome) -> Iterator[tuple[NewFile, ProposalKind]]:
    """The support file first: the tests need it."""
    if outcome.conftest is not None:
        yield outcome.conftest, ProposalKind.SUPPORT_FILE
    if outcome.suite is not None:
        yield outcome.suite, ProposalKind.NEW_TEST
    for bug in outcome.bugs:
        yield bug, ProposalKind.BUG_REPORT


class OutputFolder:
    """Files are written at once, each whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, outcome: ModuleOutcome) -> list[KeptFile]:
        return [self._written(file) for file, _ in files_of(outcome)]

    def _written(self, file: NewFile) -> KeptFile:
        try:
            is_news = write_whole(file.path, file.text)
        except TestwrightError as error:
            return KeptFile(str(file.path), "failed", reason=error.message)
        return KeptFile(str(file.path), "written" if is_news else "unchanged")

    def write_figures(self, figures: Mapping[str, Any]) -> None:
        write_whole(self._folder / FIGURES, json.dumps(figures, indent=2) + "\n")


class Proposals:
    """Files become proposals; with `accepted_by`, that person has accepted all of them in advance."""

    def __init__(self, queue: ReviewQueue, root: ConfinedRoot, *, accepted_by: str = "") -> None:
        self._queue, self._root, self._accepted_by = queue, root, accepted_by
        self._kept: dict[tuple[Path, str], KeptFile] = {}

    def keep(self, outcome: ModuleOutcome) -> list[KeptFile]:
        evidence = tuple(_evidence(outcome))
        return [self._once(file, kind, evidence) for file, kind in files_of(outcome)]

    def _once(self, file: NewFile, kind: ProposalKind, evidence: tuple[Evidence, ...]) -> KeptFile:
        """Modules whose tests lie in one folder share its conftest: it is proposed once."""
        key = (file.path, file.text)
        if key not in self._kept:
            self._kept[key] = self._proposed(file, kind, evidence)
        return self._kept[key]

    def _proposed(self, file: NewFile, kind: ProposalKind, evidence: tuple[Evidence, ...]) -> KeptFile:
        name = file.path.relative_to(self._root.path).as_posix()
        content = file.text.encode("utf-8")
        try:
            if self._root.sha256(name) is not None and self._root.read(name) == content:
                return KeptFile(name, "unchanged")
            proposal = make_proposal(self._root, kind, file.title, name, content, ENGINE, evidence)
            self._queue.submit(proposal)
            if not self._accepted_by:
                return KeptFile(name, "proposed", proposal)
            applied = self._queue.accept(
                proposal.id, self._accepted_by, "accepted when it was generated", confirm_support_file=True
            )
            return KeptFile(name, str(applied.status), applied)
        except TestwrightError as error:
            return KeptFile(name, "failed", reason=f"{error.message} {error.next_step}".strip())


def _evidence(outcome: ModuleOutcome) -> Iterator[Evidence]:
    for verdict in outcome.verdicts:
        if verdict.passed:
            yield Evidence(f"{verdict.gate} gate passed: {verdict.detail}", source=outcome.shown)
    covered = outcome.covered
    lines = f"{covered.lines_covered} of {covered.lines_total} lines"
    branches = f"{covered.branches_covered} of {covered.branches_total} branches"
    yield Evidence(f"the tests run {lines} and {branches}", source=outcome.shown)


def write_whole(file: Path, text: str) -> bool:
    """Write a file, whole or not at all, and make its folder; False where it reads so already."""
    content = text.encode("utf-8")
    with suppress(OSError):
        if file.read_bytes() == content:
            return False
    temporary = None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=f".{file.name}.", suffix=".part", dir=file.parent)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(content)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(file)
    except OSError as error:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull(
                f"There is no room to write {file}.", next_step="Make room, or name another place."
            ) from error
        raise WriteFailed(
            f"{file} could not be written: {error.strerror}.", next_step="Name a folder that you may write to."
        ) from error
    return True
