"""Text that strangers wrote: test output, names, reports. Shown so that it cannot forge what surrounds it."""

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # all but tab and newline
_INVISIBLE = re.compile("[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\U000e0000-\U000e007f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_COLOUR = re.compile(r"\x1b\[[0-9;:]*m")
_WORKFLOW_COMMAND = re.compile(r"^(\s*)::(?=\S)", re.MULTILINE)


def without_colours(text: str) -> str:
    """`text` without the codes by which a terminal changes colours; all else stays."""
    return _COLOUR.sub("", text) if "\x1b" in text else text


def storable(text: str) -> str:
    """`text` without halves of surrogate pairs: JSON can spell one, and no database, file or terminal can hold it."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def visible(text: str) -> str:
    """`text` with colours dropped and every other control, bidirectional or invisible character spelled out."""
    text = without_colours(text).replace("\r\n", "\n")
    text = _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    text = _INVISIBLE.sub(lambda found: f"\\u{{{ord(found[0]):04x}}}", text)
    return _SURROGATE.sub("\ufffd", text)


def visible_line(text: str, *, limit: int = 500) -> str:
    """`visible`, on one line and no longer than `limit`."""
    line = visible(text).replace("\n", "\\n").replace("\t", " ")
    return line if len(line) <= limit else line[: limit - 1] + "…"


def harmless_in_ci_log(text: str) -> str:
    """`visible`, with lines that a CI service would obey as commands (`::error::`) made plain text."""
    return _WORKFLOW_COMMAND.sub("\\1: :", visible(text))


def decoded(raw: bytes) -> tuple[str, bool]:
    """`raw` as text, and whether it was valid UTF-8; what was not becomes the replacement character."""
    try:
        return raw.decode("utf-8"), True
    except UnicodeDecodeError:
        return raw.decode("utf-8", errors="replace"), False
