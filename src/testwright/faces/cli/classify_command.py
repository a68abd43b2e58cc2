"""`testwright classify`: why tests failed, from what a runner printed or from a run in the store."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.faces.cli.common_options import add_json, add_project
from testwright.model.case import Framework

if TYPE_CHECKING:
    from testwright.pipeline.explaining.explanation import Explanation

DESCRIPTION = """\
Say why tests failed: a label, how sure it is, the words it rests on, and what to do about it.

  testwright classify output.txt           what a runner printed: one failure, or many
  npx playwright test | testwright classify -
  testwright classify --run last           the failures of a run in the store
  testwright classify --jsonl              one JSON object per line in, one per line out

The exit code is 0 when every failure got a label, 1 when one is `unknown`.
"""
MOST_BYTES = 4 << 20  # of a text that are read


def configure(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group()
    what.add_argument("file", nargs="?", metavar="FILE", help="what a runner printed; - is standard input")
    what.add_argument("--run", metavar="ID", help="a run in the store: its id, the start of it, or `last`")
    what.add_argument("--jsonl", action="store_true", help="answer lines of JSON with lines of JSON; see the docs")
    parser.add_argument("--framework", choices=list(Framework), default="", help="whose text it is (default: guessed)")
    add_json(parser)
    add_project(parser)


def execute(options: argparse.Namespace) -> int:
    if options.jsonl:
        from testwright.faces.cli.classify_jsonl import answer_lines

        return answer_lines(sys.stdin.buffer, sys.stdout)
    if options.run is not None:
        return _of_run(options)
    if options.file is None:
        from testwright.model.errors import UsageError

        raise UsageError("Nothing says what to classify.", next_step="Name a file, `-`, --run ID or --jsonl.")
    return _of_text(options)


# --- a text ----------------------------------------------------------------------------------


def _of_text(options: argparse.Namespace) -> int:
    from testwright.model.errors import ClassificationUncertain
    from testwright.pipeline.explaining.printed_failures import causes_of, explain_output
    from testwright.pipeline.explaining.shared_causes import cause_shape

    text, is_cut = _read(options.file)
    failures, left = explain_output(text, options.framework)
    if not failures:
        raise ClassificationUncertain(
            "The text is empty: there is no failure to explain.", next_step="Give what the runner printed."
        )
    if is_cut:
        sys.stderr.write(f"testwright: only the first {MOST_BYTES >> 20} MiB of the text were read.\n")
    if left:
        sys.stderr.write(f"testwright: {left} more failures were not looked at.\n")
    causes = causes_of(failures)
    if options.json:
        from testwright.faces.cli.standard_output import print_json

        shape = {"failures": [each.shape() for each in failures], "causes": [cause_shape(each) for each in causes]}
        print_json({**shape, "truncated": is_cut, "notReached": left})
    else:
        from testwright.faces.cli.verdict_view import print_causes

        print_causes(causes)
    return int(any(each.verdict.is_unknown for each in failures))


def _read(name: str) -> tuple[str, bool]:
    """The beginning of the text, and whether there was more. Bytes that are no text become visible marks."""
    from testwright.model.errors import NotARegularFile, PathNotFound, PathUnreadable
    from testwright.model.untrusted_text import decoded, visible_line

    if name == "-":
        content = sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        try:
            if Path(name).is_dir():
                raise NotARegularFile(f"'{visible_line(name)}' is a folder.", next_step="Name a file in it.")
            with Path(name).open("rb") as file:
                content = file.read(MOST_BYTES + 1)
        except (FileNotFoundError, ValueError):
            raise PathNotFound(f"There is no file '{visible_line(name)}'.", next_step="Check the path.") from None
        except OSError as error:
            said = f"'{visible_line(name)}' cannot be read: {error.strerror}."
            raise PathUnreadable(said, next_step="Check its permissions.") from error
    return decoded(content[:MOST_BYTES])[0], len(content) > MOST_BYTES


# --- a run -----------------------------------------------------------------------------------


def _of_run(options: argparse.Namespace) -> int:
    from testwright.pipeline.explaining.shared_causes import cause_shape

    run_id, explanation = _explained_run(options)
    if options.json:
        from testwright.faces.cli.standard_output import print_json
        from testwright.model.verdict import verdict_shape

        failures = [{"id": test, "verdict": verdict_shape(each)} for test, each in explanation.verdicts.items()]
        print_json({"run": run_id, "failures": failures, "causes": [cause_shape(each) for each in explanation.causes]})
    elif not explanation.causes:
        sys.stdout.write(f"No test failed in run {run_id}.\n")
    else:
        from testwright.faces.cli.verdict_view import print_causes

        print_causes(explanation.causes)
    return int(any(cause.verdict.is_unknown for cause in explanation.causes))


def _explained_run(options: argparse.Namespace) -> "tuple[str, Explanation]":
    from testwright.model.errors import NotFound
    from testwright.pipeline.explaining.history_evidence import past_of
    from testwright.pipeline.explaining.journey import explain_run
    from testwright.settings import load_settings
    from testwright.wiring import keeping

    root = options.project.absolute()
    with keeping(root, load_settings(options.project)).open() as store:
        wanted = options.run
        if wanted in ("last", "latest"):
            newest = store.runs.list_runs(limit=1)
            if not newest:
                raise NotFound("There are no runs yet.", next_step="`testwright run` makes one.")
            wanted = newest[0].id
        run = store.runs.get_run(wanted)
        return run.id, explain_run(run, root, background=past_of(run, root, store))
