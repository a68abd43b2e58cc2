"""Modules that do harm as soon as they are imported, one for each kind."""

from tests.generate.hostile.corpus import Hostile


def _fails(source: str, says: str) -> Hostile:
    return Hostile(source, says, is_tested=False)


AT_IMPORT = {
    # --- those that cannot be imported ---------------------------------------------------------
    "needs_another": _fails("import a_package_that_nobody_has\n", "needs 'a_package_that_nobody_has'"),
    "needs_a_name": _fails("from os import a_name_that_is_not_there\n", "cannot import name"),
    "is_no_python": _fails("def broken(:\n    pass\n", "not valid Python"),
    "has_a_null": _fails("NAME = 'a\0b'\n", "not valid Python"),
    "is_nested_too_deeply": _fails("DEEP = " + "-" * 100_000 + "1\n", "not valid Python"),
    "is_no_text": _fails("# -*- coding: no-such-encoding -*-\n", "cannot be read"),
    "raises": _fails("raise RuntimeError('no database today')\n", "RuntimeError: no database today"),
    "raises_rudely": _fails(
        """
class Rude(BaseException):
    def __str__(self):
        raise ValueError("not even this can be told")


raise Rude
""",
        "Rude",
    ),
    "interrupts": _fails("raise KeyboardInterrupt\n", "KeyboardInterrupt"),
    "exits": _fails("import sys\n\nsys.exit('usage: none')\n", "ends the program"),
    "exits_at_once": _fails("import os\n\nos._exit(0)\n", "ended the interpreter"),
    "kills_itself": _fails("import os, signal\n\nos.kill(os.getpid(), signal.SIGKILL)\n", "signal 9"),
    "crashes": _fails("import ctypes\n\nctypes.string_at(0)\n", "signal 11"),
    "loops_for_ever": _fails("while True:\n    pass\n", "does not end"),
    "sleeps_for_ever": _fails("import time\n\ntime.sleep(1_000_000)\n", "does not end"),
    "recurses": _fails("def down():\n    down()\n\n\ndown()\n", "RecursionError"),
    "eats_memory": _fails("ALL = []\nwhile True:\n    ALL.append(bytearray(1 << 27))\n", "MemoryError"),
    "prints_for_ever": _fails("while True:\n    print('x' * 1_000_000)\n", "without end"),
    "asks_a_person": _fails("NAME = input('Who are you? ')\n", "EOFError"),
    "uses_the_network": _fails(
        "import socket\n\nsocket.create_connection(('127.0.0.1', 9), timeout=5)\n", "its import fails"
    ),
    "closes_all_descriptors": _fails("import os\n\nos.closerange(0, 256)\n", "its import"),
    "replaces_itself": _fails(
        """
import sys


class Lazy:
    def __getattr__(self, name):
        return Lazy()

    def __call__(self, *arguments):
        return Lazy()


sys.modules[__name__] = Lazy()
""",
        "gives no module",
    ),
    "clears_the_import_path": _fails("import sys\n\nsys.path.clear()\n", "not on the import path"),
    "closes_the_streams": _fails("import sys\n\nsys.stdout.close()\nsys.stderr.close()\n", "closed file"),
    "removes_itself": _fails("import sys\n\ndel sys.modules[__name__]\n", "its import fails"),
    # --- those that go on as if nothing had happened -------------------------------------------
    "prints": Hostile("import sys\n\nprint('hello')\nprint('world', file=sys.stderr)\n"),
    "forks": Hostile("import os\n\nos.fork()\n"),
    "starts_a_process": Hostile("import subprocess\n\nCHILD = subprocess.Popen(['sleep', '86399'])\n"),
    "starts_a_thread": Hostile("import threading\n\nthreading.Thread(target=threading.Event().wait).start()\n"),
    "waits_at_exit": Hostile("import atexit, threading\n\natexit.register(threading.Event().wait)\n"),
    "changes_the_process": Hostile(
        """
import gc
import locale
import os
import signal
import sys

os.chdir("/")
os.umask(0o777)
os.environ.clear()
os.environ["PATH"] = "/nowhere"
sys.argv.clear()
sys.setrecursionlimit(100_000)
gc.disable()
locale.setlocale(locale.LC_ALL, "C")
for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGCHLD):
    signal.signal(number, signal.SIG_IGN)
"""
    ),
    "takes_the_streams": Hostile("import sys\n\nsys.stdin = sys.stdout = sys.stderr = None\n"),
    "writes_beside_itself": Hostile(
        """
import contextlib
import os

with contextlib.suppress(OSError):
    with open(__file__ + ".log", "w") as log:
        log.write("imported")
    os.chmod(__file__, 0o777)
    os.utime(__file__, (1, 1))
"""
    ),
    "has_every_name": Hostile(
        """
def __getattr__(name):
    return lambda *arguments, **options: name
"""
    ),
    "has_no_name": Hostile(
        """
def __getattr__(name):
    raise RuntimeError(f"do not ask me for {name}")


def __dir__():
    raise RuntimeError("do not look at me")
"""
    ),
}

NOTHING_TO_TEST = {
    "is_empty": "",
    "is_only_words": '"""Nothing but words."""\n',
    "is_only_a_program": "import sys\n\nif __name__ == '__main__':\n    sys.exit(len(sys.argv))\n",
}
