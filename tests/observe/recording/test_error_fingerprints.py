"""The same error is known again on another day, and two errors are told apart."""

import json
import re
import subprocess

import pytest

from testwright.model.session import ScriptFrame, SourceSpot
from testwright.observe.recording.error_fingerprints import error_fingerprint, message_pattern

ODD = [
    "Cannot read properties of null (reading 'name')",
    "Unexpected token '<', \"<!doctype \"... is not valid JSON",
    "a.b is (not) [x] {3,4} $^|\\ / *+? -",
    'user "ann" has 3 items: 4,5.6 at http://x/y?z=1 (3fa85f64-5717-4562-b3fc-2c963f66afa6)',
    "\n\n  second line\nthird",
    "héllo 'wörld' 😀 \u202e x",
    "x" * 10_000,
    "9 " * 5_000,
    "",
    " \n ",
    "'" * 300,
    '"' * 301,
    "tab\there\x00nul",
    "1.1.1.1,2 and user-9f8a7b6c5d",
    "can't access 'foo bar', isn't it",
    "ann@shop.example,bob@shop.example -5:30",
    "Loading chunk 12 failed.\n(error: http://x/12.js)",
    "line\u2028separator",
    "[REDACTED",
    "`${x}` </script> ${{y}}",
    "tags \U000e0061\U000e0070 after",
]


def frame(function: str, *, line: int = 1, is_app: bool = True, spot: SourceSpot | None = None) -> ScriptFrame:
    return ScriptFrame(function=function, url="http://app/a.js", line=line, column=1, spot=spot, is_app=is_app)


@pytest.mark.parametrize("message", ODD)
def test_a_pattern_finds_the_message_it_was_made_of(message: str) -> None:
    assert re.search(message_pattern(message), message)
    assert len(message_pattern(message)) < 1_000


@pytest.mark.needs_node
def test_a_pattern_means_the_same_in_javascript(node: str) -> None:
    script = """
    const rows = JSON.parse(require('fs').readFileSync(0, 'utf8'));
    const lost = rows.filter(([pattern, message]) =>
      ['', 'u'].some((flags) => !new RegExp(pattern, flags).test(message)));
    console.log(JSON.stringify(lost));
    """
    rows = json.dumps([[message_pattern(message), message] for message in ODD])

    said = subprocess.run([node, "-e", script], input=rows, capture_output=True, text=True, check=True)

    assert json.loads(said.stdout) == []


@pytest.mark.parametrize(
    ("masked", "live"),
    [
        ("token [REDACTED] is not valid", "token abc.def-(9) is not valid"),
        ('bad key "[REDACTED]"', 'bad key "it"s"'),
        ("GET http://x/?key=[REDACTED] failed", "GET http://x/?key=k9 failed"),
        ("[REDACTED][REDACTED] left", "ab left"),
        ("order 17 is gone", "order 99123 is gone"),
        ("no user 'ann lee'", "no user 'bob'"),
        ("chunk 4f2a9b88c01d of 0x1F", "chunk 99c1d2e3f4a5 of 0x2"),
        ("took 1,204.5 ms", "took 3 ms"),
    ],
)
def test_a_pattern_finds_the_same_error_with_other_data(masked: str, live: str) -> None:
    assert re.search(message_pattern(masked), live)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Cannot read properties of null (reading 'name')", "Cannot read properties of null (reading 'email')"),
        ("Cannot read properties of null (reading 'a')", "Cannot read properties of undefined (reading 'a')"),
        ("cart is empty", "cart is full"),
        ("a.b", "axb"),
    ],
)
def test_a_pattern_does_not_find_another_error(one: str, other: str) -> None:
    assert not re.search(message_pattern(one), other)
    assert error_fingerprint("TypeError", one, ()) != error_fingerprint("TypeError", other, ())


def test_a_fingerprint_stays_when_lines_numbers_and_ids_change() -> None:
    monday = error_fingerprint("Error", "order 17 of user 1f0c2d3e4a5b6c7d is gone", [frame("load", line=12)])
    friday = error_fingerprint("Error", "order 4 of user 99aabbccddee0011 is gone", [frame("load", line=40)])

    assert monday == friday


def test_a_fingerprint_tells_names_and_functions_apart() -> None:
    load = [frame("load")]

    assert error_fingerprint("TypeError", "x", load) != error_fingerprint("RangeError", "x", load)
    assert error_fingerprint("TypeError", "x", load) != error_fingerprint("TypeError", "x", [frame("save")])


def test_the_function_is_the_innermost_one_of_the_app() -> None:
    within_library = [frame("Array.map", is_app=False), frame("Cart.total")]

    assert error_fingerprint("E", "x", within_library) == error_fingerprint("E", "x", [frame("total")])


def test_a_minified_name_gives_way_to_the_source() -> None:
    spot = SourceSpot("src/cart.ts", 3, 1, "total")

    assert error_fingerprint("E", "x", [frame("t", spot=spot)]) == error_fingerprint("E", "x", [frame("qe", spot=spot)])
