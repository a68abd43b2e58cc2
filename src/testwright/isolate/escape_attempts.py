"""Runs inside a guard and tries to get out; says what it managed. A level that lets it out does not count as working.

Started by path with an isolated interpreter: standard library only.
"""

import os
import socket
import sys

LAST_LINE = "that is all"  # an answer without it broke off


def _managed(attempt: str) -> bool:
    """Whether `ATTEMPT:ARGUMENT` worked."""
    kind, _, argument = attempt.partition(":")
    try:
        if kind == "write":
            with open(argument, "w", encoding="utf-8") as file:
                file.write("written from inside")
        elif kind == "connect":
            socket.create_connection(("127.0.0.1", int(argument)), timeout=5).close()
        elif kind == "read":
            with open(argument, "rb") as file:
                return bool(file.read())
        elif kind == "mode":
            os.chmod(argument, os.stat(argument).st_mode & 0o7777)  # as it is: to be allowed to is enough
        elif kind == "signal":
            os.kill(int(argument), 0)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    answer = [attempt for attempt in sys.argv[1:] if _managed(attempt)]
    print(*answer, LAST_LINE, sep="\n")  # noqa: T201
