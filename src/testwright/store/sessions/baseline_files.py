"""Baselines on disk: one JSON file for each, by its name."""

import contextlib
import os
import re
from pathlib import Path

import msgspec

from testwright.model.errors import BaselineNotFound, UsageError
from testwright.model.session_baseline import SessionBaseline
from testwright.model.state_folder import baselines_folder
from testwright.model.untrusted_text import visible_line
from testwright.store.private_files import content_of, named_file_errors, prepare_folder, replace_file
from testwright.store.sessions.event_lines import json_bytes

_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,79}")
_ENDING = ".json"
_LARGEST = 64 << 20


def save_baseline(root: Path, baseline: SessionBaseline) -> Path:
    """Keep it under its name; an older one of that name gives way."""
    path = _path(root, baseline.name)
    prepare_folder(path.parent)
    replace_file(path, json_bytes(baseline))
    return path


def load_baseline(root: Path, name: str) -> SessionBaseline:
    """Raises BaselineNotFound, which names those there are."""
    content = content_of(_path(root, name), most=_LARGEST)
    if content is None:
        raise _unknown(root, name)
    try:
        return msgspec.json.decode(content, type=SessionBaseline)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BaselineNotFound(
            f"The baseline {name!r} cannot be read: {error}.",
            next_step=f"Make it again with: testwright analyze baseline save {name}",
        ) from error


def remove_baseline(root: Path, name: str) -> None:
    path = _path(root, name)
    if name not in baseline_names(root):
        raise _unknown(root, name)
    with named_file_errors(path):
        path.unlink(missing_ok=True)


def baseline_names(root: Path) -> list[str]:
    with contextlib.suppress(OSError):
        names = [name.removesuffix(_ENDING) for name in os.listdir(baselines_folder(root)) if name.endswith(_ENDING)]  # noqa: PTH208  names are all that is needed
        return sorted(name for name in names if _NAME.fullmatch(name))
    return []


class _Made(msgspec.Struct):
    session: str = ""


def sessions_of_baselines(root: Path) -> set[str]:
    """The ids of the sessions that baselines were made of."""
    found = set()
    for name in baseline_names(root):
        content = content_of(_path(root, name), most=_LARGEST)
        with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
            found.add(msgspec.json.decode(content or b"", type=_Made).session)
    return found


def _unknown(root: Path, name: str) -> BaselineNotFound:
    known = ", ".join(baseline_names(root)) or "none"
    return BaselineNotFound(
        f"There is no baseline {name!r}. There are: {known}.",
        next_step=f"Make it with: testwright analyze baseline save {name}",
    )


def _path(root: Path, name: str) -> Path:
    if _NAME.fullmatch(name) is None:
        raise UsageError(
            f"{visible_line(name, limit=100)!r} cannot name a baseline.",
            next_step="Use letters, digits, dots, dashes and underscores, at most 80 of them.",
        )
    return baselines_folder(root) / f"{name}{_ENDING}"
