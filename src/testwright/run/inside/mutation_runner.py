"""Find which mutants of a module the tests notice, in the project's interpreter.

Started as `python mutation_runner.py PYTEST-ARGUMENTS`; which file, and how many mutants, comes in the channel's
greeting. This file must be readable by any Python, if only to say that it is too old.
"""

import importlib
import importlib.util
import os
import sys
from typing import Any

_INSIDE = "_testwright_inside"  # under their own name the packages may be the project's, in another version
_INSTRUMENT = "_testwright_instrument"
_OLDEST = (3, 11)


def _import_ours() -> None:
    """Make our folders packages, for any import path, and leave no trace on that path."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [place for place in sys.path if os.path.abspath(place or os.curdir) != here]
    instrument = os.path.join(os.path.dirname(os.path.dirname(here)), "instrument")
    for name, folder in ((_INSIDE, here), (_INSTRUMENT, instrument)):
        spec = importlib.util.spec_from_file_location(name, os.path.join(folder, "__init__.py"))
        assert spec is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)


def _ours(package: str, name: str) -> Any:
    return importlib.import_module(package + "." + name)


def _trouble() -> "dict[str, str] | None":
    """Why this interpreter cannot do it."""
    if sys.version_info < _OLDEST:
        return {
            "code": "runner_missing",
            "message": "%s is Python %s; mutants need 3.11 or newer." % (sys.executable, sys.version.split()[0]),
            "next_step": "Name another interpreter with --python.",
        }
    try:
        import pytest  # late: the project's interpreter may lack it; every copy of this process has it then  # noqa: F401
    except ImportError as error:
        return {
            "code": "runner_missing",
            "message": "pytest cannot be loaded by %s: %s" % (sys.executable, error),
            "next_step": "Install it there, or name another interpreter with --python.",
        }
    return None


def main() -> int:
    _import_ours()
    channel = _ours(_INSIDE, "channel").Channel()
    channel.send("up", pid=os.getpid())
    trouble = _trouble()
    if trouble is not None:
        channel.send("problem", **trouble)
    else:
        arguments = sys.argv[1:]
        sys.argv[:] = ["pytest"]
        instrument = {
            name: _ours(_INSTRUMENT, name) for name in ("import_hook", "live_mutants", "probe_hits", "probes", "twin")
        }
        _ours(_INSIDE, "mutation_worker").MutationWorker(channel, instrument, arguments).run()
    channel.send("end")
    return 0


if __name__ == "__main__":
    sys.exit(main())
