"""Cases of lost elements as JSON records, one complete question each: the protocol of `testwright heal match --jsonl`.

A record may hold only a part of a page (the elements that were written down), in any order, with the words near
each element and its XPath given because they cannot be worked out from the part.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from testwright.heal.engine.candidate_evidence import CandidateEvidence
from testwright.heal.engine.heal_decision import judge
from testwright.model.accessibility.accessible_elements import completed
from testwright.model.dom import Box, DomSnapshot, Element, Fingerprint
from testwright.model.errors import MalformedReport
from testwright.model.heal import HealDecision

MOST_ELEMENTS = 200_000


@dataclass(frozen=True, slots=True)
class RecordedPage:
    page: DomSnapshot
    given_numbers: tuple[int, ...]  # of each element: where it stands in the record
    place_of: Mapping[int, int]  # the other way round
    paths: tuple[str, ...] | None
    near: Mapping[int, str] | None


@dataclass(frozen=True, slots=True)
class CaseAnswer:
    id: Any
    decision: HealDecision
    index: int | None  # in the record's own numbers
    ranking: tuple[int, ...]

    def shape(self) -> dict[str, Any]:
        found = self.decision
        return {
            "id": self.id,
            "decision": str(found.outcome),
            "index": self.index,
            "confidence": round(found.confidence, 4),
            "ranking": list(self.ranking),
            "reason": found.reason,
            "explanation": found.explanation,
        }


def answer_case(case: Any) -> CaseAnswer:
    """Decide about one case. Raises MalformedReport for what is not one."""
    return judged_case(case)[0]


def judged_case(case: Any) -> tuple[CaseAnswer, CandidateEvidence | None, bool]:
    """The answer, what was found about the best candidate, and whether healing it is out of the question."""
    try:
        old, new = case["old"], recorded_page(case["new"]["elements"])
        judged = judge(_fingerprint(old), new.page, near=new.near, paths=new.paths)
        decision = judged.decision
        ranking = tuple(new.given_numbers[each.element] for each in decision.candidates)
        index = None if decision.element is None else new.given_numbers[decision.element]
        return CaseAnswer(case.get("id"), decision, index, ranking), judged.findings, bool(judged.veto)
    except MalformedReport:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise MalformedReport(
            f"This is not a case of a lost element: {type(error).__name__}: {error}",
            next_step="docs/healing.md shows what a case looks like.",
        ) from error


def _fingerprint(old: Mapping[str, Any]) -> Fingerprint:
    target = old["target"]
    if old.get("elements"):
        before = recorded_page(old["elements"])
        number = before.place_of[target["i"]]
        return Fingerprint(before.page.elements[number], _path(target), page=before.page)
    (element,) = completed([_element(target, 0, None)])
    return Fingerprint(element, _path(target), neighbours=target.get("neighbor") or "")


def recorded_page(records: Sequence[Mapping[str, Any]]) -> RecordedPage:
    order = _document_order(records)
    place_of = {number: place for place, number in enumerate(order)}
    elements = []
    for place, number in enumerate(order):
        parent = records[number].get("parent")
        elements.append(_element(records[number], place, None if parent is None else place_of[parent]))
    # Where the words near each element are given, the page is a selection, and its gaps would mislead us.
    near = {place_of[each["i"]]: each["neighbor"] for each in records if each.get("neighbor") is not None}
    paths = tuple(_path(records[number]) for number in order)
    return RecordedPage(DomSnapshot(completed(elements)), tuple(order), place_of, paths, near or None)


def _document_order(records: Sequence[Mapping[str, Any]]) -> list[int]:
    """Their numbers with every parent before its children; what hangs in a circle is refused."""
    if len(records) > MOST_ELEMENTS:
        raise MalformedReport(f"A page of {len(records):,} elements is more than {MOST_ELEMENTS:,}.")
    below: dict[int, list[int]] = {}
    waiting: list[int] = []
    for place, record in enumerate(records):
        if record["i"] != place:
            raise MalformedReport(f"Element {place} of a page calls itself {record['i']!r}.")
        parent = record.get("parent")
        (waiting if parent is None else below.setdefault(parent, [])).append(place)
    waiting.reverse()
    order: list[int] = []
    while waiting:
        at = waiting.pop()
        order.append(at)
        waiting.extend(reversed(below.get(at, ())))
    if len(order) != len(records):
        raise MalformedReport("The parents of a page's elements lead in a circle, or to an element that is not there.")
    return order


def _element(record: Mapping[str, Any], number: int, parent: int | None) -> Element:
    return Element(
        number=number,
        parent=parent,
        tag=str(record["tag"]).lower(),
        attributes={str(name): str(value) for name, value in record["attrs"].items()},
        own_text=record.get("own_text") or "",
        text=record.get("text") or "",
        label=record.get("label") or "",
        box=_box(record),
        visible=bool(record.get("visible", True)),
    )


def _box(record: Mapping[str, Any]) -> Box | None:
    sides = [record.get(side) for side in ("x", "y", "w", "h")]
    return None if None in sides else Box(*(float(side) for side in sides))  # type: ignore[arg-type]  # no None is left


def _path(record: Mapping[str, Any]) -> str:
    return str(record.get("xpath") or "")
