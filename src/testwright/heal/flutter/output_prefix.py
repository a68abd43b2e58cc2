"""Lines of Flutter's output without what a device or a terminal puts in front of them."""

import re

from testwright.model.untrusted_text import without_colours

_PREFIX = re.compile(r"^(?:flutter: ?|[VDIWEF]/flutter ?\( *\d+\): ?)", re.MULTILINE)


def unprefixed(text: str) -> str:
    return _PREFIX.sub("", without_colours(text.replace("\r\n", "\n")))
