"""The test files of a folder that one batch heals, within its limits."""

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from testwright.heal.source.languages import language_of
from testwright.model.errors import BatchTooLarge, NoTests, PathNotFound, TestwrightError, TooLarge
from testwright.model.untrusted_text import visible_line
from testwright.pipeline.healing.on_request.request import MOST_BATCH_BYTES, MOST_FILE_BYTES, MOST_FILES
from testwright.review.confined_root import ConfinedRoot
from testwright.review.path_rules import is_test_file, normalised_for_reading
from testwright.run.project import Project, is_below

_DART = ".dart"  # its elements are on no page


def files_of_batch(root: Path, folder: str) -> list[str]:
    """The test files below a folder of the project, in the order of their names. Raises BatchTooLarge."""
    folder = normalised_for_reading(folder)
    inner = "" if folder == "." else folder
    if not root.joinpath(inner).is_dir():
        raise PathNotFound(f"There is no folder '{visible_line(folder)}'.", next_step="Check the path.")
    names = [
        name
        for name in Project.at(root).names
        if is_below(name, inner) and is_test_file(name) and language_of(name) and PurePosixPath(name).suffix != _DART
    ]
    if not names:
        raise NoTests(
            f"There are no test files in '{visible_line(folder)}'.", next_step="Name the folder of the tests."
        )
    if len(names) > MOST_FILES:
        raise BatchTooLarge(
            f"'{visible_line(folder)}' has {len(names)} test files; a batch may have {MOST_FILES} (files).",
            next_step="Name a smaller folder, or one file at a time.",
        )
    return names


def contents_of_batch(root: ConfinedRoot, names: Sequence[str]) -> list[bytes | TestwrightError]:
    """Each file's content, or why it cannot be had. Raises BatchTooLarge before anything is worked on."""
    found = list(_contents(root, names))
    total = sum(len(content) for content in found if isinstance(content, bytes))
    if total > MOST_BATCH_BYTES:
        raise BatchTooLarge(
            f"The files have {total / 1024 / 1024:.1f} MB together; a batch may have 5 MB (total size).",
            next_step="Name a smaller folder.",
        )
    return found


def _contents(root: ConfinedRoot, names: Sequence[str]) -> Iterator[bytes | TestwrightError]:
    for name in names:
        try:
            yield root.read(name, limit=MOST_FILE_BYTES)
        except TooLarge:
            raise BatchTooLarge(
                f"'{visible_line(name)}' is larger than {MOST_FILE_BYTES // 1024} KB (file size).",
                next_step="Split the file, or leave it out of the batch.",
            ) from None
        except TestwrightError as error:
            yield error
