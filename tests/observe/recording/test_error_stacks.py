"""A stack is read frame by frame, and the application's own frames are told from the rest."""

import pytest

from testwright.observe.recording.error_stacks import MOST_FRAMES, is_app_script, parsed_stack

PAGE = "http://app.test/shop"


@pytest.mark.parametrize(
    ("line", "function", "url", "place"),
    [
        ("    at load (http://app.test/a.js:3:7)", "load", "http://app.test/a.js", (3, 7)),
        ("    at http://app.test/a.js:3:7", "", "http://app.test/a.js", (3, 7)),
        ("    at async load (http://app.test/a.js:3:7)", "load", "http://app.test/a.js", (3, 7)),
        ("    at async http://app.test/a.js:3:7", "", "http://app.test/a.js", (3, 7)),
        ("    at new Cart (http://app.test/a.js:3:7)", "new Cart", "http://app.test/a.js", (3, 7)),
        ("    at Cart.add [as push] (http://app.test/a.js:3:7)", "Cart.add", "http://app.test/a.js", (3, 7)),
        (
            "    at HTMLButtonElement.<anonymous> (http://app.test/?q=(1):3:7)",
            "HTMLButtonElement.<anonymous>",
            "http://app.test/?q=(1)",
            (3, 7),
        ),
        (
            "    at eval (eval at run (http://app.test/a.js:9:2), <anonymous>:1:2)",
            "eval",
            "http://app.test/a.js",
            (9, 2),
        ),
        ("    at Array.map (<anonymous>)", "Array.map", "", (0, 0)),
        ("    at async Promise.all (index 0)", "Promise.all", "", (0, 0)),
        ("    at <anonymous>", "", "", (0, 0)),
        ("    at sort (native)", "sort", "", (0, 0)),
        ("load@http://app.test/a.js:3:7", "load", "http://app.test/a.js", (3, 7)),
    ],
)
def test_a_frame_is_read(line: str, function: str, url: str, place: tuple[int, int]) -> None:
    (frame,) = parsed_stack(f"TypeError: x\n{line}", PAGE)

    assert (frame.function, frame.url, (frame.line, frame.column)) == (function, url, place)
    assert frame.is_app == bool(url)


def test_words_of_the_message_are_no_frames() -> None:
    assert parsed_stack("Error: look at this\nand at that (or not)\n") == ()


def test_a_very_deep_stack_is_cut() -> None:
    deep = "RangeError: x\n" + "    at f (http://app.test/a.js:1:1)\n" * 500

    assert len(parsed_stack(deep, PAGE)) == MOST_FRAMES


@pytest.mark.parametrize(
    ("url", "source", "is_app"),
    [
        ("http://app.test/a.js", "", True),
        ("http://cdn.app.test/a.js", "", True),
        ("https://cdn.elsewhere.example/a.js", "", False),
        ("chrome-extension://abc/a.js", "", False),
        ("http://app.test/node_modules/.vite/deps/react.js?v=1", "", False),
        ("http://app.test/vendor.4f2a.js", "", False),
        ("http://app.test/jquery.min.js", "", False),
        ("http://app.test/reactions.js", "", True),
        ("http://app.test/a.js", "webpack:///./src/cart.ts", True),
        ("http://app.test/a.js", "webpack:///./node_modules/react/index.js", False),
        ("http://app.test/a.js", "webpack:///webpack/bootstrap", False),
        ("http://[bad/a.js", "", False),
    ],
)
def test_the_apps_scripts_are_those_of_its_site_that_are_no_library(url: str, source: str, is_app: bool) -> None:
    assert is_app_script(url, PAGE, source) is is_app
