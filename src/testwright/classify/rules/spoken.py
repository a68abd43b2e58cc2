"""What a line says in its own words: values that it quotes are somebody else's."""

import re
from functools import lru_cache

_COMPARES = re.compile(
    r"(?:\w{0,60}(?:Error|Failure): )?(?:assert |Expected\b|expected |Received\b|Actual\b|['\"].{0,300} [!=]= )"
    r"|.{0,300} (?:not )?found in "
)
_QUOTED = re.compile(r"'(?:[^'\\\n]|\\.){1,600}'|\"(?:[^\"\\\n]|\\.){1,600}\"|`[^`\n]{1,600}`")


@lru_cache(maxsize=2048)
def in_its_own_words(text: str) -> str:
    """The line without the values in quotes, if it compares some."""
    return _QUOTED.sub("''", text) if _COMPARES.match(text) else text
