"""Text that strangers wrote, shown so that it cannot forge what surrounds it."""

import pytest

from testwright.model.untrusted_text import decoded, harmless_in_ci_log, visible, visible_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\n\ttext ä 日本", "plain\n\ttext ä 日本"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]8;;http://evil.test\x07click", "\\x1b]8;;http://evil.test\\x07click"),
        ("over\rwritten", "over\\x0dwritten"),
        ("line\r\nline", "line\nline"),
        ("Trojan \u202e\u2066source\u2069", "Trojan \\u{202e}\\u{2066}source\\u{2069}"),
        ("zero\u200bwidth", "zero\\u{200b}width"),
        ("\x9b31m", "\\x9b31m"),
        ("lone \udcff", "lone \ufffd"),
    ],
)
def test_what_could_forge_is_spelled_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_line_is_one_line_and_not_too_long() -> None:
    assert visible_line("a\nb\tc") == "a\\nb c"
    assert len(visible_line("x" * 600)) == 500


def test_commands_to_a_ci_service_become_plain_text() -> None:
    assert "::error::" not in harmless_in_ci_log("::error::forged\n  ::add-mask::x")
    assert harmless_in_ci_log("std::vector and ::") == "std::vector and ::"


def test_bytes_that_are_no_text_are_replaced_and_said_to_be() -> None:
    assert decoded(b"FAILED \xff") == ("FAILED \ufffd", False)
    assert decoded("grün".encode()) == ("grün", True)
