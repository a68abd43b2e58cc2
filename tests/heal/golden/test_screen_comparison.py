"""When two screens say the same, and when one of them says something else."""

import pytest

from testwright.heal.golden.screen_comparison import ChangeKind, compare_screens
from testwright.heal.golden.terminal_screen import MOST_BYTES
from testwright.model.errors import InvalidGolden, TooLarge

BOLD, GREEN, BLUE, REVERSE, FAINT, OFF = "\x1b[1m", "\x1b[32m", "\x1b[34m", "\x1b[7m", "\x1b[2m", "\x1b[0m"
MENU = f"{GREEN}What would you like?{OFF}\n\n  Tea\n> {REVERSE}Coffee{OFF}\n  Cocoa\n\nq: leave the shop"


def said(before: str, after: str) -> tuple[ChangeKind, str]:
    change = compare_screens(before.encode(), after.encode())
    return change.kind, change.obstacle


def test_the_same_screen_by_other_bytes_is_the_same() -> None:
    assert said(MENU, MENU.replace(OFF, "\x1b[m").replace("\n", "\r\n")) == (ChangeKind.SAME, "")


def test_another_accent_is_a_restyle() -> None:
    change = compare_screens(MENU.encode(), MENU.replace(GREEN, BLUE).encode())

    assert (change.kind, change.may_heal) == (ChangeKind.RESTYLE, True)
    assert (change.changed_cells, change.cells) == (17, 7 * 20)


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(MENU.replace("\n\nq:", "\n\n\nq:"), id="blank line"),
        pytest.param(
            MENU.replace("\n  Tea", "\n    Tea").replace("> ", "  > ").replace("  Cocoa", "    Cocoa"), id="indent"
        ),
        pytest.param(MENU.replace("q: leave", "   q: leave"), id="footer"),
    ],
)
def test_the_same_lines_elsewhere_are_a_move(after: str) -> None:
    assert said(MENU, after) == (ChangeKind.MOVE, "")


def test_a_move_names_what_moved() -> None:
    change = compare_screens(b"Report\n\nSave", b"Report\n\n  Save")

    assert [(old.text, old.column, new.column) for old, new in change.moved] == [("Save", 0, 2)]


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(MENU.replace("Tea", "Teas"), id="altered"),
        pytest.param(MENU.replace("Tea", ""), id="lost"),
        pytest.param(MENU.replace("Tea", "Tea Tea"), id="added"),
        pytest.param(MENU.replace("Tea", "T ea"), id="torn apart"),
        pytest.param(MENU.replace("Tea", "tea"), id="another case"),
        pytest.param(MENU.replace("Tea", "Te\u0430"), id="a letter that looks the same"),
        pytest.param(MENU.replace("Tea", "Tea\u202e"), id="another direction"),
        pytest.param(MENU.replace("Tea", "Te\u200da"), id="invisible joiner"),
        pytest.param(MENU.replace("Tea", "Te\u0301a"), id="accent"),
        pytest.param("", id="nothing at all"),
    ],
)
def test_another_text_is_never_healed(after: str) -> None:
    assert said(MENU, after) == (ChangeKind.TEXT_CHANGED, "text_changed")


@pytest.mark.parametrize("symbol", ["❤️", "👩‍🚀", "\u200f", "日本", "e\u0301", "\u00ad"])
def test_nothing_behind_an_odd_character_is_overlooked(symbol: str) -> None:
    assert said(f"{symbol} costs 10", f"{symbol} costs 99") == (ChangeKind.TEXT_CHANGED, "text_changed")


def test_wide_characters_take_two_cells() -> None:
    assert compare_screens("日本\nabcd".encode(), "日本\nabcde".encode()).cells == 2 * 5
    assert said("日本 ok\nsecond line", "日本 ok\nsecond line\n") == (ChangeKind.SAME, "")


@pytest.mark.parametrize(
    ("before", "after", "obstacle"),
    [
        pytest.param("> Tea\n  Coffee", "  Tea\n> Coffee", "reordered", id="the cursor went to another line"),
        pytest.param("Bob\nAlice\nfooter", "Alice\nBob\nfooter", "reordered", id="a list sorted another way"),
        pytest.param("Alice  10\nBob    20", "Alice  20\nBob    10", "reordered", id="values changed places"),
        pytest.param("Debit Credit\n10", "Debit Credit\n      10", "columns_changed", id="a number in another column"),
        pytest.param(
            "Debit   Credit\n\n10", "Debit   Credit\n\n        10", "columns_changed", id="across a blank line"
        ),
        pytest.param("A >\nB", "A\n> B", "reordered", id="a mark that goes with the next line"),
    ],
)
def test_a_move_that_says_something_else_is_left_to_a_person(before: str, after: str, obstacle: str) -> None:
    assert said(before, after) == (ChangeKind.MOVE, obstacle)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(f"{REVERSE}Tea{OFF}\nCoffee\nMilk", f"Tea\n{REVERSE}Coffee{OFF}\nMilk", id="moved"),
        pytest.param(f"{REVERSE}Tea{OFF}\nCoffee", f"Tea\n{REVERSE}Coffee{OFF}", id="swapped"),
        pytest.param(f"{REVERSE}Tea{OFF}\nCoffee", "Tea\nCoffee", id="gone"),
        pytest.param("Tea\nCoffee", f"Tea\n{BOLD}Coffee{OFF}", id="new"),
        pytest.param(f"{FAINT}Tea{OFF}\nCoffee\nMilk", f"Tea\n{FAINT}Coffee{OFF}\nMilk", id="faint"),
        pytest.param("Tea\nCoffee", "Tea\n\x1b[8mCoffee\x1b[28m", id="concealed"),
        pytest.param("\x1b[42m   \x1b[0m   |", "\x1b[42m      \x1b[0m|", id="a bar of blanks"),
    ],
)
def test_a_highlight_that_moved_is_not_a_restyle_to_heal(before: str, after: str) -> None:
    assert said(before, after) == (ChangeKind.RESTYLE, "emphasis_changed")


def test_a_move_and_a_restyle_at_once_are_left_to_a_person() -> None:
    after = MENU.replace(GREEN, BLUE).replace("q: leave", "  q: leave")

    assert said(MENU, after) == (ChangeKind.MOVE, "moved_and_restyled")


@pytest.mark.parametrize(
    "after",
    ["\x1b]0;Other\x07Tea", "\x1b]8;;http://other.test\x07Tea\x1b]8;;\x07", "Tea\a", "\x1b[?1000hTea", "\x1b]0;no end"],
)
def test_a_change_that_is_not_drawn_is_no_heal(after: str) -> None:
    change = compare_screens(b"Tea", after.encode())

    assert not change.may_heal


def test_a_stream_is_judged_by_its_last_frame_before_the_program_cleared_up() -> None:
    first, leave = "\x1b[?25lTea\r\nCoffee\x1b[2D", "\x1b[2K\x1b[?25h"
    frame = "\x1b[1A\x1b[2K{}\r\n\x1b[2K{}"

    golden = first + frame.format("Milk", "Juice") + leave
    assert (
        said(golden, first + frame.format(f"{GREEN}Milk{OFF}", f"{GREEN}Juice{OFF}") + leave)[0] is ChangeKind.RESTYLE
    )
    assert said(golden, first + frame.format("Milk", "Cider") + leave) == (ChangeKind.TEXT_CHANGED, "text_changed")


def test_a_frame_before_the_last_counts_too() -> None:
    golden, actual = (f"{word}\r\x1b[2KDone" for word in ("Loading", "Failing"))

    assert said(golden, actual) == (ChangeKind.TEXT_CHANGED, "text_changed")


def test_a_redesign_is_suggested_and_not_healed() -> None:
    lines = [f"The quick brown fox number {number} jumps over the lazy dog" for number in range(8)]

    change = compare_screens("\n".join(lines).encode(), "\n".join(f"   {line}" for line in lines).encode())

    assert (change.kind, change.obstacle) == (ChangeKind.MOVE, "too_much_changed")
    assert change.share > 0.5


def test_the_threshold_can_be_given() -> None:
    assert (
        compare_screens(MENU.encode(), MENU.replace(GREEN, BLUE).encode(), most_changed=0.1).obstacle
        == "too_much_changed"
    )


@pytest.mark.parametrize("garbage", [b"\xff\xfe\x00", b"\x89PNG\r\n\x1a\n\x00", b"a\x00b", b"\xc3"])
def test_binary_garbage_is_refused(garbage: bytes) -> None:
    with pytest.raises(InvalidGolden):
        compare_screens(b"Tea", garbage)


@pytest.mark.parametrize(
    "flood",
    [
        pytest.param(b"x" * (MOST_BYTES + 1), id="bytes"),
        pytest.param(b"\x1b[2J" * 200_000, id="commands"),
        pytest.param(b"\x1b[9999;9999Hx", id="far away"),
        pytest.param(b"abc\n" * 90_000 + b"x" * 2_000, id="lines"),
        pytest.param(b"x" * 1_100_000, id="columns"),
        pytest.param("e\u0301".encode() + "\u0301".encode() * 10_000, id="accents"),
        pytest.param("e\u200d".encode() * 2 + "\u200d".encode() * 10_000, id="joiners"),
        pytest.param(b"\x1b[200L\x1b[200M" * 45_000 + b"\n" * 2000 + b"x", id="scrolling"),
    ],
)
def test_floods_are_refused(flood: bytes) -> None:
    with pytest.raises(TooLarge):
        compare_screens(flood, b"Tea")


@pytest.mark.parametrize(
    "odd",
    [
        "\x1b",
        "\x1b[",
        "\x1b]",
        "\x1b[999999999999m",
        "\x1b[38;5;999mx",
        "\x1b[38;2mx",
        "\x9b1mx",
        "\x1bP",
        "\b\b\b",
        "\t",
    ],
)
def test_broken_commands_harm_nobody(odd: str) -> None:
    assert compare_screens(odd.encode(), odd.encode()).kind is ChangeKind.SAME
