"""Names that say the same in different spellings, and names that do not."""

import pytest

from testwright.heal.name_meaning import meaning, roles_meant, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("submit-btn", "submit-button"),
        ("submitBtn", "Submit"),
        ("old-login-btn", "login"),
        ("Log in", "login"),
        ("user_pwd", "user-password"),
        ("Submit order", "Submit your order"),
        ("e-mail", "Email"),
        ("XMLExport", "xml-export"),
    ],
)
def test_spellings_of_one_name_mean_the_same(one: str, other: str) -> None:
    assert meaning(one) == meaning(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("submit-order", "submit-review"),
        ("item-1", "item-2"),
        ("Sign in", "Sign up"),
        ("Enable billing", "Disable billing"),
        ("new-user", "user"),
        ("Save", "Save all"),
    ],
)
def test_names_that_differ_in_a_word_or_number_are_told_apart(one: str, other: str) -> None:
    assert meaning(one) != meaning(other)


@pytest.mark.parametrize("nothing", ["", "btn", "button", "the", "x", "42", "css-1x2y3z", "a1b2c3d4", "!!!"])
def test_a_name_that_tells_nothing_means_nothing(nothing: str) -> None:
    assert meaning(nothing) == ""


def test_words_beyond_ascii_count() -> None:
    assert meaning("Größe") == meaning("größe") != ""
    assert words("確認 Button") == ("確認", "button")


def test_a_kind_word_names_the_roles_it_allows() -> None:
    assert roles_meant("submit-btn") == ("button",)
    assert "textbox" in roles_meant("email_field")
    assert roles_meant("checkout") == ()
