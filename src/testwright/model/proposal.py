"""A change to a user's file that waits for a person."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NewType

ProposalId = NewType("ProposalId", str)


class ProposalKind(StrEnum):
    NEW_TEST = "new_test"
    SELECTOR_PATCH = "selector_patch"
    REWRITTEN_TEST = "rewritten_test"
    GOLDEN_UPDATE = "golden_update"
    BUG_REPORT = "bug_report"  # a failing test that shows the code is wrong
    SUPPORT_FILE = "support_file"  # a conftest or fixture that a new test needs


class ProposalStatus(StrEnum):
    PENDING = "pending"
    ACCEPTED = "accepted"  # a person said yes; the write has not been seen to succeed yet
    REJECTED = "rejected"
    SUPERSEDED = "superseded"  # a newer proposal for the same file and purpose took its place
    APPLIED = "applied"
    FAILED = "failed"  # accepted, but the file was not changed; `reason` says why


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that was seen, and where it can be seen again."""

    summary: str
    detail: str = ""
    source: str = ""  # a run id, a file and line, an artifact


@dataclass(frozen=True, slots=True)
class Decision:
    """Who decided, when, and why."""

    status: ProposalStatus
    by: str
    at: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One file as it should become, made against one exact state of it."""

    id: ProposalId
    kind: ProposalKind
    title: str
    file: str  # from the project's root, with forward slashes
    base_sha256: str | None  # of the file the change was made for; None: the file must not exist yet
    content: bytes  # the whole file as it should become: a diff alone cannot carry odd encodings or line ends
    diff: str  # unified, for people
    origin: str  # engine, human, or a model and its prompt's version
    created_at: datetime
    confidence: float | None = None  # None: nothing was measured
    evidence: tuple[Evidence, ...] = ()
    status: ProposalStatus = ProposalStatus.PENDING
    decisions: tuple[Decision, ...] = field(default_factory=tuple)
