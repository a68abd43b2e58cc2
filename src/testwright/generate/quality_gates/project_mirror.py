"""A mirror of the project, with generated tests in it: made of links, and outside the project.

Tests are judged where they will live: with the configuration, the conftest files and the import path of that folder.
Writing them there to find out would change the project, so the folders on the way to them are made again in a private
place, with a link to everything else that the project has beside them.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from testwright.model.foreign_folders import BYTECODE, VERSION_CONTROL
from testwright.model.state_folder import STATE_FOLDER

_LEFT_OUT = BYTECODE | VERSION_CONTROL | {STATE_FOLDER}  # caches and histories, which no test may depend on


@dataclass(frozen=True, slots=True)
class ProjectMirror:
    root: Path  # the mirror of the project's root: where a person would start pytest
    folder: Path  # the mirror of the folder of the tests


def build_mirror(place: Path, folder: Path, root: Path, files: Mapping[str, str]) -> ProjectMirror:
    """Build a mirror in `place`, an empty folder, in which `files` (name -> text) lie in `folder`.

    A folder outside the project is a place of its own: nothing of the project is beside it.
    """
    is_inside = folder == root or root in folder.parents
    mirror = _mirrored(place, folder, root) if is_inside else ProjectMirror(place, place)
    for name, text in files.items():
        file = mirror.folder / name
        file.unlink(missing_ok=True)  # the link to the file as it is now, not that file
        file.write_text(text, encoding="utf-8")
    return mirror


def _mirrored(place: Path, folder: Path, root: Path) -> ProjectMirror:
    real, ours = root, place
    for part in (*folder.relative_to(root).parts, ""):
        _link_entries(real, ours, leaving_out={*_LEFT_OUT, part})
        if part:
            real, ours = real / part, ours / part
            ours.mkdir()
    return ProjectMirror(place, ours)


def _link_entries(real: Path, ours: Path, *, leaving_out: set[str]) -> None:
    try:
        names = sorted(os.listdir(real))  # noqa: PTH208  names are all that is needed
    except OSError:  # the folder does not exist yet
        return
    for name in names:
        if name not in leaving_out:
            (ours / name).symlink_to(real / name)
