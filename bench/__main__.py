"""`make bench`: every figure, with the limit it is held to. Exits with 1 when one is missed."""

import sys
import tempfile
from pathlib import Path

from bench import running, skills, starting, storing

SUBJECTS = {"starting": starting, "storing": storing, "skills": skills, "running": running}


def main() -> int:
    wanted = sys.argv[1:] or list(SUBJECTS)
    missed = 0
    for name in wanted:
        with tempfile.TemporaryDirectory(prefix="testwright-bench-") as folder:
            for figure in SUBJECTS[name].figures(Path(folder)):
                print(figure.line(), flush=True)
                missed += not figure.holds
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
