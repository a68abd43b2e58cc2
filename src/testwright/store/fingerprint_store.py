"""The elements that tests found when they last passed, each with the page it was on."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import blake2b

from sqlalchemy import ColumnElement, Connection, delete, insert, select

from testwright.model.case import TestId
from testwright.model.dom import DomSnapshot
from testwright.model.heal import CallSite, Sighting
from testwright.model.result import RunId
from testwright.store.database_connection import AnyRow, Database
from testwright.store.page_bytes import decoded, encoded
from testwright.store.run_rows import key_of_test
from testwright.store.schema import fingerprints, pages, tests

_MOST_ANSWERS = 50  # one selector in one file is seldom used by more tests than this, and each has a page to read


class FingerprintStore:
    def __init__(self, database: Database, project_pk: int) -> None:
        self._database = database
        self._project_pk = project_pk

    def remember(
        self, test: TestId, sightings: Sequence[Sighting], *, run: RunId, at: datetime, whole: bool = True
    ) -> None:
        """Note what a passing test found. `whole`: all that it found, so that what was noted of it before goes."""
        key = key_of_test(self._project_pk, test)
        mine = self._mine() & (fingerprints.c.test_key == key)
        with self._database.writing(self._project_pk) as connection:
            if whole:
                connection.execute(delete(fingerprints).where(mine))
            for sighting in sightings:
                site = (fingerprints.c.file == sighting.site.file) & (fingerprints.c.line == sighting.site.line)
                same = site & (fingerprints.c.selector_key == _short(sighting.selector))
                if not whole:
                    connection.execute(delete(fingerprints).where(mine & same))
                connection.execute(insert(fingerprints).values(self._row(connection, key, sighting, run, at)))

    def of_test(self, test: TestId) -> list[Sighting]:
        """What the test found when it last passed, in the order of its calls."""
        key = key_of_test(self._project_pk, test)
        with self._database.reading() as connection:
            return self._found(connection, fingerprints.c.test_key == key)

    def of_selector(self, selector: str) -> list[Sighting]:
        """Every test's sighting by that selector, newest first."""
        with self._database.reading() as connection:
            return self._found(connection, fingerprints.c.selector_key == _short(selector), newest_first=True)

    def known_tests(self) -> dict[TestId, datetime]:
        """The tests that anything is remembered of, and since when."""
        query = select(fingerprints.c.test_id, fingerprints.c.recorded_at).where(self._mine())
        with self._database.reading() as connection:
            return {TestId(row.test_id): row.recorded_at for row in connection.execute(query)}

    def prune(self) -> int:
        """Forget tests that no run tells of any more, and pages that nothing remembered lies on. How many pages."""
        with self._database.writing(self._project_pk) as connection:
            known = select(tests.c.key).where(tests.c.key == fingerprints.c.test_key).exists()
            connection.execute(delete(fingerprints).where(self._mine(), ~known))
            used = (
                select(fingerprints.c.pk)
                .where(fingerprints.c.project_pk == pages.c.project_pk, fingerprints.c.page_hash == pages.c.hash)
                .exists()
            )
            return connection.execute(delete(pages).where(pages.c.project_pk == self._project_pk, ~used)).rowcount

    def _mine(self) -> ColumnElement[bool]:
        return fingerprints.c.project_pk == self._project_pk

    def _row(
        self, connection: Connection, test_key: bytes, sighting: Sighting, run: RunId, at: datetime
    ) -> dict[str, object]:
        return {
            "project_pk": self._project_pk,
            "test_key": test_key,
            "test_id": sighting.test,
            "file": sighting.site.file,
            "line": sighting.site.line,
            "selector": sighting.selector,
            "selector_key": _short(sighting.selector),
            "action": sighting.action,
            "elements": list(sighting.elements),
            "page_hash": self._keep_page(connection, sighting.page),
            "run_id": run,
            "recorded_at": at,
        }

    def _keep_page(self, connection: Connection, page: DomSnapshot) -> bytes:
        data = encoded(page)
        key = blake2b(data, digest_size=16).digest()
        here = (pages.c.project_pk == self._project_pk) & (pages.c.hash == key)
        if connection.scalar(select(pages.c.hash).where(here)) is None:
            connection.execute(insert(pages).values(project_pk=self._project_pk, hash=key, data=data))
        return key

    def _found(
        self, connection: Connection, wanted: ColumnElement[bool], *, newest_first: bool = False
    ) -> list[Sighting]:
        order = (fingerprints.c.recorded_at.desc(), fingerprints.c.pk) if newest_first else (fingerprints.c.pk,)
        query = select(fingerprints).where(self._mine(), wanted).order_by(*order)
        rows = connection.execute(query.limit(_MOST_ANSWERS) if newest_first else query).all()
        seen = self._pages(connection, {row.page_hash for row in rows})
        return [_sighting(row, page) for row in rows if (page := seen[row.page_hash]) is not None]

    def _pages(self, connection: Connection, hashes: Iterable[bytes]) -> dict[bytes, DomSnapshot | None]:
        found: dict[bytes, DomSnapshot | None] = {}
        for key in hashes:  # few: a test sees a handful of pages
            here = (pages.c.project_pk == self._project_pk) & (pages.c.hash == key)
            found[key] = decoded(connection.execute(select(pages.c.data).where(here)).scalar_one())
        return found


def _sighting(row: AnyRow, page: DomSnapshot) -> Sighting:
    return Sighting(
        test=TestId(row.test_id),
        site=CallSite(row.file, row.line),
        selector=row.selector,
        page=page,
        elements=tuple(row.elements),
        action=row.action,
        run=row.run_id,
    )


def _short(selector: str) -> bytes:
    """A selector may be of any length, and an index takes short keys only."""
    return blake2b(selector.encode("utf-8", "surrogatepass"), digest_size=16).digest()
