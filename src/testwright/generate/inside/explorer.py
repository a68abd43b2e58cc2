"""The explorer as a program: started by path with the project's interpreter, with its task from the private channel."""

import os
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import NoReturn


def become_package() -> None:
    """Let `testwright.*` be imported from beside this file, and nothing else from where Testwright is installed."""
    package = ModuleType("testwright")
    package.__path__ = [str(Path(__file__).resolve().parents[2])]
    sys.modules["testwright"] = package


def explore_and_leave() -> NoReturn:
    """Exit at once: what the module under test still runs, or wants to do at exit, does not matter any more."""
    from testwright.generate.inside.explorer_session import run_session  # late: not importable before become_package

    leave, code = os._exit, 0
    try:
        run_session()
    except BaseException:  # noqa: BLE001 - anything must reach stderr, and we must end
        traceback.print_exc(file=sys.__stderr__)
        code = 1
    finally:
        leave(code)


if __name__ == "__main__":
    become_package()
    explore_and_leave()
