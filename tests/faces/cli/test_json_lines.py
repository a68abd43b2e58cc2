"""JSON lines in, JSON lines out: every line has one answer, also one that cannot be read."""

import io
import json

from testwright.faces.cli.json_lines import Answer, LineAnswers, answer_lines

LINES = LineAnswers(
    answer=lambda line: {"said": line.decode().strip()}, refuse=lambda reason: {"error": reason}, most_bytes=8
)


def answered(asked: bytes, lines: LineAnswers = LINES) -> tuple[int, list[Answer]]:
    answers = io.StringIO()
    code = answer_lines(io.BytesIO(asked), answers, lines)
    return code, [json.loads(line) for line in answers.getvalue().splitlines()]


def test_each_line_has_one_answer_and_empty_lines_have_none() -> None:
    assert answered(b"one\n\n  \ntwo\n") == (0, [{"said": "one"}, {"said": "two"}])


def test_the_rest_of_a_line_that_is_too_long_is_not_answered() -> None:
    code, answers = answered(b"x" * 50 + b"\nshort\n")

    assert code == 1
    assert answers == [{"error": "A line is longer than 0 MiB."}, {"said": "short"}]


def test_a_last_line_that_is_too_long_and_has_no_end_is_one_error() -> None:
    assert answered(b"x" * 50)[0] == 1
    assert len(answered(b"x" * 50)[1]) == 1


def test_letters_outside_ascii_are_escaped_only_where_that_is_asked_for() -> None:
    written = {}
    for ascii_only in (True, False):
        answers = io.StringIO()
        answer_lines(io.BytesIO("é\n".encode()), answers, LINES._replace(ascii_only=ascii_only))
        written[ascii_only] = answers.getvalue()

    assert written == {True: '{"said": "\\u00e9"}\n', False: '{"said": "é"}\n'}
