"""Lines of Flutter's output without what a device or a terminal puts in front of them."""

import re

_PREFIX = re.compile(r"^(?:flutter: ?|[VDIWEF]/flutter ?\( *\d+\): ?)", re.MULTILINE)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def unprefixed(text: str) -> str:
    return _PREFIX.sub("", _COLOUR.sub("", text.replace("\r\n", "\n")))
