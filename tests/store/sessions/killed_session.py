"""Runs as a process of its own, to be killed: for each line on stdin it forks a writer that adds events without end.

It says `folder PATH`, `pid N`, and after each event that `add` has returned from, its number. `gone`: it was killed.
"""

import os
import sys
from itertools import count
from pathlib import Path

from tests.store.sessions.session_events import asks, breaks, click, head, says
from testwright.store.sessions import new_session

MAKERS = (click, says, asks, breaks)


def say(*words: object) -> None:
    os.write(1, " ".join(map(str, words)).encode() + b"\n")


def write_without_end(root: Path) -> None:
    writer = new_session(root)
    writer.begin(head(id=writer.id))
    say("folder", writer.folder)
    for seq in count(1):
        writer.add(MAKERS[seq % len(MAKERS)](seq))
        say(seq)


def main() -> None:
    root = Path(sys.argv[1])
    for _ in sys.stdin:
        writer = os.fork()
        if writer == 0:
            write_without_end(root)
        say("pid", writer)
        os.waitpid(writer, 0)
        say("gone")


main()
