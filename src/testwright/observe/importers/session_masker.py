"""The last look at a session that was read: secrets that were met late, selectors that lost a part, whole pages."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

from testwright.masking.mask_memory import MaskMemory
from testwright.masking.masker import Masker
from testwright.model.dom import DomSnapshot, Element, with_changed_texts
from testwright.model.session import (
    OWN_BODY_FIELDS,
    OWN_FIELDS,
    REDACTED,
    Action,
    ActionTarget,
    AnySessionEvent,
    MessageBody,
    Secret,
)
from testwright.observe.importers.session_timeline import SessionContent

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
        own = OWN_BODY_FIELDS if isinstance(value, MessageBody) else OWN_FIELDS
        changed = {one.name: _walked(getattr(value, one.name), masker) for one in fields(value) if one.name not in own}
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
    """Masks whole pages of one session, which repeat themselves: so they are masked last."""

    def __init__(self, masker: Masker) -> None:
        self._masker = masker
        self._memory = MaskMemory(masker, masker.attribute)

    def page(self, page: DomSnapshot) -> DomSnapshot:
        return with_changed_texts(page, self._text, url=self._masker.url, attribute=self._attribute)

    def _text(self, text: str) -> str:
        return self._memory.masked("", text)

    def _attribute(self, element: Element, name: str, value: str) -> str:
        if name == "value" and element.tag in _FIELDS:
            masked = self._masker.field(value, {**element.attributes, "label": element.label})
            return REDACTED if isinstance(masked, Secret) else masked
        return self._memory.masked(name, value)
