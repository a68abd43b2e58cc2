"""Names and values side by side: every name that means a secret is found in a text."""

import pytest

from testwright.masking.masker import Masker
from testwright.masking.secret_words import (
    NUMBER_WORDS,
    NUMBERS,
    PASSWORD_WORDS,
    PASSWORDS,
    TOKEN_WORDS,
    TOKENS,
)

# Scripts whose vowel signs are no letters to `re`: their names are found in fields and JSON, and not in free text.
_NOT_IN_TEXT = frozenset({"पासवर्ड", "รหัสผ่าน"})
_WORDS = PASSWORDS | PASSWORD_WORDS | TOKENS | TOKEN_WORDS


@pytest.mark.parametrize("template", ['{name}="{value}"', "see {name}: {value}", "{name}='{value}'"])
@pytest.mark.parametrize(
    ("names", "value"), [(_WORDS - _NOT_IN_TEXT, "xT7!kQ92vLm4"), (NUMBERS | NUMBER_WORDS, "48213705")]
)
def test_the_value_beside_any_name_of_a_secret_is_masked(names: frozenset[str], value: str, template: str) -> None:
    texts = {name: Masker().text(template.format(name=name, value=value)) for name in names}
    assert [name for name, masked in sorted(texts.items()) if value in masked] == []


def test_a_name_in_two_words_is_found_too() -> None:
    for name in ("seed_phrase", "recovery-phrase", "card number", "api_key"):
        assert "48213705xT7" not in Masker().text(f'{name}: "48213705xT7"'), name
