"""Changes that a shop's checkout goes through, and what a senior QA engineer would do about the test each one breaks.

The true element is named by a selector of its own, for the changed page. Nothing in the page marks it, so nothing that
heals could go by the mark.
"""

from dataclasses import dataclass
from pathlib import Path

Groups = tuple[tuple[str, ...], ...]
Edit = tuple[str, str, str]  # a file of the shop, what stands there, what stands there now; an empty file is a new one

HTML, SCRIPT, CARD_FRAME = "checkout.html", "checkout.js", "card.html"


@dataclass(frozen=True)
class Healed:
    """The test passes with another selector, and that selector finds the true element."""

    truth: str  # CSS for the element that is meant
    strategy: str = "byText"
    in_frame: bool = False
    is_test_id: bool = False  # what is written is the test id alone, in a constant


@dataclass(frozen=True)
class Refused:
    """The failure was looked at, and nothing is changed."""

    reasons: tuple[str, ...]


@dataclass(frozen=True)
class LeftAlone:
    """The failure is not about a lost element, so healing has no say in it."""

    message: str  # is in what the runner said


@dataclass(frozen=True)
class Change:
    name: str
    test: str  # the one test that it breaks
    verdict: Healed | Refused | LeftAlone
    because: str
    edits: tuple[Edit, ...]

    def apply(self, shop: Path) -> None:
        for name, old, new in self.edits:
            file = shop / name
            if not old:
                assert not file.exists()
                file.write_text(new)
                continue
            text = file.read_text()
            assert old in text, f"{name} has no {old!r}"
            file.write_text(text.replace(old, new))


_SIGN_IN = """\
<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Sign in · The Tea Shop</title><link rel="stylesheet" href="shop.css"></head>
  <body>
    <header><h1>Sign in</h1><nav><a href="/">Back to our teas</a></nav></header>
    <main>
      <form>
        <p><label>Email <input type="email" name="email"></label></p>
        <p><label>Password <input type="password" name="password"></label></p>
        <p><label><input type="checkbox" name="stay"> Stay signed in</label></p>
        <button class="primary">Sign in</button>
      </form>
    </main>
    <footer><a href="contact.html">Contact</a> <a href="about.html">About us</a></footer>
  </body>
</html>
"""
_SIGN_IN_SCRIPT = """\
if (!sessionStorage.getItem('user')) document.documentElement.innerHTML = await (await fetch('sign-in.html')).text();
"""
_CARD_PAGE = """\
<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Card</title></head>
  <body>
    <label for="number">Card number</label>
    <input id="number" inputmode="numeric" autocomplete="cc-number">
    <script>
      document.querySelector('input').addEventListener('input', ({ target }) => parent.postMessage(target.value));
    </script>
  </body>
</html>
"""
_TWO_ADDRESSES = """
        <p class="address">Rosa Klee, 12 Mill Lane, Harrow</p>
        <button class="text-button">Change address</button>
        <h3>Billing</h3>
        <p class="address">Klee & Daughters, 4 Quay, Harrow</p>
        <button class="text-button">Change address</button>"""
_ADDRESS = """
        <p class="address">Rosa Klee, 12 Mill Lane, Harrow</p>
        <button class="edit-address">Change address</button>"""
_LABELS = """\
          <label><input type="radio" name="speed" value="standard" checked> Standard</label>
          <label><input type="radio" name="speed" value="express"> Express</label>
"""
_GIFT = '        <button class="gift-note">Add a gift note</button>\n'
_CARD_FIELD = """\
          <label for="card-number">Card number</label>
          <input id="card-number" inputmode="numeric" autocomplete="cc-number">
"""
_ASSAM = "          <li><span>Assam</span> <span>4.50 €</span></li>\n"
_SENCHA = "          <li><span>Sencha</span> <span>7.80 €</span></li>\n"

CHANGES = (
    Change(
        "class renamed",
        "places an order",
        Healed("main aside button.button-primary"),
        "The button says what it said, where it said it; only its class follows a new style guide.",
        ((HTML, "btn-primary", "button-primary"), (SCRIPT, "btn-primary", "button-primary")),
    ),
    Change(
        "id renamed",
        "takes a voucher",
        Healed("input[name=voucher]"),
        "The field has its label, its name and its place.",
        (
            (HTML, 'for="voucher"', 'for="discount-code"'),
            (HTML, 'id="voucher"', 'id="discount-code"'),
            (SCRIPT, "#voucher", "#discount-code"),
        ),
    ),
    Change(
        "test id renamed",
        "takes a voucher",
        Healed("main aside strong", is_test_id=True),
        "There is one total, it shows the same sum beside the same word.",
        ((HTML, "order-total", "basket-total"), (SCRIPT, "order-total", "basket-total")),
    ),
    Change(
        "wrapper added",
        "delivers by express",
        Healed("input[value=express]"),
        "The choice is the same; the way to it through the tree is one step longer.",
        ((HTML, _LABELS, f'          <div class="choices">\n{_LABELS}          </div>\n'),),
    ),
    Change(
        "button moved to another container",
        "takes a gift note",
        Healed("section.delivery button.gift-note"),
        "It is the only button that says so, and it kept its class.",
        ((HTML, _GIFT, ""), (HTML, '        <p id="arrival">', f'{_GIFT}        <p id="arrival">')),
    ),
    Change(
        "text reworded slightly",
        "keeps the basket for later",
        Healed("#save-basket", strategy="byRole"),
        "Nearly the same words on the button with the same id.",
        ((HTML, "Save basket for later", "Save your basket for later"),),
    ),
    Change(
        "element replaced by a link",
        "shows the delivery terms",
        Healed("a.terms"),
        "A link may do what a button did: same words, same class, same place, and clicking it shows the terms.",
        ((HTML, '<button class="terms">Delivery terms</button>', '<a class="terms" href="#terms">Delivery terms</a>'),),
    ),
    Change(
        "list reordered",
        "lists the teas as they were chosen",
        LeftAlone("Assam"),
        "The first line is there and is another tea: whether the order matters is for a person to say.",
        ((HTML, _ASSAM + _SENCHA, _SENCHA + _ASSAM),),
    ),
    Change(
        "twin added",
        "shows the delivery terms",
        LeftAlone("strict mode violation"),
        "Two buttons match. The runner says so, and only a person knows which one the test is about.",
        ((HTML, "    <footer>", '    <footer><button class="terms">Delivery terms</button> '),),
    ),
    Change(
        "twin added and both restyled",
        "changes the address",
        Refused(("ambiguous",)),
        "Nothing matches any more, and two buttons could be the one: only a person knows which address is meant.",
        ((HTML, _ADDRESS, _TWO_ADDRESSES), (SCRIPT, ".edit-address", ".text-button")),
    ),
    Change(
        "text and class changed, and it has nothing else",
        "takes a gift note",
        Refused(("too_few_keys",)),
        "It is probably the one, and a person is shown it; but only its place says so.",
        ((HTML, 'gift-note">Add a gift note', 'gift-link">Write a gift note'), (SCRIPT, ".gift-note", ".gift-link")),
    ),
    Change(
        "element removed",
        "places an order",
        Refused(("gone", "stranger")),
        "The newsletter was given up. No other box stands for it; the test has to be rewritten.",
        ((HTML, '        <p><label><input type="checkbox" id="newsletter"> Send me news about tea</label></p>\n', ""),),
    ),
    Change(
        "page behind a login",
        "places an order",
        Refused(("login_page",)),
        "The test is on another page. Its set-up has to sign in first, and no selector can do that.",
        ((SCRIPT, "const cents", f"{_SIGN_IN_SCRIPT}const cents"), ("sign-in.html", "", _SIGN_IN)),
    ),
    Change(
        "iframe introduced",
        "pays by card",
        Healed("#number", in_frame=True),
        "The one field for a card number, with its label, is now in the frame that took its place.",
        (
            (HTML, _CARD_FIELD, f'          <iframe src="{CARD_FRAME}" title="Card"></iframe>\n'),
            (CARD_FRAME, "", _CARD_PAGE),
            (
                SCRIPT,
                "find('#card-number').addEventListener('input', ({ target }) => showCard(target.value));",
                "addEventListener('message', ({ data }) => showCard(data));",
            ),
        ),
    ),
)

REWORDED_AND_RESTYLED = Change(
    "class renamed and text reworded",
    "places an order",
    Healed("main aside button.button-primary", strategy="byRole"),
    "Nearly the same words on the button with the same id.",
    (
        (HTML, "btn-primary", "button-primary"),
        (SCRIPT, "btn-primary", "button-primary"),
        (HTML, "Place order", "Place your order"),
    ),
)


def named(name: str) -> Change:
    (change,) = (one for one in CHANGES if one.name == name)
    return change


# Changes come together, as they do in life. After these the whole suite is green once their patches are accepted.
MENDED: Groups = (
    ("class renamed", "id renamed", "wrapper added", "button moved to another container"),
    ("test id renamed", "text reworded slightly", "element replaced by a link", "iframe introduced"),
)
# After these a person has work to do.
NOT_MENDED: Groups = (
    (
        "list reordered",
        "twin added",
        "twin added and both restyled",
        "text and class changed, and it has nothing else",
        "element removed",
    ),
    ("page behind a login",),
)
