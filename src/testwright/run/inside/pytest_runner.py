"""Run pytest in the project's interpreter and report each test over the private channel.

Started as `python pytest_runner.py PYTEST-ARGUMENTS`. Which of the collected tests to run comes in the
channel's greeting, so that thousands of names fit and none can be taken for an option.

Python compiles this file at each start, which it does not do for what is imported: it stays short.
"""

import contextlib
import gc
import importlib
import importlib.util
import os
import sys
from typing import Any, Optional

_PACKAGE = "_testwright_inside"  # under its own name the package may be the project's, in another version


def _import_ours() -> None:
    """Make the files beside this one a package, for any import path, and leave no trace on that path."""
    here = os.path.dirname(os.path.abspath(__file__))
    # A plain `pytest` would not have this folder there.
    sys.path[:] = [place for place in sys.path if os.path.abspath(place or os.curdir) != here]
    spec = importlib.util.spec_from_file_location(_PACKAGE, os.path.join(here, "__init__.py"))
    assert spec is not None
    sys.modules[_PACKAGE] = importlib.util.module_from_spec(spec)


def _ours(name: str) -> Any:
    return importlib.import_module(_PACKAGE + "." + name)


def _missing(channel: Any, error: ImportError, package: str, code: str, next_step: str) -> None:
    message = package + " is not installed for " + sys.executable + "."
    if error.name != package:
        message = package + " cannot be loaded by " + sys.executable + ": " + str(error)
    channel.send("problem", code=code, message=message, next_step=next_step)


def main() -> int:
    _import_ours()
    channel = _ours("channel").Channel()
    channel.send("up", pid=os.getpid())
    sys.argv[0] = "pytest"  # a debugger or a plugin may read this: say what was really run
    try:
        import pytest  # late: the project's interpreter may lack it
    except ImportError as error:
        next_step = "Install it there, or name another interpreter with --python."
        _missing(channel, error, "pytest", "runner_missing", next_step)
        channel.send("end", exit_code=3, stopped=False)
        return 3
    measuring = _measuring(channel)
    plugins = _ours("pytest_reporter").plugins(channel, measuring is not None)
    code = _run(pytest, plugins)
    if measuring is not None:
        measuring.save()
    with contextlib.suppress(OSError, ValueError):  # a test may have closed it
        sys.stdout.flush()
    # No tests at all is an error to pytest, and here what remains when another process has them.
    channel.send("end", exit_code=code, stopped=plugins[0].stopped, empty=code == pytest.ExitCode.NO_TESTS_COLLECTED)
    return code


def _run(pytest: Any, plugins: Any) -> int:
    # What is loaded by now stays until the end. Set aside, it is not searched for garbage over and over again,
    # which takes a tenth of the time of short tests.
    can_set_aside = hasattr(gc, "freeze")  # not in PyPy, which has another way to find garbage
    if can_set_aside:
        gc.freeze()
    code = int(pytest.main(sys.argv[1:], plugins=plugins))
    if can_set_aside:
        gc.unfreeze()  # the process ends as it would without us: everything left open is written out
    return code


def _measuring(channel: Any) -> Optional[Any]:
    """coverage.py at work, when it was asked for."""
    if not channel.config.get("coverage_file"):
        return None
    try:
        return _ours("pytest_coverage").CoverageMeasurement(channel.config["coverage_file"])
    except ImportError as error:
        next_step = "Install coverage there, or run without --coverage."
        _missing(channel, error, "coverage", "coverage_missing", next_step)
        return None


if __name__ == "__main__":
    sys.exit(main())
