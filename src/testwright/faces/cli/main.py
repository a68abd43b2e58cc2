"""The entry of the command line: find the command, run it, and turn every error into a clear sentence.

This module is all that `testwright --help` loads, so it imports next to nothing.
"""

import atexit
import gc
import os
import sys

from testwright import __version__

TYPE_CHECKING = False  # importing typing for its own would cost more than the rest of this file
if TYPE_CHECKING:
    from testwright.model.errors import TestwrightError


class CommandEntry:
    """A command's name, the module that holds it, and its line in the overview."""

    def __init__(self, name: str, module: str, summary: str) -> None:
        self.name, self.module, self.summary = name, module, summary


COMMANDS = (
    CommandEntry("init", "init_command", "Set Testwright up in a project."),
    CommandEntry("configure", "configure_command", "Show and change the project's settings."),
    CommandEntry("doctor", "doctor_command", "Say what this machine and project offer, and what is missing."),
    CommandEntry("demo", "demo_command", "Run the example projects and explain each step."),
    CommandEntry("record", "record_command", "Watch a browser while a person uses it, and keep the session."),
    CommandEntry("attach", "attach_command", "The same for a browser that is already running."),
    CommandEntry("interact", "interact_command", "Use the browser of a recording from elsewhere: click, fill, wait."),
    CommandEntry("observe", "observe_command", "Show what a session holds: errors, actions, network, console, pages."),
    CommandEntry("analyze", "analyze_command", "Baselines of a session, and errors that belong together."),
    CommandEntry("generate", "generate_command", "Write pytest tests for Python modules."),
    CommandEntry("generate web", "generate_web_command", "Write a web test from a recorded session, and prove it."),
    CommandEntry("run", "run_command", "Run tests of any supported framework, isolated and remembered."),
    CommandEntry("classify", "classify_command", "Say why tests failed, from a runner's output or a run in the store."),
    CommandEntry("heal", "heal_command", "Find where the lost elements of a browser test went, on a page you name."),
    CommandEntry("skills", "skills_command", "List and run the tests of agent skills."),
    CommandEntry(
        "import", "import_command", "Take in test results, HAR files, Playwright traces and DevTools recordings."
    ),
    CommandEntry(
        "mutate", "mutate_command", "Change a Python file in small wrong ways and see whether its tests notice."
    ),
    CommandEntry("report", "report_command", "Show runs and tests from the store; prune, export."),
    CommandEntry(
        "context", "context_command", "Show what is known about a Python target: imports, uses, related tests."
    ),
    CommandEntry("review", "review_command", "Decide about proposed changes: list, show, accept, reject."),
)


def main(argv: list[str] | None = None) -> int:
    """Run the command line; the exit code is 0 all well, 1 failures, 2 usage, 3 environment, 4 our own fault."""
    arguments = sys.argv[1:] if argv is None else argv
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        sys.stdout.write(help_text())
        return 0
    if arguments[0] in ("-V", "--version"):
        sys.stdout.write(f"testwright {__version__}\n")
        return 0
    for command in sorted(COMMANDS, key=lambda one: -len(one.name)):  # `generate web` before `generate`
        words = command.name.split()
        if arguments[: len(words)] == words:
            return _guarded(command, arguments[len(words) :])
    sys.stderr.write(f"testwright: there is no command {arguments[0]!r}.{_did_you_mean(arguments[0])}\n")
    sys.stderr.write("  See `testwright --help`. [usage]\n")
    return 2


def help_text() -> str:
    width = max(len(command.name) for command in COMMANDS)
    rows = "".join(f"  {command.name:{width}}  {command.summary}\n" for command in COMMANDS)
    return (
        "Usage: testwright COMMAND [OPTIONS]\n\n"
        "Keeps a project's tests alive: runs them, remembers them, and lets a person decide what changes.\n\n"
        f"Commands:\n{rows}\n"
        "`testwright COMMAND --help` says more about each.\n"
        "Exit codes: 0 all passed, 1 failures, 2 usage, 3 environment, 4 a fault of Testwright's own.\n"
    )


def _guarded(command: CommandEntry, arguments: list[str]) -> int:
    """Run a command; its user never sees a traceback."""
    from testwright.model.errors import ExitCode, TestwrightError  # late: start-up: not needed for `--help`

    # A command is short and leaves little garbage in cycles: collect rarely, and not at all at the exit,
    # where the end of the process frees everything anyway.
    gc.set_threshold(50_000)
    atexit.register(gc.freeze)
    try:
        return _dispatch(command, arguments)
    except TestwrightError as error:
        _report(error, as_json="--json" in arguments)
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("\ntestwright: stopped.\n")
        return ExitCode.FAILURES
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
    except Exception as error:  # noqa: BLE001  the last line of defence: a fault of ours, reported as one
        from testwright.faces.cli.crash_report import report_crash  # late: start-up: needed only after a fault

        report_crash(error)
        return ExitCode.INTERNAL


def _dispatch(command: CommandEntry, arguments: list[str]) -> int:
    # late: start-up: not needed for `--help`
    from importlib import import_module

    from testwright.faces.cli.common_options import CommandModule, parser_for

    module: CommandModule = import_module(f"testwright.faces.cli.{command.module}")
    parser = parser_for(command.name, command.summary, module)
    rest: list[str] = []
    if getattr(module, "PASSES_OPTIONS_ON", False) and "--" in arguments:
        cut = arguments.index("--")
        arguments, rest = arguments[:cut], arguments[cut + 1 :]
    try:
        options = parser.parse_args(arguments)
    except SystemExit as stop:  # argparse has printed its help, or what is wrong
        return int(stop.code or 0)
    options.passed_on = tuple(rest)
    return module.execute(options)


def _report(error: "TestwrightError", *, as_json: bool) -> None:
    from testwright.model.untrusted_text import visible  # late: start-up: needed only for an error

    if as_json:
        import json  # late: start-up: needed only for an error

        sys.stdout.write(json.dumps({"error": error.as_dict()}) + "\n")
    sys.stderr.write(f"testwright: {visible(error.message)} [{error.code}]\n")
    if error.next_step:
        sys.stderr.write(f"  {visible(error.next_step)}\n")


def _did_you_mean(word: str) -> str:
    import difflib  # late: start-up: needed only for a misspelt command

    close = difflib.get_close_matches(word, [command.name for command in COMMANDS], n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


if __name__ == "__main__":
    sys.exit(main())
