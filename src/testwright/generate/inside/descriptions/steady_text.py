"""Text that a test may compare with: the same on every machine, in every process, at every time."""

import os
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from testwright.generate.inside.case_run.standard_streams import PROGRAM_NAME
from testwright.generate.inside.namespace import FOLDER_NAME, Namespace

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}|0x[0-9a-fA-F]{9,}|<locals>")
_SET = re.compile(r"\{(?:'[^'{}:]*'|\"[^\"{}:]*\")(?:, (?:'[^'{}:]*'|\"[^\"{}:]*\"))+\}")
_A_DAY = 86_400
_DATE_FORMS = ("%Y-%m-%d", "%Y%m%d", "%Y/%m/%d", "%d %b %Y", "%d/%b/%Y", "%d/%m/%Y", "%m/%d/%Y", "%b %d", "%B %d")


class Unsteady(Exception):
    """The value is different elsewhere or later, so nothing can be claimed about it."""


@dataclass(frozen=True, slots=True)
class _Today:
    minutes: int
    year: str
    forms: tuple[str, ...]


class TextSpeller:
    """Writes text as an expression, naming the places in it instead of quoting them."""

    def __init__(self, namespace: Namespace) -> None:
        self._namespace = namespace
        self._elsewhere = _places_of_this_machine()
        self._cwd = os.getcwd()  # noqa: PTH109 - as text, which is what is looked for
        self._home = str(Path.home())
        self._today = _Today(0, "", ())

    def spell(self, text: str) -> str:
        """An expression for the text; raises Unsteady where none is reliable."""
        if "/" in text or "\\" in text or FOLDER_NAME in text:
            return self._spell_with_places(text)
        self._refuse_unsteady(text)
        return repr(text)

    def is_steady(self, text: str) -> bool:
        """Whether the text as it stands may be quoted."""
        try:
            return self.spell(text) == repr(text)
        except Unsteady:
            return False

    def _refuse_unsteady(self, text: str) -> None:
        if len(text) < 6:
            return
        if ("0x" in text or "<" in text) and _ADDRESS.search(text):
            raise Unsteady("an address")
        if "-of-the-case" in text and PROGRAM_NAME in text:
            raise Unsteady("the name of the program")
        if "{" in text and _SET.search(text):
            raise Unsteady("the order of a set")
        if len(text) >= 8 and self._tells_today(text):
            raise Unsteady("the date of today")

    def _tells_today(self, text: str) -> bool:
        minutes = int(time.time()) // 60
        if self._today.minutes != minutes:
            self._today = _Today(minutes, time.strftime("%Y"), tuple(time.strftime(form) for form in _DATE_FORMS))
        return self._today.year in text and any(form in text for form in self._today.forms)

    def _spell_with_places(self, text: str) -> str:
        folder = self._namespace.made_folder
        if folder is not None and str(folder) in text:
            return self._spell_around(text, str(folder), "tmp_path")
        self._refuse_unsteady(text)
        if len(self._cwd) > 1 and self._cwd in text:
            return self._spell_around(text, self._cwd, "os.getcwd()")
        if len(self._home) > 4 and self._home in text:
            return self._spell_around(text, self._home, "pathlib.Path.home()")
        if FOLDER_NAME in text or any(place in text for place in self._elsewhere):
            raise Unsteady("a place on this machine")
        return repr(text)

    def _spell_around(self, text: str, place: str, name: str) -> str:
        """An f-string in which the place is filled in when it is evaluated."""
        rest = text.replace(place, "")
        if any(other in rest for other in (FOLDER_NAME, *self._elsewhere)):
            raise Unsteady("a place on this machine")
        self._refuse_unsteady(rest)
        if text == place:
            return name if name.startswith("os.") else f"str({name})"
        pieces = [piece.replace("{", "{{").replace("}", "}}") for piece in text.split(place)]
        quoted = repr("\0".join(pieces))
        return "f" + quoted.replace("\\x00", "{" + name + "}")


def is_about_now(value: float) -> bool:
    """Whether a number is the time of day as computers count it, or this process's number."""
    return abs(value - time.time()) < _A_DAY or (value > 300 and value == os.getpid())


def _places_of_this_machine() -> tuple[str, ...]:
    places = [sys.prefix, sys.base_prefix, sys.exec_prefix, tempfile.gettempdir() + os.sep]
    places += [path for path in sys.path if path]
    return tuple(dict.fromkeys(place for place in places if len(place) > 4 and place != "/usr"))
