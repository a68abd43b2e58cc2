"""The script that is put into every document of a recorded browser."""

import json
import secrets
from functools import cache
from pathlib import Path

from testwright.observe.inside.page_walk import walk_source

_HERE = Path(__file__).parent


class PageScript:
    """One recording's: its messages carry a token that pages do not know, so that none can be forged."""

    def __init__(self) -> None:
        self.binding = f"__testwright_{secrets.token_hex(4)}"
        self.token = secrets.token_hex(16)

    def script(self, *, late: bool = False) -> str:
        """`late`: for a document that was there before us."""
        options = json.dumps({"binding": self.binding, "token": self.token, "late": late})
        return f"({_source('page_recorder.js')})({walk_source()}, {{...{options}, hints: {_source('error_hints.js')}}})"


STOP = "() => { const here = document[Symbol.for('testwright.recorder')]; if (here) here.stop(); }"


@cache
def _source(name: str) -> str:
    lines = (_HERE / name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("//")).strip().rstrip(";")
