"""A selector is the same value, whoever spelled it; what is no selector is refused by name."""

import pytest

from testwright.model.errors import SelectorInvalidChar, SelectorNotParseable, SelectorTooLong
from testwright.model.selector import Dialect, SelectorEngine, SelectorPart, TextPattern
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import canonical

# TypeScript, Python, and how Playwright's traces have it.
SPELLINGS = [
    ("page.getByRole('button')", 'page.get_by_role("button")', "internal:role=button"),
    (
        "getByRole('button', { name: 'Pay', exact: true })",
        'get_by_role("button", name="Pay", exact=True)',
        'internal:role=button[name="Pay"s]',
    ),
    (
        "page.getByRole('button', { name: /^pay/i })",
        'page.get_by_role("button", name=re.compile("^pay", re.IGNORECASE))',
        "internal:role=button[name=/^pay/i]",
    ),
    (
        "getByRole('heading', { level: 2, name: 'Items' })",
        "get_by_role('heading', name='Items', level=2)",
        'internal:role=heading[level=2][name="Items"i]',
    ),
    (
        "getByRole('checkbox', { checked: false, includeHidden: true })",
        'get_by_role("checkbox", checked=False, include_hidden=True)',
        "internal:role=checkbox[checked=false][include-hidden=true]",
    ),
    ("getByTestId('pay')", 'get_by_test_id("pay")', 'internal:testid=[data-qa="pay"s]'),
    ("getByTestId(/pay-\\d+/)", 'get_by_test_id(re.compile(r"pay-\\d+"))', "internal:testid=[data-testid=/pay-\\d+/]"),
    ("getByText('Save')", 'get_by_text("Save")', 'internal:text="Save"i'),
    ("getByText('Save', { exact: true })", 'get_by_text("Save", exact=True)', 'internal:text="Save"s'),
    ("getByText(/a\\/b/)", 'get_by_text(re.compile("a/b"))', "internal:text=/a\\/b/"),
    ("getByLabel('E-mail')", 'get_by_label("E-mail")', 'internal:label="E-mail"i'),
    ("getByPlaceholder('you@')", 'get_by_placeholder("you@")', 'internal:attr=[placeholder="you@"i]'),
    ("getByAltText('Shoe')", 'get_by_alt_text("Shoe")', 'internal:attr=[alt="Shoe"i]'),
    ("getByTitle('Cart', {exact: true})", 'get_by_title("Cart", exact=True)', 'internal:attr=[title="Cart"s]'),
    ("locator('#cart').getByText('x')", 'locator("#cart").get_by_text("x")', '#cart >> internal:text="x"i'),
    ("page.locator('css=.a >> nth=2')", 'page.locator(".a").nth(2)', ".a >> nth=2"),
    ("locator('li').first()", 'locator("li").first', "li >> nth=0"),
    ("locator('li').last()", 'locator("li").last', "li >> nth=-1"),
    ("locator('//li').nth(3)", 'locator("xpath=//li").nth(3)', "xpath=//li >> nth=3"),
    (
        "locator('li').filter({ hasText: 'a', hasNotText: /b/ })",
        "locator('li').filter(has_text='a', has_not_text=re.compile('b'))",
        'li >> internal:has-text="a"i >> internal:has-not-text=/b/',
    ),
    (
        "page.locator('li', { has: page.getByText('a') })",
        "page.locator('li', has=page.get_by_text('a'))",
        'li >> internal:has="internal:text=\\"a\\"i"',
    ),
    (
        "locator('li').filter({ hasNot: page.locator('.x') })",
        "locator('li').filter(has_not=page.locator('.x'))",
        'li >> internal:has-not=".x"',
    ),
    ("locator('a').and(page.locator('b'))", "locator('a').and_(page.locator('b'))", 'a >> internal:and="b"'),
    ("locator('a').or(page.locator('b'))", "locator('a').or_(page.locator('b'))", 'a >> internal:or="b"'),
    ("locator('a').locator(page.locator('b'))", "locator('a').locator(page.locator('b'))", 'a >> internal:chain="b"'),
    ("locator('a').filter({ visible: true })", "locator('a').filter(visible=True)", "a >> visible=true"),
    (
        "page.frameLocator('#f').getByText('x')",
        'page.frame_locator("#f").get_by_text("x")',
        '#f >> internal:control=enter-frame >> internal:text="x"i',
    ),
    (
        "page.frameLocator('iframe').nth(1).locator('a')",
        "page.frame_locator('iframe').nth(1).locator('a')",
        "iframe >> nth=1 >> internal:control=enter-frame >> a",
    ),
    (
        "getByTestId('f').contentFrame().locator('a')",
        'get_by_test_id("f").content_frame.locator("a")',
        'internal:testid=[data-testid="f"s] >> internal:control=enter-frame >> a',
    ),
    ("getByText('It\\'s \"it\"')", "get_by_text('It\\'s \"it\"')", 'internal:text="It\'s \\"it\\""i'),
    ("this.page.getByText(`Save`)", 'self.page.get_by_text("Sa" "ve")', 'internal:text="Save"i'),
    ("getByText('\\u00e9\\x41')", 'get_by_text("\\u00e9A")', 'internal:text="éA"i'),
    (
        "page\n    .getByRole('row')\n    // the second\n    .nth(1)",
        "page.get_by_role(\n    'row'  # the second\n).nth(1)",
        "internal:role=row >> nth=1",
    ),
]


@pytest.mark.parametrize(("typescript", "python", "internal"), SPELLINGS)
def test_three_spellings_of_a_selector_are_one_value(typescript: str, python: str, internal: str) -> None:
    selectors = (
        parse_selector(typescript, Dialect.TYPESCRIPT),
        parse_selector(python, Dialect.PYTHON),
        parse_selector(internal, Dialect.INTERNAL),
    )
    assert len({canonical(selector) for selector in selectors}) == 1


@pytest.mark.parametrize(("typescript", "python", "internal"), SPELLINGS)
def test_the_language_is_told_by_looking(typescript: str, python: str, internal: str) -> None:
    assert parse_selector(internal).dialect is Dialect.INTERNAL
    for text, dialect in ((typescript, Dialect.TYPESCRIPT), (python, Dialect.PYTHON)):
        assert canonical(parse_selector(text)) == canonical(parse_selector(text, dialect))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("#pay", [SelectorPart(SelectorEngine.CSS, "#pay")]),
        ('a[href="javascript:void(0)"]', [SelectorPart(SelectorEngine.CSS, 'a[href="javascript:void(0)"]')]),
        (':has-text("a >> b")', [SelectorPart(SelectorEngine.CSS, ':has-text("a >> b")')]),
        ("(//li)[2]", [SelectorPart(SelectorEngine.XPATH, "(//li)[2]")]),
        ("xpath=/html/body", [SelectorPart(SelectorEngine.XPATH, "/html/body")]),
        ("..", [SelectorPart(SelectorEngine.XPATH, "..")]),
        ("text=Save  it", [SelectorPart(SelectorEngine.TEXT, "Save it", options={"engine": "text"})]),
        ('text="Save"', [SelectorPart(SelectorEngine.TEXT, "Save", exact=True, options={"engine": "text"})]),
        ('"Save"', [SelectorPart(SelectorEngine.TEXT, "Save", exact=True, options={"engine": "text"})]),
        ("text=/sa.e/i", [SelectorPart(SelectorEngine.TEXT, TextPattern("sa.e", "i"), options={"engine": "text"})]),
        ("id=pay", [SelectorPart(SelectorEngine.CSS, '[id="pay"]', options={"engine": "id", "body": "pay"})]),
        (
            'role=button[name="x"i][pressed]',
            [SelectorPart(SelectorEngine.ROLE, "button", name="x", options={"engine": "role", "pressed": "true"})],
        ),
        (
            'text=it\'s "so" >> b',
            [
                SelectorPart(SelectorEngine.TEXT, 'it\'s "so"', options={"engine": "text"}),
                SelectorPart(SelectorEngine.CSS, "b"),
            ],
        ),
        ("a[title='(']", [SelectorPart(SelectorEngine.CSS, "a[title='(']")]),
        ("#a\\[0", [SelectorPart(SelectorEngine.CSS, "#a\\[0")]),
        (
            'a"]);fetch("http://127.0.0.1/"+b);//',
            [SelectorPart(SelectorEngine.CSS, 'a"]);fetch("http://127.0.0.1/"+b);//')],
        ),
        ("a`+process.env.HOME+`", [SelectorPart(SelectorEngine.CSS, "a`+process.env.HOME+`")]),
        ("a\x1b[2J\x1b]0;pwn\x07", [SelectorPart(SelectorEngine.CSS, "a\x1b[2J\x1b]0;pwn\x07")]),
    ],
)
def test_plain_strings_are_read_as_playwright_reads_them(text: str, parts: list[SelectorPart]) -> None:
    assert list(parse_selector(text).parts) == parts


@pytest.mark.parametrize(
    "text",
    [
        "find.byKey(const Key('a'))",
        "find.byKey(const ValueKey<String>('a'))",
        'find.byKey(ValueKey("a"))',
        "find . byKey ( Key('a'), )",
    ],
)
def test_keys_of_flutter_are_one_value_in_every_spelling(text: str) -> None:
    selector = parse_selector(text)
    assert selector.dialect is Dialect.FLUTTER
    assert canonical(selector) == "find.byKey(const Key('a'))"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "x\n// @ts-nocheck\nprocess.exit(0)",
        "//a[",
        "div[",
        "div[title='a]'",
        "#a:has(b",
        "locator('div[')",
        "a:has-text('(') >> b(",
        "foo=bar",
        "nth=x",
        "a >> ",
        'internal:has="a"',
        "internal:role=",
        "a >> internal:has=b",
        "getByRole('button'",
        "getByRole(role)",
        "getByText(`Hello ${name}`)",
        'get_by_text(f"Hello {name}")',
        "getByText('a').click()",
        "page.rows().locator('a')",
        "find.byKey(key)",
        "find.text('$name')",
        "find.byWidgetPredicate((w) => true)",
        "getByText(" * 60 + ")" * 60,
        "locator(" * 90 + "'a'" + ")" * 90,
    ],
)
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(SelectorNotParseable) as refused:
        parse_selector(text)
    assert refused.value.next_step


def test_a_line_break_within_quotes_is_kept() -> None:
    assert parse_selector('[title="a\nb"]').parts == (SelectorPart(SelectorEngine.CSS, '[title="a\nb"]'),)


def test_length_is_counted_in_characters_and_in_bytes() -> None:
    assert parse_selector("a" * 1_000)
    assert parse_selector("😀" * 1_000)
    for text in ("a" * 1_001, "😀" * 1_025):
        with pytest.raises(SelectorTooLong):
            parse_selector(text)


def test_nul_is_refused() -> None:
    with pytest.raises(SelectorInvalidChar):
        parse_selector("#x\0")


def test_a_plain_string_may_stand_in_any_language() -> None:
    assert canonical(parse_selector("#pay", Dialect.TYPESCRIPT)) == canonical(parse_selector("locator('#pay')"))
