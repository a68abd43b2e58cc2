"""What passing tests found is kept, found again, and replaced by what the newest passing run found."""

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import func, select

from testwright.model.case import TestId
from testwright.model.dom import DomSnapshot, Element
from testwright.model.heal import CallSite, Sighting
from testwright.model.outcome import Outcome
from testwright.model.result import RunId
from testwright.store.project_store import Store, open_store
from testwright.store.schema import pages

from .conftest import NOON, RunMaker

TEST = TestId("playwright:tests/cart.spec.ts::buys")
OTHER = TestId("playwright:tests/cart.spec.ts::pays")
RUN = RunId("run-1")


def page(text: str) -> DomSnapshot:
    return DomSnapshot((Element(0, None, "body"), Element(1, 0, "button", text=text)), url="http://shop.example/cart")


def sighting(selector: str = "#pay", *, test: TestId = TEST, line: int = 5, on: DomSnapshot | None = None) -> Sighting:
    return Sighting(test, CallSite("tests/cart.spec.ts", line), selector, on or page("Pay"), (1,), "click", RUN)


def count_pages(store: Store) -> int:
    with store.database.reading() as connection:
        return connection.scalar(select(func.count()).select_from(pages)) or 0


def test_what_a_test_found_is_found_again_in_the_order_of_its_calls(store: Store) -> None:
    seen = [sighting("#pay", line=7), sighting('internal:text="Café \ud83d"i', line=5), sighting("x" * 5000, line=9)]

    store.fingerprints.remember(TEST, seen, run=RUN, at=NOON)

    assert store.fingerprints.of_test(TEST) == seen
    assert store.fingerprints.of_test(OTHER) == []


def test_a_newer_passing_run_replaces_what_was_known_of_the_test(store: Store) -> None:
    store.fingerprints.remember(TEST, [sighting("#pay"), sighting("#gone", line=6)], run=RUN, at=NOON)
    newer = replace(sighting("#pay", on=page("Pay now")), run="run-2")

    store.fingerprints.remember(TEST, [newer], run=RunId("run-2"), at=NOON + timedelta(minutes=1))

    assert store.fingerprints.of_test(TEST) == [newer]


def test_a_partial_look_replaces_only_what_it_saw(store: Store) -> None:
    store.fingerprints.remember(TEST, [sighting("#pay"), sighting("#other", line=6)], run=RUN, at=NOON)
    newer = sighting("#pay", on=page("Pay now"))

    store.fingerprints.remember(TEST, [newer], run=RUN, at=NOON, whole=False)

    assert store.fingerprints.of_test(TEST) == [sighting("#other", line=6), newer]


def test_a_selector_is_found_whoever_used_it_the_newest_first(store: Store) -> None:
    older, newer = sighting(), sighting(test=OTHER, line=20)
    store.fingerprints.remember(TEST, [older], run=RUN, at=NOON)
    store.fingerprints.remember(OTHER, [newer, sighting("#x", test=OTHER)], run=RUN, at=NOON + timedelta(hours=1))

    assert store.fingerprints.of_selector("#pay") == [newer, older]
    assert set(store.fingerprints.known_tests()) == {TEST, OTHER}


def test_a_page_is_kept_once_however_much_was_found_on_it(store: Store) -> None:
    store.fingerprints.remember(TEST, [sighting("#a"), sighting("#b"), sighting("#c")], run=RUN, at=NOON)
    store.fingerprints.remember(OTHER, [sighting("#a", test=OTHER)], run=RUN, at=NOON)

    assert count_pages(store) == 1


def test_pruning_forgets_pages_that_nothing_lies_on_and_tests_that_no_run_tells_of(
    store: Store, make_run: RunMaker
) -> None:
    run = make_run(a=Outcome.PASSED)
    known = run.results[0].case.id
    store.runs.save_run(run)
    store.fingerprints.remember(known, [sighting(test=known, on=page("old"))], run=RUN, at=NOON)
    store.fingerprints.remember(known, [sighting(test=known, on=page("new"))], run=RUN, at=NOON)
    store.fingerprints.remember(OTHER, [sighting(test=OTHER, on=page("of nobody"))], run=RUN, at=NOON)

    assert store.fingerprints.prune() == 2

    assert count_pages(store) == 1
    assert set(store.fingerprints.known_tests()) == {known}


def test_projects_that_share_a_server_do_not_see_one_anothers_pages(where: str) -> None:
    with open_store(where, project="one") as one, open_store(where, project="two") as two:
        one.fingerprints.remember(TEST, [sighting()], run=RUN, at=NOON)

        assert two.fingerprints.of_test(TEST) == []
        assert two.fingerprints.of_selector("#pay") == []
