"""What each line of a text is: only what the error itself says may be evidence."""

from itertools import pairwise

import pytest

from testwright.classify.failure_text.line_kinds import LineKind, known_lines


def kinds(text: str) -> list[tuple[str, str]]:
    return [(str(each.kind), each.line.text) for each in known_lines(text) if each.line.text]


def test_a_code_frame_is_code_and_the_line_it_points_at_failed() -> None:
    text = "Error: no\n\n  1 | // ECONNREFUSED\n> 2 | await page.goto('/')\n    |            ^\n  3 | }"

    assert [kind for kind, _ in kinds(text)] == ["said", "code", "failing_code", "code", "code"]


def test_a_frame_of_vitest_is_code_too() -> None:
    assert [kind for kind, _ in kinds("❯ a.test.ts:1:2\n      1| it()\n      2| expect(a)\n       |       ^")] == [
        "frame",
        "code",
        "failing_code",
        "code",
    ]


def test_the_source_that_pytest_shows_is_code() -> None:
    text = (
        "____ test_pays ____\n\nclient = <Client>\n\n    def test_pays(client):\n"
        "        # raises TimeoutException after ECONNREFUSED\n        client.pay(\n"
        ">           1,\n        )\nE       assert 1 == 2\n\ntests/test_a.py:4: AssertionError"
    )

    assert kinds(text)[0][0] == "said"
    assert {kind for kind, _ in kinds(text)[1:-2]} == {"code", "failing_code"}
    assert [kind for kind, _ in kinds(text)[-2:]] == ["said", "frame"]


def test_the_code_below_a_frame_of_python_is_code() -> None:
    text = 'Traceback (most recent call last):\n  File "a.py", line 3, in pay\n    raise Late()\nTimeoutError: late'

    assert [kind for kind, _ in kinds(text)] == ["said", "frame", "failing_code", "said"]


def test_what_node_shows_above_a_caret_is_code() -> None:
    assert [kind for kind, _ in kinds("a.js:74\n  throw new Error(obj);\n  ^\n\nError: late")] == [
        "said",
        "code",
        "code",
        "said",
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Ignored nodes: comments, script\n<body>\n  <p>ECONNREFUSED</p>\n</body>", "dump"),
        ("# Page snapshot\n- heading \"ECONNREFUSED\"\n- text: ECONNREFUSED", "page"),
        ("----- Captured stdout call -----\nECONNREFUSED\nmore", "printed"),
        ("Call log:\n  - waiting for locator('#a')\n  -   locator resolved to <b>ECONNREFUSED</b>", "log"),
        ("- Expected\n+ Received\n\n- ECONNREFUSED\n+ fine", "value"),
    ],
)  # fmt: skip
def test_what_is_printed_along_goes_on_until_something_else_begins(text: str, kind: str) -> None:
    known = kinds(f"Error: no\n{text}\n    at pay (a.js:1:2)")

    assert known[0][0] == "said"
    assert {each for each, _ in known[1:-1]} <= {kind, "furniture"}
    assert known[-1][0] == "frame"


def test_a_value_below_its_name_is_a_value() -> None:
    assert kinds('Expected value to equal:\n  "ECONNREFUSED"\nReceived:\n  "fine"')[1::2] == [
        ("value", '  "ECONNREFUSED"'),
        ("value", '  "fine"'),
    ]


def test_the_diff_of_pytest_is_values_but_its_explanations_are_said() -> None:
    text = (
        "E       assert 'a' == 'b'\nE         - ECONNREFUSED\nE         + fine\nE        +  where 404 = answer.status"
    )

    assert [kind for kind, _ in kinds(text)] == ["said", "value", "value", "said"]


def test_the_summary_of_pytest_counts_only_where_nothing_else_was_said() -> None:
    summary = "=== short test summary info ===\nFAILED tests/test_a.py::test_a - ValueError: late"

    assert ("said", "FAILED tests/test_a.py::test_a - ValueError: late") in kinds(summary)
    assert [kind for kind, _ in kinds(f"E   ValueError: late\n{summary}")] == ["said", "furniture", "printed"]


@pytest.mark.parametrize(
    "prefix",
    [
        "2024-03-01T10:11:12.1234567Z ",
        "[2024-03-01T10:11:12Z] ",
        "10:11:12 ",
        "flutter: ",
        "I/flutter ( 5528): ",
        "[  +12 ms] ",
        "##[error]",
        "10:11:12        │ ",
        "\x1b[31m",
        "\x1b]8;;http://shop.test\x07",
    ],
)
def test_what_logs_put_before_a_line_is_left_out(prefix: str) -> None:
    assert kinds(f"{prefix}Error: late") == [("said", "Error: late")]


@pytest.mark.parametrize("task", ["@shop/web:test: ", "web-1  | "])
def test_the_name_of_a_task_before_every_line_is_left_out(task: str) -> None:
    text = "\n".join(task + line for line in ("Error: late", "Call log:", "  - waiting for locator('#a')", "done"))

    assert kinds(text)[0] == ("said", "Error: late")


def test_lines_know_where_they_stand() -> None:
    text = "2024-03-01T10:11:12Z Error: late\n\n\n\nE       assert 1 == 2\n  10:11:12 x\nflutter: Error: b"

    for each in known_lines(text):
        assert text[each.line.start : each.line.start + len(each.line.text)] == each.line.text
    assert all(one.line.start <= other.line.start for one, other in pairwise(known_lines(text)))


def test_a_long_text_is_looked_at_from_both_ends() -> None:
    text = "Error: first\n" + "noise\n" * 200_000 + "Error: last"
    known = known_lines(text)

    assert known[0].line.text == "Error: first"
    assert known[-1].line.text == "Error: last"
    assert known[-1].line.start == text.index("Error: last")
    assert len(known) <= 1600


def test_a_line_alone_may_be_of_a_call_log() -> None:
    assert known_lines("  - locator resolved to <b>Pay</b>")[0].kind is LineKind.LOG
