"""What the commands' options have in common."""

import argparse
from pathlib import Path
from typing import Protocol

from testwright.isolate.limits import parse_size


class CommandModule(Protocol):
    """What a command's module offers. `PASSES_OPTIONS_ON` true: what follows `--` is left for a runner."""

    DESCRIPTION: str

    def configure(self, parser: argparse.ArgumentParser) -> None: ...
    def execute(self, options: argparse.Namespace) -> int: ...


def parser_for(name: str, summary: str, module: CommandModule) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"testwright {name}",
        description=getattr(module, "DESCRIPTION", "") or summary,
        # argparse makes a formatter for every option; one without a width loads shutil to find it out.
        formatter_class=lambda prog: argparse.HelpFormatter(prog, width=80),
        allow_abbrev=False,
    )
    module.configure(parser)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    return parser


def add_project(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--project", type=Path, default=Path(), metavar="DIR", help="the project's folder (default: the current one)"
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of text")


def whole_number(text: str) -> int:
    """An argument that is 1 or more."""
    number = int(text) if text.isascii() and text.isdigit() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return number


def count(text: str) -> int:
    """An argument that is 0 or more."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number, 0 or more")
    return int(text)


def seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return number


def size(text: str) -> int:
    try:
        return parse_size(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
