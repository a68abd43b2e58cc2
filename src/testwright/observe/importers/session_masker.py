"""The last look at a session that was read: secrets that were met late, selectors that lost a part, whole pages."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

from testwright.masking.masker import Masker
from testwright.model.dom import DomSnapshot, Element
from testwright.model.session import REDACTED, Action, ActionTarget, AnySessionEvent, Secret
from testwright.observe.importers.session_timeline import SessionContent

# Names that we gave. They look like chance, and must stay as they are.
_OURS = frozenset({"error_id", "fingerprint", "seq", "t", "tab", "after", "id"})
_ADDRESSES = frozenset({"href", "src", "action", "formaction", "poster"})
_PLAIN = frozenset({"class", "id", "style", "role", "type", "for", "data-testid", "data-test", "data-cy", "data-qa"})
_FIELDS = frozenset({"input", "textarea"})


def masked_again(imported: SessionContent, masker: Masker) -> SessionContent:
    """With every value masked that was found out to be secret after a text that shows it had been read."""
    events = tuple(_without_torn_selectors(_walked(event, masker)) for event in imported.events)
    return replace(imported, head=_walked(imported.head, masker), events=events)


def _walked(value: Any, masker: Masker) -> Any:
    if isinstance(value, Enum | Secret) or value is None:
        return value
    if isinstance(value, str):
        return masker.text(value)
    if isinstance(value, tuple):
        return tuple(_walked(one, masker) for one in value)
    if isinstance(value, Mapping):
        return {name: _walked(one, masker) for name, one in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            one.name: _walked(getattr(value, one.name), masker) for one in fields(value) if one.name not in _OURS
        }
        return replace(value, **changed)
    return value


def _without_torn_selectors(event: AnySessionEvent) -> AnySessionEvent:
    """A selector that shows what was masked would find nothing."""
    if not isinstance(event, Action):
        return event
    onto = _whole(event.onto) if event.onto is not None else None
    return replace(event, target=_whole(event.target), onto=onto)


def _whole(target: ActionTarget) -> ActionTarget:
    kept = tuple(one for one in target.candidates if REDACTED not in one.selector)
    return target if len(kept) == len(target.candidates) else replace(target, candidates=kept)


class SnapshotMasker:
    """Pages repeat themselves: what was looked at once is remembered. For pages that are looked at last of all."""

    def __init__(self, masker: Masker) -> None:
        self._masker = masker
        self._seen: dict[str, str] = {}

    def page(self, page: DomSnapshot) -> DomSnapshot:
        return replace(
            page,
            elements=tuple(self._element(element) for element in page.elements),
            url=self._masker.url(page.url),
            title=self._text(page.title),
            frames=tuple(replace(frame, url=self._masker.url(frame.url)) for frame in page.frames),
        )

    def _element(self, element: Element) -> Element:
        attributes = {name: self._attribute(element, name, value) for name, value in element.attributes.items()}
        return replace(
            element,
            attributes=attributes,
            own_text=self._text(element.own_text),
            text=self._text(element.text),
            name=self._text(element.name),
            label=self._text(element.label),
        )

    def _attribute(self, element: Element, name: str, value: str) -> str:
        if name == "value" and element.tag in _FIELDS:
            masked = self._masker.field(value, {**element.attributes, "label": element.label})
            return REDACTED if isinstance(masked, Secret) else masked
        if name in _ADDRESSES:
            return self._masker.url(value)
        if name.startswith("data-") and name not in _PLAIN:
            stored = self._masker.stored(name.removeprefix("data-"), value)
            return REDACTED if isinstance(stored, Secret) else stored
        return self._text(value)

    def _text(self, text: str) -> str:
        if text not in self._seen:
            self._seen[text] = self._masker.text(text)
        return self._seen[text]
