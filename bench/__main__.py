"""`make bench`: every figure, with the limit it is held to. Exits with 1 when one is missed."""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench import classifying, flakiness, generating, healing, recording, running, sessions, skills, starting, storing
from bench.measure import Figure

SUBJECTS = {
    "starting": starting,
    "storing": storing,
    "sessions": sessions,
    "recording": recording,
    "skills": skills,
    "running": running,
    "flakiness": flakiness,
    "classifying": classifying,
}
WITH_OPTIONS = {"generating": generating, "healing": healing}  # these take a folder that is no part of this repository


def main() -> int:
    options = _parser().parse_args()
    wanted = options.subjects or [*SUBJECTS, *WITH_OPTIONS]
    missed = 0
    for name in wanted:
        with tempfile.TemporaryDirectory(prefix="testwright-bench-") as folder:
            for figure in _figures(name, Path(folder), options):
                print(figure.line(), flush=True)
                missed += not figure.holds
    return 1 if missed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=f"{', '.join([*SUBJECTS, *WITH_OPTIONS])}")
    for name, subject in WITH_OPTIONS.items():
        subject.configure(parser.add_argument_group(f"for {name}"))
    return parser


def _figures(name: str, folder: Path, options: argparse.Namespace) -> Iterator[Figure]:
    if name in WITH_OPTIONS:
        measured: Iterator[Figure] = WITH_OPTIONS[name].figures(folder, options)
        return measured
    if name not in SUBJECTS:
        raise SystemExit(f"There is no benchmark {name!r}. There are: {', '.join([*SUBJECTS, *WITH_OPTIONS])}.")
    found: Iterator[Figure] = SUBJECTS[name].figures(folder)
    return found


if __name__ == "__main__":
    sys.exit(main())
