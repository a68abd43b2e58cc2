"""Names and values side by side in any text: `password=...`, `"apiKey": "..."`, `--token ...`, `<secret>...</secret>`.

The words that may begin a secret's name are looked for first; only around those is anything read.
"""

import re
from collections.abc import Callable, Iterator

from testwright.masking.looks import counts, is_label, is_stand_in, looks_made
from testwright.masking.names import Grade
from testwright.masking.vendors import Hide
from testwright.masking.words import SPACED
from testwright.model.session import REDACTED

_STEMS = """
passw passp passc pass= pass: pass" pass' pass> _pass pwd psw pw= pw: pw" pw' mdp senha kennwort wachtwoord contrase
mot_de_passe mot+de+passe motdepasse lösenord losenord adgangskode passord salasana hasło haslo heslo jelszó jelszo
parola şifre пароль 密码 密碼 パスワード 비밀번호 token secret geheim jwt credential passkey mnemonic seed
apikey api_key api-key api+key key= key: key" key' key> _key -key accesskey access+key privatekey private+key
session sess sid csrf xsrf auth cookie nonce hash verifier challenge licen signature sig= sig: sig" state=
otp cvv cvc csc ssn iban tan= tan: pin= pin: pin" pin' pin> pin+ pincode code= code: code" code' code>
card+number card_number cardnumber card-number cardno ccnumber cc_number kartennummer
account+number account_number accountnumber kontonummer
"""
STEMS = tuple(stem.replace("+", " ") for stem in _STEMS.split())
_NAME_BEFORE = re.compile(r"(?:[\w.$\[\]-]|%5[BbDd]){0,60}$")
_NAME_AFTER = re.compile(r"(?:[\w\]$-]|%5[Dd]){0,40}")
_MORE_NAME = re.compile(
    r"(?: (?:key|token|code|number|value|string|access|secret|password|word|nr|no|id|is)\b){1,3}", re.IGNORECASE
)
_CLOSE = r"(?:\\{0,3}[\"'`]|&quot;|&#34;|&#39;|%22|\*\*)?"
_OPEN = r"(?P<open>\\{1,7}[\"']|[\"'`]|&quot;|&#34;|&#39;|%22|)"
_VALUE_KEY = r"(?:\\{0,3}[\"']?(?:value|content|val|data|text)\\{0,3}[\"']?\s{0,2}[:=]\s{0,2})"
_TYPING = (
    "fill|type|pressSequentially|press_sequentially|toHaveValue|to_have_value|sendKeys|send_keys|setValue|set_value"
)
_BETWEEN = "|".join(
    (
        # a=b, "a": "b", 'a' => b
        rf"{_CLOSE}\]?\)?\s{{0,3}}(?:=>|:=|={{1,3}}|!==?|::?|%3[Dd]|%3[Aa]|&#61;)\s{{0,3}}(?:[bruf](?=[\"']))?",
        r"\s{1,3}(?:is|was|set to|eq|equals)\s{1,3}:?\s?(?=[\"'`])",
        # ("a", "b"), "name": "a", "value": "b"
        rf"\\{{0,3}}[\"']\s{{0,3}}\)?\s{{0,3}},\s{{0,3}}{_VALUE_KEY}?(?=\\{{0,3}}[\"'`])",
        # getByLabel("a").fill("b")
        rf"[\"'`](?:,\s?\{{[^{{}}]{{0,60}}\}})?(?:, exact=True)?\)(?:\.\w{{1,20}}(?:\(\))?){{0,2}}\.(?:{_TYPING})\(\s{{0,3}}(?=[\"'`])",
        # name="a", and the value after an empty line: multipart
        r"[\"']?\s{0,3}(?:\r?\n(?:[Cc]ontent-[^\r\n]{0,80}\r?\n)?\r?\n|(?:\\r)?\\n(?:\\r)?\\n)(?=[^\s-])",
    )
)
_JOIN = re.compile(rf"(?:{_BETWEEN}){_OPEN}")
_OPTION = re.compile(r"\s{1,3}(?P<open>[\"']|)(?=[^\s-])")
_ELEMENT = re.compile(r"(?:\s[^<>]{0,200})?>(?P<open>)(?=[^<\s])")
_BARE = re.compile(r"[^\s\"'`,;&<>(){}\[\]|\\]{1,4096}")
_IN_QUERY = re.compile(r"[^\s\"'`&#<>;]{1,4096}")
_WHOLE = re.compile(r"[^\s\"'`]{1,4096}")
_INSIDE_ELEMENT = re.compile(r"[^<]{1,1024}")
_UNTIL: dict[str, re.Pattern[str]] = {
    '"': re.compile(r'[^"\\\n]*+(?:\\.[^"\\\n]*+)*+'),
    "'": re.compile(r"[^'\\\n]*+(?:\\.[^'\\\n]*+)*+"),
    "`": re.compile(r"[^`\\]*+(?:\\.[^`\\]*+)*+", re.DOTALL),
    "&quot;": re.compile(r"[^&\"<>\n]*+(?:&(?!quot;|#34;)[^&\"<>\n]*+)*+"),
    "&#34;": re.compile(r"[^&\"<>\n]*+(?:&(?!quot;|#34;)[^&\"<>\n]*+)*+"),
    "&#39;": re.compile(r"[^&'<>\n]*+(?:&(?!#39;)[^&'<>\n]*+)*+"),
    "%22": re.compile(r"[^%\s\"&]*+(?:%(?!22)[^%\s\"&]*+)*+"),
}
_LONGEST_VALUE = 8192

GradeOf = Callable[[str], Grade]


def without_paired_values(text: str, grade_of: GradeOf, hide: Hide) -> str:
    """The text without the values of the names that mean a secret."""
    parts: list[str] = []
    place = 0
    for start, end, replacement in _found(text, grade_of, hide):
        if start >= place:
            parts += [text[place:start], replacement]
            place = end
    return "".join([*parts, text[place:]]) if parts else text


def _hits(text: str) -> list[tuple[int, int]]:
    low = text.lower()
    if len(low) != len(text):  # a few letters of other scripts grow in lower case
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    hits = []
    for stem in STEMS:
        place = low.find(stem)
        while place >= 0:
            hits.append((place, place + len(stem.rstrip("=:\"'> "))))
            place = low.find(stem, place + len(stem))
    return sorted(hits)


def _found(text: str, grade_of: GradeOf, hide: Hide) -> Iterator[tuple[int, int, str]]:
    done = 0
    for start, stop in _hits(text):
        if start < done:
            continue
        name_start, name_end = _whole_name(text, start, stop)
        done = name_end
        name = text[name_start:name_end]
        by_name = grade_of(name.replace("%5B", "[").replace("%5D", "]"))
        if by_name is Grade.NONE:
            continue
        place = _value_after(text, name_start, name_end, by_name)
        if place is None:
            continue
        value = text[place[0] : place[1]]
        if REDACTED in value:
            done = max(done, place[1])
            continue
        yield place[0], place[1], _mark(text, place[0], value, name, hide)
        done = max(done, place[1])


def _mark(text: str, start: int, value: str, name: str, hide: Hide) -> str:
    hidden = hide(value, name)
    in_json = value.isdigit() and text[max(0, start - 4) : start].rstrip().endswith('":')
    return "0" if in_json else hidden


def _whole_name(text: str, start: int, stop: int) -> tuple[int, int]:
    before = _NAME_BEFORE.search(text, max(0, start - 60), start)
    after = _NAME_AFTER.match(text, stop)
    begin = before.start() if before else start
    while begin < start and text[begin] in ".-[]$":
        begin += 1
    end = after.end() if after else stop
    more = _MORE_NAME.match(text, end)
    if more and _JOIN.match(text, more.end()):
        end = more.end()
    return begin, end


def _value_after(text: str, start: int, end: int, by_name: Grade) -> tuple[int, int] | None:
    """Where the value of the name that stands there begins and ends, if there is one and it is a secret."""
    if text[start - 1 : start] in {"<", ":"} and (element := _ELEMENT.match(text, end)):
        return _checked(text, element.end(), _INSIDE_ELEMENT, by_name, bare=False)
    if join := _JOIN.match(text, end):
        opened = join["open"]
        if not opened:
            return _bare_value(text, start, join.end(), by_name)
        until = _UNTIL.get(opened) or re.compile(rf"(?:(?!{re.escape(opened)})[^\n]){{1,{_LONGEST_VALUE}}}")
        return _checked(text, join.end(), until, by_name, bare=False)
    flag = text[max(0, start - 2) : start].endswith("-") or text[start:end].lower() in SPACED
    if flag and (option := _OPTION.match(text, end)):
        return _after_option(text, start, option, by_name)
    return None


def _after_option(text: str, start: int, option: re.Match[str], by_name: Grade) -> tuple[int, int] | None:
    if option["open"]:
        return _checked(text, option.end(), _UNTIL[option["open"]], by_name, bare=False)
    found = _checked(text, option.end(), _WHOLE, by_name, bare=True)
    if found is None or text[max(0, start - 1) : start] == "-":
        return found
    value = text[found[0] : found[1]].rstrip(".,;:)")
    mixed = any(c.isdigit() for c in value) and (by_name is Grade.DIGITS or any(not c.isdigit() for c in value))
    return (found[0], found[0] + len(value)) if mixed and len(value) >= 4 else None


def _bare_value(text: str, start: int, place: int, by_name: Grade) -> tuple[int, int] | None:
    line_start = text.rfind("\n", 0, start) + 1
    alone = not text[line_start:start].strip(" \t>+-") or text[line_start:start].strip() in {
        "export",
        "set",
        "ENV",
        "ARG",
    }
    pattern = _IN_QUERY if text[start - 1 : start] in {"?", "&", "#"} else _WHOLE if alone else _BARE
    found = _checked(text, place, pattern, by_name, bare=True)
    if found is None:
        return None
    begin, end = found
    while end > begin + 1 and text[end - 1] in ",;.)}]:":
        end -= 1
    value = text[begin:end]
    if text[end : end + 1] == "(" or is_stand_in(value):
        return None
    if value.isalpha() and not _is_lonely(text, place, end, by_name):
        return None
    return begin, end


def _is_lonely(text: str, place: int, end: int, by_name: Grade) -> bool:
    """A word of letters alone is a secret only if nothing else follows it, as in `password=swordfish`."""
    if len(text[place:end]) < 6 or (by_name is not Grade.PERSON and not looks_made(text[place:end])):
        return False
    tight = not text[place - 1 : place].isspace()
    after = text[end : end + 1]
    if after in {".", "(", "["}:
        return False
    return after in {"", "\r", "\n"} or (tight and (after != " " or by_name is Grade.PERSON))


def _checked(text: str, place: int, pattern: re.Pattern[str], by_name: Grade, *, bare: bool) -> tuple[int, int] | None:
    found = pattern.match(text, place)
    if not found or not found[0] or len(found[0]) > _LONGEST_VALUE:
        return None
    value = found[0]
    if not bare and by_name is Grade.PERSON and is_label(value):
        return None
    if not counts(value, by_name, bare=bare):
        return None
    return found.span()
