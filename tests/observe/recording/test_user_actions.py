"""What a person does becomes actions: one for each, with its value and the best way to find the element again."""

import json
from collections.abc import Iterator

import pytest
from playwright.async_api import Page

from tests.observe.recording.recordings import Kept, best, recorded
from tests.observe.recording.watching import Answer, serving
from testwright.model.session import ActionType, HttpRequest, Navigation, NavigationCause, Secret
from testwright.selectors.selector_matcher import matching
from testwright.selectors.selector_parser import parse_selector

pytestmark = pytest.mark.needs_chromium

SHOP = """<!doctype html><title>Shop</title>
<form onsubmit="event.preventDefault(); fetch('/api/search')">
  <label>Email <input name="email"></label>
  <label>Password <input type="password" name="pw"></label>
  <label>Search <input type="search"></label>
  <label>Day <input type="date"></label>
  <label>Notes <textarea></textarea></label>
  <label>Message
    <textarea onkeydown="if (event.key === 'Enter') { event.preventDefault(); this.value = '' }"></textarea></label>
  <div contenteditable role="textbox" aria-label="Comment"></div>
  <label>Colour <select><option value="r">Red</option><option value="g">Green</option></select></label>
  <label>Toppings <select multiple><option>Ham</option><option>Olives</option><option>Figs</option></select></label>
  <label for="terms"><i>I agree</i></label><input type="checkbox" id="terms">
  <label><input type="checkbox" onclick="event.preventDefault()"> Stubborn</label>
  <label><input type="radio" name="size" value="s"> Small</label>
  <label>Photos <input type="file" multiple></label>
  <button>Go</button>
</form>
<button type="button" data-testid="save"><svg width="9" height="9"><path d="M0 0h9v9z"/></svg> Save</button>
<button type="button" data-cy="basket">Basket</button>
<button type="button" id="r-91347">Odd id</button>
<button type="button">Twice</button><button type="button">Twice</button>
<button type="button">Silencer</button>
<a href="#there">There</a>
<p>Right here</p>
<div draggable="true" ondragstart="event.dataTransfer.setData('text', 'x')">Ham on a tray</div>
<section aria-label="Bin" style="height: 40px" ondragover="event.preventDefault()">Bin</section>
<span class="puck" style="touch-action: none; user-select: none">Puck</span>
<button type="button" onmousedown="this.textContent = 'Gone'">Fleeting</button>
<button type="button" onclick="document.querySelector('[data-cy]').click();
  document.querySelector('[name=email]').dispatchEvent(new Event('input', { bubbles: true }));
  document.querySelector('select').selectedIndex = 0;
  document.querySelector('select').dispatchEvent(new Event('change', { bubbles: true }))">By script</button>
<style>nav ul { display: none } @media all { nav li:hover > ul, nav li:focus > ul { display: block } }</style>
<nav><li>Products<ul><li><a href="#figs">Figs</a></li></ul></li></nav>
<shop-cart></shop-cart>
<script>
customElements.define('shop-cart', class extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<button><b>Pay</b></button>'; }
});
document.body.addEventListener('click', (event) => {
  if (event.target.textContent === 'Silencer') event.stopImmediatePropagation();
}, true);
</script>"""


@pytest.fixture(scope="module")
def shop(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    """One long visit: every kind of action once."""
    folder = tmp_path_factory.mktemp("photos")
    photos = [folder / "one.png", folder / "two.png"]
    for photo in photos:
        photo.write_bytes(b"x")

    async def use(page: Page) -> None:
        await page.get_by_label("Email").press_sequentially("ann@example.test")
        await page.get_by_label("Password").fill("correct horse battery")
        await page.get_by_label("Search").fill("ham")
        await page.get_by_label("Search").press("Enter")
        await page.get_by_label("Day").fill("2026-12-24")
        await page.get_by_label("Notes").press_sequentially("one")
        await page.get_by_label("Notes").press("Enter")
        await page.get_by_label("Notes").press_sequentially("two")
        await page.get_by_label("Message").press_sequentially("hello")
        await page.get_by_label("Message").press("Enter")
        await page.wait_for_timeout(100)  # as long as the recorder waits for a new line that does not come
        await page.get_by_label("Comment").press_sequentially("fine")
        await page.get_by_label("Colour").select_option("g")
        await page.get_by_label("Toppings").select_option(["Ham", "Figs"])
        await page.get_by_text("I agree").click()
        await page.get_by_label("Stubborn").click()
        await page.get_by_label("Small").check()
        await page.get_by_label("Photos").set_input_files(photos)
        await page.locator("path").click()
        await page.get_by_text("Basket").click(button="right")
        await page.get_by_text("Odd id").click()
        await page.get_by_text("Twice").nth(1).dblclick()
        await page.get_by_text("Silencer").click()
        await page.get_by_text("There").click()
        await page.keyboard.press("Control+k")
        await page.get_by_text("Right here").click()
        await page.get_by_text("Ham on a tray").drag_to(page.get_by_label("Bin"))
        await page.get_by_text("Puck").hover()
        await page.mouse.down()
        await page.get_by_label("Bin").hover()
        await page.mouse.up()
        await page.get_by_text("Fleeting").click()
        await page.get_by_text("Pay").click()
        await page.get_by_text("Products").hover()
        await page.get_by_text("Figs", exact=True).last.click()
        await page.get_by_text("By script").click()
        await page.evaluate("document.querySelector('[data-cy]').click()")
        await page.keyboard.press("Escape")

    with serving({"/": Answer(SHOP.encode()), "/api/search": Answer(b"{}")}) as web:
        yield recorded(web.url, chromium, use)


def test_a_text_is_one_action_with_the_whole_text(shop: Kept) -> None:
    email = shop.only("Email")

    assert (email.type, email.value) == (ActionType.FILL, "ann@example.test")
    assert best(email.target) == 'internal:role=textbox[name="Email"i]'


def test_a_password_is_never_kept(shop: Kept) -> None:
    password = shop.only("Password")

    assert isinstance(password.value, Secret)
    assert password.value.why == "input[type=password]"
    assert "correct horse" not in repr(shop.events) + repr(shop.pages) + repr(shop.texts)


def test_enter_in_a_field_is_a_press_after_its_text_and_no_click_on_a_button(shop: Kept) -> None:
    assert [(one.type, one.value) for one in shop.on("Search")] == [
        (ActionType.FILL, "ham"),
        (ActionType.PRESS, "Enter"),
    ]


def test_a_request_names_the_action_it_came_after(shop: Kept) -> None:
    (search,) = (one for one in shop.all(HttpRequest) if one.url.endswith("/api/search"))

    assert search.after == shop.on("Search")[1].seq


def test_a_date_is_filled(shop: Kept) -> None:
    assert (shop.only("Day").type, shop.only("Day").value) == (ActionType.FILL, "2026-12-24")


def test_enter_in_a_long_text_is_a_new_line(shop: Kept) -> None:
    assert (shop.only("Notes").type, shop.only("Notes").value) == (ActionType.FILL, "one\ntwo")


def test_enter_in_a_long_text_that_the_page_takes_for_itself_is_a_press(shop: Kept) -> None:
    assert [(one.type, one.value) for one in shop.on("Message")] == [
        (ActionType.FILL, "hello"),
        (ActionType.PRESS, "Enter"),
    ]


def test_an_editable_element_is_filled_too(shop: Kept) -> None:
    assert (shop.only("Comment").type, shop.only("Comment").value) == (ActionType.FILL, "fine")


def test_options_are_told_by_their_values_and_only_once(shop: Kept) -> None:
    assert (shop.only("Colour").type, shop.only("Colour").values) == (ActionType.SELECT, ("g",))
    assert (shop.only("Toppings").type, shop.only("Toppings").values) == (ActionType.SELECT, ("Ham", "Figs"))


def test_a_click_on_a_label_is_one_action_on_its_field(shop: Kept) -> None:
    agreed = shop.only("I agree")

    assert agreed.type is ActionType.CHECK
    assert agreed.target.tag == "input"


def test_a_checkbox_that_the_page_holds_as_it_is_was_only_clicked(shop: Kept) -> None:
    assert shop.only("Stubborn").type is ActionType.CLICK


def test_a_radio_button_is_checked(shop: Kept) -> None:
    assert shop.only("Small").type is ActionType.CHECK


def test_of_files_only_their_names_are_kept(shop: Kept) -> None:
    photos = shop.only("Photos")

    assert (photos.type, photos.values) == (ActionType.UPLOAD, ("one.png", "two.png"))


def test_a_click_on_a_picture_in_a_button_means_the_button(shop: Kept) -> None:
    saved = shop.only("Save")

    assert (saved.type, saved.target.tag) == (ActionType.CLICK, "button")
    assert [one.by for one in saved.target.candidates[:3]] == ["testid", "role", "text"]
    assert best(saved.target) == 'internal:testid=[data-testid="save"s]'


def test_other_test_ids_are_ways_to_find_an_element_too(shop: Kept) -> None:
    basket = shop.only("Basket")

    assert basket.type is ActionType.RIGHT_CLICK
    assert (basket.target.candidates[0].by, best(basket.target)) == ("testid", '[data-cy="basket"]')


def test_an_id_that_looks_generated_is_no_way_to_find_an_element(shop: Kept) -> None:
    assert not [one for one in shop.only("Odd id").target.candidates if "91347" in one.selector]


def test_a_double_click_is_one_action(shop: Kept) -> None:
    assert shop.only("Twice").type is ActionType.DOUBLE_CLICK


def test_where_a_way_finds_several_it_says_which_one_it_is(shop: Kept) -> None:
    twice = shop.only("Twice").target

    assert (twice.candidates[0].count, twice.candidates[0].nth) == (2, 1)
    assert best(twice) == "html > body > button:nth-of-type(5)"


def test_a_handler_that_silences_events_hides_nothing(shop: Kept) -> None:
    assert shop.only("Silencer").type is ActionType.CLICK


def test_a_link_within_the_page_is_a_click_and_the_address_changes(shop: Kept) -> None:
    there = shop.on("There")[0]
    moved = next(one for one in shop.all(Navigation) if one.cause is NavigationCause.SAME_DOCUMENT)

    assert moved.after == there.seq
    assert moved.url.endswith("#there")


def test_keys_of_their_own_are_presses(shop: Kept) -> None:
    presses = [one.value for one in shop.actions if one.type is ActionType.PRESS]

    assert presses == ["Enter", "Enter", "Control+k", "Escape"]


def test_a_click_on_a_plain_text_is_kept(shop: Kept) -> None:
    here = shop.on("p")[0]

    assert (here.type, best(here.target)) == (ActionType.CLICK, 'internal:text="Right here"i')


def test_drags_say_from_where_to_where(shop: Kept) -> None:
    ham, puck = (one for one in shop.actions if one.type is ActionType.DRAG)

    assert best(ham.target) == 'internal:text="Ham on a tray"i'
    assert best(ham.onto) == 'internal:role=region[name="Bin"i]'
    assert best(puck.target) == 'internal:text="Puck"i'
    assert best(puck.onto) == 'internal:role=region[name="Bin"i]'


def test_the_page_is_as_it_was_before_it_reacted_to_the_pointer(shop: Kept) -> None:
    assert shop.only("Fleeting").type is ActionType.CLICK
    assert not shop.on("Gone")


def test_elements_in_shadow_roots_are_found(shop: Kept) -> None:
    pay = shop.only("Pay")

    assert (pay.target.tag, pay.target.in_shadow) == ("button", True)
    assert best(pay.target) == 'internal:role=button[name="Pay"i]'


def test_where_only_hovering_shows_what_is_clicked_the_hover_comes_first(shop: Kept) -> None:
    at = next(at for at, action in enumerate(shop.actions) if action.type is ActionType.HOVER)
    hover, click = shop.actions[at : at + 2]

    assert (hover.target.tag, click.target.name, click.type) == ("li", "Figs", ActionType.CLICK)
    assert len([action for action in shop.actions if action.type is ActionType.HOVER]) == 1


def test_what_scripts_do_is_no_action(shop: Kept) -> None:
    assert len([one for one in shop.on("By script") if one.type is ActionType.CLICK]) == 1
    assert len(shop.on("Basket")) == 1
    assert len(shop.on("Colour")) == 1
    assert len(shop.on("Email")) == 1


def test_actions_have_ways_enough_that_find_them_on_the_page_that_was_kept(shop: Kept) -> None:
    for action in shop.actions:
        if action.target.tag in {"body", "html"}:
            continue
        page = shop.pages[action.page]
        assert len(action.target.candidates) >= (2 if action.target.tag in {"p", "span", "div"} else 3), action
        for candidate in action.target.candidates:
            assert len(matching(parse_selector(candidate.selector), page)) == candidate.count


def test_the_same_page_is_kept_once(shop: Kept) -> None:
    assert len({action.page for action in shop.actions}) < len(shop.actions) / 2


def test_events_are_numbered_without_repeats(shop: Kept) -> None:
    numbers = [event.seq for event in shop.events]

    assert len(numbers) == len(set(numbers))
    assert json.dumps(sorted(numbers))


def test_nothing_was_missed(shop: Kept) -> None:
    assert shop.ended is not None
    assert [gap for gap in shop.ended.gaps if "noise" not in gap] == []
    assert shop.ended.last_page in shop.pages
