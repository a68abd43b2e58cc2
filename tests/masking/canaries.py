"""Made-up secrets in many forms and contexts, and everyday lines that hold none. Nothing here was ever valid.

Every secret is put together from parts, so that no scanner of this repository takes it for a real one.
"""

import base64
import json
import random
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + "234567"
SAFE = ALNUM + "-_"
BASE64 = ALNUM + "+/"


@dataclass(frozen=True)
class Canary:
    """A secret. With a name it is one because of that name; without, because of its own form."""

    form: str
    value: str
    name: str = ""


def _letters(chance: random.Random, alphabet: str, length: int) -> str:
    """Random, and at least as mixed as a real one would be."""
    while True:
        found = "".join(chance.choice(alphabet) for _ in range(length))
        if length < 12 or (any(c.isdigit() for c in found) or not any(c.isdigit() for c in alphabet)):
            return found


def _jwt(chance: random.Random) -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    body = base64.urlsafe_b64encode(b'{"sub":"%d"}' % chance.randrange(10**9)).decode().rstrip("=")
    return f"{head}.{body}.{_letters(chance, SAFE, 43)}"


Make = Callable[[random.Random], str]


def _made(prefix: str, alphabet: str, length: int, suffix: str = "") -> Make:
    return lambda chance: prefix + _letters(chance, alphabet, length) + suffix


def _always(value: str) -> Make:
    return lambda _chance: value


# --- the forms the rules were written for -------------------------------------------------------

BY_FORM: dict[str, Make] = {
    "aws key id": _made("AK" + "IA", UPPER, 16),
    "github personal": _made("gh" + "p_", ALNUM, 36),
    "github oauth": _made("gh" + "o_", ALNUM, 36),
    "github server": _made("gh" + "s_", ALNUM, 36),
    "github fine-grained": _made("github" + "_pat_", ALNUM + "_", 82),
    "gitlab": _made("gl" + "pat-", SAFE, 20),
    "slack bot": lambda c: "xo" + f"xb-{c.randrange(10**11)}-{c.randrange(10**12)}-{_letters(c, ALNUM, 24)}",
    "stripe": _made("sk" + "_live_", ALNUM, 24),
    "stripe restricted": _made("rk" + "_test_", ALNUM, 24),
    "google key": _made("AI" + "za", SAFE, 35),
    "google token": _made("ya" + "29.", SAFE, 60),
    "model key": _made("sk" + "-proj-", SAFE, 48),
    "model key, other": _made("sk" + "-ant-api03-", SAFE, 80),
    "npm": _made("np" + "m_", ALNUM, 36),
    "pypi": _made("py" + "pi-AgEIcHlwaS5vcmc", SAFE, 60),
    "sendgrid": lambda c: "S" + f"G.{_letters(c, SAFE, 22)}.{_letters(c, SAFE, 43)}",
    "twilio": _made("S" + "K", HEX, 32),
    "mailgun": _made("key" + "-", HEX, 32),
    "jwt": _jwt,
    "digitalocean": _made("do" + "p_v1_", HEX, 64),
    "shopify": _made("shp" + "at_", HEX, 32),
    "hugging face": _made("h" + "f_", ALNUM, 34),
    "vault": _made("hv" + "s.", SAFE, 90),
    "bcrypt": _made("$2b$" + "12$", ALNUM + "./", 53),
    "random word": _made("", ALNUM, 40),
    "random word, url-safe": _made("", SAFE, 43),
    "prefixed": _made("acme_live_", ALNUM, 36),
    "private key": lambda c: (
        f"-----BEGIN RSA {'PRIVATE'} KEY-----\n{_letters(c, BASE64, 64)}\n{_letters(c, BASE64, 40)}\n"
        f"-----END RSA {'PRIVATE'} KEY-----"
    ),
    "card": _always("4242" + " 4242 4242 4242"),
    "iban": _always("DE89" + "370400440532013000"),
    "bearer": lambda c: f"Bearer {_letters(c, SAFE, 24)}",
    "credentials in an address": lambda c: f"postgres://app:{_letters(c, ALNUM, 12)}@db.test:5432/shop",
}

BY_NAME: dict[str, tuple[str, Make]] = {
    "password": ("password", _made("", ALNUM + "!$*", 12)),
    "password, a word and digits": ("password", _always("hunter2-secret")),
    "password, a word": ("password", _always("swordfish")),
    "user_password": ("user_password", _made("Pw-", ALNUM, 9)),
    "newPassword": ("newPassword", _made("N3w!", ALNUM, 8)),
    "passwd": ("passwd", _made("", ALNUM, 10)),
    "pwd": ("pwd", _made("", ALNUM, 10)),
    "passwort": ("passwort", _made("Geheim", string.digits, 4)),
    "passphrase": ("passphrase", _made("tulip-", LOWER, 10)),
    "apiKey": ("apiKey", _made("", ALNUM, 24)),
    "api_key, hex": ("api_key", _made("", HEX, 32)),
    "x-api-key": ("x-api-key", _made("", LOWER, 20)),
    "access_token": ("access_token", _made("", SAFE, 30)),
    "refresh_token": ("refresh_token", _made("1.", SAFE, 30)),
    "token, uuid": ("token", lambda c: f"{_letters(c, HEX, 8)}-aaaa-4bbb-8ccc-{_letters(c, HEX, 12)}"),
    "client_secret": ("client_secret", _made("", SAFE + "~", 34)),
    "aws_secret_access_key": ("aws_secret_access_key", _made("", BASE64, 40)),
    "session_id": ("session_id", _made("", LOWER, 26)),
    "sid": ("sid", _made("", LOWER, 24)),
    "csrf_token": ("csrf_token", _made("", BASE64, 32)),
    "private_key": ("private_key", _made("", HEX, 64)),
    "pin": ("pin", lambda c: str(c.randrange(1000, 9999))),
    "otp": ("otp", lambda c: str(c.randrange(100000, 999999))),
    "cvv": ("cvv", lambda c: str(c.randrange(100, 999))),
    "card_number": ("card_number", _always("5555" + "555555554444")),
    "ssn": ("ssn", lambda c: f"078-05-{c.randrange(1000, 9999)}"),
    "db_pass": ("db_pass", _made("", ALNUM + "@!", 14)),
    "signature": ("signature", _made("", HEX, 40)),
    "auth": ("auth", _made("", ALNUM, 32)),
    "key": ("key", _made("", ALNUM, 32)),
}


def _quoted(value: str) -> str:
    return quote(value, safe="")


NAMED: dict[str, Callable[[str, str], str]] = {
    "json": lambda n, v: f'{{"user": "ann", "{n}": {_json(v)}, "page": 2}}',
    "form": lambda n, v: f"user=ann&{n}={_quoted(v)}&page=2",
    "header": lambda n, v: f"GET / HTTP/1.1\nAccept: */*\n{n}: {v}\nHost: app.test",
    "url": lambda n, v: f"https://app.test/cb?page=2&{n}={_quoted(v)}&lang=en",
    "log": lambda n, v: f"2026-01-05 10:11:12 INFO request for ann {n}={v} took 12 ms",
    "env": lambda n, v: f"PORT=3000\n{n.upper().replace('-', '_')}={v}\nNODE_ENV=test",
    "yaml": lambda n, v: f"service:\n  user: ann\n  {n}: {v}\n  port: 80",
    "curl": lambda n, v: f"curl -X POST https://app.test/api -d '{n}={v}' -H 'Accept: text/html'",
    "html": lambda n, v: f'<form><input type="text" name="{n}" value="{v}"><button>Go</button></form>',
    "js": lambda n, v: f'const options = {{ user: "ann", "{n}": "{v}" }};',
    "stack": lambda n, v: f"Error: request failed ({n}={v})\n    at send (https://app.test/main.js:10:5)",
    "cookie": lambda n, v: f"Cookie: theme=dark; {n}={_quoted(v)}; lang=en",
    "socket": lambda n, v: f'{{"op":"hello","d":{{"{n}":{_json(v)}}}}}',
}
UNNAMED: dict[str, Callable[[str], str]] = {
    "json": lambda v: f'{{"note": {_json(v)}, "page": 2}}',
    "form": lambda v: f"note={_quoted(v)}&page=2",
    "header": lambda v: f"Accept: */*\nX-Note: {v}\nHost: app.test",
    "url": lambda v: f"https://app.test/a?note={_quoted(v)}&page=2",
    "log": lambda v: f"2026-01-05 10:11:12 INFO upstream gave {v} for ann",
    "env": lambda v: f"PORT=3000\nMISC={v}\n",
    "yaml": lambda v: f"misc: {v}\nport: 80",
    "curl": lambda v: f"curl https://app.test/api -H 'X-Note: {v}'",
    "html": lambda v: f'<p data-note="{v}">Hello</p>',
    "js": lambda v: f'send("{v}", 5);',
    "stack": lambda v: f"Error: unexpected {v}\n    at send (https://app.test/main.js:10:5)",
    "cookie": lambda v: f"Cookie: theme=dark; note={_quoted(v)}",
    "socket": lambda v: f'{{"op":"hello","d":[1,{_json(v)}]}}',
}


def _json(value: str) -> str:
    return json.dumps(value)


def by_form(forms: dict[str, Make], seed: int) -> Iterator[Canary]:
    chance = random.Random(seed)
    for form, make in forms.items():
        yield Canary(form, make(chance))


def by_name(forms: dict[str, tuple[str, Make]], seed: int) -> Iterator[Canary]:
    chance = random.Random(seed)
    for form, (name, make) in forms.items():
        yield Canary(form, make(chance), name)


def planted(canary: Canary) -> Iterator[tuple[str, str]]:
    """The canary in every context: the context's name and the text."""
    if canary.name:
        for context, write in NAMED.items():
            yield context, write(canary.name, canary.value)
    else:
        for context, put in UNNAMED.items():
            yield context, put(canary.value)


def core(value: str) -> str:
    """The part of a value that must not be seen: without the words around it."""
    if value.startswith("-----BEGIN"):
        return value.split("\n")[1]
    if "://" in value:
        return value.split("://")[1].split(":")[1].split("@", maxsplit=1)[0]
    return value.removeprefix("Bearer ")


# --- forms and contexts written after the rules -------------------------------------------------

BY_FORM_LATER: dict[str, Make] = {
    "figma": _made("fig" + "d_", SAFE, 40),
    "linear": _made("lin" + "_api_", ALNUM, 40),
    "groq": _made("gs" + "k_", ALNUM, 52),
    "replicate": _made("r" + "8_", ALNUM, 37),
    "supabase": _made("sb" + "p_", HEX, 40),
    "tailscale": lambda c: "tskey" + f"-auth-{_letters(c, ALNUM, 12)}-{_letters(c, ALNUM, 32)}",
    "sentry": _made("sntr" + "ys_", BASE64, 60),
    "telegram": lambda c: f"{c.randrange(10**8, 10**9)}:A" + f"A{_letters(c, SAFE, 33)}",
    "discord": lambda c: "MT" + f"{_letters(c, ALNUM, 24)}.{_letters(c, SAFE, 6)}.{_letters(c, SAFE, 38)}",
    "mailchimp": _made("", HEX, 32, "-us" + "14"),
    "databricks": _made("da" + "pi", HEX, 32),
    "new relic": _made("NR" + "AK-", string.ascii_uppercase + string.digits, 27),
    "postman": lambda c: "PM" + f"AK-{_letters(c, HEX, 24)}-{_letters(c, HEX, 34)}",
    "doppler": _made("dp" + ".pt.", ALNUM, 43),
    "airtable": lambda c: "pa" + f"t{_letters(c, ALNUM, 14)}.{_letters(c, HEX, 64)}",
    "square": _made("sq0" + "atp-", SAFE, 22),
    "terraform": lambda c: f"{_letters(c, ALNUM, 14)}.atlas" + f"v1.{_letters(c, SAFE, 67)}",
    "azure client secret": lambda c: f"{_letters(c, ALNUM, 3)}8Q" + f"~{_letters(c, SAFE, 34)}",
    "argon2": lambda c: f"$argon2id$v=19$m=65536,t=3,p=4${_letters(c, ALNUM, 22)}${_letters(c, BASE64, 43)}",
    "unknown prefix": _made("zyx_prod_", ALNUM, 40),
    "unknown prefix, dashes": _made("blue-key-", ALNUM, 40),
    "random, base64": _made("", BASE64, 44),
    "random, small letters": _made("", LOWER, 40),
    "random, two parts": lambda c: f"{_letters(c, ALNUM, 32)}.{_letters(c, ALNUM, 32)}",
    "other private key": lambda c: (
        f"-----BEGIN OPENSSH {'PRIVATE'} KEY-----\n{_letters(c, BASE64, 70)}\n{_letters(c, BASE64, 70)}\n"
        f"-----END OPENSSH {'PRIVATE'} KEY-----"
    ),
    "amex": _always("3782" + "82246310005"),
    "mastercard, dashes": _always("5105-1051" + "-0510-5100"),
    "iban, spaced": _always("GB29 NWBK" + " 6016 1331 9268 19"),
    "redis address": lambda c: f"redis://default:{_letters(c, ALNUM, 16)}@cache.test:6379/0",
    "unencrypted key": lambda c: (
        f"-----BEGIN {'PRIVATE'} KEY-----\n{_letters(c, BASE64, 64)}\n-----END {'PRIVATE'} KEY-----"
    ),
}
BY_NAME_LATER: dict[str, tuple[str, Make]] = {
    "login_passwd": ("login_passwd", _made("", ALNUM, 9)),
    "confirm-password": ("confirm-password", _made("Tr0ub4dor&", string.digits, 2)),
    "contraseña": ("contraseña", _made("Clave", string.digits, 5)),
    "mot_de_passe": ("mot_de_passe", _made("Secret", string.digits, 4)),
    "kennwort": ("kennwort", _made("Sonne", string.digits, 4)),
    "userPwd": ("userPwd", _made("", ALNUM, 8)),
    "smtp_pass": ("smtp_pass", _made("", LOWER, 16)),
    "wifi_passphrase": ("wifi_passphrase", _made("", LOWER, 14)),
    "idToken": ("idToken", _made("", SAFE, 40)),
    "bot_token": ("bot_token", _made("", LOWER, 24)),
    "deviceToken": ("deviceToken", _made("", HEX, 64)),
    "x-auth-token": ("x-auth-token", _made("", HEX, 32)),
    "x-csrf-token": ("x-csrf-token", _made("", ALNUM, 20)),
    "JSESSIONID": ("JSESSIONID", _made("", HEX.upper(), 32)),
    "PHPSESSID": ("PHPSESSID", _made("", LOWER, 26)),
    "connect.sid": ("connect.sid", lambda c: f"s:{_letters(c, SAFE, 32)}.{_letters(c, BASE64, 43)}"),
    "webhook_secret": ("webhook_secret", _made("", ALNUM, 20)),
    "encryption_key": ("encryption_key", _made("", HEX, 64)),
    "subscription-key": ("subscription-key", _made("", HEX, 32)),
    "consumerSecret": ("consumerSecret", _made("", ALNUM, 30)),
    "account_key": ("account_key", _made("", BASE64, 86, "==")),
    "signing_key": ("signing_key", _made("", SAFE, 32)),
    "recovery_code": ("recovery_code", lambda c: f"{_letters(c, LOWER, 5)}-{c.randrange(10000, 99999)}"),
    "cardNumber": ("cardNumber", _always("4000" + "056655665556")),
    "cvc": ("cvc", lambda c: str(c.randrange(100, 999))),
    "verification_code": ("verification_code", lambda c: str(c.randrange(100000, 999999))),
    "iban": ("iban", _always("FR14" + "20041010050500013M02606")),
    "nonce": ("nonce", _made("", ALNUM, 24)),
    "sig": ("sig", _made("", BASE64, 43, "=")),
    "credentials": ("credentials", _made("", ALNUM, 28)),
}
NAMED_LATER: dict[str, Callable[[str, str], str]] = {
    "php": lambda n, v: f"$config = array('user' => 'ann', '{n}' => '{v}');",
    "python": lambda n, v: f"{{'user': 'ann', '{n}': '{v}', 'page': 2}}",
    "toml": lambda n, v: f'[service]\nport = 80\n{n} = "{v}"\n',
    "properties": lambda n, v: f"app.user=ann\napp.{n}={v}\n",
    "xml": lambda n, v: f"<config><user>ann</user><{n}>{v}</{n}></config>",
    "option": lambda n, v: f"deploy --user ann --{n} {v} --verbose",
    "har": lambda n, v: f'{{"params": [{{"name": "{n}", "value": {_json(v)}}}]}}',
    "json in json": lambda n, v: _json(f'{{"user": "ann", "{n}": {_json(v)}}}'),
    "storage": lambda n, v: f'localStorage.setItem("{n}", "{v}");',
    "multipart": lambda n, v: (
        f'--b\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n--b\r\n'
        'Content-Disposition: form-data; name="page"\r\n\r\n2\r\n--b--'
    ),
    "compose": lambda n, v: f"environment:\n  - PORT=80\n  - {n.upper()}={v}\n",
    "powershell": lambda n, v: f'$env:{n} = "{v}"',
    "fill": lambda n, v: f"await page.locator('[name=\"{n}\"]').fill('{v}');",
    "console": lambda n, v: f"login with {{user: ann, {n}: {v}}}",
    "meta": lambda n, v: f'<meta name="{n}" content="{v}">',
    "aria": lambda n, v: f'- form:\n  - textbox "{n}": {v}\n  - button "Go"',
}
UNNAMED_LATER: dict[str, Callable[[str], str]] = {
    "toml": lambda v: f'note = "{v}"\n',
    "xml": lambda v: f"<note>{v}</note>",
    "sentence": lambda v: f"We sent {v}, please use it soon.",
    "json in json": lambda v: _json(f'{{"note": {_json(v)}}}'),
    "option": lambda v: f"deploy --note {v} --verbose",
    "comment": lambda v: f"// was {v}\nrun();",
    "list": lambda v: f"- {v}\n- nothing else",
    "template": lambda v: f"const a = `{v}`;",
}


def planted_later(canary: Canary) -> Iterator[tuple[str, str]]:
    if canary.name:
        for context, write in NAMED_LATER.items():
            yield context, write(canary.name, canary.value)
    else:
        for context, put in UNNAMED_LATER.items():
            yield context, put(canary.value)
