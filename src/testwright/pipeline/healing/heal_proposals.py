"""Heals with which the test passed become patches and proposals; a person decides about both."""

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

from testwright.heal.selector_draft import patch_of
from testwright.model.case import TestId
from testwright.model.errors import TestwrightError, WriteFailed
from testwright.model.foreign_folders import HEAL_PATCHES
from testwright.model.proposal import Evidence, ProposalKind
from testwright.model.result import RunId
from testwright.pipeline.healing.heal_candidate import HealCandidate, by_file, combined
from testwright.pipeline.healing.heal_report import HealEntry, HealReport
from testwright.review.confined_root import ConfinedRoot
from testwright.review.proposal_builder import make_proposal
from testwright.review.review_queue import ReviewQueue

ORIGIN = "engine"
FOLDER = ("tests", HEAL_PATCHES)
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 80
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Proposer:
    def __init__(self, root: ConfinedRoot, queue: ReviewQueue, run: RunId, report: HealReport) -> None:
        self._root, self._queue, self._run, self._report = root, queue, run, report

    def propose(self, healed: Sequence[HealCandidate]) -> list[HealEntry]:
        """One proposal for each file: two for one file could not both be accepted, as each is made for one exact
        state of it. And one patch for each test."""
        entries: list[HealEntry] = []
        for file, candidates in by_file(healed).items():
            proposal = self._proposal(file, candidates)
            entries += [self._written(candidate, proposal) for candidate in candidates]
        return entries

    def _proposal(self, file: str, candidates: Sequence[HealCandidate]) -> str:
        """The id of the proposal, or nothing where the file is not one that we may write."""
        places = {candidate.draft.key: candidate for candidate in candidates}
        title = (
            f"Heal {candidates[0].draft.old_text} in {file}"
            if len(places) == 1
            else f"Heal {len(places)} selectors in {file}"
        )
        try:
            proposal = make_proposal(
                self._root,
                ProposalKind.SELECTOR_PATCH,
                title,
                file,
                combined(candidates),
                ORIGIN,
                [seen for candidate in candidates for seen in self._evidence(candidate)],
                min(_probability(candidate) for candidate in candidates),
                made_from=candidates[0].draft.before,
            )
            return self._queue.submit(proposal).id
        except TestwrightError as error:
            self._report.troubles.append(f"No change of {file} could be proposed: {error.message}")
            return ""

    def _evidence(self, candidate: HealCandidate) -> list[Evidence]:
        heal, site = candidate.heal, candidate.draft.site
        passed = Evidence(
            f"{heal.old} -> {heal.new} by {heal.found_by}: {candidate.case.id} passes with it",
            f"{site.file}:{site.line}, confidence {_probability(candidate):.3f}",
            f"run {self._run}",
        )
        return [passed, *heal.evidence]

    def _written(self, candidate: HealCandidate, proposal: str) -> HealEntry:
        now = datetime.now(UTC)
        extra = {
            "test": candidate.case.id,
            "confidence": f"{_probability(candidate):.3f}",
            "created": f"{now:%Y-%m-%dT%H:%M:%SZ}",
            "run": self._run,
            "proposal": proposal or "none",
        }
        folder = PatchFolder(self._root.path, candidate.module)
        name = folder.name_of(candidate.case.id, now)
        entry = candidate.healed(patch=name, proposal=proposal)
        try:
            folder.write(candidate.case.id, now, patch_of(candidate.draft, candidate.strategy, extra), entry.line())
        except TestwrightError as error:
            self._report.troubles.append(error.message)
            return candidate.healed(proposal=proposal)
        return entry


def _probability(candidate: HealCandidate) -> float:
    """A heal that is tried has one: the engine was asked."""
    assert candidate.heal.probability is not None
    return candidate.heal.probability


def safe_name(test_id: TestId) -> str:
    """A file's name for a test: readable, and no other test's."""
    readable = _UNSAFE.sub("-", test_id).strip("-.")[:_LONGEST]
    return f"{readable}-{blake2b(test_id.encode('utf-8', 'replace'), digest_size=4).hexdigest()}"


class PatchFolder:
    """The patches of one module. Made when the first patch is written."""

    def __init__(self, project: Path, module: str) -> None:
        self._project = project
        self._parts = (*(part for part in module.split("/") if part not in ("", ".")), *FOLDER)

    def name_of(self, test_id: TestId, at: datetime) -> str:
        """The path of a patch, from the project's root."""
        return "/".join((*self._parts, _patch_name(test_id, at)))

    def write(self, test_id: TestId, at: datetime, patch: bytes, row: str) -> None:
        """Keep the patch, and note the row in the test's log."""
        with self._folder() as folder:
            with contextlib.suppress(FileExistsError):
                _write(folder, ".gitignore", b"*\n", os.O_EXCL)
            _write(folder, _patch_name(test_id, at), patch, os.O_TRUNC)
            _remove_older(folder, safe_name(test_id), _patch_name(test_id, at))
            _write(
                folder,
                f"{safe_name(test_id)}.log",
                f"{at:%Y-%m-%dT%H:%M:%SZ} {row}\n".encode(errors="replace"),
                os.O_APPEND,
            )

    @contextlib.contextmanager
    def _folder(self) -> Iterator[int]:
        shown = "/".join(self._parts)
        try:
            with contextlib.ExitStack() as opened:
                at = os.open(self._project, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                opened.callback(os.close, at)
                for part in self._parts:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(part, dir_fd=at)
                    at = os.open(part, _OPEN_FOLDER, dir_fd=at)
                    opened.callback(os.close, at)
                yield at
        except OSError as error:
            raise WriteFailed(
                f"The patch could not be saved in '{shown}': {error.strerror}.",
                next_step="See that it is a folder of its own, not a link, and that you may write there.",
            ) from error


def _patch_name(test_id: TestId, at: datetime) -> str:
    return f"{safe_name(test_id)}-{at:%Y%m%dT%H%M%SZ}.patch"


def _remove_older(folder: int, start: str, newest: str) -> None:
    """A newer patch for the same test takes the place of those before it, as its proposal does."""
    older = re.compile(re.escape(start) + r"-\d{8}T\d{6}Z\.patch")
    for name in os.listdir(folder):
        if older.fullmatch(name) and name != newest:
            os.unlink(name, dir_fd=folder)


def _write(folder: int, name: str, content: bytes, how: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | how
    with os.fdopen(os.open(name, flags, 0o644, dir_fd=folder), "wb") as file:
        file.write(content)
