"""One action of a person, as lines of a unit test: the events that a browser would have sent."""

from collections.abc import Iterable, Iterator

from testwright.generate.web.code_literals import js_bool, text, typed
from testwright.generate.web.request_urls import unmasked
from testwright.generate.web.unit.mounted_page import MountedAction
from testwright.model.selector import Dialect
from testwright.model.session import Action, ActionType

_TS = Dialect.TYPESCRIPT
_BUTTON = "['mousedown', 'mouseup']"


def filling_lines(filled: Iterable[MountedAction]) -> Iterator[str]:
    """Fields as they were left, without telling anybody: nothing is loaded yet that could listen."""
    for one in filled:
        at = f"find({text(one.selector, _TS)})"
        match one.action.type:
            case ActionType.CHECK | ActionType.UNCHECK:
                yield f"{at}.checked = {js_bool(one.action.type is ActionType.CHECK)};"
            case ActionType.SELECT:
                yield f"{at}.value = {text(one.action.values[0] if one.action.values else '', _TS)};"
            case _:
                yield f"{at}.value = {typed(unmasked(one.action.value), _TS)};"


def doing_lines(act: MountedAction, declares: str = "") -> Iterator[str]:
    action = act.action
    yield f"{declares}target = find({text(act.selector, _TS)});"
    yield "expect(target).not.toBeNull();"
    match action.type:
        case ActionType.CLICK:
            yield f"fire(target, {_BUTTON});"
            yield "target.click();"
        case ActionType.DOUBLE_CLICK:
            yield f"for (let time = 0; time < 2; time += 1) fire(target, {_BUTTON[:-1]}, 'click']);"
            yield "fire(target, ['dblclick']);"
        case ActionType.RIGHT_CLICK:
            yield f"fire(target, {_BUTTON[:-1]}, 'contextmenu'], {{ button: 2 }});"
        case ActionType.CHECK | ActionType.UNCHECK:
            yield f"if (target.checked !== {js_bool(action.type is ActionType.CHECK)}) target.click();"
        case ActionType.FILL:
            yield f"target.value = {typed(unmasked(action.value), _TS)};"
            yield "fire(target, ['input', 'change']);"
        case ActionType.SELECT:
            chosen = ", ".join(text(value, _TS) for value in action.values)
            yield f"for (const option of target.options) option.selected = [{chosen}].includes(option.value);"
            yield "fire(target, ['input', 'change']);"
        case ActionType.PRESS:
            yield from _pressing(action)
        case _:
            yield "fire(target, ['mouseover', 'mouseenter', 'mousemove']);"


def _pressing(action: Action) -> Iterator[str]:
    key = action.value if isinstance(action.value, str) else ""
    *held, last = key.split("+") if key != "+" else [key]
    more = "".join(
        f", {name}: true"
        for word, name in (("Control", "ctrlKey"), ("Shift", "shiftKey"), ("Alt", "altKey"), ("Meta", "metaKey"))
        if word in held
    )
    yield f"fire(target, ['keydown', 'keyup'], {{ key: {text(last, _TS)}{more} }});"
    if last == "Enter" and action.target.tag == "input":
        yield "target.form?.requestSubmit();"
