"""What the engine does about a lost element: the changes a page goes through, and the traps."""

from dataclasses import replace

import pytest

from tests.heal.engine.pages import CHECKOUT, healed, page, remembered, the, with_changes
from testwright.heal.engine.element_fingerprint import fingerprint_of
from testwright.heal.engine.heal_decision import decide, describe_element
from testwright.model.heal import HealOutcome

PAY = '<button id="submit-btn" class="btn btn-primary" type="submit">Pay now</button>'
HELP = '<a href="/help">Help</a>'


class TestChangesThatAreHealed:
    def test_an_id_and_a_class_that_were_renamed(self) -> None:
        decision, new = healed("submit-btn", (PAY, '<button id="pay" class="button" type="submit">Pay now</button>'))
        assert decision.outcome is HealOutcome.HEAL
        assert decision.element == the(new, "button", id="pay").number

    def test_a_wrapper_around_it(self) -> None:
        decision, new = healed(
            "submit-btn", (PAY, f'<div class="actions"><div>{PAY.replace("submit-btn", "pay")}</div></div>')
        )
        assert decision.outcome is HealOutcome.HEAL
        assert decision.element == the(new, "button", id="pay").number

    def test_a_button_that_became_a_link(self) -> None:
        decision, new = healed("submit-btn", (PAY, '<a class="btn btn-primary" href="/pay">Pay now</a>'))
        assert decision.outcome is HealOutcome.HEAL
        assert decision.element == the(new, "a", href="/pay").number

    def test_a_field_that_kept_its_label_but_lost_its_names(self) -> None:
        decision, new = healed(
            "holder", ('<input id="holder" name="holder">', '<input id="card-holder" name="owner">'), action="fill"
        )
        assert decision.outcome is HealOutcome.HEAL
        assert decision.element == the(new, "input", id="card-holder").number

    def test_a_button_that_moved_to_another_part_of_the_page(self) -> None:
        decision, new = healed("submit-btn", (PAY, ""), ("</h1>", f"</h1>{PAY.replace('submit-btn', 'pay')}"))
        assert decision.outcome is HealOutcome.HEAL
        assert decision.element == the(new, "button", id="pay").number


class TestTraps:
    """Each of these would make a test pass, or fail, for the wrong reason."""

    def test_an_element_that_is_gone(self) -> None:
        decision, _ = healed("submit-btn", (PAY, ""))
        assert decision.outcome is HealOutcome.ABSTAIN

    def test_the_next_element_is_not_a_replacement(self) -> None:
        decision, _ = healed("submit-btn", (PAY, ""), ('id="cancel-btn"', 'id="submit-btn2"'))
        assert decision.outcome is not HealOutcome.HEAL

    def test_a_button_that_says_something_else(self) -> None:
        decision, _ = healed(
            "submit-btn", (PAY, '<button id="x" class="btn btn-primary" type="submit">Sign in</button>')
        )
        assert decision.outcome is not HealOutcome.HEAL

    def test_two_that_are_equally_good(self) -> None:
        twin = PAY.replace("submit-btn", "pay")
        decision, _ = healed("submit-btn", (PAY, twin + twin.replace("pay", "pay-again", 1)))
        assert decision.outcome is HealOutcome.SUGGEST
        assert decision.reason in ("ambiguous", "too_few_keys")

    def test_a_twin_that_was_there_before(self) -> None:
        """`Help` in the header is gone. The one in the footer was always there, and is another link."""
        old = page(CHECKOUT)
        header_help = next(each for each in old.elements if each.get("href") == "/help")
        new = page(CHECKOUT.replace(HELP, "", 1))
        decision = decide(fingerprint_of(old, header_help.number), new)
        assert decision.outcome is not HealOutcome.HEAL

    def test_one_of_several_that_look_the_same(self) -> None:
        """`Remove` in the row of Assam: with that row gone, the other `Remove` must not take its place."""
        old = page(CHECKOUT)
        remove = next(each for each in old.elements if each.get("class") == "remove")
        new = page(CHECKOUT.replace('<tr><td>Assam</td><td><button class="remove">Remove</button></td></tr>', ""))
        assert decide(fingerprint_of(old, remove.number), new).outcome is not HealOutcome.HEAL

    def test_a_text_field_is_no_replacement_for_a_button(self) -> None:
        decision, _ = healed(
            "submit-btn", (PAY, '<input id="submit-btn" class="btn btn-primary" placeholder="Pay now">')
        )
        assert decision.outcome is not HealOutcome.HEAL

    def test_a_field_for_plain_text_is_no_replacement_for_a_password(self) -> None:
        decision, _ = healed("secret", ('id="secret" name="secret" type="password"', 'id="pin" name="pin" type="text"'))
        assert decision.outcome is not HealOutcome.HEAL

    def test_what_is_disabled_cannot_be_clicked(self) -> None:
        changed = (PAY, PAY.replace("submit-btn", "pay").replace("<button", "<button disabled"))
        decision, _ = healed("submit-btn", changed, action="click")
        assert (decision.outcome, decision.reason) == (HealOutcome.SUGGEST, "disabled")

    def test_fill_needs_something_to_fill(self) -> None:
        decision, _ = healed("submit-btn", (PAY, PAY.replace("submit-btn", "pay")), action="fill")
        assert decision.reason == "other_kind"

    def test_an_element_that_another_locator_of_the_test_finds(self) -> None:
        new = with_changes((PAY, PAY.replace("submit-btn", "pay")))
        number = the(new, "button", id="pay").number
        decision = decide(remembered("submit-btn"), new, taken=[number])
        assert (decision.outcome, decision.reason) == (HealOutcome.SUGGEST, "taken")

    def test_a_page_that_is_still_being_loaded(self) -> None:
        new = replace(with_changes((PAY, PAY.replace("submit-btn", "pay"))), is_loaded=False)
        assert decide(remembered("submit-btn"), new).reason == "still_loading"

    @pytest.mark.parametrize(
        "other",
        [
            "<title>Sign in</title><form><label>E-mail <input></label><button>Pay now</button></form>",
            "<title>Not found</title><h1>404</h1><p>There is no such page.</p><a href='/'>Home</a>",
        ],
        ids=["login", "error"],
    )
    def test_another_page(self, other: str) -> None:
        assert decide(remembered("submit-btn"), page(other)).outcome is HealOutcome.ABSTAIN

    def test_an_empty_page(self) -> None:
        decision = decide(remembered("submit-btn"), page(""))
        assert (decision.outcome, decision.element) == (HealOutcome.ABSTAIN, None)


class TestWhatIsRememberedWithoutThePage:
    """The page itself may have been pruned; how many shared each key is kept with the element."""

    def test_unique_keys_still_heal(self) -> None:
        new = with_changes((PAY, PAY.replace("submit-btn", "pay").replace("btn-primary", "main")))
        decision = decide(replace(remembered("submit-btn"), page=None), new)
        assert decision.element == the(new, "button", id="pay").number

    def test_a_key_that_was_shared_before_tells_nothing_now(self) -> None:
        old = page(CHECKOUT)
        header_help = next(each for each in old.elements if each.get("href") == "/help")
        fingerprint = replace(fingerprint_of(old, header_help.number), page=None)
        assert fingerprint.shared_by["text"] == 2
        assert decide(fingerprint, page(CHECKOUT.replace(HELP, "", 1))).outcome is not HealOutcome.HEAL


class TestExplaining:
    def test_a_decision_says_what_agreed_what_differed_and_who_came_second(self) -> None:
        decision, new = healed("submit-btn", (PAY, '<button id="pay" class="button" type="submit">Pay now</button>'))
        assert "agrees in text" in decision.explanation
        assert "differs in id" in decision.explanation
        assert "second:" in decision.explanation
        assert decision.candidates[0].element == decision.element
        assert describe_element(new.elements[decision.element or 0]) == '<button id="pay"> "Pay now"'

    def test_the_same_question_gets_the_same_answer(self) -> None:
        asked = [healed("submit-btn", (PAY, PAY.replace("submit-btn", "pay")))[0] for _ in range(3)]
        assert asked[0] == asked[1] == asked[2]
