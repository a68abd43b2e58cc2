"""What a database complains of, and ids that it does not have, as errors that say what to do."""

from collections.abc import Sequence

from testwright.model.errors import DiskFull, NotFound, StoreCorrupt, StoreLocked, StoreUnavailable, TestwrightError
from testwright.model.state_folder import STATE_FOLDER

# SQLite's primary result codes, from its documentation.
_BUSY, _LOCKED, _CORRUPT, _FULL, _NOT_A_DATABASE = 5, 6, 11, 13, 26
# PostgreSQL's SQLSTATE codes, from its documentation.
_DISK_FULL = "53100"
_WAITED_TOO_LONG = frozenset({"55P03", "40P01", "40001"})  # for a lock, without end, for a turn

_STILL_JOURNALLED = f"Results of a run are not lost: they wait in the project's {STATE_FOLDER} folder."
_SHOWN = 5


def explained(complaint: BaseException, name: str, *, secret: str = "", unsure: bool = False) -> TestwrightError:
    """The error a person should see, in which `secret` never appears.

    `complaint` is the driver's own; `unsure` says that the connection was lost with a write under way.
    """
    code, state = _sqlite_code(complaint), getattr(complaint, "sqlstate", None)
    if code in (_BUSY, _LOCKED) or state in _WAITED_TOO_LONG:
        return locked(name)
    if code == _FULL or state == _DISK_FULL:
        return DiskFull(
            f"No room is left on the disk of {name}; what was stored before is unharmed.",
            next_step=f"Free some space and repeat the command. {_STILL_JOURNALLED}",
        )
    reason = _first_line(complaint)
    if secret:
        reason = reason.replace(secret, "***")
    if unsure:
        reason += " It is not known whether the last change was kept; look before repeating it."
    return StoreUnavailable(
        f"The store {name} cannot be used: {reason}",
        next_step=f"Check the store's address and that it may be read and written. {_STILL_JOURNALLED}",
    )


def locked(name: str) -> StoreLocked:
    return StoreLocked(
        f"The store {name} is in use by another process, and stayed so.",
        next_step=f"Try again when the other Testwright command has ended. {_STILL_JOURNALLED}",
    )


def is_sqlite_damage(complaint: BaseException) -> bool:
    return _sqlite_code(complaint) in (_CORRUPT, _NOT_A_DATABASE)


def damaged(name: str, backup: str | None) -> StoreCorrupt:
    kept = f"A copy was put aside as {backup}." if backup else "No copy could be put aside."
    return StoreCorrupt(
        f"The store {name} is damaged or is no database at all. It was left as it is. {kept}",
        next_step="To start with an empty store, move that file away and repeat the command; "
        "to rescue what is in it, try `sqlite3 FILE .recover`.",
    )


def _sqlite_code(complaint: BaseException) -> int | None:
    code = getattr(complaint, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF  # the higher bits only refine it


def _first_line(complaint: BaseException) -> str:
    lines = str(complaint).strip().splitlines() or [type(complaint).__name__]
    return lines[0].strip().rstrip(".") + "."


def no_single_match(noun: str, wanted: str, found: Sequence[str]) -> NotFound:
    if not found:
        return NotFound(
            f"No {noun} in the store has the id {wanted!r}.", next_step=f"List the {noun}s to see their ids."
        )
    some = ", ".join(found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
    return NotFound(f"{wanted!r} is the start of several {noun}s' ids: {some}.", next_step="Give more of the id.")
