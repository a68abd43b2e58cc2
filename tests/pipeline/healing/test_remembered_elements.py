"""Which sighting a failing selector means, and which candidates another selector of the test has claimed."""

from testwright.model.case import Framework, TestCase, TestId
from testwright.model.dom import DomSnapshot, Element
from testwright.model.heal import CallSite, FailureRecord, Sighting
from testwright.pipeline.healing.remembered_elements import claimed_by_others, remembered

CASE = TestCase(Framework.PLAYWRIGHT, "tests/a.spec.ts", ("a",))
OTHER = TestId("playwright:tests/a.spec.ts::b")
FAILURE = FailureRecord(CASE, "", (CallSite("tests/pages/cart.ts", 9), CallSite("tests/a.spec.ts", 20)))


class Kept:
    """A memory that is a list."""

    def __init__(self, *sightings: Sighting) -> None:
        self._sightings = sightings

    def of_test(self, test: TestId) -> list[Sighting]:
        return [seen for seen in self._sightings if seen.test == test]

    def of_selector(self, selector: str) -> list[Sighting]:
        return [seen for seen in self._sightings if seen.selector == selector]


def page(*ids: str, url: str = "http://shop.example/cart") -> DomSnapshot:
    buttons = [Element(number, 0, "button", {"id": id_}, text=id_, role="button") for number, id_ in enumerate(ids, 1)]
    return DomSnapshot((Element(0, None, "body"), *buttons), url=url)


def sighting(line: int, *, file: str = "tests/a.spec.ts", test: TestId = CASE.id, selector: str = "#pay",
             on: DomSnapshot | None = None) -> Sighting:  # fmt: skip
    return Sighting(test, CallSite(file, line), selector, on or page("pay"), (1,))


def test_the_line_that_failed_counts_most() -> None:
    wanted = sighting(20)

    assert remembered(Kept(sighting(19), wanted, sighting(21)), FAILURE, "#pay") is wanted


def test_a_line_of_a_page_object_further_in_counts_more_than_the_tests_own() -> None:
    wanted = sighting(9, file="tests/pages/cart.ts")

    assert remembered(Kept(sighting(20), wanted), FAILURE, "#pay") is wanted


def test_lines_that_moved_are_found_by_their_distance() -> None:
    wanted = sighting(22)

    assert remembered(Kept(sighting(80), wanted), FAILURE, "#pay") is wanted


def test_of_two_uses_on_the_same_line_the_one_with_the_same_address_counts() -> None:
    wanted = sighting(20, on=page("pay", url="http://localhost:81/pay?x=1"))

    assert remembered(Kept(sighting(20), wanted), FAILURE, "#pay", "http://localhost:99/pay") is wanted


def test_another_test_of_the_same_file_helps_out() -> None:
    wanted = sighting(50, test=OTHER)

    assert remembered(Kept(wanted), FAILURE, "#pay") is wanted


def test_another_file_does_not() -> None:
    assert remembered(Kept(sighting(50, test=OTHER, file="tests/other.spec.ts")), FAILURE, "#pay") is None


def test_another_selector_is_another_element() -> None:
    assert remembered(Kept(sighting(20, selector="#buy")), FAILURE, "#pay") is None


def test_an_element_that_another_selector_of_the_test_means_is_taken() -> None:
    before, after = page("pay", "buy"), page("gone", "buy")
    others = [sighting(20, on=before), sighting(21, selector="#buy", on=before)]

    assert claimed_by_others(others, "#pay", (before, 1), (after, 2)) == "#buy"


def test_two_selectors_that_always_meant_the_same_element_do_not_exclude_each_other() -> None:
    before, after = page("pay"), page("pay")
    others = [sighting(20, selector="button", on=before)]

    assert claimed_by_others(others, "#pay", (before, 1), (after, 1)) == ""
