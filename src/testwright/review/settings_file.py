"""Change a project's settings file as its user would: one setting at a time, comments and order kept.

A person's own command calls this, so no proposal stands in between. `allow_pilot` is the one thing that a caller must
not pass on from anybody else: without it nothing here can switch the pilot toggle on.
"""

import os
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from testwright.model.errors import BaseChanged, InvalidSettings, PathNotFound, PilotDisabled, UsageError
from testwright.review.atomic_writer import FilePlace, create_file, new_temp_name, replace_file, sha256
from testwright.review.confined_root import ConfinedRoot

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

_OWN, _SHARED = "testwright.toml", "pyproject.toml"
_PILOT = "pilot"

Check = Callable[[object, Path], object]  # raises InvalidSettings for a table that is none: settings.checked_settings


@dataclass(frozen=True, slots=True)
class Changed:
    """What became of a setting. None: it is not set, and its default holds."""

    file: str
    name: str
    was: object
    now: object


def set_setting(root: Path, name: str, value: object, check: Check, *, allow_pilot: bool = False) -> Changed:
    if name == _PILOT and value is not False and not allow_pilot:
        raise PilotDisabled(
            "The pilot toggle can only be switched on by a person, in a terminal.",
            next_step="Run `testwright configure set pilot true` in a terminal of your own.",
        )
    return _changed(root, name, lambda _: value, check)


def unset_setting(root: Path, name: str, check: Check) -> Changed:
    """Take a setting out of the file: its default holds again."""
    return _changed(root, name, lambda _: None, check)


def add_to_setting(root: Path, name: str, item: str, check: Check) -> Changed:
    """One more item for a setting that is a list; twice is once."""

    def longer(items: list[str]) -> list[str]:
        return items if item in items else [*items, item]

    return _changed(root, name, lambda was: longer(_items(name, was)), check)


def remove_from_setting(root: Path, name: str, item: str, check: Check) -> Changed:
    """One item less. Raises UsageError where it is not in the list."""

    def shorter(items: list[str]) -> list[str]:
        if item not in items:
            raise UsageError(
                f"{name} has no {item!r}.", next_step=f"It has: {', '.join(map(repr, items)) or 'nothing'}."
            )
        return [each for each in items if each != item]

    return _changed(root, name, lambda was: shorter(_items(name, was)), check)


def _items(name: str, was: object) -> list[str]:
    if was is None:
        return []
    if not isinstance(was, list):
        raise UsageError(f"{name} is no list.", next_step=f"Use `testwright configure set {name} VALUE`.")
    return [str(each) for each in was]


def _changed(root: Path, name: str, change: Callable[[object], object], check: Check) -> Changed:
    with ConfinedRoot(root) as confined, confined.exclusive():
        own, shared = _content(confined, _OWN), _content(confined, _SHARED)
        file, before = (_SHARED, shared) if own is None and _speaks_of_us(shared) else (_OWN, own)
        document = _parsed(before or b"", root / file)
        table = _table(document, file)
        check(_plain(table), root / file)  # a broken file is reported before anything is written
        was = _plain(table.get(name))
        now = change(was)
        if now is None:
            table.pop(name, None)
        elif now != was:
            _put(table, name, now)
        check(_plain(table), root / file)
        content = _written(document).encode("utf-8")
        if content != (before or b""):
            _write(root, file, content, before)
    return Changed(file, name, was, now)


def _content(confined: ConfinedRoot, name: str) -> bytes | None:
    try:
        return confined.read(name)
    except PathNotFound:
        return None


def _speaks_of_us(shared: bytes | None) -> bool:
    """Whether settings live in pyproject.toml. One that is not ours to read is left alone."""
    if not shared or b"testwright" not in shared:
        return False
    tools = _parsed(shared, Path(_SHARED)).get("tool", {})
    return isinstance(tools, dict) and "testwright" in tools


def _parsed(content: bytes, file: Path) -> "TOMLDocument":
    # late: start-up: tomlkit
    import tomlkit
    from tomlkit.exceptions import ParseError

    try:
        return tomlkit.parse(content.decode("utf-8"))
    except (ParseError, UnicodeDecodeError) as error:
        raise InvalidSettings(f"{file} is not valid TOML: {error}.", next_step="Mend it, or remove it.") from error


def _table(document: "TOMLDocument", file: str) -> MutableMapping[str, Any]:
    if file == _OWN:
        return document
    table = document["tool"]["testwright"]  # _speaks_of_us has looked
    if not isinstance(table, MutableMapping):
        raise InvalidSettings(
            f"{file}: `testwright` must be a table of settings.", next_step="Write [tool.testwright]."
        )
    return table


def _put(table: MutableMapping[str, Any], name: str, value: object) -> None:
    import tomlkit  # late: start-up: tomlkit

    table[name] = tomlkit.item(value)


def _plain(value: object) -> object:
    """Without the formatting that tomlkit carries along."""
    unwrap = getattr(value, "unwrap", None)
    return unwrap() if unwrap else value


def _written(document: "TOMLDocument") -> str:
    import tomlkit  # late: start-up: tomlkit

    text = tomlkit.dumps(document)
    return text if not text or text.endswith("\n") else text + "\n"


def _write(root: Path, file: str, content: bytes, before: bytes | None) -> None:
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        place = FilePlace(folder, file, file)
        if before is None:
            create_file(place, content, temp_name=new_temp_name(), check_folder=lambda: None)
        else:
            replace_file(
                place, content, base_sha256=sha256(before), temp_name=new_temp_name(), check_folder=lambda: None
            )
    except BaseChanged as error:
        raise BaseChanged(
            f"{file} was changed by somebody else just now; it was not touched.", next_step="Try again."
        ) from error
    finally:
        os.close(folder)
