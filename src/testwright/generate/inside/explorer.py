"""The explorer as a program: started by path with the project's interpreter, told its task over the private channel."""

import os
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import NoReturn


def make_ourselves_known() -> None:
    """Let `testwright.*` be imported from beside this file, and nothing else from where Testwright is installed."""
    package = ModuleType("testwright")
    package.__path__ = [str(Path(__file__).resolve().parents[2])]
    sys.modules["testwright"] = package


def explore_and_leave() -> NoReturn:
    """All is said by then: what the module under test still runs, or wants to do at exit, is nobody's concern."""
    from testwright.generate.inside.explorer_session import explore_as_told

    leave, code = os._exit, 0
    try:
        explore_as_told()
    except BaseException:  # noqa: BLE001 - whatever it is, the reader of stderr must get it, and we must end
        traceback.print_exc(file=sys.__stderr__)
        code = 1
    finally:
        leave(code)


if __name__ == "__main__":
    make_ourselves_known()
    explore_and_leave()
