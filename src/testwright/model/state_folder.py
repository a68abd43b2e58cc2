"""The state folder of a project, and what lies in it: each name once.

    .testwright/
        testwright.db              the store, unless the settings name another place
        pending/RUN.jsonl          journals of runs that wait to be taken into the store
        sessions/cap_*/            what a browser did: a folder for each session, see below
        baselines/NAME.json        what sessions are compared with
        pages/                     what our reporter inside pytest keeps of pages
        coverage/                  coverage data of runs
        cache/                     the index of symbols
        recorded.json              which test files were recorded as they are now
        recorded-places.json       which places in the code an unfinished recording has seen
        heal.lock                  held while something is healed on request

Names only: `testwright.store.private_files` makes the folders, and each file belongs to the room that writes it.
"""

from pathlib import Path

STATE_FOLDER = ".testwright"
STORE_FILE = "testwright.db"
JOURNAL_SUFFIX = ".jsonl"

# In the folder of a session, beside its logs of events (`testwright.store.sessions.session_paths`).
SESSION_HEAD = "session.json"
SESSION_END = "end.json"
SESSION_LOCK = "lock"  # held by the process that writes the session
SESSION_LIVE = "live.json"  # while the session goes on: how to speak to its browser
SESSION_PAGES = "pages"
SESSION_TEXTS = "texts"


def pending_folder(root: Path) -> Path:
    return root / STATE_FOLDER / "pending"


def sessions_folder(root: Path) -> Path:
    return root / STATE_FOLDER / "sessions"


def baselines_folder(root: Path) -> Path:
    return root / STATE_FOLDER / "baselines"


def pages_folder(root: Path) -> Path:
    return root / STATE_FOLDER / "pages"


def coverage_folder(root: Path) -> Path:
    return root / STATE_FOLDER / "coverage"


def cache_folder(root: Path) -> Path:
    return root / STATE_FOLDER / "cache"


def recorded_files(root: Path) -> Path:
    return root / STATE_FOLDER / "recorded.json"


def recorded_places(root: Path) -> Path:
    return root / STATE_FOLDER / "recorded-places.json"


def heal_lock(root: Path) -> Path:
    return root / STATE_FOLDER / "heal.lock"


def page_name(seq: int) -> str:
    """What a session calls the page of event `seq`."""
    return f"page-{seq}"


def aria_name(seq: int) -> str:
    """What a session calls the ARIA snapshot of event `seq`."""
    return f"aria-{seq}"


def sent_name(seq: int) -> str:
    """What a session calls the long body that request `seq` sent."""
    return f"{seq}-sent"


def received_name(seq: int) -> str:
    """What a session calls the long body that request `seq` got."""
    return f"{seq}-received"
