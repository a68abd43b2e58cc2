"""From a place in a script to the place in its source, for maps as bundlers write them and for torn ones."""

import base64
import json
from collections.abc import Sequence

import pytest

from testwright.model.session import SourceSpot
from testwright.observe.recording.source_maps import BadMap, address_in, data_in, parsed_map

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def vlq(*numbers: int) -> str:
    """Each number in base 64, its sign in the lowest bit and the sixth bit for `more follows`."""
    written = ""
    for number in numbers:
        rest = (-number << 1) | 1 if number < 0 else number << 1
        while True:
            rest, digit = rest >> 5, rest & 31
            written += _DIGITS[digit | (32 if rest else 0)]
            if not rest:
                break
    return written


def map_text(mappings: str, *, sources: Sequence[str | None] = ("src/cart.ts",), **more: object) -> str:
    return json.dumps({"version": 3, "sources": sources, "names": ["total", "add"], "mappings": mappings, **more})


def test_the_segment_before_a_column_says_where_it_is_from() -> None:
    # Script line 2: column 0 is cart.ts 5:3 `total`, column 40 is cart.ts 2:1 without a name.
    found = parsed_map(map_text(";" + vlq(0, 0, 4, 2, 0) + "," + vlq(40, 0, -3, -2)))

    assert found.spot(2, 1) == SourceSpot("src/cart.ts", 5, 3, "total")
    assert found.spot(2, 40) == SourceSpot("src/cart.ts", 5, 3, "total")
    assert found.spot(2, 41) == SourceSpot("src/cart.ts", 2, 1)
    assert found.spot(2, 4_000) == SourceSpot("src/cart.ts", 2, 1)


@pytest.mark.parametrize("place", [(1, 1), (0, 0), (9, 1), (-1, 5), (2, 0)])
def test_a_place_that_the_map_does_not_know_is_nowhere(place: tuple[int, int]) -> None:
    assert parsed_map(map_text(";" + vlq(3, 0, 4, 2, 0))).spot(*place) is None


def test_a_segment_without_a_source_is_nowhere() -> None:
    found = parsed_map(map_text(vlq(0, 0, 0, 0) + "," + vlq(10)))

    assert found.spot(1, 5) is not None
    assert found.spot(1, 12) is None


def test_columns_begin_anew_in_each_line_and_everything_else_goes_on() -> None:
    found = parsed_map(map_text(vlq(8, 0, 10, 0) + ";" + vlq(8, 1, 1, 4), sources=["a.js", "b.js"]))

    assert found.spot(2, 9) == SourceSpot("b.js", 12, 5)


def test_the_root_comes_before_the_name() -> None:
    found = parsed_map(map_text(vlq(0, 0, 0, 0), sourceRoot="webpack://shop/"))

    assert found.spot(1, 1) == SourceSpot("webpack://shop/src/cart.ts", 1, 1)


def test_a_map_of_maps_asks_the_one_that_holds_there() -> None:
    one, two = (
        json.loads(map_text(vlq(0, 0, line, 0), sources=[f"{name}.js"])) for line, name in ((0, "one"), (6, "two"))
    )
    found = parsed_map(
        json.dumps(
            {
                "version": 3,
                "sections": [
                    {"offset": {"line": 0, "column": 0}, "map": one},
                    {"offset": {"line": 3, "column": 20}, "map": two},
                ],
            }
        )
    )

    assert found.spot(1, 1) == SourceSpot("one.js", 1, 1)
    assert found.spot(4, 20) is None  # still the first one's, which knows nothing of that line
    assert found.spot(4, 21) == SourceSpot("two.js", 7, 1)


def test_segments_out_of_order_are_put_in_order() -> None:
    found = parsed_map(map_text(vlq(30, 0, 9, 0) + "," + vlq(-30, 0, -9, 0)))

    assert found.spot(1, 1) == SourceSpot("src/cart.ts", 1, 1)
    assert found.spot(1, 31) == SourceSpot("src/cart.ts", 10, 1)


def test_the_guard_line_of_a_server_is_skipped() -> None:
    assert parsed_map(")]}'\n" + map_text(vlq(0, 0, 0, 0))).spot(1, 1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<html>not found</html>",
        "[]",
        "null",
        "7",
        "{}",
        '{"version": 3, "sources": [], "mappings": "!!"}',
        '{"version": 3, "sources": [], "mappings": 7}',
        '{"version": 3, "sources": 5, "mappings": ""}',
        '{"version": 3, "sources": [], "mappings": "gggggggggggggggggggggggg"}',
        '{"version": 3, "sources": [], "mappings": "é"}',
        '{"sections": [{"offset": {}, "map": {}}]}',
        "[" * 100_000,
        ")]}'",
    ],
)
def test_what_is_no_map_is_refused(text: str) -> None:
    with pytest.raises(BadMap):
        parsed_map(text)


def test_sources_and_names_that_are_missing_are_nowhere() -> None:
    assert parsed_map(map_text(vlq(0, 9, 0, 0))).spot(1, 1) is None
    assert parsed_map(map_text(vlq(0, 0, 0, 0, 99))).spot(1, 1) == SourceSpot("src/cart.ts", 1, 1)


@pytest.mark.parametrize(
    ("script", "address"),
    [
        ("f()\n//# sourceMappingURL=app.js.map\n", "app.js.map"),
        ("f()\n//@ sourceMappingURL=old.map", "old.map"),
        ("f()\n/*# sourceMappingURL=a.css.map */", "a.css.map"),
        ("//# sourceMappingURL=first.map\nf()\n//# sourceMappingURL=last.map", "last.map"),
        ("f()", ""),
        ("//# sourceMappingURL=", ""),
    ],
)
def test_a_script_names_its_map_at_its_end(script: str, address: str) -> None:
    assert address_in(script) == address


def test_a_map_within_the_script_is_read() -> None:
    text = map_text(vlq(0, 0, 0, 0), sources=["x" * 9_000])
    inline = "data:application/json;charset=utf-8;base64," + base64.b64encode(text.encode()).decode()

    assert data_in(address_in(f"f()\n//# sourceMappingURL={inline}")) == text
    assert data_in("data:application/json,%7B%7D") == "{}"
    assert data_in("data:application/json;base64,abc") is None
    assert data_in("app.js.map") is None
