"""What the demo prints: sentences, and commands that are shown and then run."""

import sys
from pathlib import Path

from testwright.faces.cli.main import main as command_line


def say(text: str) -> None:
    sys.stdout.write(text)


def show_and_run(project: Path, *arguments: str) -> int:
    """Show a command as a person would type it in the project, and run it there; its exit code."""
    say(f"$ testwright {' '.join(arguments)}\n")
    count = 2 if arguments[0] in ("report", "review") or arguments[:2] == ("generate", "web") else 1
    return run_quietly(*arguments[:count], "--project", str(project), *arguments[count:])


def run_quietly(*arguments: str) -> int:
    """Run a command without showing it; its exit code."""
    sys.stdout.flush()
    return command_line(list(arguments))
