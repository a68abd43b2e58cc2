"""Watches the pages of pytest tests that use Playwright's sync API, through its public classes alone.

On a test that lost an element it reads the page while it is still open. Where it is asked to record, it notes what
locators found on tests that pass: once for each place in the code, and never for more than a share of the time.
"""

import ast
import functools
import hashlib
import importlib.util
import json
import os
import sys
import time
from typing import Any, Callable, Dict, Generator, List, Optional, Tuple

import pytest
from playwright import sync_api

_Assertions = vars(sync_api)["LocatorAssertions"]  # it is there, and its stubs do not say so
LocatorOf = Callable[[Any, Tuple[Any, ...], Dict[str, Any]], Any]
Site = Tuple[str, int]  # a file from the project's root, and a line

# As model/artifact_names.py has them, which cannot be imported here.
PAGE, FAILED_CALL, TARGETS = "testwright-page", "testwright-failed-call", "testwright-targets"
_SECONDS_AT_FAILURE = 0.8
_SECONDS_TO_APPEAR = 0.5
_MOST_ELEMENTS = 50
_ACTIONS = (
    "click", "dblclick", "fill", "type", "press", "press_sequentially", "check", "uncheck", "set_checked", "hover",
    "tap", "select_option", "select_text", "set_input_files", "clear", "focus", "drag_to", "dispatch_event",
    "scroll_into_view_if_needed", "wait_for", "text_content", "inner_text", "inner_html", "input_value",
    "get_attribute", "is_checked", "is_enabled", "is_disabled", "is_editable", "bounding_box", "screenshot",
)  # fmt: skip
# Of a page: those that take a selector first.
_PAGE_ACTIONS = (
    "click", "dblclick", "fill", "type", "press", "check", "uncheck", "set_checked", "hover", "tap", "select_option",
    "set_input_files", "focus", "text_content", "inner_text", "inner_html", "input_value", "get_attribute",
    "is_checked", "is_enabled", "is_disabled", "is_editable", "wait_for_selector", "dispatch_event",
)  # fmt: skip
_SAYS_NOTHING_OF_AN_ELEMENT = ("to_be_hidden", "to_have_count")
_SUBJECT = "_testwright_subject"
_OTHERS = os.sep + "site-packages" + os.sep


class BrowserWatch:
    """A pytest plugin."""

    def __init__(self, config: Dict[str, Any]) -> None:
        self._folder, self._root = config["folder"], os.path.realpath(config["project"]) + os.sep
        self._names = {}  # type: Dict[str, str]  # of files, by the names their code has; "" for other people's
        self._known_before = frozenset(config["known"])
        self._known = set(config["known"])
        self._walk_page = _loaded(config["walk"]).walk_page
        self._clock = time.monotonic  # kept from now: tests stop the clock
        self._share, self._began, self._spent = config["share"], self._clock(), 0.0
        self._is_busy = False
        self._written = 0
        self._targets = []  # type: List[Dict[str, Any]]  # of the test that is running
        self._is_whole = True  # whether they are all that it found, as far as this session is asked for it
        self._is_cut_short = False  # whether the time that recording may take was used up in it
        self._artifacts = []  # type: List[Dict[str, str]]
        os.makedirs(self._folder, exist_ok=True)
        _wrap_expect()
        if config["record"]:
            self._wrap_all()

    def artifacts(self) -> List[Dict[str, str]]:
        """What was kept of the test that has just ended."""
        if self._targets or self._is_cut_short:
            whole = self._is_whole and not self._is_cut_short
            self._keep(TARGETS, {"targets": self._targets, "whole": whole, "cut_short": self._is_cut_short})
        found, self._artifacts = self._artifacts, []
        self._forget_targets()
        return found

    def _forget_targets(self) -> None:
        self._targets, self._is_whole, self._is_cut_short = [], True, False

    def _keep(self, name: str, content: Any, file: str = "") -> None:
        self._written += 1
        path = os.path.join(self._folder, file or "%s-%d-%d.json" % (name, os.getpid(), self._written))
        with open(path, "w", encoding="utf-8") as out:
            json.dump(content, out)
        if not file:
            self._artifacts.append({"name": name, "path": path, "content_type": "application/json"})

    # --- a test has lost an element ------------------------------------------------------------

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, call: Any) -> Generator[None, Any, None]:
        # The fixtures are still alive, and with them the page.
        if call.excinfo is not None and call.when != "teardown":
            self._forget_targets()  # they are of a test that did not pass
            if _may_be_a_miss(str(call.excinfo.value)):
                try:
                    self._look_at_failure(call.excinfo)
                except Exception:  # nothing that a broken page or a full disk does to us may change the test's result
                    self._is_busy = False
        yield

    def _look_at_failure(self, excinfo: Any) -> None:
        page = _page_of(excinfo.tb)
        sites = [site for site in map(self._site, _frames(excinfo.tb)) if site is not None]
        self._keep(FAILED_CALL, {"sites": sites})
        if page is not None and not page.is_closed():
            self._is_busy = True
            records = self._walk_page(page, (), _SECONDS_AT_FAILURE)
            self._is_busy = False
            if records:
                self._keep(PAGE, records)

    # --- what locators find --------------------------------------------------------------------

    def _wrap_all(self) -> None:
        for name in _ACTIONS:
            self._wrap(sync_api.Locator, name, _itself)
        for name in _PAGE_ACTIONS:
            self._wrap(sync_api.Page, name, _of_selector)
        for name in dir(_Assertions):
            if name.startswith("to_") and name not in _SAYS_NOTHING_OF_AN_ELEMENT:
                self._wrap(_Assertions, name, _subject, looks_after=True)

    def _wrap(self, owner: Any, name: str, locator_of: LocatorOf, looks_after: bool = False) -> None:
        original = getattr(owner, name, None)
        if original is None:  # of another version of Playwright
            return

        @functools.wraps(original)
        def watched(this: Any, *args: Any, **named: Any) -> Any:
            __tracebackhide__ = True
            place = self._place_to_record()
            if place is None or named.get("state") in ("hidden", "detached"):
                return original(this, *args, **named)
            # Before an action: it may lead to another page. After an expectation: only then is it known to be there.
            seen = None if looks_after else self._seen(place, locator_of(this, args, named), name, may_come=True)
            answer = original(this, *args, **named)
            if looks_after:
                seen = self._seen(place, locator_of(this, args, named), name, may_come=False)
            if seen is not None:
                if owner is sync_api.Page:
                    seen["selector"] = args[0] if args else named["selector"]
                self._known.add("%s:%d" % place[0])
                self._targets.append(seen)
            return answer

        setattr(owner, name, watched)

    def _place_to_record(self) -> Optional[List[Site]]:
        """Where in the project a locator is being used; None: it is not to be recorded."""
        if self._is_busy:
            return None
        sites = []
        frame: Any = sys._getframe(2)  # noqa: SLF001  documented, and the only way to look up the stack
        while frame is not None:
            site = self._site((frame.f_code.co_filename, frame.f_lineno))
            if site is not None:
                sites.append(site)
            frame = frame.f_back
        if not sites:
            return None
        place = "%s:%d" % sites[0]
        if place in self._known:
            self._is_whole = self._is_whole and place not in self._known_before
            return None
        if self._spent > self._share * (self._clock() - self._began) + 1.0:
            self._is_cut_short = True
            return None
        return sites

    def _seen(self, sites: List[Site], locator: Any, action: str, may_come: bool) -> Optional[Dict[str, Any]]:
        if locator is None:
            return None
        started = self._clock()
        self._is_busy = True
        try:
            return self._look(sites, locator, action, may_come)
        except Exception:  # the page may be anything; what could not be seen is not recorded
            return None
        finally:
            self._is_busy = False
            self._spent += self._clock() - started

    def _look(self, sites: List[Site], locator: Any, action: str, may_come: bool) -> Optional[Dict[str, Any]]:
        handles = locator.element_handles()
        if not handles and may_come:
            locator.first.wait_for(state="attached", timeout=_SECONDS_TO_APPEAR * 1000)
            handles = locator.element_handles()
        if not 0 < len(handles) <= _MOST_ELEMENTS:
            return None
        records = self._walk_page(locator.page, handles, 1.0)
        for handle in handles:
            handle.dispose()
        targets = [_take_targets(record) for record in records]
        if not any(targets):
            return None
        return {
            "sites": sites,
            "selector": _selector_of(locator),
            "action": action,
            "page": self._page(records),
            "elements": targets,
        }

    def _page(self, records: List[Dict[str, Any]]) -> str:
        """The name of the file that holds this page: one for all that was seen on it."""
        digest = hashlib.sha256(json.dumps(records, sort_keys=True).encode()).hexdigest()[:24]
        name = "page-%s.json" % digest
        if not os.path.exists(os.path.join(self._folder, name)):
            self._keep(PAGE, records, file=name)
        return name

    # --- whose code it is ----------------------------------------------------------------------

    def _site(self, place: Tuple[str, int]) -> Optional[Site]:
        name = self._name(place[0])
        return (name, place[1]) if name else None

    def _name(self, file: str) -> str:
        if file not in self._names:
            real = os.path.realpath(file)
            is_own = real.startswith(self._root) and _OTHERS not in real and not file.startswith("<")
            self._names[file] = real[len(self._root) :].replace(os.sep, "/") if is_own else ""
        return self._names[file]


def _loaded(path: str) -> Any:
    spec = importlib.util.spec_from_file_location("_testwright_page_walk", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _wrap_expect() -> None:
    """Let an expectation remember what it is about: it has no public way to tell."""
    owner = type(sync_api.expect)
    original = owner.__call__

    @functools.wraps(original)
    def remembering(this: Any, actual: Any, *args: Any, **named: Any) -> Any:
        __tracebackhide__ = True
        made = original(this, actual, *args, **named)
        setattr(made, _SUBJECT, actual)
        return made

    setattr(owner, "__call__", remembering)  # noqa: B010  mypy does not let a method be assigned to


def _itself(this: Any, _: Tuple[Any, ...], __: Dict[str, Any]) -> Any:
    return this


def _of_selector(page: Any, args: Tuple[Any, ...], named: Dict[str, Any]) -> Any:
    selector = args[0] if args else named.get("selector")
    return page.locator(selector).first if isinstance(selector, str) else None  # a page takes the first of several


def _subject(assertions: Any, _: Tuple[Any, ...], __: Dict[str, Any]) -> Any:
    return getattr(assertions, _SUBJECT, None)


def _may_be_a_miss(text: str) -> bool:
    """Cheaper and wider than the test that decides: whether the page is worth a look."""
    is_playwrights = "waiting for " in text or "element(s) not found" in text or "Failed to find element" in text
    return is_playwrights and "locator resolved to <" not in text and "strict mode violation" not in text


def _page_of(trace: Any) -> Any:
    """The page of the innermost call into Playwright that has one."""
    found = None
    while trace is not None:
        found = _page_behind(trace.tb_frame.f_locals.get("self")) or found
        trace = trace.tb_next
    return found


def _page_behind(thing: Any) -> Any:
    if isinstance(thing, _Assertions):
        thing = getattr(thing, _SUBJECT, None)
    if isinstance(thing, sync_api.Page):
        return thing
    if isinstance(thing, (sync_api.Locator, sync_api.Frame)):
        return thing.page
    return None


def _frames(trace: Any) -> List[Tuple[str, int]]:
    """Innermost first."""
    found = []  # type: List[Tuple[str, int]]
    while trace is not None:
        found.insert(0, (trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    return found


def _take_targets(record: Dict[str, Any]) -> List[int]:
    """Which elements of a frame were pointed out. Without them, records of the same page are the same."""
    walk = json.loads(record["walk"])
    targets, walk["targets"] = walk["targets"], []
    record["walk"] = json.dumps(walk)
    return [int(number) for number in targets]


def _selector_of(locator: Any) -> str:
    """As Playwright spells it: `<Locator frame=<Frame ...> selector='internal:role=button'>`."""
    _, _, rest = repr(locator).rpartition(" selector=")
    try:
        return str(ast.literal_eval(rest[:-1]))
    except (SyntaxError, ValueError):  # another version's way of printing it
        return ""
