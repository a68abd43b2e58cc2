"""`testwright record`: open a browser and keep what happens in it as a session."""

import argparse
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from testwright.faces.cli.common_options import add_json, add_project, seconds
from testwright.faces.cli.progress_view import status_line
from testwright.faces.cli.standard_output import print_json
from testwright.model.errors import NoDisplay
from testwright.model.session import KINDS, AnySessionEvent, EventKind, PageError, SessionId
from testwright.model.untrusted_text import harmless_in_ci_log, visible_line
from testwright.observe.recording.record_options import RecordOptions
from testwright.pipeline.observing.journey import RecordedSession, record_session
from testwright.pipeline.observing.step_file import StepRun, read_steps
from testwright.settings import load_settings

if TYPE_CHECKING:
    from rich.status import Status

DESCRIPTION = """\
Open Chromium at an address and keep what happens there: what you do, requests, console, errors, the page itself.
It ends when you close the browser or press Ctrl-C. Secrets are masked before anything is written.

`testwright observe` shows what was kept; `testwright generate web` turns it into a test.
"""
_VIEWPORT = re.compile(r"([1-9][0-9]{1,4})x([1-9][0-9]{1,4})", re.ASCII)
HOW_TO_END = "close the browser or press Ctrl-C to end"
_SHOWN = {
    EventKind.ACTION: "actions",
    EventKind.REQUEST: "requests",
    EventKind.CONSOLE: "console lines",
    EventKind.ERROR: "errors",
}
_MOST_ERRORS_SHOWN = 20  # a page may throw without end


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("url", metavar="URL", help="where to begin: http:// or https://")
    parser.add_argument(
        "--headless", action="store_true", help="without a window: for scripts, with --steps or interact"
    )
    parser.add_argument("--steps", type=Path, metavar="FILE", help="do these steps (a JSON list), then end")
    add_watching(parser)
    parser.add_argument("--viewport", type=viewport, metavar="WxH", help="the page's size, such as 1280x720")
    parser.add_argument("--locale", default="", metavar="NAME", help="such as de-DE")
    parser.add_argument("--timezone", default="", metavar="NAME", help="such as Europe/Berlin")
    parser.add_argument(
        "--color-scheme", choices=["light", "dark"], default="", help="the colours that the page believes you prefer"
    )
    parser.add_argument(
        "--clock", type=zoned_time, metavar="ISO", help="pages see this time, and it stands still: 2026-12-24T18:00"
    )
    logged_in = parser.add_mutually_exclusive_group()
    logged_in.add_argument(
        "--profile", type=Path, metavar="DIR", help="a folder that keeps logins from one time to another"
    )
    logged_in.add_argument(
        "--storage-state", type=Path, metavar="FILE", help="cookies and storage that Playwright saved"
    )
    parser.add_argument("--ignore-https-errors", action="store_true", help="accept certificates that you made yourself")


def add_watching(parser: argparse.ArgumentParser) -> None:
    """What `record` and `attach` have in common."""
    parser.add_argument("--seconds", type=seconds, metavar="N", help="end after this time")
    parser.add_argument("--title", default="", metavar="TEXT", help="what you call the session")
    parser.add_argument(
        "--test-id-attribute", default="", metavar="NAME", help="default: what the project's settings say"
    )
    add_json(parser)
    add_project(parser)


def viewport(text: str) -> tuple[int, int]:
    found = _VIEWPORT.fullmatch(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 1280x720")
    return int(found[1]), int(found[2])


def zoned_time(text: str) -> datetime:
    """A time with its zone, or in the zone of this machine."""
    try:
        found = datetime.fromisoformat(text)
        found = found if found.tzinfo else found.astimezone()
        return found.astimezone(UTC)
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{text!r} is not a time such as 2026-12-24T18:00") from None


def execute(options: argparse.Namespace) -> int:
    root = options.project.absolute()
    settings = load_settings(root)
    steps = StepRun(read_steps(options.steps)) if options.steps else None
    if not options.headless:
        _require_display()
    with record_view(HOW_TO_END if steps is None else "it ends after the last step") as view:
        recorded = record_session(
            root,
            settings,
            options.url,
            _record_options(options),
            drive=steps,
            listen=view,
            begun=view.begun,
            control=steps is None,
        )
    return finish(options, recorded, view, steps.failure if steps else "")


def finish(options: argparse.Namespace, recorded: RecordedSession, view: "RecordView", failed_step: str = "") -> int:
    """Show how it went; 1 when the recording failed, 0 when only the page went wrong."""
    if options.json:
        print_json(recorded_shape(recorded, view, failed_step))
    else:
        show_recorded(recorded, view, failed_step)
    return int(bool(failed_step) or recorded.ended.reason == "browser_died")


def _record_options(options: argparse.Namespace) -> RecordOptions:
    return RecordOptions(
        headless=options.headless,
        viewport=options.viewport,
        locale=options.locale,
        timezone=options.timezone,
        color_scheme=options.color_scheme,
        clock=options.clock,
        test_id_attribute=options.test_id_attribute,
        ignore_https_errors=options.ignore_https_errors,
        user_data_dir=options.profile.absolute() if options.profile else None,
        storage_state=options.storage_state,
        seconds=options.seconds,
        title=options.title,
    )


def _require_display() -> None:
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise NoDisplay(
            "A browser with a window needs a screen, and there is none here.",
            next_step="Record without a window: --headless, with --steps FILE, or with `testwright interact`.",
        )


class RecordView:
    """Receives every event. Errors are shown as they happen; in a terminal, a line at the bottom counts the rest."""

    def __init__(self, how_to_end: str, status: "Status | None" = None) -> None:
        self.counts: Counter[EventKind] = Counter()
        self.errors: list[PageError] = []
        self._how_to_end = how_to_end
        self._status = status

    def begun(self, session: SessionId) -> None:
        _say(f"recording {session}; {self._how_to_end}")

    def __call__(self, event: AnySessionEvent) -> None:
        self.counts[KINDS[type(event)]] += 1
        if isinstance(event, PageError):
            self.errors.append(event)
            if len(self.errors) <= _MOST_ERRORS_SHOWN:
                _say(f"error {event.error_id}  {described(event)}")
            elif len(self.errors) == _MOST_ERRORS_SHOWN + 1:
                _say("more errors are kept, and not shown here")
        if self._status is not None:
            self._status.update(" · ".join(f"{self.counts[kind]} {word}" for kind, word in _SHOWN.items()))


@contextmanager
def record_view(how_to_end: str) -> Iterator[RecordView]:
    """Everything goes to stderr: stdout is for the answer."""
    with status_line("waiting for the browser") as status:
        yield RecordView(how_to_end, status)


def described(error: PageError) -> str:
    """An error in one line."""
    return visible_line(f"{error.name}: {error.message}" if error.name else error.message, limit=200)


def show_recorded(recorded: "RecordedSession", view: RecordView, failed_step: str = "") -> None:
    say = sys.stdout.write
    say(f"{recorded.summary}\n")
    for gap in recorded.ended.gaps:
        say(f"  note: {visible_line(gap, limit=300)}\n")
    if recorded.ended.reason == "browser_died":
        say("  The browser died. What happened before is kept.\n")
    if failed_step:
        say(f"  {visible_line(failed_step, limit=500)}\n")
    say(f"Next: {next_command(view)}\n")


def next_command(view: RecordView) -> str:
    """What most people want after such a recording."""
    if view.errors:
        return f"testwright generate web --from error --error-id {view.errors[-1].error_id}"
    return (
        "testwright generate web --from interaction" if view.counts[EventKind.ACTION] else "testwright observe timeline"
    )


def recorded_shape(recorded: "RecordedSession", view: RecordView, failed_step: str = "") -> dict[str, Any]:
    """The same for programs."""
    return {
        "summary": recorded.summary,
        "data": {
            "session": recorded.session,
            "reason": str(recorded.ended.reason),
            "counts": {str(kind): number for kind, number in sorted(view.counts.items())},
            "errors": [
                {"error_id": each.error_id, "name": each.name, "message": visible_line(each.message, limit=500)}
                for each in view.errors[-_MOST_ERRORS_SHOWN:]
            ],
            "gaps": list(recorded.ended.gaps),
            "failed_step": failed_step or None,
            "next": next_command(view),
        },
    }


def _say(line: str) -> None:
    sys.stderr.write(harmless_in_ci_log(line) + "\n")
    sys.stderr.flush()
