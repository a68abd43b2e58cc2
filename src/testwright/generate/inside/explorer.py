"""The explorer as a program: started by path with the project's interpreter, told its task over the private channel."""

import sys
from pathlib import Path
from types import ModuleType


def make_ourselves_known() -> None:
    """Let `testwright.*` be imported from beside this file, and nothing else from where Testwright is installed."""
    package = ModuleType("testwright")
    package.__path__ = [str(Path(__file__).resolve().parents[2])]
    sys.modules["testwright"] = package


if __name__ == "__main__":
    make_ourselves_known()
    from testwright.generate.inside.talking import explore_as_told

    explore_as_told()
