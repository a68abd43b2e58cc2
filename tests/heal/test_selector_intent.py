"""What a selector says about its element, whatever the spelling."""

import pytest

from testwright.heal.selector_intent import intent_of
from testwright.model.selector import SelectorEngine
from testwright.selectors.selector_parser import parse_selector


def test_a_test_id_says_its_words_and_the_kind_in_them() -> None:
    for text in ("[data-testid='submit-btn']", "getByTestId('submit-btn')", 'get_by_test_id("submit-btn")'):
        intent = intent_of(parse_selector(text))
        assert (intent.test_id, intent.roles, intent.role_given) == ("submit-btn", ("button",), False)


def test_a_role_says_role_and_name() -> None:
    intent = intent_of(parse_selector("getByRole('button', { name: 'Place order' })"))
    assert (intent.roles, intent.role_given, intent.names) == (("button",), True, ("Place order",))


def test_css_says_tag_id_classes_and_attributes_of_its_last_compound() -> None:
    intent = intent_of(parse_selector("form.checkout > input#mail.wide[name=email][type='email']"))
    assert (intent.tag, intent.element_id, intent.classes) == ("input", "mail", ("wide",))
    assert intent.attributes == {"name": "email", "type": "email"}
    assert [(part.engine, part.value) for part in intent.before] == [(SelectorEngine.CSS, "form.checkout")]


def test_a_plain_xpath_says_what_its_last_step_says() -> None:
    intent = intent_of(parse_selector("//form//button[@id='save' and contains(text(), 'Save all')]"))
    assert (intent.tag, intent.element_id, intent.names) == ("button", "save", ("Save all",))


def test_text_asked_for_in_css_is_a_name() -> None:
    assert intent_of(parse_selector('button:has-text("Save")')).names == ("Save",)


@pytest.mark.parametrize(
    "text",
    [
        ".save, .store",
        "li:nth-child(3)",
        "getByRole('listitem').nth(2)",
        "(//li)[2]",
        "xpath=/html/body/div[2]/div",
        "tr:has(td.total)",
        ".item:not(.gone)",
        "getByRole('button', { name: /^(Pay|Buy) .*$/ })",
        "getByText('Pay').or(page.getByText('Buy'))",
    ],
)
def test_conditions_positions_and_patterns_are_not_replaced_by_guessing(text: str) -> None:
    assert intent_of(parse_selector(text)).unclear


def test_the_first_of_several_and_a_visible_one_are_still_the_element() -> None:
    assert not intent_of(parse_selector("getByTestId('pay').first()")).unclear
    assert not intent_of(parse_selector("#pay:visible")).unclear


def test_a_pattern_that_is_a_text_in_disguise_is_one() -> None:
    assert intent_of(parse_selector("getByRole('button', { name: /^Pay now$/i })")).names == ("Pay now",)
