"""What `test_heal` can be asked: analyze or repair one file, or a batch of files, against one page."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from testwright.model.errors import TooManySelectors, UsageError
from testwright.pipeline.request_fields import check_fields, check_tool, one_of
from testwright.selectors.selector_parser import parse_selector

MOST_SELECTORS = 50
MOST_FILES = 20
MOST_FILE_BYTES = 500 * 1024
MOST_BATCH_BYTES = 5 * 1024 * 1024


class HealAction(StrEnum):
    ANALYZE = "analyze"  # which selectors are broken, and what would become of them
    REPAIR = "repair"  # the same, and the file as it should become
    BATCH = "batch"  # every test file of a folder


# Seconds of looking for elements; what is not done by then is reported as not reached.
SECONDS = {HealAction.ANALYZE: 3.0, HealAction.REPAIR: 5.0, HealAction.BATCH: 10.0}


@dataclass(frozen=True, slots=True)
class PageSource:
    """Where the page comes from: exactly one of these."""

    url: str = ""
    html_file: str = ""
    trace_file: str = ""

    @property
    def shown(self) -> str:
        return self.url or self.html_file or self.trace_file


@dataclass(frozen=True, slots=True)
class TestHealRequest:
    """One call of `test_heal`. Make it with `heal_request`, which checks it."""

    __test__ = False  # pytest would take the class for a group of tests

    action: HealAction
    page: PageSource
    test_file: str = ""  # from the project's root
    test_dir: str = ""
    broken_selectors: tuple[str, ...] = ()  # empty: all that find nothing
    auto_apply: bool = False


_FIELDS: dict[str, type] = {
    "type": str,
    "action": str,
    "test_file": str,
    "test_dir": str,
    "broken_selectors": list,
    "auto_apply": bool,
    "url": str,
    "html_file": str,
    "trace_file": str,
}


def heal_request(given: Mapping[str, object]) -> TestHealRequest:
    """A checked request. Raises UsageError and the selector errors, each naming the field that is wrong."""
    check_fields(given, _FIELDS)
    check_tool(given, "test_heal")
    action = one_of(HealAction, "action", given.get("action"))
    request = TestHealRequest(
        action,
        _page(given),
        test_file=_text(given, "test_file"),
        test_dir=_text(given, "test_dir"),
        broken_selectors=_selectors(given.get("broken_selectors", [])),
        auto_apply=given.get("auto_apply", False) is True,
    )
    _check_together(request)
    return request


def _text(given: Mapping[str, object], name: str) -> str:
    return str(given.get(name, ""))


def _page(given: Mapping[str, object]) -> PageSource:
    page = PageSource(_text(given, "url"), _text(given, "html_file"), _text(given, "trace_file"))
    if sum(map(bool, (page.url, page.html_file, page.trace_file))) != 1:
        raise UsageError(
            "Healing needs one page to look at: `url`, `html_file` or `trace_file`.",
            next_step="Name the page the test is about, or the trace of its failed run.",
        )
    return page


def _selectors(value: object) -> tuple[str, ...]:
    selectors: list[str] = []
    for each in value if isinstance(value, list) else ():
        if not isinstance(each, str):
            raise UsageError("`broken_selectors` must be a list of texts.", next_step="Correct the value.")
        selectors.append(each)
    unique = tuple(dict.fromkeys(selectors))
    if len(unique) > MOST_SELECTORS:
        raise TooManySelectors(
            f"{len(unique)} selectors are more than {MOST_SELECTORS} at a time.", next_step="Ask in several calls."
        )
    for selector in unique:
        parse_selector(selector)
    return unique


def _check_together(request: TestHealRequest) -> None:
    is_batch = request.action is HealAction.BATCH
    wanted, other = ("test_dir", "test_file") if is_batch else ("test_file", "test_dir")
    if not getattr(request, wanted):
        raise UsageError(f"`{request.action}` needs `{wanted}`.", next_step="Name it, from the project's root.")
    if getattr(request, other):
        raise UsageError(f"`{request.action}` takes no `{other}`.", next_step=f"Leave out `{other}`.")
    if request.auto_apply and request.action is HealAction.ANALYZE:
        raise UsageError("`analyze` changes nothing, so it takes no `auto_apply`.", next_step="Ask for `repair`.")


@dataclass(frozen=True, slots=True)
class Deadline:
    """The moment when looking for elements ends."""

    until: float
    clock: Callable[[], float] = time.monotonic

    @classmethod
    def after(cls, seconds: float, clock: Callable[[], float] = time.monotonic) -> "Deadline":
        return cls(clock() + seconds, clock)

    @property
    def is_past(self) -> bool:
        return self.clock() >= self.until
