"""What names say about their values."""

import pytest

from testwright.masking.name_grades import Grade, grade, variable_name

PASSWORDS = (
    "password userPassword new_password password2 passwd DB_PASSWORD pwd kennwort contraseña mot_de_passe пароль 密码"
)
TOKENS = "token accessToken x-csrf-token apiKey API-KEY client_secret sessionId PHPSESSID sid signature db_pass jwt"
NUMBERS = "pin otp cvv cardNumber card_number iban ssn verification-code"
OTHERS = """
passwordHint maxTokens total_tokens token_type hasPassword forgotPassword passwordMinLength token_expires author monkey
keyboard compass bypass secretary spinner opinion coding country_code zip_code name email
"""


@pytest.mark.parametrize("name", PASSWORDS.split())
def test_passwords(name: str) -> None:
    assert grade(name) is Grade.PERSON


@pytest.mark.parametrize("name", TOKENS.split())
def test_tokens(name: str) -> None:
    assert grade(name) is Grade.MACHINE


@pytest.mark.parametrize("name", NUMBERS.split())
def test_numbers(name: str) -> None:
    assert grade(name) is Grade.DIGITS


@pytest.mark.parametrize("name", OTHERS.split())
def test_names_that_only_sound_like_it_or_speak_about_it(name: str) -> None:
    assert grade(name) in {Grade.NONE, Grade.MAYBE}


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("user[newPassword]", "USER_NEW_PASSWORD"),
        ("x-api-key", "X_API_KEY"),
        ("2fa", "SECRET_2FA"),
        ("", "SECRET"),
        ("密码", "SECRET"),
    ],
)
def test_variable_names(name: str, variable: str) -> None:
    assert variable_name(name) == variable
