"""`testwright classify FILE`: why tests failed, from what a runner printed."""

import argparse
import sys
from pathlib import Path

from testwright.faces.cli.standard_output import print_json
from testwright.faces.cli.verdict_view import print_causes
from testwright.model.errors import ClassificationUncertain, NotARegularFile, PathNotFound, PathUnreadable
from testwright.model.untrusted_text import decoded, visible_line
from testwright.pipeline.explaining.printed_failures import causes_of, explain_output
from testwright.pipeline.explaining.shared_causes import cause_shape

_MOST_BYTES = 4 << 20  # of a text that are read


def classify_output(options: argparse.Namespace) -> int:
    text, is_cut = _read(options.file)
    failures, left = explain_output(text, options.framework)
    if not failures:
        raise ClassificationUncertain(
            "The text is empty: there is no failure to explain.", next_step="Give what the runner printed."
        )
    if is_cut:
        sys.stderr.write(f"testwright: only the first {_MOST_BYTES >> 20} MiB of the text were read.\n")
    if left:
        sys.stderr.write(f"testwright: {left} more failures were not looked at.\n")
    causes = causes_of(failures)
    if options.json:
        shape = {"failures": [each.shape() for each in failures], "causes": [cause_shape(each) for each in causes]}
        print_json({**shape, "truncated": is_cut, "notReached": left})
    else:
        print_causes(causes)
    return int(any(each.verdict.is_unknown for each in failures))


def _read(name: str) -> tuple[str, bool]:
    """The beginning of the text, and whether there was more. Bytes that are not text become visible marks."""
    if name == "-":
        content = sys.stdin.buffer.read(_MOST_BYTES + 1)
    else:
        try:
            if Path(name).is_dir():
                raise NotARegularFile(f"'{visible_line(name)}' is a folder.", next_step="Name a file in it.")
            with Path(name).open("rb") as file:
                content = file.read(_MOST_BYTES + 1)
        except (FileNotFoundError, ValueError):
            raise PathNotFound(f"There is no file '{visible_line(name)}'.", next_step="Check the path.") from None
        except OSError as error:
            said = f"'{visible_line(name)}' cannot be read: {error.strerror}."
            raise PathUnreadable(said, next_step="Check its permissions.") from error
    return decoded(content[:_MOST_BYTES])[0], len(content) > _MOST_BYTES
