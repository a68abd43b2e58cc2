"""Mask a finished session once more: values that turned out to be secret after some had been written."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from testwright.model.dom import DomSnapshot, with_changed_texts
from testwright.model.session import OWN_BODY_FIELDS, OWN_FIELDS
from testwright.model.state_folder import SESSION_HEAD, SESSION_PAGES, SESSION_TEXTS
from testwright.store import page_bytes
from testwright.store.private_files import content_of, replace_file
from testwright.store.run_line_encoder import each_text
from testwright.store.sessions.event_lines import json_bytes
from testwright.store.sessions.session_paths import logs_in

Remask = Callable[[str], str]

_LARGEST = 256 << 20
_SHORT = 1_000


def remask_files(folder: Path, remask: Remask) -> None:
    """Rewrite each file of the session in which `remask` changes something, whole or not at all."""
    remask = _remembering(remask)
    _rewrite(folder / SESSION_HEAD, lambda content: _document(content, remask))
    for paths in logs_in(folder).values():
        for path in paths:
            _rewrite(path, lambda content: _log(content, remask))
    for path in _files_in(folder / SESSION_TEXTS):
        _rewrite(path, lambda content: remask(content.decode("utf-8", "replace")).encode("utf-8", "replace"))
    for path in _files_in(folder / SESSION_PAGES):
        _rewrite(path, lambda content: _page(content, remask))


def _remembering(remask: Remask) -> Remask:
    """Pages of one session have most of their texts in common."""
    known = lru_cache(maxsize=50_000)(remask)
    return lambda text: known(text) if len(text) < _SHORT else remask(text)


def _files_in(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _rewrite(path: Path, change: Callable[[bytes], bytes]) -> None:
    before = content_of(path, most=_LARGEST)
    if before is None:
        return
    after = change(before)
    if after != before:
        replace_file(path, after)


def _log(content: bytes, remask: Remask) -> bytes:
    return b"".join(_line(line, remask) for line in content.splitlines(keepends=True))


def _line(line: bytes, remask: Remask) -> bytes:
    masked = _document(line, remask)
    return line if masked is line else masked and masked + b"\n"


def _document(content: bytes, remask: Remask) -> bytes:
    try:
        before = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # Nobody can read it, and it may show anything.
        return b""
    others = {name: _masked_field(name, value, remask) for name, value in before.items() if name not in OWN_FIELDS}
    after = before | others
    return content if after == before else json_bytes(after)


def _masked_field(name: str, value: Any, remask: Remask) -> Any:
    if name in ("sent", "received") and isinstance(value, dict):
        return {key: one if key in OWN_BODY_FIELDS else each_text(one, remask) for key, one in value.items()}
    return each_text(value, remask)


def _page(content: bytes, remask: Remask) -> bytes:
    page = page_bytes.decoded(content)
    if page is None:
        return b""
    # Most pages show no secret, and most of their texts come more than once.
    if all(remask(text) == text for text in _texts_of(page)):
        return content
    return page_bytes.encoded(with_changed_texts(page, remask))


def _texts_of(page: DomSnapshot) -> set[str]:
    texts = {page.url, page.title, *(frame.url for frame in page.frames)}
    for element in page.elements:
        texts.update(element.attributes.values())
        texts.update((element.own_text, element.text, element.name, element.label))
    return texts
