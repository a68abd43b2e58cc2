"""What a test is called: by what is done in it, and what goes wrong."""

import re
from urllib.parse import urlsplit

from testwright.generate.web.session_slice import Slice
from testwright.generate.web.web_plan import Polarity
from testwright.model.session import Action, ActionTarget, ActionType, PageError

MOST_TITLE = 110
_MOST_SLUG = 50
_DOING = {
    ActionType.CLICK: "clicking", ActionType.DOUBLE_CLICK: "double-clicking",
    ActionType.RIGHT_CLICK: "right-clicking", ActionType.FILL: "filling in",
    ActionType.CHECK: "checking", ActionType.UNCHECK: "unchecking", ActionType.SELECT: "choosing from",
    ActionType.UPLOAD: "uploading to", ActionType.DRAG: "dragging", ActionType.HOVER: "pointing at",
}  # fmt: skip


def error_title(piece: Slice, error: PageError, polarity: Polarity) -> str:
    """`clicking "Load profile" does not throw TypeError: Cannot read properties of null`."""
    doing = action_words(piece.actions[-1]) if piece.actions else f"opening {path_shown(piece.start_url)}"
    verb = "throws" if polarity is Polarity.REPRO else "does not throw"
    if error.source == "console":
        verb = "reports" if polarity is Polarity.REPRO else "does not report"
    said = _first_line(error.message)
    what = f"{error.name}: {said}" if error.name and not said.startswith(error.name) else said or "an error"
    return cut(f"{doing} {verb} {what}", MOST_TITLE)


def interaction_title(piece: Slice) -> str:
    """`clicking "Add to basket", then "Pay" on /shop`."""
    names = [action_words(action) for action in piece.actions]
    where = path_shown(piece.start_url)
    if len(names) == 1:
        return cut(f"{names[0]} on {where}", MOST_TITLE)
    return cut(f"{names[0]} and on to {names[-1]}, from {where}", MOST_TITLE)


def action_words(action: Action) -> str:
    if action.type is ActionType.PRESS:
        return f"pressing {action.value}" if isinstance(action.value, str) else "pressing a key"
    target = action.target
    name = cut(" ".join((target.name or _text_of(target) or target.role or target.tag or "an element").split()), 40)
    return f'{_DOING.get(action.type, "using")} "{name}"'


def _text_of(target: ActionTarget) -> str:
    """What is written on it, by the selector that goes by that."""
    found = next((one.selector for one in target.candidates if one.by == "text"), "")
    return found.removeprefix("internal:text=").rstrip("is").strip('"') if found.startswith('internal:text="') else ""


def slug(*words: str) -> str:
    """`Load profile` -> `load-profile`: fit for the name of a file on every system."""
    joined = "-".join(word for word in words if word)
    made = re.sub(r"[^a-z0-9]+", "-", joined.lower()).strip("-")
    return made[:_MOST_SLUG].strip("-") or "page"


def error_slug(piece: Slice, error: PageError) -> str:
    """`error-load-profile-typeerror`: `error-` is what the name of such a test begins with."""
    about = piece.actions[-1].target.name if piece.actions else ""
    return f"error-{slug(about or _last_part(piece.start_url), error.name)}"


def interaction_slug(piece: Slice, kind: str = "interaction") -> str:
    about = piece.actions[-1].target.name if piece.actions else ""
    return f"{kind}-{slug(_last_part(piece.start_url), about)}"


def path_shown(url: str) -> str:
    return cut(urlsplit(url).path or "/", 60)


def cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _last_part(url: str) -> str:
    return (urlsplit(url).path.rstrip("/").rpartition("/")[2]).partition(".")[0]


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")
