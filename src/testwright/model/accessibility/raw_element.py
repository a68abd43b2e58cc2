"""An element as a page's source tells it, before anything is worked out."""

from dataclasses import dataclass, field

from testwright.model.dom import Box

Contents = list["str | int"]  # text nodes, and the numbers of child elements, in order


@dataclass(slots=True)  # not frozen: it is filled while the page is read, and there are many of them
class RawElement:
    tag: str
    parent: int | None = None
    attributes: dict[str, str] = field(default_factory=dict)
    contents: Contents = field(default_factory=list)  # without what hangs below an iframe
    shadow: Contents | None = None  # of its open shadow root
    box: Box | None = None
    visible: bool = True  # drawn, with an area
    hidden: bool = False  # not drawn at all: `display: none`, `visibility: hidden`, or within such
    enabled: bool | None = None  # None: as its attributes say
    frame: int = 0
    in_shadow: bool = False
    inline: bool | None = None  # flows within a line; None: as its tag usually does
    text: str | None = None  # where the source knows it better than the contents tell
    label: str | None = None


def folded(text: str) -> str:
    """`text` with white space as a reader sees it."""
    if "\u00ad" in text or "\u200b" in text:
        text = text.replace("\u00ad", "").replace("\u200b", "")
    return " ".join(text.split())


def words_in(text: str) -> frozenset[str]:
    return frozenset(text.split())
