"""Secrets that are known by their form: what well-known services publish about the tokens they hand out, private keys,
signed tokens, hashes of passwords, credentials in addresses and commands.

Each form has needles, plain texts without which it cannot be there: most texts are done after looking for those.
"""

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass

from testwright.masking.name_grades import Grade
from testwright.masking.secret_words import COOKIE_FACTS
from testwright.masking.value_looks import (
    is_identifier,
    is_secret_by_look,
    is_secret_value,
    is_stand_in,
    looks_machine_made,
    numbers_of_cards,
)
from testwright.model.session import REDACTED

Hide = Callable[[str, str], str]  # a secret value and what it is called -> what stands in its place
PLAIN_MARK = "REDACTED"  # where brackets would spoil an address


@dataclass(frozen=True, slots=True)
class TokenForm:
    name: str
    needles: tuple[str, ...]
    pattern: re.Pattern[str]


def _form(name: str, needles: str, pattern: str) -> TokenForm:
    return TokenForm(name, tuple(needles.split()), re.compile(pattern))


_START = r"(?<![A-Za-z0-9])"
_SAFE = "[A-Za-z0-9_-]"
_DOTTED = "[A-Za-z0-9_.-]"
FORMS = (
    _form("JWT", "eyJ", rf"{_START}eyJ{_SAFE}{{8,4096}}\.{_SAFE}{{4,8192}}(?:\.{_SAFE}{{0,4096}}){{0,3}}"),
    _form("AWS_KEY", "AKIA ASIA ABIA ACCA", rf"{_START}(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{{16}}(?![A-Za-z0-9])"),
    _form("GITHUB_TOKEN", "ghp_ gho_ ghu_ ghs_ ghr_", rf"{_START}gh[pousr]_[A-Za-z0-9]{{20,255}}"),
    _form("GITHUB_TOKEN", "github_pat_", r"github_pat_[A-Za-z0-9_]{20,255}"),
    _form("GITLAB_TOKEN", "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-",
          rf"{_START}gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-{_DOTTED}{{16,128}}"),
    _form("GITLAB_TOKEN", "GR1348941", rf"GR1348941{_SAFE}{{20,50}}"),
    _form("SLACK_TOKEN", "xox xapp-", rf"{_START}(?:xox[a-z]|xapp)(?:\.[a-z]+)?-[A-Za-z0-9-]{{10,255}}"),
    _form("WEBHOOK", "hooks.slack.com", r"(?<=hooks\.slack\.com/)(?:services|workflows|triggers)/[\w/-]{20,120}"),
    _form("WEBHOOK", "/api/webhooks/", rf"(?<=/api/webhooks/)\d{{15,21}}/{_SAFE}{{40,100}}"),
    _form("WEBHOOK", "webhook.office.com", r"(?<=webhook\.office\.com/)webhookb2/[A-Za-z0-9@/-]{40,300}"),
    _form("STRIPE_KEY", "k_live_ k_test_", rf"{_START}[sr]k_(?:live|test)_[A-Za-z0-9]{{10,255}}"),
    _form("SIGNING_SECRET", "whsec_", r"whsec_[A-Za-z0-9+/=]{16,128}"),
    _form("CLIENT_SECRET", "_secret_", rf"{_START}(?:pi|seti|cs|src|pm)_\w{{10,80}}_secret_[A-Za-z0-9]{{10,80}}"),
    _form("GOOGLE_KEY", "AIza", rf"{_START}AIza{_SAFE}{{30,45}}"),
    _form("GOOGLE_TOKEN", "ya29.", rf"ya29\.{_SAFE}{{20,1024}}"),
    _form("GOOGLE_SECRET", "GOCSPX-", rf"GOCSPX-{_SAFE}{{20,60}}"),
    _form("GOOGLE_TOKEN", "1//0", rf"1//0{_SAFE}{{30,200}}"),
    _form("API_KEY", "sk-", rf"{_START}sk-(?=[A-Za-z_-]{{0,60}}\d){_SAFE}{{20,255}}"),
    _form("API_KEY", "gsk_ xai- pplx-", rf"{_START}(?:gsk_|xai-|pplx-)[A-Za-z0-9]{{20,128}}"),
    _form("NPM_TOKEN", "npm_", rf"{_START}npm_[A-Za-z0-9]{{30,64}}"),
    _form("PYPI_TOKEN", "pypi-", rf"pypi-{_SAFE}{{16,1024}}"),
    _form("RUBYGEMS_KEY", "rubygems_", r"rubygems_[0-9a-f]{40,64}"),
    _form("DOCKER_TOKEN", "dckr_", rf"dckr_(?:pat|oat)_{_SAFE}{{20,80}}"),
    _form("SENDGRID_KEY", "SG.", rf"{_START}SG\.{_SAFE}{{16,32}}\.{_SAFE}{{16,64}}"),
    _form("MAILGUN_KEY", "key-", rf"{_START}key-[0-9a-f]{{32}}(?![0-9a-f])"),
    _form("MAILCHIMP_KEY", "-us", rf"{_START}[0-9a-f]{{32}}-us\d{{1,2}}(?!\d)"),
    _form("TWILIO_KEY", "SK", r"SK[0-9a-f]{32}(?![0-9a-f])"),
    _form("TWILIO_KEY", "AC", r"AC[0-9a-f]{32}(?![0-9a-f])"),
    _form("TELEGRAM_TOKEN", ":AA", rf"{_START}\d{{8,10}}:AA{_SAFE}{{32,34}}"),
    _form("DISCORD_TOKEN", ".", rf"{_START}[MNO][A-Za-z0-9_-]{{22,27}}\.{_SAFE}{{6}}\.{_SAFE}{{27,38}}"),
    _form("SHOPIFY_TOKEN", "shp", rf"{_START}shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{{32}}"),
    _form("SQUARE_TOKEN", "sq0", rf"{_START}sq0[a-z]{{3}}-{_SAFE}{{22,60}}"),
    _form("FACEBOOK_TOKEN", "EAA", rf"{_START}EAA[A-Za-z0-9]{{60,400}}"),
    _form("DOPPLER_TOKEN", "dp.", rf"{_START}dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{{30,100}}"),
    _form("DIGITALOCEAN_TOKEN", "_v1_", rf"{_START}do[opr]_v1_[a-f0-9]{{40,80}}"),
    _form("DATABRICKS_TOKEN", "dapi", rf"{_START}dapi[0-9a-f]{{32}}"),
    _form("VAULT_TOKEN", "hvs. hvb. hvr.", rf"{_START}hv[sbr]\.{_SAFE}{{20,300}}"),
    _form("TERRAFORM_TOKEN", ".atlasv1.", rf"{_START}[A-Za-z0-9]{{14}}\.atlasv1\.{_SAFE}{{50,80}}"),
    _form("AIRTABLE_TOKEN", "pat", rf"{_START}pat[A-Za-z0-9]{{14}}\.[0-9a-f]{{64}}"),
    _form("SHARED_SECRET", "8Q~", r"[A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{31,34}"),
    _form("MAPBOX_TOKEN", "sk.eyJ", rf"sk\.eyJ{_SAFE}{{20,200}}\.{_SAFE}{{10,60}}"),
    _form("AGE_KEY", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{50,70}"),
    _form("ALIBABA_KEY", "LTAI", rf"{_START}LTAI[A-Za-z0-9]{{12,24}}(?![A-Za-z0-9])"),
    _form("TENCENT_KEY", "AKID", rf"{_START}AKID[A-Za-z0-9]{{32}}(?![A-Za-z0-9])"),
    _form("ATLASSIAN_TOKEN", "AT", rf"{_START}AT[A-Z]{{3}}3x[A-Za-z0-9_=-]{{40,400}}"),
    _form("POSTMAN_KEY", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    _form("NEW_RELIC_KEY", "NR", rf"{_START}NR(?:AK|JS|RA|II)-[A-Za-z0-9]{{19,60}}"),
    _form("TAILSCALE_KEY", "tskey-", r"tskey-[a-z]{2,12}-[A-Za-z0-9]{6,30}(?:-[A-Za-z0-9]{10,60})?"),
    _form("PULUMI_TOKEN", "pul-", rf"{_START}pul-[0-9a-f]{{40}}"),
    _form("TOKEN", "sbp_ pscale_ lin_ figd_ hf_ r8_ glsa_ glc_ sntry phx_ ntn_ secret_ nfp_ rnd_ CCIPAT_ bkua_ ops_",
          rf"{_START}(?:sbp_|pscale_(?:tkn|pw|oauth)_|lin_(?:api|oauth)_|figd_|hf_|r8_|glsa_|glc_|sntry[us]_|phx_|ntn_"
          rf"|secret_|nfp_|rnd_|CCIPAT_|bkua_|ops_)(?=[A-Za-z_.=-]{{0,200}}\d)[A-Za-z0-9_.=-]{{24,400}}"),
    _form("TOKEN", "vercel_ fm2_ y0_", rf"{_START}(?:vercel|fm2|y0)_(?=\D{{0,60}}\d)[A-Za-z0-9_.=-]{{24,400}}"),
    _form("PASSWORD_HASH", "$2", r"\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}"),
    _form("PASSWORD_HASH", "$argon2", r"\$argon2(?:id|i|d)\$[A-Za-z0-9=,$+/]{20,300}"),
    _form("PASSWORD_HASH", "$1$ $5$ $6$ $y$", r"\$[156y]\$[./A-Za-z0-9=$]{1,60}\$[./A-Za-z0-9]{20,90}"),
    _form("PASSWORD_HASH", "pbkdf2 scrypt", r"(?:pbkdf2|scrypt)[_:][a-z0-9_:]{0,24}\$[A-Za-z0-9$+/=.]{24,300}"),
)  # fmt: skip
_NEEDLES = [(needle, form) for form in FORMS for needle in form.needles]
# A made-up prefix and a long random rest: acme_live_8sK2...; told apart from names by the rest.
_PREFIXED = re.compile(
    rf"{_START}[A-Za-z]{{2,12}}(?:[_-][A-Za-z0-9]{{1,10}}){{0,2}}[_-]([A-Za-z0-9]{{24,200}})(?![A-Za-z0-9])"
)
_MAY_BE_ONE = re.compile(r"[A-Za-z0-9_+/=.~$:,@-]{16,}+")
_PRIVATE_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PRIVATE_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BODY = re.compile(r"[A-Za-z0-9+/=\s\\:,.\"'-]{0,20000}")
_PUTTY = re.compile(r"(Private-Lines: \d{1,4}\r?\n)([A-Za-z0-9+/=\r\n]{20,20000})")
_SCHEME = re.compile(
    r"\b(bearer|basic|token|apikey|negotiate|ntlm|digest)(\s{1,3}|%20|\+)([A-Za-z0-9._~+/%|-]{6,8192}={0,2})",
    re.IGNORECASE,
)
_SCHEMES = ("bearer", "basic", "token", "apikey", "negotiate", "ntlm", "digest")
_USERINFO = re.compile(r"://([^\s/:@\"'`<>?#]{0,128}):([^\s/@\"'`<>?#]{1,512})@(?=[\w.\[-])")
_ACCOUNT = re.compile(r"(\s(?:-u|--user|--proxy-user)[ =]?[\"']?)([^\s:\"']{1,64}):([^\s\"']{1,200})")
_SHORT_OPTION = re.compile(
    r"(\b(?:sshpass|docker login|redis-cli|mysql|mysqldump|mysqladmin|mongo|mongosh|ldapsearch|psql)\b"
    r"[^\n|]{0,120}?\s-[paw] ?[\"']?)"
    r"([^\s\"'-][^\s\"']{3,100})"
)
_COOKIES = re.compile(
    r"(?<![\w-])((?:set-)?cookie\\?[\"']?\s{0,2}[:=,]\s{0,2}\\?[\"']?)([^\n\"'\\]{3,8192})", re.IGNORECASE
)
_PAIR = re.compile(r"([^\s=;,]{1,100}=)([^;\s]{1,4096})")
_LONG_WORD = re.compile(r"(?<![A-Za-z0-9_+/=.~-])[A-Za-z0-9_+/=.~-]{28,}")
_PUBLIC_BLOCK = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}(?:CERTIFICATE|PUBLIC KEY|SIGNATURE|MESSAGE|REQUEST|PARAMETERS)"
)
_PUBLIC_BEFORE = ("base64,", "sha256-", "sha384-", "sha512-", "ssh-rsa ", "ssh-ed25519 ", "ecdsa-sha2-nistp256 ")
_DATA_NEAR = 24


def without_vendor_forms(text: str, hide: Hide) -> str:
    """The text without the secrets that are known by their form alone."""
    if "PRIVATE" in text or "Private-Lines" in text:
        text = _without_private_keys(text, hide)
    long_words = "\n".join(_MAY_BE_ONE.findall(text))  # most texts have few, and everything below is about those
    if not long_words:
        return text
    for form in dict.fromkeys([form for needle, form in _NEEDLES if needle in long_words]):
        text = form.pattern.sub(lambda match, name=form.name: hide(match[0], name), text)  # type: ignore[misc]  # mypy cannot tell the type of a bound default
    if _PREFIXED.search(long_words):
        text = _PREFIXED.sub(lambda match: _prefixed(match, hide), text)
    return text


def _prefixed(match: re.Match[str], hide: Hide) -> str:
    rest = match[1]
    mixed = rest.lower() != rest != rest.upper()
    if not mixed or not is_secret_by_look(f"{rest}{rest}"[: max(28, len(rest))]) or REDACTED in match[0]:
        return match[0]
    return hide(match[0], "TOKEN")


def _without_private_keys(text: str, hide: Hide) -> str:
    parts, place = [], 0
    while begin := _PRIVATE_BEGIN.search(text, place):
        end = _PRIVATE_END.search(text, begin.end())
        stop = end.start() if end else _key_end(text, begin.end())
        inside = text[begin.end() : stop]
        parts.append(text[place : begin.end()])
        kept = not inside.strip(" \r\n\\nrt\"'+,") or REDACTED in inside
        parts.append(inside if kept else hide(inside.strip(), "PRIVATE_KEY"))
        place = stop
    return _PUTTY.sub(
        lambda match: match[1] + hide(match[2].strip(), "PRIVATE_KEY") + "\n", "".join(parts) + text[place:]
    )


def _key_end(text: str, start: int) -> int:
    body = _KEY_BODY.match(text, start)
    return body.end() if body else start


def without_credentials(text: str, hide: Hide) -> str:
    """The text without what follows "Bearer", stands before the @ of an address, or is given to a command."""
    if "://" in text:
        text = _USERINFO.sub(lambda match: f"://{match[1]}:{_address_mark(match[2], hide)}@", text)
    if any(word in text.lower() for word in _SCHEMES):
        text = _SCHEME.sub(lambda match: match[1] + match[2] + _after_scheme(match[1].lower(), match[3], hide), text)
    if " -" in text:
        text = _ACCOUNT.sub(lambda match: f"{match[1]}{match[2]}:{_kept_or(match[3], hide)}", text)
        text = _SHORT_OPTION.sub(lambda match: match[1] + _kept_or(match[2], hide), text)
    if "ookie" in text or "OOKIE" in text:
        text = _COOKIES.sub(lambda match: match[1] + cookies_hidden(match[2], hide), text)
    return text


def _address_mark(value: str, hide: Hide) -> str:
    if value == PLAIN_MARK or is_stand_in(value):
        return value
    hide(value, "PASSWORD")
    return PLAIN_MARK


def _kept_or(value: str, hide: Hide) -> str:
    return value if is_stand_in(value) or REDACTED in value else hide(value, "PASSWORD")


def _after_scheme(scheme: str, value: str, hide: Hide) -> str:
    if is_stand_in(value):
        return value
    if scheme == "basic":
        return credentials_hidden(value, hide)
    if scheme == "bearer":
        secret = looks_machine_made(value)
        plain = value.rstrip(".").lower() in {"authentication", "authorization", "authenticated"}
    else:
        secret, plain = len(value) >= 16 and any(c.isdigit() for c in value) and looks_machine_made(value), False
    return hide(value, "TOKEN") if secret and not plain else value


def credentials_hidden(value: str, hide: Hide) -> str:
    """What follows "Basic": hidden, and its password remembered, if it is a name and a password in base64."""
    try:
        plain = base64.b64decode(value.replace("%3D", "="), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return value
    user, colon, password = plain.partition(":")
    if not colon or not plain.isprintable():
        return value
    hide(password, "PASSWORD")
    return hide(value, f"{user}_CREDENTIALS" if user.isascii() else "CREDENTIALS")


def cookies_hidden(line: str, hide: Hide) -> str:
    """A line of cookies: the names stay, the values go."""

    def hidden(match: re.Match[str]) -> str:
        name, value = match[1][:-1], match[2]
        if name.lower() in COOKIE_FACTS or REDACTED in value:
            return match[0]
        return match[1] + hide(value, name)

    return _PAIR.sub(hidden, line)


def long_random_words(text: str, hide: Hide) -> str:
    """The last net. Values found so are masked where they stand, and not looked for elsewhere."""
    spans = numbers_of_cards(text)
    public = bool(_PUBLIC_BLOCK.search(text)) if "-----BEGIN" in text else False
    for match in _LONG_WORD.finditer(text):
        if not public and _is_secret_word(text, match):
            spans.append(match.span())
    parts, place = [], 0
    for start, end in sorted(spans):
        if start >= place:
            parts += [text[place:start], hide(text[start:end], "NUMBER")]
            place = end
    return "".join([*parts, text[place:]]) if parts else text


def _is_secret_word(text: str, match: re.Match[str]) -> bool:
    word = match[0].strip("=./-~")
    if "/" in word and any(len(part) < 20 for part in word.split("/")):
        return False  # a path, or base64 that cannot be told from one
    before = text[max(0, match.start() - _DATA_NEAR) : match.start()] + match[0][:8]
    if any(mark in before for mark in _PUBLIC_BEFORE) or is_identifier(word):
        return False
    longest = max(word.split("."), key=len)
    return is_secret_by_look(longest) and is_secret_value(longest, Grade.MAYBE)
