"""Sessions of a project, kept as a recording would keep them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.generate.web.sessions import head
from testwright.model.dom import DomSnapshot
from testwright.model.session import AnySessionEvent
from testwright.store.sessions import new_session


def keep(
    root: Path, *events: AnySessionEvent, last: DomSnapshot | None = None, texts: Mapping[str, str] = {}, **facts: Any
) -> str:
    """Its id. `texts` are bodies kept apart; `last` is the page at its end."""
    with new_session(root) as writer:
        writer.begin(head(id=writer.id, **facts))
        for name, text in texts.items():
            writer.keep_text(name, text)
        for event in events:
            writer.add(event)
        name = writer.keep_page(99, last) if last is not None else ""
        writer.finish(ended=9_999, gaps=(), last_page=name)
    return str(writer.id)
