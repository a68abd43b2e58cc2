"""Write docs/cli.md from the commands themselves; a test fails when the two differ."""

import argparse
import os
from importlib import import_module
from pathlib import Path

os.environ["COLUMNS"] = "100"  # help text must not depend on the terminal it is made in

from testwright.faces.cli.common_options import parser_for
from testwright.faces.cli.main import COMMANDS, help_text

FILE = Path(__file__).resolve().parents[1] / "docs" / "cli.md"


def reference() -> str:
    parts = ["# The command line", "", "Written by `make docs`; do not edit by hand.", "", _block(help_text())]
    for command in COMMANDS:
        module = import_module(f"testwright.faces.cli.{command.module}")
        parser = parser_for(command.name, command.summary, module)
        parts += [f"## testwright {command.name}", "", _block(parser.format_help())]
        for name, sub in _subcommands(parser):
            parts += [f"### testwright {command.name} {name}", "", _block(sub.format_help())]
    return "\n".join(parts)


def _subcommands(parser: argparse.ArgumentParser) -> list[tuple[str, argparse.ArgumentParser]]:
    groups = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return [(name, sub) for group in groups for name, sub in group.choices.items()]


def _block(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```\n"


if __name__ == "__main__":
    FILE.write_text(reference(), encoding="utf-8")
