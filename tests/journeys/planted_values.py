"""A hundred made-up secrets of every look, each with the place where an application has it, and harmless words."""

import base64
import hashlib
import json
import random
import string
from dataclasses import dataclass
from urllib.parse import quote, quote_plus

_CHANCE = random.Random(20_260_101)  # the same secrets each time, and in no file of the project
_LETTERS = string.ascii_letters + string.digits
_WORDS = [
    "correct",
    "horse",
    "battery",
    "staple",
    "purple",
    "monkey",
    "dishwasher",
    "velvet",
    "hammer",
    "orchid",
    "lantern",
    "gravel",
    "mango",
]


def _some(count: int, alphabet: str = _LETTERS) -> str:
    return "".join(_CHANCE.choices(alphabet, k=count))


def words() -> str:
    """A passphrase, as people choose them."""
    return " ".join(_CHANCE.sample(_WORDS, 3)) + f" {_CHANCE.randrange(10, 99)}"


def password() -> str:
    return f"{_CHANCE.choice(_WORDS).title()}-{_some(5)}!{_CHANCE.randrange(100, 999)}"


def odd() -> str:
    """With characters that JSON, URLs, HTML and headers each write in their own way."""
    return f'{_some(4)}"<&>+/{_some(4)}\\é ü{_some(3)}'


def hexed(count: int = 40) -> str:
    return _some(count, "0123456789abcdef")


def base64ed(count: int = 30) -> str:
    return base64.b64encode(_CHANCE.randbytes(count)).decode()


def mixed(count: int = 32) -> str:
    return _some(count)


def jwt() -> str:
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": _some(8), "iat": 1_700_000_000})
    spelled = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    signature = base64.urlsafe_b64encode(hashlib.sha256(_CHANCE.randbytes(8)).digest()).decode().rstrip("=")
    return ".".join([*spelled, signature])


def vendor(prefix: str, count: int = 36, alphabet: str = _LETTERS) -> str:
    return prefix + _some(count, alphabet)


def card() -> str:
    """A number that passes the check of card numbers."""
    body = "4" + _some(14, string.digits)
    doubled = [int(digit) * (2 - place % 2) for place, digit in enumerate(body)]
    return body + str(-sum(sum(divmod(each, 10)) for each in doubled) % 10)


def iban() -> str:
    body = _some(18, string.digits)
    return f"DE{98 - int(body + '131400') % 97:02d}{body}"


@dataclass(frozen=True)
class Planted:
    route: str
    place: str  # a field's name, a header, a key...
    value: str


def _of(route: str, *plants: tuple[str, str]) -> list[Planted]:
    return [Planted(route, place, value) for place, value in plants]


SECRETS: list[Planted] = [
    *_of(
        "field",
        ("password", words()),
        ("new_password", password()),
        ("otp", _some(8, string.digits)),
        ("card_number", card()),
        ("iban", iban()),
        ("api_key", mixed()),
        ("odd_password", odd()),
    ),
    *_of(
        "request header",
        ("Authorization", "Bearer " + mixed(40)),
        ("X-Api-Key", hexed(32)),
        ("X-Auth-Token", base64ed()),
        ("X-CSRF-Token", mixed(24)),
        ("X-Session-Token", words().replace(" ", "-")),
        ("X-Access-Token", jwt()),
        ("Private-Token", mixed(20)),
        ("X-Client-Secret", password()),
    ),
    *_of("answer header", ("X-Auth-Token", hexed(48)), ("X-CSRF-Token", mixed(30)), ("X-Refresh-Token", jwt())),
    *_of(
        "set-cookie",
        ("sessionid", hexed(32)),
        ("remember_token", base64ed(24)),
        ("auth", jwt()),
        ("sid", mixed(26)),
    ),
    *_of("page cookie", ("csrftoken", mixed(32)), ("access_token", mixed(40)), ("jwt", jwt())),
    *_of(
        "local storage",
        ("access_token", mixed(48)),
        ("refreshToken", base64ed(36)),
        ("apiKey", hexed(32)),
        ("password", words()),
        ("user", jwt()),  # its name says nothing, its look does
        ("session_secret", odd()),
    ),
    *_of(
        "session storage", ("id_token", jwt()), ("otp_secret", mixed(16)), ("authToken", mixed(40)), ("pin", password())
    ),
    *_of(
        "json sent",
        ("password", words()),
        ("clientSecret", mixed(32)),
        ("card_number", card()),
        ("private_key", base64ed(48)),
        ("security_answer_secret", words()),
        ("access_token", odd()),
    ),
    *_of(
        "json received",
        ("token", mixed(40)),
        ("refresh_token", hexed(64)),
        ("apiKey", vendor("key_", 24)),
        ("password_hash", "$2b$12$" + mixed(53)),
        ("temporaryPassword", password()),
        ("webhook_secret", vendor("whsec_", 32)),
        ("github", vendor("ghp_", 36)),  # only its look tells
        ("aws", vendor("AKIA", 16, string.ascii_uppercase + "234567")),
    ),
    *_of("json in json", ("token", mixed(36)), ("secret", hexed(40))),
    *_of("graphql", ("password", password()), ("token", mixed(30))),
    *_of("form", ("passwd", words()), ("client_secret", mixed(28)), ("csrf_token", odd())),
    *_of("multipart", ("password", password()), ("token", mixed(33)), ("secret_key", words())),
    *_of(
        "query",
        ("token", mixed(30)),
        ("code", hexed(24)),
        ("signature", hexed(64)),
        ("api_key", mixed(28)),
        ("password", words()),
    ),
    *_of("fragment", ("access_token", mixed(44)), ("id_token", jwt())),
    *_of("reset link", ("path", hexed(48)), ("path", jwt())),
    *_of("address with a password", ("user", password())),
    *_of(
        "console",
        ("token=", mixed(32)),
        ("password: ", password()),
        ("Authorization: Bearer ", mixed(38)),
        ("connecting to postgres://shop:", mixed(18)),
        ("stripe says ", vendor("sk_live_", 24)),
        ("api_key=", hexed(32)),
        ("mail key ", vendor("SG." + _some(22) + ".", 43)),
    ),
    *_of("socket sent", ("token", mixed(40)), ("password", words())),
    *_of("socket received", ("session_token", hexed(40)), ("secret", base64ed(27))),
    *_of("socket address", ("token", mixed(31))),
    *_of("hidden input", ("csrf_token", mixed(40)), ("authenticity_token", base64ed(48))),
    *_of("meta", ("csrf-token", base64ed(32))),
    *_of("attribute", ("data-api-key", hexed(36)), ("data-auth-token", mixed(34))),
    *_of("page text", ("Your API key: ", vendor("sk_live_", 30)), ("Access token: ", vendor("github_pat_", 60))),
    *_of("link", ("token", mixed(26))),
    *_of(
        "error message",
        ("login failed with token=", mixed(30)),
        ("cannot refresh Bearer ", mixed(42)),
        ("bad password: ", password()),
    ),
    *_of("rejection", ("request refused, api_key=", hexed(40)), ("jwt expired: ", jwt())),
    *_of("title", ("Reset with token=", mixed(24))),
    *_of("dialog", ("Your temporary password: ", password()), ("Backup key: ", vendor("sk_live_", 28))),
    *_of(
        "har", ("Authorization", "Bearer " + mixed(36)), ("cookie", hexed(32)), ("password", words()), ("token", jwt())
    ),
    *_of("recorder", ("Password", words()), ("API key", mixed(30))),
    *_of(".env", ("SHOP_API_SECRET", words()), ("DATABASE_PASSWORD", password())),
    *_of("variable", ("MATRIX_LOGIN", "hedgehog " + words())),
    *_of("own word", ("matricule", words())),
]

# What the same places hold that is nobody's secret: each must be readable afterwards.
HARMLESS: dict[str, list[str]] = {
    "field": ["Ann Lee", "ann@example.com", "12 Elm Street", "Springfield", "two blue mugs", "2026-03-14"],
    "request header": ["shop-frontend", "variant-b"],
    "answer header": ["backend-seven", "gentle-breeze"],
    "page cookie": ["dark", "en-GB"],
    "local storage": ["compact", "kilometres", "basket-view", "Europe/Berlin"],
    "session storage": ["step-three", "lastvisited-mugs"],
    "json sent": ["express delivery", "gift wrap", "order-20391", "birthday"],
    "json received": [
        "Walnut desk",
        "in stock",
        "EUR",
        "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
        "e83c5163316f89bfbde7d9ab23ca2e25604af290",
        "2026-01-31T08:00:00Z",
        "author",
        "monkey wrench",
        "tokenizer",
        "passwordless",
    ],
    "json in json": ["inner-note"],
    "graphql": ["FindBasket"],
    "form": ["newsletter-weekly", "red"],
    "multipart": ["portrait.png", "holiday photo"],
    "query": ["page-two", "price-ascending", "keyboard"],
    "console": [
        "cart loaded",
        "render took 12 ms",
        "monkey business as usual",
        "3 keys pressed",
        "token count is low",
        "password field focused",
        "secretary notified",
        "author: Ann",
    ],
    "socket sent": ["subscribe-prices"],
    "socket received": ["price-update", "walnut-desk"],
    "page text": [
        "Forgotten your password?",
        "Secret Santa gifts",
        "Token of appreciation",
        "API documentation",
        "Checkout",
    ],
    "attribute": ["basket-button", "product-card"],
    "error message": ["the basket is empty"],
    "rejection": ["shipping country is missing"],
    "dialog": ["Really remove the lamp?"],
    "har": ["/catalogue/lamps", "warm-white"],
    "recorder": ["Buy now", "Ann Lee"],
    ".env": ["staging-harbour"],
}


def of(route: str) -> list[tuple[str, str]]:
    return [(one.place, one.value) for one in SECRETS if one.route == route]


def bare(value: str) -> str:
    """Without the word in front, which stays."""
    return value.removeprefix("Bearer ")


def spellings(value: str) -> set[bytes]:
    """The ways in which a value may lie in a file."""
    raw = value.encode()
    html = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    texts = {value, html, quote(value, safe=""), quote(value), quote_plus(value), quote(quote(value, safe=""), safe="")}
    texts |= {json.dumps(text)[1:-1] for text in texts} | {json.dumps(text, ensure_ascii=False)[1:-1] for text in texts}
    return {*(text.encode() for text in texts), raw.hex().encode(), *_base64s(raw)}


def _base64s(raw: bytes) -> set[bytes]:
    """At each of the three alignments, without the ends that depend on the neighbours."""
    found = set()
    for skipped in range(3):
        middle = raw[skipped:]
        middle = middle[: len(middle) - len(middle) % 3]
        if len(middle) >= 6:
            found |= {base64.b64encode(middle), base64.urlsafe_b64encode(middle)}
    return found
