"""What kind of unit test an error's stack allows: a call, an action on the loaded module, or honestly none."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from testwright.generate.web.syntax_trees import above, written
from testwright.generate.web.unit.call_arguments import arguments_for
from testwright.generate.web.unit.import_graph import entry_of, neighbours, read_modules
from testwright.generate.web.unit.script_module import (
    FUNCTIONS,
    Exported,
    Module,
    draws_itself,
    function_around,
    name_of,
    unlike_here,
)
from testwright.generate.web.unit.source_access import ProjectSources
from testwright.generate.web.web_plan import WebPlan
from testwright.model.session import Action, ActionType, ErrorSource, Navigation, NavigationCause, ScriptFrame

if TYPE_CHECKING:
    from tree_sitter import Node


# --- The frames of an error's stack that lie in the project's own source files --------------------------------------


_LONGEST_LINE = 2_000  # no person writes a longer one


@dataclass(frozen=True, slots=True)
class StackPlace:
    """A frame of the stack in the project's own source."""

    module: Module
    line: int
    column: int
    function: "Node | None"  # None: the module's own code

    @property
    def told(self) -> str:
        name = name_of(self.function) if self.function is not None else ""
        return f"{self.module.path}:{self.line}" + (f" {name}" if name else "")


def places_of(stack: Iterable[ScriptFrame], sources: ProjectSources) -> Iterator[StackPlace]:
    """The frames that lie in the project's own source files, innermost first."""
    for frame in stack:
        if not frame.is_app:
            continue
        spot = frame.spot
        name, line, column = (spot.file, spot.line, spot.column) if spot else (frame.url, frame.line, frame.column)
        path = sources.find(name)
        module = Module(path, sources.read(path)) if path else None
        if module is None or not module.is_readable or _is_squeezed(module.text):
            continue
        node = module.node_at(line, column)
        if node is not None:
            yield StackPlace(module, line, column, function_around(node))


def _is_squeezed(text: str) -> bool:
    """Made by a bundler or a minifier: nothing in it has the name it was given by a person."""
    lines = text.split("\n")
    return max(map(len, lines), default=0) > _LONGEST_LINE


def why_no_place(stack: Iterable[ScriptFrame], sources: ProjectSources) -> str:
    frames = [frame for frame in stack if frame.is_app]
    if not frames:
        return "the error has no stack that leads into the app"
    spot = next((frame.spot for frame in frames if frame.spot is not None), None)
    found = sources.find(spot.file if spot is not None else frames[0].url)
    if found:
        return f"its stack leads to {found}, which is not written in a way that could be read"
    if spot is not None:
        return f"its stack leads to {spot.file}, which is not in this project"
    name = posixpath.basename(urlsplit(frames[0].url).path) or "the page itself"
    return f"its stack leads to {name}, which has no source map and is no source file of this project"


_EVENTS = {
    ActionType.CLICK: "click", ActionType.DOUBLE_CLICK: "dblclick",
    ActionType.RIGHT_CLICK: "contextmenu", ActionType.FILL: "input", ActionType.CHECK: "change",
    ActionType.UNCHECK: "change", ActionType.SELECT: "change", ActionType.PRESS: "keydown",
    ActionType.HOVER: "mouseover",
}  # fmt: skip
_CALLED_AT_ONCE = frozenset(
    {"map", "forEach", "filter", "reduce", "find", "some", "every", "sort", "flatMap", "findIndex", "replace", "from"}
)
_EVERYWHERE = frozenset({"api", "rest", "v1", "v2", "v3"})  # parts of paths that tell nothing
_LATER = frozenset({"then", "catch", "finally"})
_WAITS_BY_ITSELF = re.compile(r"\b(?:setTimeout|setInterval|requestAnimationFrame|requestIdleCallback|debounce)\b")


class Level(StrEnum):
    MODULE = "module"  # an exported function is called, or the module loaded
    HANDLER = "handler"  # the module is loaded into the page, the action is done, errors come by the window
    PROMISE = "promise"  # the same, and the error is a rejection that nothing waits for
    TODO = "todo"  # nothing that would be honest


@dataclass(frozen=True, slots=True)
class Approach:
    level: Level
    module: str = ""  # the path of what is loaded
    imports: str = ""  # the name to import from it; empty: it is only loaded
    call: str = ""  # the call to make: `loadProfile(document.body)`
    acts: bool = False  # what was done in the document is done again after loading
    told: str = ""  # where the stack led: `src/profile.ts:12 loadProfile`
    trigger: str = ""  # the key of the request without which the error cannot come
    lookups: tuple[str, ...] = ()  # selectors of the elements that the code asks for
    can_wait: bool = False  # the code uses timers
    must_be_heard: bool = False  # the module adds listeners, and one of them must hear the action
    touches_page: bool = False
    uses_opener: bool = False  # of the page that opened this one: there is none here
    reason: str = ""  # why there is no test


def approach_to(plan: WebPlan, sources: ProjectSources) -> Approach:
    """The best test that the error's stack allows."""
    error = plan.slice.error
    if error is None or plan.error is None:
        return _none("a unit test needs an error with a stack; this is about what happened on a page")
    if error.source is ErrorSource.CRASH:
        return _none("the page's process died, which no code of the page can be asked about")
    places = list(places_of(error.stack, sources))
    if not places:
        return _none(why_no_place(error.stack, sources))
    action = next(reversed(actions_in_document(plan)), None)
    found = _module_call(places, action) or _on_the_loaded_module(plan, places, action, sources)
    if found.level is Level.TODO:
        return replace(found, told=places[0].told, lookups=places[0].module.lookups)
    involved = [*(place.module for place in places), *read_modules(neighbours(found.module, sources), sources)]
    return replace(
        found,
        trigger=_trigger(plan, involved),
        lookups=tuple(dict.fromkeys(one for module in involved for one in module.lookups)),
        touches_page=any(re.search(r"\bdocument\b|\bwindow\b", module.text) for module in involved),
        uses_opener=any(re.search(r"\bopener\b", module.text) for module in involved),
        can_wait=any(_WAITS_BY_ITSELF.search(module.text) for module in involved),
    )


def document_of(plan: WebPlan) -> Navigation | None:
    """The navigation that brought the document in which the error happened; None: it is the one to begin with."""
    error = plan.slice.error
    loads = [
        one
        for one in plan.slice.navigations
        if one.cause is not NavigationCause.SAME_DOCUMENT and (error is None or one.tab == error.tab)
    ]
    return loads[-1] if loads else None


def actions_in_document(plan: WebPlan) -> tuple[Action, ...]:
    """What was done there before the error. Empty: it came while the page was loaded."""
    error, loaded = plan.slice.error, document_of(plan)
    since = loaded.seq if loaded is not None else 0
    return tuple(
        one
        for one in plan.slice.actions
        if one.seq > since and (error is None or (one.tab == error.tab and one.target.frames == error.frames))
    )


def _none(reason: str) -> Approach:
    return Approach(Level.TODO, reason=reason)


# --- calling --------------------------------------------------------------------------------------


def _module_call(places: list[StackPlace], action: Action | None) -> Approach | None:
    """The innermost exported function of the stack that can be called as it was called then."""
    event = _EVENTS.get(action.type, "") if action is not None else ""
    for at, place in enumerate(places):
        if place.function is None:
            # Code that runs while the module is loaded. Frames further out only imported it.
            return Approach(Level.MODULE, place.module.path, told=place.told) if not action else None
        function = _whole(place.function)
        found = place.module.exported(function)
        if found is None or draws_itself(function) or unlike_here(function):
            continue
        outer = places[at + 1] if at + 1 < len(places) else None
        given = arguments_for(function, found.local, outer.module if outer else None, outer.line if outer else 0, event)
        if given is not None:
            return Approach(
                Level.MODULE, place.module.path, found.owner or found.name, _call(found, given), told=place.told
            )
    return None


def _whole(function: "Node") -> "Node":
    """The function that a callback is part of, where that one ends only after the callback has been called."""
    while (outer := _waits_for(function)) is not None:
        function = outer
    return function


def _waits_for(callback: "Node") -> "Node | None":
    given = callback.parent
    call = given.parent if given is not None and given.type == "arguments" else None
    called = call.child_by_field_name("function") if call is not None else None
    if call is None or called is None:
        return None
    name = written(called.child_by_field_name("property"))
    outer = function_around(call)
    if outer is None or name not in _CALLED_AT_ONCE | _LATER:
        return None
    return outer if name in _CALLED_AT_ONCE or _is_handed_back(call, outer) else None


def _is_handed_back(call: "Node", function: "Node") -> bool:
    """The caller of the function, or the function itself, waits for what this call promises."""
    for one in above(call):
        if one == function or one.type in ("return_statement", "await_expression"):
            return True  # no statement between them: the function is an arrow whose body is this call
        if one.type in FUNCTIONS or one.type.endswith("_statement") or one.type == "variable_declarator":
            return False
    return False


def _call(found: Exported, given: str) -> str:
    name = f"{found.owner}.{found.local}" if found.owner else found.local if found.name == "default" else found.name
    return f"{name}({given})"


# --- doing ----------------------------------------------------------------------------------------


def _on_the_loaded_module(
    plan: WebPlan, places: list[StackPlace], action: Action | None, sources: ProjectSources
) -> Approach:
    error = plan.slice.error
    assert error is not None
    refused = _why_not_done(plan, places, action)
    if refused:
        return _none(refused)
    level = Level.PROMISE if error.source is ErrorSource.REJECTION else Level.HANDLER
    attaching = places[-1].module
    loaded = Approach(level, attaching.path, acts=action is not None, told=places[0].told)
    adds = [one for one in attaching.listeners if one.type == "call_expression"]
    if action is not None and adds and len(adds) == len(attaching.listeners):
        loaded = replace(loaded, must_be_heard=True)
    at_once = [one for one in attaching.listeners if _runs_when_loaded(one)]
    if at_once or (action is None and not attaching.listeners):
        return loaded
    entry = entry_of(plan, attaching, sources)
    if entry:
        return replace(loaded, module=entry)
    for listener in attaching.listeners:
        around = _outermost(listener)
        found = attaching.exported(around) if around is not None else None
        given = arguments_for(around, found.local, None, 0, "") if around is not None and found else None
        if found and given is not None:
            return replace(loaded, imports=found.owner or found.name, call=_call(found, given))
    return _none(f"what attaches the handler of {places[-1].told} to the page could not be found")


def _why_not_done(plan: WebPlan, places: list[StackPlace], action: Action | None) -> str:
    error = plan.slice.error
    latest = plan.slice.actions[-1] if plan.slice.actions else None
    if error is not None and latest is not None and latest is not action and error.after == latest.seq:
        return "the last action was done in another document than the one in which it happened"
    if action is not None and action.type not in _EVENTS:
        return f"the last action was {action.type.value}, which a page without a browser cannot do"
    for place in places:
        function = place.function
        if function is not None and draws_itself(_outermost(function) or function):
            return f"{place.told} is part of a component, and only its framework can draw it"
        found = unlike_here(function) if function is not None else ""
        if found:
            return f"{place.told}: {found}"
    return ""


def _outermost(node: "Node") -> "Node | None":
    around = [one for one in (node, *above(node)) if one.type in FUNCTIONS]
    return around[-1] if around else None


def _runs_when_loaded(listener: "Node") -> bool:
    """It stands in no function, or in one that the module calls as soon as the page is ready."""
    around = [one for one in above(listener) if one.type in FUNCTIONS]
    if not around:
        return True
    outer = around[-1]
    if outer.type == "method_definition":  # a component of the page's own: the page makes one once it is defined
        return any("customElements.define(" in written(one) for one in _top_statements(outer))
    holder = outer.parent
    if holder is not None and holder.type in ("parenthesized_expression", "arguments"):
        return True  # called on the spot, or handed to something like DOMContentLoaded, forEach
    name = name_of(outer)
    calls = re.compile(rf"(?:await\s+)?{re.escape(name)}\s*\(")
    return bool(name) and any(
        one.type == "expression_statement" and (calls.match(written(one)) or _hands_on(one, name))
        for one in _top_statements(outer)
    )


def _top_statements(node: "Node") -> list["Node"]:
    program = [*above(node)][-1]
    return program.children


def _hands_on(statement: "Node", name: str) -> bool:
    """`addEventListener('DOMContentLoaded', init)`."""
    return re.search(rf"DOMContentLoaded['\"]\s*,\s*{re.escape(name)}\b", written(statement)) is not None


def _trigger(plan: WebPlan, involved: list[Module]) -> str:
    """The last request before the error that this code makes: a part of its path is written there."""
    error = plan.slice.error
    texts = [module.text for module in involved]
    found = ""
    for request in plan.slice.requests:
        if not request.is_api or (error is not None and request.seq > error.seq) or request.status is None:
            continue
        if error is not None and error.after is not None and request.after not in (None, error.after):
            continue
        path = urlsplit(request.url).path
        words = [word for word in path.split("/") if re.fullmatch(r"[A-Za-z][\w.-]*", word) and word not in _EVERYWHERE]
        mock = next((one for one in plan.mocks if one.method == request.method and one.path.endswith(path)), None)
        if mock is not None and any(word in text for word in words for text in texts):
            found = mock.key
    return found
