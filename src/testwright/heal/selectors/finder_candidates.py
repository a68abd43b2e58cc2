"""Flutter finders for a widget, the best first."""

from collections.abc import Iterator

from testwright.heal.selectors.candidates import LONGEST_NAME
from testwright.model.dom import Element
from testwright.model.selector import Engine, Part


def finder_candidates(element: Element) -> Iterator[tuple[Part, ...]]:
    for name, engine in (
        ("key", Engine.KEY),
        ("semanticsLabel", Engine.SEMANTICS_LABEL),
        ("tooltip", Engine.TOOLTIP),
    ):
        if value := element.get(name):
            yield (Part(engine, value, exact=True),)
    if element.own_text:
        yield (Part(Engine.TEXT, element.own_text, exact=True),)
    is_public = element.tag[:1].isupper()  # a private type, or one from another source than widgets, cannot be named
    if is_public and element.text and len(element.text) <= LONGEST_NAME:
        yield (Part(Engine.WIDGET_WITH_TEXT, element.tag.partition("<")[0], exact=True, name=element.text),)
    if is_public:
        yield (Part(Engine.TYPE, element.tag.partition("<")[0]),)
