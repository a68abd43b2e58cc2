"""What stays the same when an error happens again: a fingerprint to tell errors apart, a pattern to assert on."""

import hashlib
import re
from collections.abc import Iterator, Sequence

from testwright.model.session import REDACTED, ScriptFrame

PATTERN_LIMIT = 200  # characters of the message; what comes after them rarely tells more
_READ_LIMIT = 2_000  # so that a part which begins before the limit is seen to its end
_MOST_WILD = 3  # of `.+`: more of them match nearly anything, and take ages where they do not
_MOST_OPEN = 12  # of all parts without a fixed length, for the same reason

# The parts of a message that are about this one time, and the expression that stands for each. The first match wins.
# Single quotes hold names where the browser speaks (reading 'name'); double quotes hold data (JSON, what a user typed).
_PARTS = {
    "redacted": (r"(?:\[|%5B)REDACTED(?:\]|%5D)", ".+"),
    "url": (r"\b[a-z][a-z0-9+.-]{1,20}://[^\s'\"<>()]+", r"[^\s<>()]+"),
    "email": (r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+", r"[^\s<>()]+"),
    "double": (r"(?<!property )\"[^\"]*\"", '"[^"]*"'),
    "single": (r"(?<!\w)'(?![A-Za-z_$][A-Za-z_$.-]{0,60}')(?!\W')[^']*'", "'[^']*'"),
    "uuid": (r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b", "[0-9a-fA-F-]{36}"),
    "hex": (r"\b0x[0-9a-fA-F]+\b|\b(?=[a-f]{0,40}[0-9])[0-9a-f]{12,}\b", "[0-9a-fA-Fx]+"),
    "id": (r"(?<![A-Za-z0-9_-])(?=[0-9_-]*[A-Za-z])(?=(?:[A-Za-z_-]*[0-9]){3})[A-Za-z0-9_-]{8,}", "[A-Za-z0-9_-]+"),
    "number": (r"-?[0-9]+(?:[.,:][0-9]+)*", r"-?\d[\d.,:]*"),
}
_VARIABLE = re.compile("|".join(f"(?P<{name}>{found})" for name, (found, _) in _PARTS.items()), re.ASCII)
_LINE_ENDS = re.compile("[\n\r\u2028\u2029]")
_SPECIAL = frozenset("\\^$.*+?()[]{}|/")
_SHORTEST_NAME = 4  # shorter names of functions are a minifier's, and other ones in the next build


def error_fingerprint(name: str, message: str, stack: Sequence[ScriptFrame]) -> str:
    """The same for the same error on another day: its name, its words and the app's innermost function, no lines."""
    words = "".join(part if kind is None else f"<{kind}>" for kind, part in _parts(_first_line(message)))
    parts = "\x00".join((name, words, _top_function(stack)))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def message_pattern(message: str) -> str:
    """A regular expression, for JavaScript and Python, that finds this message (unmasked) and its like in a text."""
    line = _first_line(message)
    if not line:
        return r"^\s*$"
    written: list[str] = []
    opened = 0
    for kind, part in _parts(line):
        if kind is None:
            written.append("".join(map(_escaped, part)))
            continue
        standing = _standing_for(kind, part)
        opened += 1
        if opened > _MOST_OPEN or sum(one.strip("'\"") == ".+" for one in (*written, standing)) > _MOST_WILD:
            break
        if written[-1:] != [".+"] or standing != ".+":
            written.append(standing)
    return "".join(written)


def _standing_for(kind: str, part: str) -> str:
    if kind in {"double", "single"} and REDACTED in part:
        return f"{part[0]}.+{part[0]}"  # the secret itself may have had quotes in it
    return _PARTS[kind][1]


def _first_line(message: str) -> str:
    lines = (line.strip() for line in _LINE_ENDS.split(message[: 4 * _READ_LIMIT]))
    return next((line[:_READ_LIMIT] for line in lines if line), "")


def _parts(line: str) -> Iterator[tuple[str | None, str]]:
    """The line's parts in order, up to the limit; without a kind: words that stay."""
    end = 0
    for match in _VARIABLE.finditer(line):
        if match.start() >= PATTERN_LIMIT:
            break
        if match.start() > end:
            yield None, line[end : match.start()]
        yield match.lastgroup, match.group()
        end = match.end()
    if end < PATTERN_LIMIT and line[end:PATTERN_LIMIT]:
        yield None, line[end:PATTERN_LIMIT]


def _escaped(character: str) -> str:
    if character in _SPECIAL:
        return "\\" + character
    if character == " " or character.isprintable():
        return character
    if ord(character) > 0xFFFF:
        return ".{1,2}"  # an invisible one that is two units of text in JavaScript
    return "."  # a control character, half of a pair: one unit of text in either language


def _top_function(stack: Sequence[ScriptFrame]) -> str:
    frame = next((one for one in stack if one.is_app), None)
    if frame is None:
        return ""
    name = frame.function.rpartition(".")[2].removeprefix("async ").removeprefix("new ")
    if len(name) < _SHORTEST_NAME and frame.spot is not None:
        return frame.spot.name or frame.spot.file.rpartition("/")[2]
    return name
