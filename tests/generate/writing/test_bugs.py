"""A broken promise becomes a test that fails until it is kept, and a note that tells a mender everything."""

import re

from tests.generate.writing.making import IMPORT_LINE, MODULE, Shop, arguments, raised, returned
from testwright.generate.inside.generated_case import Call, Case
from testwright.generate.inside.promises.breach import Breach
from testwright.generate.writing.bug_test_and_note import write_bug_note, write_bug_test

HEADINGS = [
    "Title",
    "Summary",
    "Steps to Reproduce",
    "Expected vs Actual",
    "Suspected root-cause (file:line)",
    "Related methods/tests",
    "Risk/Blast radius",
    "Suggested fix sketch",
]
LOSES_SPACES = Breach(
    unit="slugify",
    symptom="loses_spaces",
    promise='Each space becomes one "dash".\nAlways, even \\n and """quotes""".',
    promised_at="shop/basket.py:14",
    where="shop/basket.py:17",
    case=Case("slugify", Call("_under_test.slugify", arguments("words"))),
    expected=(returned("a--b"),),
    actual="returned 'a-b'",
    parameters=("text", "sep"),
    setup=("words = 'a' + 2 * ' ' + 'b'",),
    related=("Basket.first",),
    risk="Links made from titles may clash.",
    suggestion="Split at single spaces.",
)
GROWS = Breach(
    unit="price",
    symptom="is not what was said",
    promise="A price is at least one.",
    promised_at="README.md:3",
    where="shop/basket.py:27",
    case=Case("price", Call("_under_test.price", arguments("'0.5'"))),
    property_source="result >= decimal.Decimal('1') and result == _under_test.price(str(result))",
    imports=("decimal",),
)


def test_the_test_is_named_for_the_bug_and_says_which_promise_is_broken_and_where() -> None:
    test = write_bug_test(LOSES_SPACES, IMPORT_LINE, MODULE)

    assert test.file_name == "test_bug_slugify_loses_spaces.py"
    assert "def test_bug_slugify_loses_spaces():" in test.text
    assert "slugify promises at shop/basket.py:14:" in test.text
    assert 'Each space becomes one "dash".' in test.text
    assert test.text.partition("\n\n")[2].startswith(f"{IMPORT_LINE}\n")


def test_the_test_fails_now_and_passes_once_the_bug_is_fixed(shop: Shop) -> None:
    test = write_bug_test(LOSES_SPACES, IMPORT_LINE, MODULE)

    now = shop.run(test.text, name=test.file_name)
    source = (shop.folder / "shop" / "basket.py").read_text(encoding="utf-8")
    shop.module("basket", source.replace(".split()", ".split(' ')"))
    once_fixed = shop.run(test.text, name=test.file_name)

    assert (now.code, once_fixed.code) == (1, 0), now.output + once_fixed.output


def test_a_property_stands_in_for_an_expected_value(shop: Shop) -> None:
    test = write_bug_test(GROWS, IMPORT_LINE, MODULE)

    assert test.file_name == "test_bug_price_is_not_what_was_said.py"
    assert 'assert result >= Decimal("1") and result == _under_test.price(str(result))' in test.text
    assert "1 failed" in shop.run(test.text, name=test.file_name).output


def test_a_promised_error_is_expected() -> None:
    promise = Breach(
        unit="Basket.add",
        symptom="accepts_none",
        promise="Raises ValueError for None.",
        promised_at="shop/basket.py:90",
        where="shop/basket.py:91",
        case=Case(
            "Basket.add", Call("subject.add", arguments("None")), subject=Call("_under_test.Basket", arguments("'a'"))
        ),
        expected=raised("ValueError"),
        actual="returned None",
    )

    test = write_bug_test(promise, IMPORT_LINE, MODULE)

    assert test.file_name == "test_bug_basket_add_accepts_none.py"
    assert "with pytest.raises(ValueError):\n        basket.add(None)" in test.text


def test_a_note_has_every_heading_and_what_belongs_under_it() -> None:
    note = write_bug_note(LOSES_SPACES, IMPORT_LINE, MODULE, test_file="tests/bugs/test_bug_slugify_loses_spaces.py")

    assert note.file_name == "bug_slugify_loses_spaces.md"
    assert re.findall(r"^## (.*)$", note.text, re.MULTILINE) == HEADINGS
    sections = dict(re.findall(r"^## (.*?)\n\n(.*?)(?=\n\n## |\n\Z)", note.text, re.MULTILINE | re.DOTALL))
    assert sections["Title"] == "slugify loses spaces"
    assert '> Each space becomes one "dash".' in sections["Summary"]
    assert "print(_under_test.slugify(words))" in sections["Steps to Reproduce"]
    assert "python -m pytest tests/bugs/test_bug_slugify_loses_spaces.py" in sections["Steps to Reproduce"]
    assert '"a--b"' in sections["Expected vs Actual"]
    assert "Actual: returned 'a-b'" in sections["Expected vs Actual"]
    assert sections["Suspected root-cause (file:line)"] == "`shop/basket.py:17`"
    assert "- `Basket.first`" in sections["Related methods/tests"]
    assert sections["Risk/Blast radius"] == "Links made from titles may clash."
    assert sections["Suggested fix sketch"] == "Split at single spaces."


def test_the_steps_of_a_note_can_be_run(shop: Shop) -> None:
    for promise in (LOSES_SPACES, GROWS):
        note = write_bug_note(promise, IMPORT_LINE, MODULE, test_file="t.py")
        script = note.text.partition("```python\n")[2].partition("\n```")[0]

        assert shop.run(f"{script}\n", name="test_script.py").code == 5  # pytest imports it, and finds no test


def test_a_note_that_knows_little_says_so() -> None:
    note = write_bug_note(GROWS, IMPORT_LINE, MODULE, test_file="t.py")

    assert "## Risk/Blast radius\n\nNot known." in note.text
