"""A value in all the spellings in which it may turn up: in an address, in base64, as hex, in JSON, in HTML."""

import base64
import html
import json
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

_SHORTEST = 6
_COMPONENT = "-_.!~*'()"  # what encodeURIComponent leaves as it is
_ADDRESS = _COMPONENT + ";/?:@&=+$,#"  # what encodeURI leaves as it is
_HTML_SAFE_JSON = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "'": "\\u0027", "=": "\\u003d", "+": "\\u002b"}
_GROUPS_OF_FOUR = range(0, 36, 4)
_LONGEST_SPELLED_OUT = 256  # longer ones are not looked for letter by letter: \u0061\u0062


def spellings(value: str) -> set[str]:
    """All of them, without those too short to be sure."""
    found = {value}
    for way in (_addresses, _jsons, _markup, _base64s, _hexes, _others):
        found.update(way(value))
    return {one for one in found if len(one) >= _SHORTEST}


def plain_spellings(value: str) -> set[str]:
    """Only those that stay near to the value: as it is, in an address, in JSON."""
    found = {value, quote(value, safe=""), quote(value, safe=_COMPONENT), json.dumps(value)[1:-1]}
    return {one for one in found if len(one) >= _SHORTEST}


def _lower_escapes(text: str) -> str:
    parts = text.split("%")
    return parts[0] + "".join(f"%{part[:2].lower()}{part[2:]}" for part in parts[1:])


def _addresses(value: str) -> Iterator[str]:
    for once in (
        quote(value, safe=""),
        quote(value, safe=_COMPONENT),
        quote(value, safe=_ADDRESS),
        quote(value, safe="/"),
        quote_plus(value),
    ):
        for spelled in (once, _lower_escapes(once)):
            yield spelled
            yield quote(spelled, safe="")
    if len(value) <= _LONGEST_SPELLED_OUT:
        every = "".join(f"%{byte:02X}" for byte in value.encode("utf-8", "surrogatepass"))
        yield every
        yield every.lower()


def _jsons(value: str) -> Iterator[str]:
    plain = json.dumps(value)[1:-1]
    wide = json.dumps(value, ensure_ascii=False)[1:-1]
    for once in (plain, wide, plain.replace("/", "\\/"), "".join(_HTML_SAFE_JSON.get(c, c) for c in plain)):
        yield once
        again = json.dumps(once)[1:-1]
        yield again
        yield json.dumps(again)[1:-1]
    yield value.replace("\\", "\\\\").replace("'", "\\'")
    if len(value) <= _LONGEST_SPELLED_OUT:
        units = value.encode("utf-16-be", "surrogatepass").hex()
        spelled = [units[i : i + 4] for i in range(0, len(units), 4)]
        yield "".join(f"\\u{one}" for one in spelled)
        yield "".join(f"\\u{one.upper()}" for one in spelled)
        yield "".join(f"\\x{byte:02x}" for byte in value.encode("utf-8", "surrogatepass"))


def _markup(value: str) -> Iterator[str]:
    escaped = html.escape(value)
    yield escaped
    yield html.escape(value, quote=False)
    yield escaped.replace("&#x27;", "&#39;")
    yield escaped.replace("&#x27;", "&apos;")
    yield escaped.replace("&quot;", "&#34;").replace("&#x27;", "&#39;")
    if len(value) <= _LONGEST_SPELLED_OUT:
        yield "".join(f"&#{ord(c)};" for c in value)
        yield "".join(f"&#x{ord(c):x};" for c in value)


def _base64s(value: str) -> Iterator[str]:
    """The part of each of the three alignments that depends on the value alone."""
    for raw in (value.encode("utf-8", "surrogatepass"), value.encode("utf-16-le", "surrogatepass")):
        for before in range(3):
            spelled = base64.b64encode(b"\0" * before + raw).decode("ascii")
            core = spelled[(0, 2, 3)[before] : (before + len(raw)) * 8 // 6]
            if len(core) < 8:
                continue
            yield core
            if "+" in core or "/" in core:
                yield core.translate({ord("+"): "-", ord("/"): "_"})
                yield quote(core, safe="")
                yield _lower_escapes(quote(core, safe=""))
                yield core.replace("/", "\\/")


def _hexes(value: str) -> Iterator[str]:
    spelled = value.encode("utf-8", "surrogatepass").hex()
    yield spelled
    yield spelled.upper()


def _others(value: str) -> Iterator[str]:
    if len(value) >= 8:
        yield value[::-1]
        yield value.lower()
        yield value.upper()
    stripped = value.strip()
    yield stripped
    compact = "".join(c for c in stripped if c not in " -")
    if 12 <= len(compact) <= 36 and sum(c.isdigit() for c in compact) >= 0.5 * len(compact):
        groups = [compact[i : i + 4] for i in _GROUPS_OF_FOUR if compact[i : i + 4]]
        yield from (compact, " ".join(groups), "-".join(groups))
