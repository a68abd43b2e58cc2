"""A remembered value is found in every usual spelling, and nothing else is."""

import base64
import html
import json
import random
import string
from urllib.parse import quote, quote_plus

import pytest

from testwright.masking.masker import REDACTED, Masker

VALUE = "kT9-plum/Forest & 42"  # made up; with signs that every encoding writes in another way
SPELLINGS = {
    "as it is": VALUE,
    "percent": quote(VALUE, safe=""),
    "percent, small letters": quote(VALUE, safe="").replace("%2F", "%2f"),
    "plus": quote_plus(VALUE),
    "percent, twice": quote(quote(VALUE, safe=""), safe=""),
    "json": json.dumps(VALUE)[1:-1],
    "json with an escaped slash": VALUE.replace("/", "\\/"),
    "json safe for html": VALUE.replace("&", "\\u0026"),
    "letter by letter": "".join(f"\\u{ord(c):04x}" for c in VALUE),
    "html": html.escape(VALUE),
    "html numbers": "".join(f"&#{ord(c)};" for c in VALUE),
    "hex": VALUE.encode().hex(),
    "hex, capitals": VALUE.encode().hex().upper(),
    "reversed": VALUE[::-1],
    "capitals": VALUE.upper(),
}


@pytest.mark.parametrize("spelled", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_every_spelling_is_found(spelled: str) -> None:
    masker = Masker(known={"SECRET": VALUE})

    assert masker.text(f"before {spelled} after") == f"before {REDACTED} after"


@pytest.mark.parametrize("before", ["", "a", "ab", "ann:", '{"password":"'])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_base64_at_every_place(before: str, encode: object) -> None:
    assert callable(encode)
    text = encode(f"{before}{VALUE}, and more".encode()).decode()

    masked = Masker(known={"SECRET": VALUE}).text(f"data {text} end")

    assert REDACTED in masked
    assert base64.b64encode(VALUE.encode()).decode()[4:16] not in masked


def test_a_card_is_found_with_spaces_dashes_and_without() -> None:
    masker = Masker(known={"CARD": "1234 5678 9012 3456"})

    assert masker.text("1234567890123456 1234-5678-9012-3456") == f"{REDACTED} {REDACTED}"


def test_short_values_are_not_replaced_within_words_and_numbers() -> None:
    masker = Masker(known={"CODE": "493817", "WORD": "lilac77"})

    text = "1493817 4938170 0.493817 lilac77s"
    assert masker.text(text) == text
    assert masker.text('"493817", lilac77; a\\nlilac77 x%3Dlilac77') == (
        f'"{REDACTED}", {REDACTED}; a\\n{REDACTED} x%3D{REDACTED}'
    )


def test_the_longest_of_overlapping_values_goes_first() -> None:
    masker = Masker(known={"A": "tulip-987", "B": "tulip-987-and-more"})

    assert masker.text("tulip-987-and-more tulip-987") == f"{REDACTED} {REDACTED}"


def test_two_hundred_values_are_found_anywhere_in_a_long_text() -> None:
    chance = random.Random(7)
    values = [
        "".join(chance.choices(string.ascii_letters + string.digits, k=chance.randrange(8, 40))) for _ in range(200)
    ]
    masker = Masker()
    for number, value in enumerate(values):
        masker.remember(value, f"S{number}")
    filler = "Lorem ipsum dolor sit amet, consetetur sadipscing elitr. "
    text = "".join(filler * chance.randrange(1, 40) + value for value in values)

    masked = masker.text(text)

    assert masked.count(REDACTED) == 200
    assert not any(value in masked for value in values)


def test_more_values_than_a_page_should_have_are_still_masked() -> None:
    masker = Masker()
    for number in range(1500):
        masker.remember(f"value-{number:05d}-xyz", "TOKEN")

    assert masker.text("value-01499-xyz") == REDACTED


@pytest.mark.parametrize("gap", ["\n", "\\\n    ", '" + "', '" +\n  "', "' '"])
def test_a_value_that_is_split_is_found(gap: str) -> None:
    masker = Masker(known={"SECRET": "Zk3Jq9Xw2Lm8"})

    assert masker.text(f'x = "Zk3Jq9{gap}Xw2Lm8" # and more') == f'x = "{REDACTED}" # and more'
