"""How much is found, and how little is spoilt: made-up secrets in every form and context, and lines without any."""

import json
from collections.abc import Callable, Iterator
from urllib.parse import unquote_plus

import pytest

from tests.masking import canaries
from tests.masking.canaries import Canary
from tests.masking.harmless import LATER, LINES
from testwright.masking.masker import Masker
from testwright.masking.token_forms import FORMS

FIRST = [*canaries.by_form(canaries.BY_FORM, 1), *canaries.by_name(canaries.BY_NAME, 2)]
AFTERWARDS = [*canaries.by_form(canaries.BY_FORM_LATER, 3), *canaries.by_name(canaries.BY_NAME_LATER, 4)]
Plant = Callable[[Canary], Iterator[tuple[str, str]]]


def _readable(value: str, masked: str) -> bool:
    return value in masked or value in unquote_plus(masked) or json.dumps(value)[1:-1] in masked


@pytest.mark.parametrize("plant", [canaries.planted, canaries.planted_later])
@pytest.mark.parametrize("secrets", [FIRST, AFTERWARDS], ids=["first", "afterwards"])
def test_at_least_95_in_100_planted_secrets_are_gone(secrets: list[Canary], plant: Plant) -> None:
    seen, all_of_them = [], 0
    for secret in secrets:
        for context, text in plant(secret):
            all_of_them += 1
            masked = Masker().text(text)
            if _readable(canaries.core(secret.value), masked):
                seen.append((secret.form, context))
            assert Masker().text(masked) == masked, (secret.form, context)

    assert len(secrets) >= 60
    assert len(seen) <= 0.05 * all_of_them, seen


@pytest.mark.parametrize("lines", [LINES, LATER], ids=["first", "afterwards"])
def test_at_most_2_in_100_harmless_lines_are_changed(lines: list[str]) -> None:
    changed = [line for line in lines if Masker().text(line) != line]

    assert len(changed) <= 0.02 * len(lines), changed


def test_harmless_lines_stay_in_one_long_text_too() -> None:
    text = "\n".join(LINES + LATER)
    changed = sum(a != b for a, b in zip(text.split("\n"), Masker().text(text).split("\n"), strict=True))

    assert changed <= 0.02 * len(LINES + LATER)


@pytest.mark.parametrize("new", [True, False])
def test_an_error_page_that_is_all_secrets_cannot_grow_without_limit(new: bool) -> None:
    text = "\n".join(f"password={number}-lilac" if new else "password=77-lilac" for number in range(2000))

    assert len(Masker().text(text)) <= 2 * len(text)


@pytest.mark.parametrize(
    "unit",
    [
        *dict.fromkeys(needle for form in FORMS for needle in form.needles),
        *(
            "a",
            "{",
            "[",
            '"',
            '\\"',
            "<input ",
            '- textbox "',
            '- textbox "Password": x\n',
            "password=",
            '"password":"',
        ),
        *(
            "://a:",
            'getByLabel("Password")',
            "%41",
            "4242 ",
            "-----BEGIN PRIVATE KEY-----",
            "Bearer a ",
            "cookie: a=b;",
        ),
        *("mysql -", " -u a:", "<token>", '"name":"token","value":"', "GB29", "token-", "\n", "İpassword=x "),
    ],
)
def test_no_text_makes_it_run_away(unit: str) -> None:
    """Not a matter of time alone: a pattern that backtracks without limit would never come back from this."""
    text = (unit * 5_000)[:5_000]

    assert len(Masker().text(text)) <= 11 * len(text)
    Masker().body(text, "application/json")
    Masker().url(text)
