"""Proposals and what was decided about them.

A status changes only by compare-and-set inside one transaction, so that of many people who decide at
once exactly one is heard, and an apply is on record before the first byte of a file is touched.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import ColumnElement, Connection, and_, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from testwright.model.errors import WrongStatus
from testwright.model.proposal import Decision, Evidence, Proposal, ProposalId, ProposalKind, ProposalStatus
from testwright.store.database_connection import AnyRow, Database, insert_one
from testwright.store.database_errors import no_single_match
from testwright.store.schema import applies, decisions, proposals

_OUTCOMES_OF_AN_APPLY = frozenset({ProposalStatus.APPLIED, ProposalStatus.FAILED})


@dataclass(frozen=True, slots=True)
class UnfinishedApply:
    """A write that was begun and not seen to end: the file holds the base, the new content, or something else."""

    id: ProposalId
    file: str
    base_sha256: str | None
    new_sha256: str
    temp_name: str


Proposals = list[Proposal]  # spelled outside the class, in which `list` is a method
UnfinishedApplies = list[UnfinishedApply]


class ProposalStore:
    def __init__(self, database: Database, project_pk: int) -> None:
        self._database = database
        self._project_pk = project_pk

    def add(self, proposal: Proposal) -> None:
        """Keep a new proposal; older pending ones for the same file, kind and title give way to it."""
        with self._database.writing(self._project_pk) as connection:
            try:
                pk = insert_one(connection, insert(proposals).values(self._values(proposal)))
            except IntegrityError as taken:
                raise WrongStatus(
                    f"A proposal with the id {proposal.id} is in the store already.",
                    next_step="Give the new one an id of its own.",
                ) from taken
            for decision in proposal.decisions:
                _note(connection, pk, decision)
            if proposal.status is ProposalStatus.PENDING:
                self._supersede_older(connection, pk, proposal)

    def get(self, id_or_prefix: str) -> Proposal:
        """The proposal with that id, or the only one whose id starts so."""
        with self._database.reading() as connection:
            rows = self._found(connection, proposals.c.id == id_or_prefix)
            if not rows and id_or_prefix:
                rows = self._found(connection, proposals.c.id.startswith(id_or_prefix, autoescape=True), limit=6)
            if len(rows) == 1:
                return _proposals(connection, rows)[0]
        raise no_single_match("proposal", id_or_prefix, [row.id for row in rows])

    def list(self, *, status: ProposalStatus | None = None, limit: int = 100) -> Proposals:
        """The newest first."""
        wanted = proposals.c.status == status if status is not None else proposals.c.status.is_not(None)
        with self._database.reading() as connection:
            return _proposals(connection, self._found(connection, wanted, limit=limit))

    def transition(
        self, proposal_id: ProposalId, *, allowed: Collection[ProposalStatus], decision: Decision
    ) -> Proposal:
        """Record `decision` and its status if the proposal is in one of the `allowed` states; refuse otherwise."""
        with self._database.writing(self._project_pk) as connection:
            pk = self._change_status(connection, proposal_id, allowed, decision)
            return self._by_pk(connection, pk)

    def begin_apply(self, proposal_id: ProposalId, *, base_sha256: str | None, new_sha256: str, temp_name: str) -> None:
        """Record, before the file is touched, that an accepted proposal is being written to it."""
        with self._database.writing(self._project_pk) as connection:
            row = self._row_of(connection, proposal_id)
            if row.status != ProposalStatus.ACCEPTED:
                raise _wrong_status(proposal_id, row.status, "Only an accepted proposal can be applied.")
            values = {
                "proposal_pk": row.pk,
                "base_sha256": base_sha256 or "",
                "new_sha256": new_sha256,
                "temp_name": temp_name,
                "finished": False,
            }
            try:
                connection.execute(insert(applies).values(values))
            except IntegrityError as begun:
                raise _wrong_status(
                    proposal_id, row.status, "Applying it to this state of the file was begun before."
                ) from begun

    def finish_apply(self, proposal_id: ProposalId, decision: Decision) -> Proposal:
        """Record how the write ended, and close it, in one step."""
        if decision.status not in _OUTCOMES_OF_AN_APPLY:
            raise ValueError(f"an apply ends as applied or failed, not as {decision.status}")
        with self._database.writing(self._project_pk) as connection:
            pk = self._change_status(connection, proposal_id, [ProposalStatus.ACCEPTED], decision)
            open_apply = and_(applies.c.proposal_pk == pk, applies.c.finished.is_(False))
            if connection.execute(update(applies).where(open_apply).values(finished=True)).rowcount == 0:
                raise _wrong_status(proposal_id, ProposalStatus.ACCEPTED, "No apply of it is under way.")
            return self._by_pk(connection, pk)

    def unfinished_applies(self) -> UnfinishedApplies:
        """Writes whose end was never seen, oldest first."""
        query = (
            select(proposals.c.id, proposals.c.file, applies)
            .join(applies, applies.c.proposal_pk == proposals.c.pk)
            .where(proposals.c.project_pk == self._project_pk, applies.c.finished.is_(False))
            .order_by(proposals.c.created_at, proposals.c.pk)
        )
        with self._database.reading() as connection:
            return [
                UnfinishedApply(row.id, row.file, row.base_sha256 or None, row.new_sha256, row.temp_name)
                for row in connection.execute(query)
            ]

    def _row_of(self, connection: Connection, proposal_id: ProposalId) -> AnyRow:
        mine = and_(proposals.c.project_pk == self._project_pk, proposals.c.id == proposal_id)
        row = connection.execute(select(proposals.c.pk, proposals.c.status).where(mine)).one_or_none()
        if row is None:
            raise no_single_match("proposal", proposal_id, [])
        return row

    def _change_status(
        self, connection: Connection, proposal_id: ProposalId, allowed: Collection[ProposalStatus], decision: Decision
    ) -> int:
        row = self._row_of(connection, proposal_id)
        in_time = and_(proposals.c.pk == row.pk, proposals.c.status.in_([str(status) for status in allowed]))
        if connection.execute(update(proposals).where(in_time).values(status=decision.status)).rowcount == 0:
            wanted = " or ".join(sorted(allowed))
            raise _wrong_status(proposal_id, row.status, f"To become {decision.status} it must be {wanted}.")
        _note(connection, row.pk, decision)
        return int(row.pk)

    def _supersede_older(self, connection: Connection, pk: int, newer: Proposal) -> None:
        same_purpose = and_(
            proposals.c.project_pk == self._project_pk,
            proposals.c.status == ProposalStatus.PENDING,
            proposals.c.file == newer.file,
            proposals.c.kind == newer.kind,
            proposals.c.title == newer.title,
            proposals.c.pk != pk,
        )
        decision = Decision(ProposalStatus.SUPERSEDED, "testwright", newer.created_at, f"replaced by {newer.id}")
        for older in connection.scalars(select(proposals.c.pk).where(same_purpose)).all():
            connection.execute(update(proposals).where(proposals.c.pk == older).values(status=decision.status))
            _note(connection, older, decision)

    def _found(self, connection: Connection, wanted: ColumnElement[bool], *, limit: int = 2) -> Sequence[AnyRow]:
        query = (
            select(proposals)
            .where(proposals.c.project_pk == self._project_pk, wanted)
            .order_by(proposals.c.created_at.desc(), proposals.c.pk.desc())
            .limit(limit)
        )
        return connection.execute(query).all()

    def _by_pk(self, connection: Connection, pk: int) -> Proposal:
        return _proposals(connection, self._found(connection, proposals.c.pk == pk))[0]

    def _values(self, proposal: Proposal) -> dict[str, object]:
        values = asdict(proposal)
        del values["decisions"]  # they have rows of their own
        return {**values, "project_pk": self._project_pk}


def _note(connection: Connection, pk: int, decision: Decision) -> None:
    position = select(func.count()).where(decisions.c.proposal_pk == pk).scalar_subquery()
    values = {
        "proposal_pk": pk,
        "position": position,
        "status": decision.status,
        "decided_by": decision.by,
        "decided_at": decision.at,
        "reason": decision.reason,
    }
    connection.execute(insert(decisions).values(values))


def _proposals(connection: Connection, rows: Sequence[AnyRow]) -> list[Proposal]:
    """The rows as values, each with its decisions in the order they were made."""
    query = (
        select(decisions)
        .where(decisions.c.proposal_pk.in_([row.pk for row in rows]))
        .order_by(decisions.c.proposal_pk, decisions.c.position)
    )
    made: defaultdict[int, list[Decision]] = defaultdict(list)
    for row in connection.execute(query):
        decision = Decision(ProposalStatus(row.status), row.decided_by, row.decided_at, row.reason)
        made[row.proposal_pk].append(decision)
    return [_proposal(row, made[row.pk]) for row in rows]


def _proposal(row: AnyRow, made: Iterable[Decision]) -> Proposal:
    return Proposal(
        id=ProposalId(row.id),
        kind=ProposalKind(row.kind),
        title=row.title,
        file=row.file,
        base_sha256=row.base_sha256,
        content=row.content,
        diff=row.diff,
        origin=row.origin,
        created_at=row.created_at,
        confidence=row.confidence,
        evidence=tuple(Evidence(**item) for item in row.evidence),
        status=ProposalStatus(row.status),
        decisions=tuple(made),
    )


def _wrong_status(proposal_id: ProposalId, status: str, why: str) -> WrongStatus:
    return WrongStatus(
        f"Proposal {proposal_id} is {status}. {why}", next_step="`testwright review` lists what waits for a decision."
    )
