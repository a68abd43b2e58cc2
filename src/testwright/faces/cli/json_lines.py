"""JSON lines in, JSON lines out: one answer for each line, as it comes."""

import json
from collections.abc import Callable
from typing import IO, Any, NamedTuple

Answer = dict[str, Any]


class LineAnswers(NamedTuple):
    """How lines are answered. An answer with `error` says that its line could not be understood."""

    answer: Callable[[bytes], Answer]
    refuse: Callable[[str], Answer]  # the answer to a line that is not looked at; it is given the reason
    most_bytes: int  # of a line
    ascii_only: bool = True


def answer_lines(asked: IO[bytes], answers: IO[str], lines: LineAnswers) -> int:
    """1 where a line could not be understood: it is answered with an error, and the next one is read."""
    misread = 0
    while line := asked.readline(lines.most_bytes + 1):
        is_too_long = len(line) > lines.most_bytes
        if is_too_long:
            _skip_rest(asked, line, lines.most_bytes)
        if not line.strip():
            continue
        too_long = f"A line is longer than {lines.most_bytes >> 20} MiB."
        answer = lines.refuse(too_long) if is_too_long else lines.answer(line)
        misread += "error" in answer
        answers.write(json.dumps(answer, ensure_ascii=lines.ascii_only) + "\n")
        answers.flush()
    return int(misread > 0)


def _skip_rest(asked: IO[bytes], line: bytes, most_bytes: int) -> None:
    while line and not line.endswith(b"\n"):
        line = asked.readline(most_bytes)
