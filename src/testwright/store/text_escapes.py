"""Any text at all, spelled so that JSON and both databases take it, and exactly the same text back."""

import re

# The character "data link escape" introduces what would be refused: PostgreSQL takes no NUL in text, and no one
# takes half a surrogate pair. The escape escapes itself, so the way back is exact.
ESCAPE = "\x10"
_REFUSED = re.compile("[\x00\x10\ud800-\udfff]")
_ESCAPED = re.compile("\x10([0-9a-f]{4})")


def escaped_text(text: str) -> str:
    """`text` without the characters that would be refused; `unescaped_text` gives it back."""
    return _REFUSED.sub(lambda found: f"{ESCAPE}{ord(found[0]):04x}", text)


def unescaped_text(text: str) -> str:
    """What `escaped_text` was given."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if ESCAPE in text else text
