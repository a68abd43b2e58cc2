"""Names and values side by side in any text: `password=...`, `"apiKey": "..."`, `--token ...`, `<secret>...</secret>`.

The words that may begin a secret's name are looked for first; only around those is anything read.
"""

import re
from collections.abc import Callable, Iterator

from testwright.masking.name_grades import Grade, grade
from testwright.masking.secret_words import (
    NUMBER_WORDS,
    NUMBERS,
    PASSWORD_WORDS,
    PASSWORDS,
    SPACED,
    TOKEN_WORDS,
    TOKENS,
)
from testwright.masking.token_forms import Hide
from testwright.masking.value_looks import is_label, is_secret_value, is_stand_in, looks_machine_made
from testwright.model.session import REDACTED

# Beginnings of names: shorter than in `secret_words`, and with a mark after words that are common elsewhere ("+" is a
# space). A name that none of these finds is looked for as it is, so a new name needs no line here.
_BEGINNINGS = """
pass pwd psw pw= pw: pw" pw' pw\\ mdp senha kennwort wachtwoord contrase lösenord losenord
adgangskode salasana hasło haslo heslo jelszó jelszo parola şifre пароль 密码 密碼 パスワード 비밀번호 token
secret geheim jwt credential mnemonic apikey api_key api-key api+key key= key: key" key' key> key\\
key+= _key -key accesskey access+key sess sid= sid: sid" sid' sid> sid\\ sid+ csrf xsrf auth cookie
nonce verifier challenge licen signature sig= sig: sig" sig' sig> sig\\ sig+ hash= hash: hash" hash'
seed= seed: seed" seed' state= _state otp cvv cvc csc= csc: csc" ssn iban tan= tan: tan" pin= pin:
pin" pin' pin> pin\\ pin+ pincode code= code: code" code' code> code\\ code+= _code phrase card+number
card_number cardnumber card-number cardno ccnumber cc_number kartennummer account+number
account_number accountnumber kontonummer
"""
_MARKS = '=:"'
_SHORTEST_PLAIN = 5  # letters; a shorter word is a part of many others


def _stems() -> tuple[str, ...]:
    beginnings = tuple(stem.replace("+", " ") for stem in _BEGINNINGS.split())
    names = sorted(PASSWORDS | PASSWORD_WORDS | TOKENS | TOKEN_WORDS | NUMBERS | NUMBER_WORDS)
    others = [name for name in names if not any(stem in f"{name}=" for stem in beginnings)]
    plain = [name for name in others if len(name) >= _SHORTEST_PLAIN or not name.isascii()]
    marked = [name + mark for name in others if name not in plain for mark in _MARKS]
    return (*beginnings, *plain, *marked)


_STEMS = _stems()
_ASCII_STEMS = tuple(stem for stem in _STEMS if stem.isascii())
_NAME_BACKWARDS = re.compile(r"(?:[\w.$\[\]-]|[BbDd]5%){0,60}")
_NAME_AFTER = re.compile(r"(?:[\w\]$-]|%5[Dd]|\\u00f1){0,40}")
_MORE_NAME = re.compile(
    r"(?: (?:key|token|code|number|value|string|access|secret|password|word|nr|no|id|is)\b){1,3}", re.IGNORECASE
)
_CLOSE = r"(?:\\{0,3}[\"'`]|&quot;|&#34;|&#39;|%22|\*\*)?"
_OPEN = r"(?P<open>\\{1,7}[\"']|[\"'`]|&quot;|&#34;|&#39;|%22|)"
_VALUE_KEY = r"(?:\\{0,3}[\"']?(?:value|content|val|data|text)\\{0,3}[\"']?\s{0,2}[:=]\s{0,2})"
_TYPING = (
    "fill|type|pressSequentially|press_sequentially|toHaveValue|to_have_value|sendKeys|send_keys|setValue|set_value"
)
_ARGUMENTS_END = r"(?:\\?[\"']?\])?[\"'`](?:,\s?\{[^{}]{0,60}\})?(?:, exact=True)?\)"
_BETWEEN = "|".join(
    (
        # an equals sign, a colon or an arrow
        rf"{_CLOSE}\]?\)?\s{{0,3}}(?:=>|:=|={{1,3}}|!==?|::?|%3[Dd]|%3[Aa]|&#61;)\s{{0,3}}(?:[bruf](?=[\"']))?",
        r"\s{1,3}(?:is|was|set to|eq|equals)\s{1,3}:?\s?(?=[\"'`])",
        # "name": "a", "value": "b"
        rf"\\{{0,3}}[\"']\s{{0,3}},\s{{0,3}}{_VALUE_KEY}(?=\\{{0,3}}[\"'`])",
        # a locator by that name, and what is typed there
        rf"{_ARGUMENTS_END}(?:\.\w{{1,20}}(?:\(\))?){{0,2}}\.(?:{_TYPING})\(\s{{0,3}}(?=[\"'`])",
        # name="a", and the value after an empty line: multipart
        r"[\"']?\s{0,3}(?:\r?\n(?:[Cc]ontent-[^\r\n]{0,80}\r?\n)?\r?\n|(?:\\r)?\\n(?:\\r)?\\n)(?=[^\s-])",
    )
)
_JOIN = re.compile(rf"(?:{_BETWEEN}){_OPEN}")
_BEFORE_ARGUMENT = re.compile(r"""(?:\(\s{0,2}["'`](?:[#.]|[a-z]{0,10}\[?[a-z-]{1,16}[*^$]?=\\?["']?)?|\[["'])$""")
_ARGUMENT = re.compile(rf"(?:\\?[\"']?\])?\\{{0,3}}[\"'`]\s{{0,3}},\s{{0,3}}{_OPEN}(?<=[\"'`])")  # ("a", "b")
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
_LONGEST_INDENT = 80

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
    for stem in [stem for stem in (_ASCII_STEMS if low.isascii() else _STEMS) if stem in low]:
        place = low.find(stem)
        while place >= 0:
            hits.append((place, place + len(stem.rstrip("=:\"'>\\ "))))
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
        by_name = grade_of(_plain_name(name))
        if by_name is Grade.NONE:
            continue
        place = _value_after(text, name_start, name_end, by_name)
        if place is None:
            continue
        value = text[place[0] : place[1]]
        if REDACTED in value or (value.isdigit() and name.lower().endswith("tokens")):
            done = max(done, place[1])
            continue
        yield place[0], place[1], _mark(text, place[0], value, name, hide)
        done = max(done, place[1])


def _plain_name(name: str) -> str:
    return name.replace("%5B", "[").replace("%5D", "]").replace("\\u00f1", "ñ")


def _mark(text: str, start: int, value: str, name: str, hide: Hide) -> str:
    hidden = hide(value, name)
    in_json = value.isdigit() and text[max(0, start - 4) : start].rstrip().endswith('":')
    return "0" if in_json else hidden


def _whole_name(text: str, start: int, stop: int) -> tuple[int, int]:
    before = _NAME_BACKWARDS.match(text[max(0, start - 60) : start][::-1])
    after = _NAME_AFTER.match(text, stop)
    begin = start - (before.end() if before else 0)
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
    join = _JOIN.match(text, end)
    if not join and _BEFORE_ARGUMENT.search(text, max(0, start - 40), start):  # a first argument
        join = _ARGUMENT.match(text, end)
    if join:
        opened = join["open"]
        if not opened:
            return _bare_value(text, start, join.end(), by_name)
        until = _UNTIL.get(opened) or re.compile(rf"(?:(?!{re.escape(opened)})[^\n]){{1,{_LONGEST_VALUE}}}")
        found = _checked(text, join.end(), until, by_name, bare=False)
        return found if found and _is_closed(text, found, opened) else None
    flag = text[max(0, start - 2) : start].endswith("-") or text[start:end].lower() in SPACED
    if flag and (option := _OPTION.match(text, end)):
        return _after_option(text, start, option, by_name)
    return None


def _is_closed(text: str, found: tuple[int, int], opened: str) -> bool:
    """Whether the quotes close again, or the text ends: it may have been cut off."""
    start, end = found
    return text.startswith(opened, end) or (end == len(text) and end - start >= 3)


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
    line = text[max(0, start - _LONGEST_INDENT) : start].rpartition("\n")[2]
    alone = not line.strip(" \t>+-") or line.strip() in {"export", "set", "ENV", "ARG"}
    in_query = text[start - 1 : start] in {"?", "&", "#"}
    pattern = _IN_QUERY if in_query else _WHOLE if alone else _BARE
    found = pattern.match(text, place)
    if not found:
        return None
    begin, end = place, found.end()
    while end > begin + 1 and text[end - 1] in ",;.)}]:":
        end -= 1
    value = text[begin:end]
    if len(value) < 3 or value[0] in "[{(\\":
        return None
    if in_query and by_name is Grade.MACHINE and len(value) >= 6 and not is_stand_in(value):
        return begin, end
    if text[end : end + 1] == "(" or not is_secret_value(value, by_name, bare=True):
        return None
    if value.isalpha() and not _is_lonely(text, place, end, by_name):
        return None
    return begin, end


def _is_lonely(text: str, place: int, end: int, by_name: Grade) -> bool:
    """A word of letters alone is a secret only if nothing else follows it, as in `password=swordfish`."""
    if len(text[place:end]) < 6 or (by_name is not Grade.PERSON and not looks_machine_made(text[place:end])):
        return False
    tight = not text[place - 1 : place].isspace()
    after = text[end : end + 1]
    if after in {".", "(", "["}:
        return False
    if by_name is Grade.PERSON and after in {"}", ","} and not grade(text[place:end]):
        return True
    return after in {"", "\r", "\n"} or (tight and (after != " " or by_name is Grade.PERSON))


def _checked(text: str, place: int, pattern: re.Pattern[str], by_name: Grade, *, bare: bool) -> tuple[int, int] | None:
    found = pattern.match(text, place)
    if not found or not found[0] or len(found[0]) > _LONGEST_VALUE:
        return None
    value = found[0]
    if not bare and by_name is Grade.PERSON and is_label(value):
        return None
    if value.isalpha() and grade(value):  # the name of another secret
        return None
    if not is_secret_value(value, by_name, bare=bare):
        return None
    return found.span()
