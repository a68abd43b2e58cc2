"""Modules that do harm when they are called, one for each kind; what is hostile is named so."""

from tests.generate.hostile.corpus import Hostile

WHEN_CALLED = {
    # --- ends --------------------------------------------------------------------------------
    "exits_hard": Hostile("import os\n\n\ndef hostile():\n    os._exit(0)\n", "exited with status 0"),
    "kills_its_process": Hostile(
        "import os\nimport signal\n\n\ndef hostile():\n    os.kill(os.getpid(), signal.SIGKILL)\n", "SIGKILL"
    ),
    "stops_its_process": Hostile(
        "import os\nimport signal\n\n\ndef hostile():\n    os.kill(os.getpid(), signal.SIGSTOP)\n", "took longer"
    ),
    "kills_its_parent": Hostile(
        "import os\nimport signal\n\n\ndef hostile():\n    os.kill(os.getppid(), signal.SIGKILL)\n",
        "ended early",
        is_tested=False,
    ),
    "segfaults": Hostile("import ctypes\n\n\ndef hostile():\n    return ctypes.string_at(0)\n", "SIGSEGV"),
    "aborts": Hostile("import os\n\n\ndef hostile():\n    os.abort()\n", "SIGABRT"),
    "raises_an_interrupt": Hostile("def hostile():\n    raise KeyboardInterrupt\n", "KeyboardInterrupt"),
    # --- never ends --------------------------------------------------------------------------
    "loops": Hostile("def hostile():\n    while True:\n        pass\n", "used up the work"),
    "loops_and_catches": Hostile(
        """
def hostile():
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
""",
        "used up the work",
    ),
    "loops_in_c": Hostile("def hostile():\n    return sum(range(10**15))\n", "took longer"),
    "sleeps": Hostile("import time\n\n\ndef hostile():\n    time.sleep(86399)\n", "waits"),
    "waits_for_a_lock": Hostile(
        "import threading\n\n\ndef hostile():\n    lock = threading.Lock()\n    lock.acquire()\n    lock.acquire()\n",
        "too long",
    ),
    "awaits": Hostile("import asyncio\n\n\nasync def hostile():\n    await asyncio.Event().wait()\n", "still waits"),
    "recurses_deeply": Hostile("def hostile():\n    return [hostile()]\n", "RecursionError"),
    # --- too much ----------------------------------------------------------------------------
    "takes_memory": Hostile("def hostile():\n    return len(bytearray(1 << 40))\n", "MemoryError"),
    "gives_gigabytes": Hostile("def hostile():\n    return 'x' * (1 << 29)\n"),
    "gives_millions": Hostile("def hostile():\n    return [0] * 5_000_000\n"),
    "gives_a_large_number": Hostile("def hostile():\n    return 1 << 10_000_000\n"),
    "prints_gigabytes": Hostile("def hostile():\n    for _ in range(1000):\n        print('x' * 10_000_000)\n"),
    "iterates_for_ever": Hostile("import itertools\n\n\ndef hostile():\n    return itertools.count()\n"),
    "generates_for_ever": Hostile("def hostile():\n    while True:\n        yield 1\n"),
    "contains_itself": Hostile("def hostile():\n    own = []\n    own.append(own)\n    return own\n"),
    # --- others' things ----------------------------------------------------------------------
    "deletes_the_project": Hostile(
        """
import pathlib
import shutil

HERE = pathlib.Path(__file__).parent


def hostile():
    for path in sorted(HERE.iterdir()):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            try:
                path.unlink()
            except OSError:
                pass
    return len(list(HERE.iterdir()))
"""
    ),
    "writes_over_its_source": Hostile(
        """
def hostile():
    try:
        with open(__file__, "a") as source:
            source.write("raise RuntimeError\\n")
    except OSError:
        return False
    return True
"""
    ),
    "changes_modes_and_times": Hostile(
        """
import os


def hostile():
    os.chmod(__file__, 0o777)
    os.utime(__file__, (1, 1))
    os.chmod(os.path.dirname(__file__), 0o700)
    return oct(os.stat(__file__).st_mode)
"""
    ),
    "moves_its_source": Hostile(
        """
import os


def hostile():
    try:
        os.rename(__file__, __file__ + ".moved")
        os.symlink("/dev/null", __file__)
    except OSError:
        return False
    return True
"""
    ),
    "reads_stdin": Hostile("def hostile():\n    return input('> ')\n"),
    "connects": Hostile(
        """
import socket


def hostile(port: int = 9):
    with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
        return connection.recv(10)
"""
    ),
    "listens": Hostile(
        """
import socket


def hostile():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.accept()
""",
    ),
    # --- leaves something behind -------------------------------------------------------------
    "forks_when_called": Hostile("import os\n\n\ndef hostile():\n    return os.fork() == 0\n"),
    "forks_again_and_again": Hostile(
        """
import os
import signal


def hostile():
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            signal.pause()
    return 3
"""
    ),
    "starts_threads": Hostile(
        """
import threading


def hostile():
    for _ in range(5):
        threading.Thread(target=threading.Event().wait).start()
    return threading.active_count() > 5
"""
    ),
    "starts_processes": Hostile(
        """
import subprocess


def hostile():
    return subprocess.Popen(["sleep", "86399"], start_new_session=True).returncode
"""
    ),
    "patches_builtins": Hostile(
        """
import builtins


def hostile():
    builtins.len = lambda thing: 0
    builtins.isinstance = lambda thing, kind: True
    builtins.print = builtins.open = builtins.repr = builtins.type = None
    return "patched"
"""
    ),
    "patches_the_library": Hostile(
        """
import json
import os
import pickle
import time


def hostile():
    os.write = os.fork = os._exit = os.getpid = pickle.dumps = json.dumps = time.monotonic = None
    return "patched"
"""
    ),
    "changes_its_process": Hostile(
        """
import locale
import os
import signal
import sys


def hostile():
    os.chdir("/")
    os.environ.clear()
    os.umask(0o777)
    sys.path.clear()
    sys.modules.pop("os", None)
    sys.setrecursionlimit(60)
    locale.setlocale(locale.LC_ALL, "C")
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    return "changed"
"""
    ),
    "closes_descriptors": Hostile(
        "import os\n\n\ndef hostile():\n    os.closerange(0, 256)\n    return 'closed'\n", "hostile: "
    ),
    "registers_an_exit": Hostile(
        """
import atexit
import threading


def hostile():
    atexit.register(threading.Event().wait)
    return "registered"
"""
    ),
    # --- never the same ----------------------------------------------------------------------
    "tells_the_time": Hostile("import time\n\n\ndef hostile():\n    return time.time_ns()\n"),
    "throws_dice": Hostile("import random, uuid\n\n\ndef hostile():\n    return random.random(), uuid.uuid4()\n"),
    "orders_by_hash": Hostile("def hostile():\n    return list({'alpha', 'beta', 'gamma', 'delta', 'epsilon'})\n"),
    "tells_its_address": Hostile("def hostile():\n    return id(object()), repr(object()), hash('text')\n"),
    "tells_its_process": Hostile(
        "import os\n\n\ndef hostile():\n    return os.getpid(), os.getcwd(), sorted(os.environ), __file__\n"
    ),
    "remembers": Hostile(
        """
_calls = []


def hostile():
    _calls.append(1)
    return len(_calls)
"""
    ),
    # --- odd objects -------------------------------------------------------------------------
    "raises_when_looked_at": Hostile(
        """
class Shy:
    def _refuse(self, *_):
        raise RuntimeError("do not touch")

    __eq__ = __ne__ = __hash__ = __bool__ = __len__ = __iter__ = __repr__ = __str__ = __getattr__ = __dir__ = _refuse


def hostile():
    return Shy()
"""
    ),
    "lies_when_looked_at": Hostile(
        """
class Liar:
    __class__ = int

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return True

    def __bool__(self):
        return 2

    def __len__(self):
        return -1

    def __repr__(self):
        return 7

    def __getattr__(self, name):
        return Liar()

    def __hash__(self):
        return "x"

    def __iter__(self):
        return self

    def __next__(self):
        return self


def hostile():
    return Liar()
"""
    ),
    "ends_when_looked_at": Hostile(
        """
import os


class Bomb:
    def __eq__(self, other):
        os._exit(5)

    __hash__ = None

    def __repr__(self):
        os._exit(6)

    def __reduce_ex__(self, protocol):
        os._exit(7)

    def __deepcopy__(self, memo):
        os._exit(8)

    def __del__(self):
        os._exit(9)


def hostile():
    return Bomb()
""",
        "exited with status",
    ),
    "has_a_tricky_metaclass": Hostile(
        """
class Tricky(type):
    def __call__(cls, *arguments):
        raise RuntimeError("not to be built")

    def __instancecheck__(cls, instance):
        raise RuntimeError("not to be asked")

    def __subclasscheck__(cls, other):
        raise RuntimeError("not to be asked")

    def __repr__(cls):
        raise RuntimeError("not to be shown")

    def __eq__(cls, other):
        raise RuntimeError("not to be compared")

    def __hash__(cls):
        return 1

    def __dir__(cls):
        raise RuntimeError("not to be listed")

    @property
    def __doc__(cls):
        raise RuntimeError("not to be read")


class Hostile(metaclass=Tricky):
    pass


def hostile():
    return Hostile
"""
    ),
    "catches_everything": Hostile(
        """
def hostile(work):
    while True:
        try:
            return work()
        except BaseException:
            pass
""",
    ),
}
