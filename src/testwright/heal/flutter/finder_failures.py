"""Finders that found nothing, as Flutter tells of them: in `flutter test --machine`, on a console, on a device."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import msgspec

from testwright.heal.flutter.widget_tree import unprefixed
from testwright.heal.heal_adapter import NotHealable
from testwright.model.heal import CallSite, OriginalSelector
from testwright.model.selector import Dialect
from testwright.selectors.spelling import literal

MOST_CHARACTERS = 500_000  # of a failure's text

_EXPECTED = re.compile(
    r"Expected: (?P<count>exactly one|at least one|no|(?:exactly|at least|at most) \w+|\w+) matching "
    r"(?:candidates?|nodes?|elements?|widgets?)\b"
)
_ACTUAL = re.compile(
    r"Actual: (?P<kind>_\w*Finder):<(?P<said>.{1,20000}?)(?=>?\s*(?:\n\s*Which:|\n\s*\n|\Z|\nWhen the exception))",
    re.DOTALL,
)
_USED_IN = re.compile(
    r'The finder "(?P<said>.{1,1000}?)" \(used in a call to "(?P<action>\w+)\(\)"\) could not find any matching',
    re.DOTALL,
)
_NONE = re.compile(r"(?:Found 0 widgets|zero widgets)(?: with| that)? ?(?P<what>.*)", re.DOTALL)
_SOME = re.compile(r"(?:Found [1-9]\d* widgets?|exactly one widget|\d+ widgets|\w+ widgets) ")
_AFTER = re.compile(r"(?:: \[\s*\]?|\s*\(ignoring (?:all )?offstage widgets\))*\s*>?\s*\Z")
_DESCRIBED = (
    (re.compile(r"key \[<'(.*)'>\]", re.DOTALL), "find.byKey(const Key({}))"),
    (re.compile(r"key \[<(-?\d+)>\]"), "find.byKey(const ValueKey({}))"),
    (re.compile(r'text "(.*)"', re.DOTALL), "find.text({})"),
    (re.compile(r"text containing \"?(.*?)\"?", re.DOTALL), "find.textContaining({})"),
    (re.compile(r'type "?([A-Za-z_$][\w$<>, ]*)"?'), "find.byType({})"),
    (re.compile(r'(?:widget with )?tooltip "(.*)"', re.DOTALL), "find.byTooltip({})"),
)
_PLAIN = frozenset({"find.byType({})", "find.byKey(const ValueKey({}))"})
_EXPECTATION = re.compile(r"caught by the test expectation on the following line:\s*\n?\s*(\S+\.dart) line (\d+)")
_FRAME = re.compile(r"\((file:///[^\s()]+\.dart|[^\s():]+\.dart):(\d+)(?::(\d+))?\)")
_DUMP_ROOT = re.compile(r"^\[root\]", re.MULTILINE)
_TREE_LINE = re.compile(r"^(?:\[root\]|[\s│]*[├└])")
_SEMANTICS_ROOT = re.compile(r"^SemanticsNode#\d+", re.MULTILINE)


def original_selector(message: str, sites: tuple[CallSite, ...] = ()) -> OriginalSelector:
    """The finder that found nothing. Raises NotHealable for every other failure."""
    text = unprefixed(message[:MOST_CHARACTERS])
    used = _USED_IN.search(text)
    if used is not None:
        return OriginalSelector(_finder(used["said"]), used["action"], sites)
    expected = _EXPECTED.search(text)
    actual = _ACTUAL.search(text, expected.end()) if expected is not None else None
    if expected is None or actual is None:
        raise NotHealable("not_a_finder", "The test did not fail because a finder found nothing.")
    if expected["count"] == "no" or expected["count"].startswith("at most"):
        raise NotHealable("found_too_much", "A widget was found where there should be none.")
    if _SOME.match(actual["said"]) and not _NONE.match(actual["said"]):
        raise NotHealable("found_some", "The finder found widgets, but not as many as expected.")
    finder = _finder(actual["said"])
    if finder.startswith(("find.text", "find.byTooltip")):
        # Whoever looks for a text with `expect` says what the app should show: another text is a finding, not drift.
        raise NotHealable("text_asserted", "The test expects this very text, and the app does not show it.")
    is_list = expected["count"] not in ("exactly one", "at least one")
    return OriginalSelector(finder, "expect", sites, is_list=is_list)


def _finder(said: str) -> str:
    """The finder as a test spells it; the failure tells it in words."""
    none = _NONE.match(" ".join(said.split()))
    if none is None:
        raise NotHealable("not_a_finder", "The failure does not say that nothing was found.")
    what = _AFTER.sub("", none["what"]).removeprefix("with ").strip()
    for pattern, dart in _DESCRIBED:
        found = pattern.fullmatch(what)
        if found is not None:
            return dart.format(found[1] if dart in _PLAIN else literal(found[1], Dialect.FLUTTER, "'"))
    raise NotHealable("finder_untold", "The failure tells of the finder in words that do not say how it is written.")


def call_sites(text: str, files: Iterable[str]) -> tuple[CallSite, ...]:
    """Where in the project's own files it happened, innermost first. `files` are their names from its root."""
    known = sorted(files, key=len, reverse=True)
    text = unprefixed(text)
    places = [(found[1], int(found[2]), 0) for found in _EXPECTATION.finditer(text)]
    places += [(found[1], int(found[2]), int(found[3] or 0)) for found in _FRAME.finditer(text)]
    sites: dict[tuple[str, int], CallSite] = {}
    for path, line, column in places:
        file = next((name for name in known if path == name or path.endswith(f"/{name}")), None)
        if file is not None:
            before = sites.get((file, line))
            sites[file, line] = before if before is not None and before.column else CallSite(file, line, column)
    return tuple(sites.values())


@dataclass(frozen=True, slots=True)
class FlutterTest:
    """A test as `flutter test --machine` tells of it."""

    name: str
    suite: str  # the path of its file, as the runner has it
    passed: bool
    printed: str  # what it printed, exception blocks and dumps included
    errors: str = ""

    @property
    def widget_tree(self) -> str:
        """The last `debugDumpApp()` it printed; empty: none."""
        return _last(self.printed, _DUMP_ROOT, lambda line: _TREE_LINE.match(line) is not None)

    @property
    def semantics(self) -> str:
        """The last `debugDumpSemanticsTree()` it printed; empty: none."""
        return _last(self.printed, _SEMANTICS_ROOT, lambda line: line.startswith((" ", "│", "SemanticsNode")))


def _last(printed: str, root: re.Pattern[str], belongs: Callable[[str], bool]) -> str:
    starts = [found.start() for found in root.finditer(printed)]
    if not starts:
        return ""
    lines = printed[starts[-1] :].split("\n")
    end = next((at for at, line in enumerate(lines) if at and not belongs(line)), len(lines))
    return "\n".join(lines[:end])


class _Suite(msgspec.Struct):
    id: int
    path: str | None = None


class _Test(msgspec.Struct, rename={"suite_id": "suiteID"}):
    id: int
    name: str
    suite_id: int


class _Event(msgspec.Struct, rename={"test_id": "testID", "stack_trace": "stackTrace"}):
    type: str
    suite: _Suite | None = None
    test: _Test | None = None
    test_id: int | None = None
    message: str = ""
    error: str = ""
    stack_trace: str = ""
    result: str = ""
    hidden: bool = False
    skipped: bool = False


@dataclass(slots=True)
class _Running:
    test: _Test
    prints: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def finished_tests(records: Iterable[str | bytes]) -> list[FlutterTest]:
    """The tests that finished, of the lines of a machine report. Lines that are not events are passed over."""
    decoder = msgspec.json.Decoder(_Event)
    suites: dict[int, str] = {}
    running: dict[int, _Running] = {}
    done: list[FlutterTest] = []
    for line in records:
        try:
            event = decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            continue  # what else a console shows; the importer judges the report as a whole
        if event.suite is not None:
            suites[event.suite.id] = event.suite.path or ""
        elif event.type == "testStart" and event.test is not None:
            running[event.test.id] = _Running(event.test)
        elif event.test_id in running:
            finished = _hear(running[event.test_id], event, suites)
            done += [finished] if finished is not None else []
    return done


def _hear(running: _Running, event: _Event, suites: dict[int, str]) -> FlutterTest | None:
    if event.type == "print":
        running.prints.append(event.message)
    elif event.type == "error":
        running.errors.append(f"{event.error}\n{event.stack_trace}")
    elif event.type == "testDone" and not event.hidden and not event.skipped:
        passed = event.result == "success" and not running.errors
        printed = unprefixed("\n".join(running.prints))
        suite = suites.get(running.test.suite_id, "")
        return FlutterTest(running.test.name, suite, passed, printed, "\n".join(running.errors))
    return None
