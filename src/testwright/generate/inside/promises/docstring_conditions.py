"""Conditions that docstrings state in words, and arguments that plainly meet them."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_LEAD = re.compile(
    r"^(?:is )?(?:raised |thrown )?(?:only )?(?:if|when|whenever|where|in case|in case that|for|on)\s+", re.IGNORECASE
)
_ARTICLES = (
    r"(?:the |an? |any |given |provided |specified |supplied |passed |input |argument |parameter |value of |your )*"
)
_BE = r"(?:is|are|was|were)"
_NUMBER = r"(?P<number>-?\d+(?:\.\d+)?|zero|one)"
_NUMBER_WORDS = {"zero": "0", "one": "1"}
_SUBJECT = rf"{_ARTICLES}(?P<subject>[A-Za-z_]\w*)(?: (?:argument|parameter|value|number|string|list|dict|mapping))?"
_TEXT, _LISTS, _MAPPINGS, _NUMBERS = (str,), (list, tuple, set, frozenset), (dict,), (int, float)
_NOUNS: dict[str, tuple[type, ...]] = {
    "string": _TEXT, "text": _TEXT, "str": _TEXT, "word": _TEXT,
    "list": _LISTS, "sequence": _LISTS, "iterable": _LISTS, "collection": _LISTS, "array": _LISTS, "tuple": _LISTS,
    "items": _LISTS, "elements": _LISTS, "values": _LISTS,
    "dict": _MAPPINGS, "dictionary": _MAPPINGS, "mapping": _MAPPINGS,
    "number": _NUMBERS, "integer": _NUMBERS, "int": _NUMBERS, "float": _NUMBERS,
    "input": (), "argument": (), "value": (), "parameter": (), "it": (), "data": (),
}  # fmt: skip
_EMPTY: dict[type, str] = {
    str: '""', bytes: 'b""', list: "[]", tuple: "()", dict: "{}", set: "set()",
    frozenset: "frozenset()",
}  # fmt: skip
_TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,), "string": (str,), "int": (int,), "integer": (int,), "float": (float, int), "number": (int, float),
    "list": (list,), "dict": (dict,), "dictionary": (dict,), "bytes": (bytes,), "tuple": (tuple,), "bool": (bool,),
    "boolean": (bool,), "numeric": (int, float),
}  # fmt: skip
_OTHERS: Sequence[tuple[type, str]] = ((str, '"text"'), (dict, "{}"), (list, "[]"), (int, "5"))
_ABSENT_KEY = '"no such key"'


@dataclass(frozen=True)
class GivenArgument:
    """One parameter of the unit, and what this call gives it."""

    name: str
    value: Any
    is_required: bool


Substitution = dict[str, str]  # expressions by parameter, to be put in place of the call's own
_Meet = Callable[[re.Match[str], Sequence[GivenArgument]], Iterator[Substitution]]


def meeting(text: str, given: Sequence[GivenArgument]) -> list[Substitution]:
    """Arguments for which the condition plainly holds; none when the words are not understood to the last one."""
    words = _plain(text)
    lead = _LEAD.match(words)
    if lead is None:
        return []
    found: list[Substitution] = []
    for part in _alternatives(words[lead.end() :]):
        met = list(_met(part, given))
        if not met:
            return []
        found += met
    return found


def _plain(text: str) -> str:
    words = re.sub(r":\w+:`~?([^`]*)`", r"\1", text)
    words = re.sub(r"[`*]+", "", words).strip().rstrip(".").strip()
    return " ".join(words.split())


def _alternatives(text: str) -> list[str]:
    """`x is negative or y is empty` in two; `x is negative or zero` stays one."""
    parts = re.split(r" or (?=(?:if |when |the )?\w+ (?:is|are|<|>|==|exceeds)\b)", text)
    return [re.sub(r"^(?:if|when) ", "", part) for part in parts]


def _met(text: str, given: Sequence[GivenArgument]) -> Iterator[Substitution]:
    for pattern, meet in _FORMS:
        matched = pattern.fullmatch(text)
        if matched is not None:
            yield from meet(matched, given)
            return


def _chosen(matched: re.Match[str], given: Sequence[GivenArgument]) -> GivenArgument | None:
    """The parameter that the words mean: by its name, or the only one that a noun can stand for."""
    word = matched.groupdict().get("subject")
    for each in given:
        if word is not None and each.name == word:
            return each
    kinds = _NOUNS.get(word.lower()) if word is not None else ()
    if kinds is None:
        return None
    fitting = [each for each in given if each.is_required and (not kinds or type(each.value) in kinds)]
    return (
        fitting[0] if len(fitting) == 1 and (kinds or len([each for each in given if each.is_required]) == 1) else None
    )


def _compared(*, below: bool, allows_equal: bool) -> _Meet:
    def meet(matched: re.Match[str], given: Sequence[GivenArgument]) -> Iterator[Substitution]:
        parameter = _chosen(matched, given)
        groups = matched.groupdict()
        if parameter is None or type(parameter.value) not in _NUMBERS:
            return
        text = groups.get("number") or "0"
        limit = float(_NUMBER_WORDS.get(text.lower(), text))
        if allows_equal:
            yield {parameter.name: _number(limit)}
        for step in (1, 5):
            yield {parameter.name: _number(limit - step if below else limit + step)}

    return meet


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _is_zero(matched: re.Match[str], given: Sequence[GivenArgument]) -> Iterator[Substitution]:
    parameter = _chosen(matched, given)
    if parameter is not None and type(parameter.value) in _NUMBERS:
        yield {parameter.name: "0"}


def _is_empty(matched: re.Match[str], given: Sequence[GivenArgument]) -> Iterator[Substitution]:
    parameter = _chosen(matched, given)
    if parameter is not None and type(parameter.value) in _EMPTY:
        yield {parameter.name: _EMPTY[type(parameter.value)]}


def _is_none(matched: re.Match[str], given: Sequence[GivenArgument]) -> Iterator[Substitution]:
    parameter = _chosen(matched, given)
    if parameter is not None:
        yield {parameter.name: "None"}


def _is_not_a(matched: re.Match[str], given: Sequence[GivenArgument]) -> Iterator[Substitution]:
    parameter = _chosen(matched, given)
    kinds = _TYPES.get(matched["type"].lower())
    if parameter is None or kinds is None or type(parameter.value) not in kinds:
        return
    for kind, expression in _OTHERS:
        if kind not in kinds:
            yield {parameter.name: expression}


def _beyond_other(step: int) -> _Meet:
    """One parameter compared with another."""

    def meet(matched: re.Match[str], given: Sequence[GivenArgument]) -> Iterator[Substitution]:
        by_name = {each.name: each for each in given}
        left, right = by_name.get(matched["subject"]), by_name.get(matched["other"])
        if left is None or right is None or type(left.value) is not int or type(right.value) is not int:
            return
        yield {left.name: str(right.value + step)}
        yield {left.name: str(right.value + 5 * step)}

    return meet


def _is_absent(matched: re.Match[str], given: Sequence[GivenArgument]) -> Iterator[Substitution]:
    """A key that is nowhere; only where no default could stand in for it."""
    key = _chosen(matched, given)
    if key is None or type(key.value) is not str or not all(each.is_required for each in given):
        return
    others = [each for each in given if each is not key]
    if len(given) == 1 or (len(others) == 1 and type(others[0].value) is dict):
        yield {key.name: _ABSENT_KEY}


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_BELOW, _ABOVE = _compared(below=True, allows_equal=False), _compared(below=False, allows_equal=False)
_AT_MOST, _AT_LEAST = _compared(below=True, allows_equal=True), _compared(below=False, allows_equal=True)
_EMPTY_NOUN = "(?:input|string|text|list|sequence|iterable|dict|dictionary|mapping|collection|tuple|array)s?"
_FORMS: Sequence[tuple[re.Pattern[str], _Meet]] = (
    (_form(rf"(?:{_SUBJECT} {_BE} )?(?:negative or zero|zero or negative|not positive)"), _AT_MOST),
    (_form(rf"(?:{_SUBJECT} {_BE} )?(?:negative|(?:below|less than|smaller than) (?:zero|0))"), _BELOW),
    (_form(rf"(?:{_ARTICLES})negative (?P<subject>\w+?)s?"), _BELOW),
    (_form(rf"{_SUBJECT} {_BE} (?:less|smaller|lower) than {_NUMBER}"), _BELOW),
    (_form(rf"{_SUBJECT} (?:{_BE} )?(?:below|under|<) ?{_NUMBER}"), _BELOW),
    (_form(rf"{_SUBJECT} ?<= ?{_NUMBER}"), _AT_MOST),
    (_form(rf"{_SUBJECT} {_BE} (?:greater|larger|more|higher|bigger) than {_NUMBER}"), _ABOVE),
    (_form(rf"{_SUBJECT} (?:{_BE} )?(?:above|over|exceeds|>) ?{_NUMBER}"), _ABOVE),
    (_form(rf"{_SUBJECT} ?>= ?{_NUMBER}"), _AT_LEAST),
    (_form(rf"(?:{_SUBJECT} (?:{_BE}|==|equals) )?(?:zero|0)"), _is_zero),
    (_form(rf"(?:{_SUBJECT} {_BE} )?(?:an )?empty(?: {_EMPTY_NOUN})?"), _is_empty),
    (_form(r"(?:an )?empty (?P<subject>\w+)"), _is_empty),
    (_form(rf"{_SUBJECT} has no (?:items|elements|entries|values|characters)"), _is_empty),
    (_form(rf"(?:{_SUBJECT} {_BE} )?[Nn]one"), _is_none),
    (_form(rf"{_SUBJECT} {_BE} not (?:of type |an instance of |an? )?(?P<type>\w+)"), _is_not_a),
    (_form(rf"{_SUBJECT} (?:{_BE} (?:less|smaller|lower) than|<) ?(?P<other>\w+)"), _beyond_other(-1)),
    (_form(rf"{_SUBJECT} (?:{_BE} (?:greater|larger|more|higher) than|>|exceeds) ?(?P<other>\w+)"), _beyond_other(1)),
    (_form(rf"{_SUBJECT} {_BE} (?:missing|absent|unknown|not (?:found|present|there|in (?:the )?\w+))"), _is_absent),
    (_form(rf"{_SUBJECT} (?:does not|doesn't) exist(?: in (?:the )?\w+)?"), _is_absent),
)  # fmt: skip
