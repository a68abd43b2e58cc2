"""What can be chosen about a recording, and how one ends."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE
from testwright.model.session import EventKind


@dataclass(frozen=True, slots=True)
class RecordOptions:
    """Empty or None: as the browser has it."""

    headless: bool = False
    chromium: Path | None = None  # None: Playwright's own
    viewport: tuple[int, int] | None = None
    locale: str = ""
    timezone: str = ""
    color_scheme: str = ""  # light, dark
    clock: datetime | None = None  # the pages' clock stands still at this time
    test_id_attribute: str = DEFAULT_TEST_ID_ATTRIBUTE
    ignore_https_errors: bool = False
    user_data_dir: Path | None = None  # a profile that is kept
    storage_state: Path | None = None  # cookies and local storage, as Playwright saves them
    seconds: float | None = None  # the recording ends by itself after that time
    title: str = ""


AS_IT_COMES = RecordOptions()


class EndReason(StrEnum):
    CLOSED = "closed"  # the user closed the last tab
    DRIVEN = "driven"  # the script has done its work
    INTERRUPTED = "interrupted"  # Ctrl-C, or asked to end by the system
    STOPPED = "stopped"  # told so through `interact`
    TIME_UP = "time_up"
    BROWSER_DIED = "browser_died"


@dataclass(frozen=True, slots=True)
class RecordingEnd:
    """How a recording ended; `ended`, `gaps` and `last_page` are what a session's last word is made of."""

    reason: EndReason
    ended: int  # milliseconds since it began
    gaps: tuple[str, ...] = ()
    last_page: str = ""
    counts: Mapping[EventKind, int] = field(default_factory=dict)
