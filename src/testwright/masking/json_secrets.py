"""JSON without its secrets, by its keys. Everything else about the spelling stays as it was."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from testwright.masking.name_grades import Grade, words_of
from testwright.masking.pair_secrets import GradeOf
from testwright.masking.secret_words import TEXT_KEYS
from testwright.masking.token_forms import Hide
from testwright.masking.value_looks import is_label, is_secret_value
from testwright.model.session import REDACTED

_KEY = re.compile(r'"([^"\\]{1,120})"\s{0,8}:')
_PART = re.compile(
    r'(?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+"?)(?P<colon>\s*+:)?|(?P<open>[{\[])|(?P<close>[}\]])|(?P<number>-?\d[\d.eE+-]*+)',
    re.DOTALL,
)
_NAMING_KEYS = frozenset({"name", "key", "id", "field", "header", "param", "label", "cookie", "k"})
_VALUE_KEYS = frozenset(
    {"value", "values", "content", "val", "data", "raw", "text", "v", "plain", "plaintext", "current", "new", "old"}
)
_LONGEST_INNER = 1_000_000
_DEEPEST = 3  # JSON within a text of JSON, and so on


def looks_like_json(text: str) -> bool:
    start, end = text.lstrip()[:1], text.rstrip()[-1:]
    return (start == "{" and end == "}") or (start == "[" and end == "]" and text.strip() != REDACTED)


@dataclass(slots=True)
class _Level:
    """One object or list that is open; `grade` is what its key says about everything in it."""

    is_object: bool
    name: str = ""
    grade: Grade = Grade.NONE
    about: bool = False  # texts for people: what is called password there is a label
    key: str = ""
    called: str = ""  # the text beside "name", which the text beside "value" belongs to


class _Walk:
    def __init__(self, text: str, grade_of: GradeOf, hide: Hide, depth: int) -> None:
        self.text, self.grade_of, self.hide, self.depth = text, grade_of, hide, depth
        self.levels = [_Level(is_object=False)]
        self.parts: list[str] = []
        self.place = 0

    def run(self) -> str:
        for match in _PART.finditer(self.text):
            if match["string"] is not None:
                self._string(match)
            elif match["open"]:
                self._open(match["open"])
            elif match["close"]:
                if len(self.levels) > 1:
                    self.levels.pop()
                self.levels[-1].key = ""
            elif self._is_secret_number(match["number"]):
                self.hide(match["number"], self._name())
                self._replace(match.start(), match.end(), "0")
        return "".join([*self.parts, self.text[self.place :]]) if self.parts else self.text

    def _replace(self, start: int, end: int, by: str) -> None:
        self.parts += [self.text[self.place : start], by]
        self.place = end

    def _open(self, mark: str) -> None:
        now = self.levels[-1]
        by_name = self._grade(now)
        about = now.about or (now.is_object and not TEXT_KEYS.isdisjoint(words_of(now.key)))
        self.levels.append(_Level(is_object=mark == "{", name=self._name(), grade=by_name, about=about))

    def _grade(self, level: _Level) -> Grade:
        """What counts for the next value: its own key, the name beside it, or the list it is in."""
        if not level.is_object:
            return level.grade
        own = self.grade_of(level.key)
        if not own and not level.grade and not level.called:
            return Grade.NONE
        if level.key.lower() in _VALUE_KEYS:
            return max(own, level.grade, self.grade_of(level.called) if level.called else Grade.NONE)
        if level.key.lower() in _NAMING_KEYS:
            return Grade.NONE
        return max(own, Grade.MAYBE) if level.grade >= Grade.MACHINE else own

    def _name(self) -> str:
        level = self.levels[-1]
        if level.is_object and level.key.lower() in _VALUE_KEYS:
            return level.called or level.name or level.key
        return level.key or level.name or "SECRET"

    def _string(self, match: re.Match[str]) -> None:
        level = self.levels[-1]
        spelled = match["string"]
        if match["colon"] and level.is_object:
            level.key = _plain(spelled)
            return
        value = _plain(spelled)
        if level.is_object and level.key.lower() in _NAMING_KEYS and len(value) <= 120:
            level.called = value
        masked = self._masked(value, level)
        if masked != value:
            self._replace(match.start("string"), match.end("string"), json.dumps(masked, ensure_ascii=False))

    def _masked(self, value: str, level: _Level) -> str:
        by_name = self._grade(level)
        if by_name and REDACTED not in value and self._counts(value, by_name, level):
            return self.hide(value, self._name())
        if self.depth < _DEEPEST and len(value) <= _LONGEST_INNER and looks_like_json(value):
            return masked_json(value, self.grade_of, self.hide, self.depth + 1)
        return value

    def _counts(self, value: str, by_name: Grade, level: _Level) -> bool:
        if level.about and (" " in value or value.isalpha()):
            return False
        return is_secret_value(value, by_name) and not (by_name is Grade.PERSON and is_label(value) and " " in value)

    def _is_secret_number(self, number: str) -> bool:
        level = self.levels[-1]
        if level.is_object and level.key.lower().endswith("tokens"):
            return False  # tokens that are counted
        by_name = self._grade(level)
        return number != "0" and by_name >= Grade.DIGITS and is_secret_value(number, by_name, bare=True)


def _plain(spelled: str) -> str:
    if "\\" not in spelled:
        return spelled[1:-1]
    try:
        found = json.loads(spelled, strict=False)
    except ValueError:
        return spelled.strip('"')
    return found if isinstance(found, str) else spelled


def masked_json(text: str, grade_of: GradeOf, hide: Hide, depth: int = 0) -> str:
    """The text with every value hidden whose key means a secret; the same text if there is none."""
    names = set(_KEY.findall(text))
    deeper = '\\"' in text
    if not deeper and not any(grade_of(name) for name in names) and not _may_pair(names):
        return text
    return _Walk(text, grade_of, hide, depth).run()


def _may_pair(names: set[str]) -> bool:
    """Whether there may be objects like {"name": "password", "value": "..."}."""
    lower = {name.lower() for name in names}
    return not lower.isdisjoint(_VALUE_KEYS) and not lower.isdisjoint(_NAMING_KEYS)


def kept_parseable(before: str, after: str, mask_text: Callable[[str], str]) -> str:
    """`after`, unless masking has spoilt JSON that could be read before: then its texts are masked one by one."""
    if before == after:
        return after
    fixed = _with_numbers_for_marks(after)
    if _parsed(fixed) is not None:
        return fixed
    was = _parsed(before)
    if was is None:
        return after
    return json.dumps(_masked_leaves(was[0], mask_text), ensure_ascii=False)


_STRING_OR_MARK = re.compile(rf'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|-?{re.escape(REDACTED)}', re.DOTALL)


def _with_numbers_for_marks(text: str) -> str:
    """A mark outside of quotes stands where a number was."""
    return _STRING_OR_MARK.sub(lambda match: match[0] if match[0][0] == '"' else "0", text)


def _parsed(text: str) -> list[object] | None:
    """What the text says, in a list; None if it is not JSON."""
    try:
        return [json.loads(text)]
    except (ValueError, RecursionError):
        return None


def _masked_leaves(value: object, mask_text: Callable[[str], str]) -> object:
    """A few levels deep by recursion: what is deeper could not have been parsed."""
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, list):
        return [_masked_leaves(one, mask_text) for one in value]
    if isinstance(value, dict):
        return {mask_text(key): _masked_leaves(one, mask_text) for key, one in value.items()}
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value if mask_text(str(value)) == str(value) else 0
    return value
