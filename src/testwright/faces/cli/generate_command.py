"""`testwright generate`: write pytest tests for Python modules, and show them to a person before they go anywhere."""

import argparse
from pathlib import Path

from testwright.faces.cli.common_options import add_json, add_project, count, seconds, whole_number

DESCRIPTION = """\
Explore Python modules in isolation, on the project's own interpreter, and write pytest tests that
pin down what the code does. Every file has run twice before you see it, green, in fresh interpreters.

Without --output or --accept nothing is written: the tests wait in `testwright review`.
The same code, seed and budget give the same tests.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "targets", nargs="+", metavar="TARGET", help="a file, a folder, or file.py::function, file.py::Class.method"
    )
    where = parser.add_argument_group("where the tests go")
    where.add_argument(
        "--output",
        type=Path,
        metavar="DIR",
        help="write them here at once; what Testwright wrote here before is replaced",
    )
    where.add_argument("--accept", action="store_true", help="accept every proposal at once, a conftest.py too")
    where.add_argument(
        "--bugs", action="store_true", help="also a failing test and a note for each broken promise found"
    )
    how = parser.add_argument_group("how they are made")
    how.add_argument(
        "--budget", type=seconds, default=None, metavar="S", help="work for each module, in CPU seconds (default: 10)"
    )
    how.add_argument("--seed", type=count, default=None, metavar="N", help="another seed tries other inputs")
    how.add_argument("--python", type=Path, metavar="PATH", help="the interpreter or environment of the project")
    how.add_argument("-j", "--parallel", type=whole_number, metavar="N", help="modules at a time (default: processors)")
    how.add_argument(
        "--isolation",
        choices=["R0", "R1", "R2", "R3", "best"],
        default="best",
        help="how the code is shut off from files and network (default: best)",
    )
    add_json(parser)
    add_project(parser)


def execute(options: argparse.Namespace) -> int:
    from testwright.faces.cli.generate_execution import carry_out  # late: start-up: the engine, the store

    return carry_out(options)
