"""Secrets by their places: fields, headers, addresses, bodies, storage, cookies. The value goes, the words stay."""

import json
from urllib.parse import urlsplit

import pytest

from testwright.masking.masker import REDACTED, Masker
from testwright.model.session import Cookie, Secret


@pytest.fixture
def masker() -> Masker:
    return Masker()


# --- fields -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({"type": "password"}, "PASSWORD"),
        ({"type": "password", "name": "user[newPassword]"}, "USER_NEW_PASSWORD"),
        ({"type": "text", "autocomplete": "one-time-code", "name": "digits"}, "DIGITS"),
        ({"type": "text", "autocomplete": "cc-number"}, "CC_NUMBER"),
        ({"type": "text", "label": "Passwort *"}, "PASSWORT"),
        ({"type": "text", "aria-label": "Mot de passe"}, "MOT_DE_PASSE"),
        ({"type": "text", "name": "contraseña"}, "CONTRASENA"),
        ({"type": "text", "label": "パスワード"}, "SECRET"),
        ({"type": "tel", "label": "PIN (4 digits, required)"}, "PIN_4_DIGITS_REQUIRED"),
        ({"type": "text", "placeholder": "Enter your API key"}, "ENTER_YOUR_API_KEY"),
    ],
)
def test_what_is_typed_into_a_secret_field_is_never_kept(masker: Masker, facts: dict[str, str], name: str) -> None:
    found = masker.field("2b-or-not-2b", facts)

    assert isinstance(found, Secret)
    assert found.name == name
    assert masker.text("they typed 2b-or-not-2b there") == f"they typed {REDACTED} there"


@pytest.mark.parametrize(
    ("value", "facts"),
    [
        ("ann@example.com", {"type": "email", "name": "email", "label": "Email"}),
        ("red shoes", {"type": "search", "placeholder": "Search tokens"}),
        ("on", {"type": "checkbox", "label": "Show password"}),
        ("SUMMER", {"type": "text", "label": "Promo code"}),
        ("", {"type": "password"}),
    ],
)
def test_other_fields_keep_their_values(masker: Masker, value: str, facts: dict[str, str]) -> None:
    assert masker.field(value, facts) == value


def test_a_known_secret_typed_into_any_field_is_a_secret(masker: Masker) -> None:
    masker.remember("2b-or-not-2b", "PASSWORD")

    assert isinstance(masker.field("my 2b-or-not-2b", {"type": "text", "name": "comment"}), Secret)


def test_a_field_typed_into_step_by_step_is_one_secret_and_two_fields_are_two(masker: Masker) -> None:
    names = [masker.field(value, {"type": "password"}) for value in ("tulip-9", "tulip-98", "tulip-987", "other-123")]

    assert [one.name for one in names if isinstance(one, Secret)] == ["PASSWORD", "PASSWORD", "PASSWORD", "PASSWORD_2"]


def test_the_user_can_name_more(masker: Masker) -> None:
    mine = Masker(names=["patient number"])

    assert isinstance(mine.field("lilac", {"name": "patientNumber"}), Secret)
    assert mine.body('{"patient_number": "lilac"}', "application/json") == f'{{"patient_number": "{REDACTED}"}}'
    assert masker.field("lilac", {"name": "patientNumber"}) == "lilac"


# --- headers, cookies, storage ------------------------------------------------------------------


def test_headers_lose_their_secrets_and_keep_their_words(masker: Masker) -> None:
    found = masker.headers(
        {
            "Authorization": "Bearer abcdefghijklmnop",
            "Cookie": "theme=dark; sid=ab12cd34ef56",
            "Set-Cookie": "sid=ab12cd34ef56; Path=/; HttpOnly\nlang=en; Max-Age=60",
            "X-Api-Key": "lilacgardens",
            "X-Csrf-Anything": "lilac-and-rose-7",
            "X-Acme-Token": "8f7e6d5c4b3a",
            "Referer": "https://app.test/cb?code=abcdef0123456789",
            "ETag": '"33a64df551425fcc55e4d42a148795d9f25f89d4"',
            "Accept": "text/html",
        }
    )

    assert found == {
        "authorization": f"Bearer {REDACTED}",
        "cookie": f"theme={REDACTED}; sid={REDACTED}",
        "set-cookie": f"sid={REDACTED}; Path=/; HttpOnly\nlang={REDACTED}; Max-Age=60",
        "x-api-key": REDACTED,
        "x-csrf-anything": REDACTED,
        "x-acme-token": REDACTED,
        "referer": f"https://app.test/cb?code={REDACTED}",
        "etag": '"33a64df551425fcc55e4d42a148795d9f25f89d4"',
        "accept": "text/html",
    }
    assert masker.headers(found) == found


def test_the_password_within_basic_credentials_is_remembered(masker: Masker) -> None:
    assert masker.header("authorization", "Basic YW5uOnR1bGlwLTk4Nw==") == f"Basic {REDACTED}"  # ann:tulip-987
    assert masker.text("it was tulip-987") == f"it was {REDACTED}"


@pytest.mark.parametrize(
    "cookie",
    [
        Cookie("seen", "1", http_only=True),
        Cookie("session", "ab12cd34ef56"),
        Cookie("visitor", "Zk3Jq9Xw2Lm8Pv5Rt7Yb"),
    ],
)
def test_cookies_that_are_secret_keep_only_their_names(masker: Masker, cookie: Cookie) -> None:
    assert isinstance(masker.cookie(cookie).value, Secret)


def test_plain_cookies_stay(masker: Masker) -> None:
    for cookie in (Cookie("theme", "dark"), Cookie("lang", "en-US"), Cookie("_ga", "GA1.2.1234567890.1706520600")):
        assert masker.cookie(cookie) is cookie


def test_storage_is_masked_by_name_by_look_and_within_json(masker: Masker) -> None:
    assert isinstance(masker.stored("access_token", "abc123def456"), Secret)
    assert isinstance(masker.stored("blob", "Zk3Jq9Xw2Lm8Pv5Rt7YbNc4D"), Secret)
    assert masker.stored("theme", "dark") == "dark"
    assert masker.stored("auth", '{"user":"ann","token":"abc123def456","n":2}') == (
        f'{{"user":"ann","token":"{REDACTED}","n":2}}'
    )


# --- addresses ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "masked"),
    [
        (
            "http://app.test/cb?code=abcdef0123456789&state=1#access_token=zzzzzzzzzzzz",
            "http://app.test/cb?code=[REDACTED]&state=1#access_token=[REDACTED]",
        ),
        ("https://ann:tulip-987@app.test:8080/a", "https://ann:REDACTED@app.test:8080/a"),
        ("https://app.test/reset-password/9f8a7b6c5d4e", "https://app.test/reset-password/[REDACTED]"),
        (
            "https://app.test/login?next=https%3A%2F%2Fapp.test%2Fcb%3Ftoken%3Dabc123def456",
            "https://app.test/login?next=https%3A%2F%2Fapp.test%2Fcb%3Ftoken%3D[REDACTED]",
        ),
        ("https://app.test/#/cb?sid=abc123def456&tab=2", "https://app.test/#/cb?sid=[REDACTED]&tab=2"),
        ("/api/items?page=2&user%5Bpassword%5D=lilac", "/api/items?page=2&user%5Bpassword%5D=[REDACTED]"),
    ],
)
def test_addresses_lose_their_secrets_and_stay_addresses(masker: Masker, url: str, masked: str) -> None:
    assert masker.url(url) == masked
    assert masker.url(masked) == masked
    assert urlsplit(masked).hostname == urlsplit(url).hostname


@pytest.mark.parametrize(
    "url",
    [
        "https://app.test/orders/3fa85f64-5717-4562-b3fc-2c963f66afa6?code=US&state=open&key=name",
        "https://app.test/assets/main.4f3a2b1c9d8e7f6a.js",
        "https://app.test/commit/9fceb02d0ae598e95dc970b74767f19372d61af8",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    ],
)
def test_other_addresses_stay_as_they_are(masker: Masker, url: str) -> None:
    assert masker.url(url) == url


# --- bodies -------------------------------------------------------------------------------------


def test_json_keeps_its_shape_its_types_and_its_spelling(masker: Masker) -> None:
    body = '{ "user":"ann" , "password":"tulip-987", "pin":1234,\n "on":true, "pi": 3.140, "token":null}'

    masked = masker.body(body, "application/json; charset=utf-8")

    assert masked == (f'{{ "user":"ann" , "password":"{REDACTED}", "pin":0,\n "on":true, "pi": 3.140, "token":null}}')
    assert masker.body(masked, "application/json") == masked


@pytest.mark.parametrize(
    ("body", "masked"),
    [
        ('{"tokens":["abc123def","fed321cba"]}', '{"tokens":["[REDACTED]","[REDACTED]"]}'),
        ('{"variables":{"input":{"password":"lilac9"}}}', '{"variables":{"input":{"password":"[REDACTED]"}}}'),
        ('[{"name":"password","value":"lilac9"}]', '[{"name":"password","value":"[REDACTED]"}]'),
        ('{"inner":"{\\"token\\":\\"abc123def\\"}"}', '{"inner":"{\\"token\\":\\"[REDACTED]\\"}"}'),
        ('{"card":4242424242424242}', '{"card":0}'),
        ('{"secret":{"value":"lilac-77","label":"Lilac"}}', '{"secret":{"value":"[REDACTED]","label":"Lilac"}}'),
    ],
)
def test_secrets_deep_in_json(masker: Masker, body: str, masked: str) -> None:
    assert masker.body(body, "application/json") == masked


def test_what_a_program_needs_to_go_on_stays(masker: Masker) -> None:
    body = (
        '{"key":"3fa85f64-5717-4562-b3fc-2c963f66afa6","nextPageToken":"CAUQAA-77x","hash":"9fceb02d0ae598e9",'
        '"cursor":"eyJpZCI6NDJ9","total_tokens":1554,"errors":{"password":["is too short"]}}'
    )

    assert masker.body(body, "application/json") == body


def test_json_stays_json_whatever_the_secret_is_made_of(masker: Masker) -> None:
    masker.remember("nice-secret-7", "A")
    masker.remember("493817", "B")
    body = json.dumps({"text": "a\nice-secret-7 \\nice-secret-7", "n": 493817, "list": [493817, "493817"]})

    found = json.loads(masker.body(body, "application/json"))

    assert found["n"] == 0
    assert found["list"] == [0, REDACTED]
    assert "secret-7" not in found["text"].replace("ice-secret-7", "", 1)


def test_broken_and_deep_json_is_masked_as_text(masker: Masker) -> None:
    assert masker.body('{"password":"tulip-987","x":', "application/json") == f'{{"password":"{REDACTED}","x":'
    deep = "[" * 50_000 + '{"password":"tulip-987"}' + "]" * 50_000
    assert "tulip" not in masker.body(deep, "application/json")


def test_forms_and_multipart_by_their_names(masker: Masker) -> None:
    assert masker.body("user=ann&password=tulip+987%21&page=2", "application/x-www-form-urlencoded") == (
        f"user=ann&password={REDACTED}&page=2"
    )
    part = '--b\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
    body = part.format("user", "ann") + part.format("password", "lilac") + "--b--\r\n"
    assert masker.body(body, "multipart/form-data; boundary=b") == body.replace("lilac", REDACTED)


def test_markup_by_its_fields(masker: Masker) -> None:
    page = '<p>lilac</p><input value="lilac" type="password"><input name="q" value="roses"><token>abc123def</token>'

    assert masker.body(page, "text/html") == (
        f'<p>lilac</p><input value="{REDACTED}" type="password"><input name="q" value="roses"><token>{REDACTED}</token>'
    )


# --- texts about pages --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ('- textbox "Password": hunter2-secret', '- textbox "Password": [REDACTED]'),
        ('- textbox "Password" [active] [ref=e5]: lilac', '- textbox "Password" [active] [ref=e5]: [REDACTED]'),
        (
            '- textbox "Password":\n  - /placeholder: Your password\n  - text: lilac\n- button "Go"',
            '- textbox "Password":\n  - /placeholder: Your password\n  - text: [REDACTED]\n- button "Go"',
        ),
        (
            'Locator: getByLabel(\'Password\')\nExpected string: ""\nReceived string: "lilac"',
            'Locator: getByLabel(\'Password\')\nExpected string: ""\nReceived string: "[REDACTED]"',
        ),
        (
            "await page.getByLabel('Password').fill('lilac');",
            "await page.getByLabel('Password').fill('[REDACTED]');",
        ),
    ],
)
def test_fields_shown_in_snapshots_and_messages(masker: Masker, text: str, masked: str) -> None:
    assert masker.text(text) == masked
    assert masker.text(masked) == masked


# --- all of it ----------------------------------------------------------------------------------


def test_a_text_without_secrets_is_the_same_object(masker: Masker) -> None:
    text = "nothing to see here, move on"

    assert masker.text(text) is text


def test_common_and_short_values_are_masked_in_their_place_only(masker: Masker) -> None:
    for value in ("1234", "admin", "true", "password", "123456", "secret"):
        assert isinstance(masker.field(value, {"type": "password"}), Secret)

    text = "admin said true: 1234 and 123456 are no secret password"
    assert masker.text(text) == text
    assert masker.version == 0


def test_what_is_found_late_in_a_text_is_masked_early_in_it(masker: Masker) -> None:
    assert masker.text("tulip-987 is wrong (password=tulip-987)") == f"{REDACTED} is wrong (password={REDACTED})"


def test_version_grows_with_every_value_that_is_remembered(masker: Masker) -> None:
    masker.remember("tulip-987", "A")
    before = masker.version
    masker.remember("tulip-987", "A")
    assert masker.version == before
    masker.remember("other-123", "B")
    assert masker.version > before


def test_the_same_input_gives_the_same_output() -> None:
    texts = ['{"password":"tulip-987"}', "token=abc123def456", "tulip-987 abc123def456"]

    assert [Masker().text(text) for text in texts] == [Masker().text(text) for text in texts]
    one, two = Masker(), Masker()
    assert [one.text(text) for text in texts] == [two.text(text) for text in texts]


@pytest.mark.parametrize(
    "name", ["password-field", "passwordInput", "pwd_field", "token-input", "user-password-textbox"]
)
def test_a_field_that_says_of_itself_that_it_is_one_is_still_the_password_s(name: str) -> None:
    assert isinstance(Masker().field("correct-horse-7", {"id": name, "type": "text"}), Secret)


def test_a_secret_is_called_by_the_name_that_says_most() -> None:
    found = Masker().field("hunter2hunter", {"id": "p", "label": "Password", "type": "password"})
    assert isinstance(found, Secret)
    assert found.name == "PASSWORD"
