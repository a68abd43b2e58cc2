"""Keys as Chrome's Recorder names them, and presses out of its downs and ups."""

import re
from dataclasses import dataclass, field

_MODIFIERS = {
    name: modifier
    for modifier in ("Control", "Alt", "Shift", "Meta")
    for name in (modifier, f"{modifier}Left", f"{modifier}Right")
}
_NAMES = {" ": "Space", "\r": "Enter", "\n": "Enter", "NumpadEnter": "Enter", "Spacebar": "Space", "Esc": "Escape"}
_KNOWN = re.compile(
    r"F\d{1,2}|Digit\d|Key[A-Z]|Arrow(?:Left|Right|Up|Down)|Numpad\w{1,8}|Enter|Tab|Space|Escape|Backspace|Delete|Insert"
    r"|Home|End|PageUp|PageDown|CapsLock|NumLock|ScrollLock|Pause|PrintScreen|ContextMenu|Backquote|Minus|Equal"
    r"|Backslash|Bracket(?:Left|Right)|Semicolon|Quote|Comma|Period|Slash|IntlBackslash|IntlRo|IntlYen"
)
_ORDER = ("Control", "Alt", "Shift", "Meta")


@dataclass
class Keyboard:
    """Which modifiers are held down."""

    held: set[str] = field(default_factory=set)

    def down(self, key: str) -> str | None:
        """The press that this is, as Playwright names it: Enter, Control+a. None: a modifier, or no key we know."""
        if key in _MODIFIERS:
            self.held.add(_MODIFIERS[key])
            return None
        name = _NAMES.get(key, key)
        if not (len(name) == 1 and name.isprintable()) and not _KNOWN.fullmatch(name):
            return None
        is_typed = len(name) == 1 and self.held <= {"Shift"}  # "A" says by itself that Shift was held
        held = [] if is_typed else [one for one in _ORDER if one in self.held]
        return "+".join([*held, name])

    def up(self, key: str) -> None:
        self.held.discard(_MODIFIERS.get(key, ""))


def is_modifier(key: str) -> bool:
    return key in _MODIFIERS


def types_text(press: str) -> bool:
    """Whether it puts a character into a field."""
    return len(press) == 1 or press == "Space"
