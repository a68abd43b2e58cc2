"""Start pytest in the project's interpreter: `python -P pytest_start.py PYTEST-ARGUMENTS`.

The task comes over the channel: with `worth` it is to find out what tests are worth (see `worth_plugin`),
otherwise to judge a generated file (see `judge_plugin`); then `measured` names the module to watch, if there is one.
"""

import contextlib
import importlib
import os
import sys
import traceback
import types
from pathlib import Path
from typing import Any, NoReturn

_SOURCE = str(Path(__file__).absolute().parents[3])
_NAME = "testwright"


def main() -> int:
    _become_package()
    channel = _ours("isolate.inside.channel").Channel()
    worth, measured = channel.config.get("worth"), channel.config.get("measured")
    # Before pytest is loaded: the module to watch may be one that pytest itself uses.
    measuring = _ours("generate.inside.pytest_gate.module_coverage").ModuleCoverage(**measured) if measured else None
    try:
        import pytest  # late: the project's interpreter may lack it
    except ImportError as error:
        text = f"pytest is not installed for {sys.executable}."
        if error.name != "pytest":
            text = f"pytest cannot be loaded by {sys.executable}: {error}"
        channel.send("no_pytest", text=text)
        return 3
    if worth:
        # At the end, where they hide nothing: some suites rely on being started with `python -m pytest`.
        sys.path += [place for place in worth["import_path"] if place not in sys.path]
        plugin = _ours("generate.inside.pytest_gate.worth_plugin").Worth(channel)
    else:
        plugin = _ours("generate.inside.pytest_gate.judge_plugin").Judge(channel, measuring)
    _ours("generate.inside.process_setup").forgive_refused_changes()
    _leave_no_trace()
    sys.argv[0] = "pytest"
    code = int(pytest.main(sys.argv[1:], plugins=[plugin]))
    if code == pytest.ExitCode.USAGE_ERROR and not plugin.has_started:
        # The project's own options conflict with ours, or name a plugin that is not installed: run without them.
        code = int(pytest.main(["-o", "addopts=", *sys.argv[1:]], plugins=[plugin]))
    channel.send("end", exit_code=code)
    return code


def _become_package() -> None:
    """Make our modules importable by their own names, no matter what the import path is."""
    package = types.ModuleType(_NAME)
    package.__path__ = [_SOURCE]
    sys.modules[_NAME] = package


def _ours(name: str) -> Any:
    return importlib.import_module(f"{_NAME}.{name}")


def _leave_no_trace() -> None:
    """The project may have a package of our name, too: what tests import is theirs."""
    for name in [name for name in sys.modules if name.partition(".")[0] == _NAME]:
        del sys.modules[name]


def main_and_leave() -> NoReturn:
    """Exit at once: what the tested code still runs, or wants to do at exit, would only keep us waiting."""
    leave, code = os._exit, 1
    try:
        code = main()
    except Exception:  # noqa: BLE001 - it must reach stderr, and we must end
        traceback.print_exc(file=sys.__stderr__)
    finally:
        for stream in (sys.__stdout__, sys.__stderr__):
            with contextlib.suppress(OSError, ValueError):  # the tested code may have closed them
                print(end="", file=stream, flush=True)
        leave(code)


if __name__ == "__main__":
    main_and_leave()
