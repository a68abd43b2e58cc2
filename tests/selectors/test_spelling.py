"""What is written is read back as the same value, in every language, whatever is in the text."""

import ast
import json
import random
import subprocess

import pytest

from tests.selectors.test_selector_matcher import SELECTORS
from tests.selectors.test_selector_parser import SPELLINGS
from testwright.model.selector import Dialect, Selector, SelectorEngine, SelectorPart, TextPattern
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import canonical, literal, spelled

HOSTILE = [
    'It\'s "it"',
    "back\\slash\\'",
    "line\nbreak\r\u2028\u2029\u0085",
    "a`+process.env.HOME+`",
    "${process.exit(1)} $name #{x} %s {x}",
    "\x00\x01\x1b[2J\x7f",
    "\u202eevil\u200b\ufeff",
    "日本語 😀 é",
    "*/ // <!-- </script>",
    "]);fetch('http://127.0.0.1');//",
    ">> nth=0",
    "\ud800",
    "",
]


@pytest.mark.parametrize("quote", ["'", '"', "`"])
def test_a_python_literal_has_exactly_the_value(quote: str) -> None:
    for text in HOSTILE:
        assert ast.literal_eval(literal(text, Dialect.PYTHON, quote)) == text


@pytest.mark.parametrize("quote", ["'", '"', "`"])
def test_a_typescript_literal_has_exactly_the_value(node: str, quote: str) -> None:
    written = [literal(text, Dialect.TYPESCRIPT, quote) for text in HOSTILE]
    script = f"console.log(JSON.stringify([{', '.join(written)}].map((one) => [...one].map((c) => c.codePointAt(0)))))"
    said = subprocess.run([node, "-e", script], capture_output=True, check=True).stdout
    assert json.loads(said) == [[ord(character) for character in text] for text in HOSTILE]
    assert not any(one.startswith("`") for one in written)


def test_a_dart_literal_interpolates_nothing() -> None:
    assert literal("$name ${x} it's", Dialect.FLUTTER) == r"'\$name \${x} it\'s'"


@pytest.mark.parametrize("dialect", [Dialect.TYPESCRIPT, Dialect.PYTHON, Dialect.INTERNAL])
def test_every_spelling_is_read_back_as_the_same_selector(dialect: Dialect) -> None:
    for texts in (*SPELLINGS, *((selector,) for selector in SELECTORS)):
        for text in texts:
            selector = parse_selector(text)
            again = parse_selector(
                spelled(selector, dialect, receiver="page" if dialect is not Dialect.INTERNAL else "")
            )
            assert canonical(again) == canonical(selector), text


def test_random_selectors_are_read_back_in_every_language() -> None:
    chance = random.Random(11)
    for _ in range(300):
        selector = _random_selector(chance, 2)
        for dialect in (Dialect.TYPESCRIPT, Dialect.PYTHON, Dialect.INTERNAL):
            for quote in ("'", '"'):
                written = spelled(selector, dialect, quote=quote)
                if len(written) <= 1_000:
                    assert canonical(parse_selector(written, dialect)) == canonical(selector), written


def _random_selector(chance: random.Random, depth: int) -> Selector:
    parts = [_random_part(chance)]
    for _ in range(chance.randrange(3)):
        kind = chance.randrange(5)
        if kind == 0:
            parts.append(SelectorPart(SelectorEngine.NTH, str(chance.randrange(-1, 4))))
        elif kind == 1:
            parts.append(SelectorPart(SelectorEngine.HAS_TEXT, _random_text(chance)))
        elif kind == 2 and depth:
            engine = chance.choice(
                [
                    SelectorEngine.HAS,
                    SelectorEngine.HAS_NOT,
                    SelectorEngine.AND,
                    SelectorEngine.OR,
                    SelectorEngine.CHAIN,
                ]
            )
            parts.append(SelectorPart(engine, inner=_random_selector(chance, depth - 1)))
        elif kind == 3 and depth == 2:
            parts += [
                SelectorPart(SelectorEngine.CSS, "iframe"),
                SelectorPart(SelectorEngine.FRAME),
                _random_part(chance),
            ]
        else:
            parts.append(_random_part(chance))
    return Selector(tuple(parts), Dialect.INTERNAL, "")


def _random_part(chance: random.Random) -> SelectorPart:
    engine = chance.choice(
        [
            SelectorEngine.TEXT,
            SelectorEngine.LABEL,
            SelectorEngine.PLACEHOLDER,
            SelectorEngine.TITLE,
            SelectorEngine.ROLE,
            SelectorEngine.CSS,
        ]
    )
    if engine is SelectorEngine.CSS:
        return SelectorPart(engine, chance.choice(["#a", 'a[b="c\'d"]', ':has-text("x >> y")', ".x > .y"]))
    text = _random_text(chance)
    exact = isinstance(text, str) and chance.random() < 0.5
    if engine is SelectorEngine.ROLE:
        return SelectorPart(engine, "button", name=text, exact=exact, options=chance.choice([{}, {"level": "2"}]))
    return SelectorPart(engine, text, exact=exact)


def _random_text(chance: random.Random) -> str | TextPattern:
    if chance.random() < 0.2:
        return TextPattern(
            chance.choice(["a/b", "[/]x", 'say "hi"', "it's", "a>>b", r"\d+ \\ \."]), chance.choice(["", "i"])
        )
    return "".join(chance.choice("aé '\"\\>/`$\n[]{}😀\u2028") for _ in range(chance.randrange(1, 8))) + "z"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("find.byKey(const Key('a'))", "find.byKey(const Key('a'))"),
        ("find.byKey(const ValueKey(3))", "find.byKey(const ValueKey(3))"),
        ("find.byText('Save')", "find.text('Save')"),
        ("find.textContaining('Sa')", "find.textContaining('Sa')"),
        ("find.byType(ListView).first", "find.byType(ListView).first"),
        ("find.byIcon(Icons.add)", "find.byIcon(Icons.add)"),
        ("find.byTooltip('Add')", "find.byTooltip('Add')"),
        ("find.bySemanticsLabel(RegExp('a', caseSensitive: false))", None),
        ("find.widgetWithText(TextButton, 'Go')", "find.widgetWithText(TextButton, 'Go')"),
        (
            "find.descendant(of: find.byType(Row), matching: find.text('x'), matchRoot: true).at(1)",
            "find.descendant(of: find.byType(Row), matching: find.text('x'), matchRoot: true).at(1)",
        ),
        ("find.ancestor(of: find.text('x'), matching: find.byType(Row))", None),
    ],
)
def test_finders_are_written_as_dart(text: str, written: str | None) -> None:
    assert spelled(parse_selector(text), Dialect.FLUTTER) == (written or text)


def test_a_hostile_selector_is_one_string_literal() -> None:
    text = 'a"]);fetch("http://127.0.0.1/"+document.cookie);//'
    assert spelled(parse_selector(text), Dialect.TYPESCRIPT) == f"locator('{text}')"
