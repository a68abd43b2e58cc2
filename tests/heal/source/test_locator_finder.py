"""Every selector that a test file has written in it is found, with its line, and nothing else is."""

from textwrap import dedent

import pytest

from testwright.heal.source.locator_finder import find_locators
from testwright.heal.source.locator_uses import LocatorKind, LocatorUse
from testwright.model.selector import SelectorEngine


def found(code: str, file: str = "a.spec.ts") -> tuple[LocatorUse, ...]:
    return find_locators(dedent(code).encode(), file)


def only(code: str, file: str = "a.spec.ts") -> LocatorUse:
    (use,) = found(code, file)
    return use


@pytest.mark.parametrize(
    ("code", "kind", "text"),
    [
        ("page.locator('#x').click()", LocatorKind.STRING, "locator('#x')"),
        ("page.click('#x')", LocatorKind.STRING, "'#x'"),
        ("page.fill('#x', 'Ada')", LocatorKind.STRING, "'#x'"),
        ("page.waitForSelector(`#x`, { timeout: 5 })", LocatorKind.STRING, "`#x`"),
        ("page.$('#x')", LocatorKind.STRING, "'#x'"),
        ("page.$$eval('#x', all => all.length)", LocatorKind.STRING, "'#x'"),
        ("page.selectOption('#x', { label: 'a' })", LocatorKind.STRING, "'#x'"),
        ("frame.locator('#x').first()", LocatorKind.CHAIN, "locator('#x').first()"),
        ("page.frameLocator('#f').locator('#x')", LocatorKind.CHAIN, "frameLocator('#f').locator('#x')"),
        ("page.getByRole('button', { name: 'Pay' })", LocatorKind.CHAIN, "getByRole('button', { name: 'Pay' })"),
        ("page.getByText(/pay/i).nth(2).click()", LocatorKind.CHAIN, "getByText(/pay/i).nth(2)"),
        ("expect(page.getByTestId('x')).toBeVisible()", LocatorKind.CHAIN, "getByTestId('x')"),
        ("(await page.$('#x'))!.click()", LocatorKind.STRING, "'#x'"),
        ("page?.locator('#x')", LocatorKind.STRING, "locator('#x')"),
    ],
)
def test_a_selector_in_typescript(code: str, kind: LocatorKind, text: str) -> None:
    use = only(f"{code};")

    assert (use.kind, use.text, use.line, use.is_dynamic) == (kind, text, 1, False)


@pytest.mark.parametrize(
    ("code", "kind", "text"),
    [
        ('page.locator("#x").click()', LocatorKind.STRING, 'locator("#x")'),
        ('page.click("#x")', LocatorKind.STRING, '"#x"'),
        ('page.fill(selector="#x", value="Ada")', LocatorKind.STRING, '"#x"'),
        ('page.wait_for_selector("#x", state="visible")', LocatorKind.STRING, '"#x"'),
        ('page.query_selector("#x")', LocatorKind.STRING, '"#x"'),
        (
            'page.get_by_role("button", name="Pay").first.click()',
            LocatorKind.CHAIN,
            'get_by_role("button", name="Pay").first',
        ),
        ('page.get_by_text(re.compile("pay", re.I))', LocatorKind.CHAIN, 'get_by_text(re.compile("pay", re.I))'),
        (
            'page.frame_locator("#f").get_by_label("Name")',
            LocatorKind.CHAIN,
            'frame_locator("#f").get_by_label("Name")',
        ),
        ('page.get_by_text("User" " name")', LocatorKind.CHAIN, 'get_by_text("User" " name")'),
    ],
)
def test_a_selector_in_python(code: str, kind: LocatorKind, text: str) -> None:
    use = only(code, "test_a.py")

    assert (use.kind, use.text, use.is_dynamic) == (kind, text, False)


@pytest.mark.parametrize(
    "code",
    [
        "page.keyboard.press('Enter');",
        "input.fill('Ada');",
        "input.press('Enter');",
        "input.type('Ada', { delay: 5 });",
        "page.goto('/cart');",
        "names.filter(name => name.length).first();",
        "screen.getByText('Pay');",
        "const color = '#fff';",
        "import x from './selectors';",
        "open('#x');",
    ],
)
def test_what_is_no_selector_is_left_alone(code: str) -> None:
    assert found(code) == ()


@pytest.mark.parametrize(
    ("code", "file"),
    [
        ("page.getByTestId(`row-${id}`);", "a.spec.ts"),
        ("page.click(`#row-${id}`);", "a.spec.ts"),
        ("page.locator('#row-' + id);", "a.spec.ts"),
        ("page.getByRole('row', { name });", "a.spec.ts"),
        ("page.getByRole('row', { ...options });", "a.spec.ts"),
        ("page.getByText(new RegExp(word));", "a.spec.ts"),
        ('page.locator(f"#row-{number}")', "test_a.py"),
        ('page.click(f"#row-{number}")', "test_a.py"),
        ('page.locator("#row-%d" % number)', "test_a.py"),
        ("final x = find.text('$name');", "a_test.dart"),
    ],
)
def test_what_is_put_together_at_run_time_is_told_as_such(code: str, file: str) -> None:
    use = only(code, file)

    assert use.is_dynamic
    assert use.problem


def test_a_selector_that_makes_no_sense_is_listed_with_the_reason() -> None:
    use = only("page.locator(' ');")

    assert use.is_dynamic
    assert use.problem


def test_constants_that_are_used_as_selectors_are_found_where_they_are_written() -> None:
    uses = found("""\
        const SUBMIT = '#submit';
        const TEXTS = { pay: '.pay', other: 'Never used' };
        enum Where { CART = '#cart' }
        class Shop {
          buy = '.buy';
          go() { return this.page.click(this.buy); }
        }
        page.locator(SUBMIT).click();
        page.click(TEXTS.pay);
        page.click(Where.CART);
    """)

    assert [(use.kind, use.line, use.text, use.string_only) for use in uses] == [
        (LocatorKind.CONSTANT, 1, "'#submit'", True),
        (LocatorKind.CONSTANT, 2, "'.pay'", True),
        (LocatorKind.CONSTANT, 3, "'#cart'", True),
        (LocatorKind.CONSTANT, 5, "'.buy'", True),
    ]


def test_constants_of_python_are_found_too() -> None:
    uses = found(
        """\
        PAY = "#pay"
        WHERE = {"cart": "#cart"}
        class Where(Enum):
            SEND = "#send"
        class Shop:
            buy = ".buy"
            def go(self):
                self.page.click(self.buy)
        def test_it(page):
            page.locator(PAY).click()
            page.click(WHERE["cart"])
            page.click(Where.SEND.value)
        """,
        "test_a.py",
    )

    assert [(use.kind, use.text) for use in uses] == [
        (LocatorKind.CONSTANT, '"#pay"'),
        (LocatorKind.CONSTANT, '"#cart"'),
        (LocatorKind.CONSTANT, '"#send"'),
        (LocatorKind.CONSTANT, '".buy"'),
    ]


def test_constants_are_found_by_their_names_where_nothing_uses_them() -> None:
    uses = found("export const selectors = { pay: '#pay', label: 'Pay now', link: './pay' };")

    assert [use.text for use in uses] == ["'#pay'"]


def test_only_a_string_fits_where_a_method_takes_a_selector() -> None:
    assert only("page.click('#x');").string_only
    assert not only("page.locator('#x').click();").string_only


def test_what_a_locator_is_searched_within_is_known() -> None:
    cart, button = found("const cart = page.locator('#cart');\ncart.getByRole('button').click();")

    assert [part.engine for part in button.outer] == [SelectorEngine.CSS]
    assert button.whole is not None
    assert [part.engine for part in button.whole.parts] == [SelectorEngine.CSS, SelectorEngine.ROLE]
    assert cart.outer == ()


def test_a_locator_within_something_unknown_is_not_whole() -> None:
    assert not only("row.getByRole('button');").is_whole
    assert only("page.getByRole('button');").is_whole
    assert only("this.page.getByRole('button');").is_whole


def test_a_locator_inside_of_another_is_part_of_it() -> None:
    use = only("page.getByRole('listitem').filter({ has: page.locator('.new') }).click();")

    assert use.selector is not None
    assert [part.engine for part in use.selector.parts] == [SelectorEngine.ROLE, SelectorEngine.HAS]


def test_a_chain_over_several_lines_with_comments_is_one_selector() -> None:
    use = only("""\
        page
          .getByRole('button', {
            name: 'Pay', // the big one
          })
          /* of two */
          .first()
          .click();
    """)

    assert use.line == 2
    assert use.selector is not None
    assert use.selector.text == "getByRole('button', { name: 'Pay' }).first()"


def test_finders_of_flutter_are_found() -> None:
    uses = found(
        """\
        void main() {
          const saved = Key('saved');
          testWidgets('pays', (tester) async {
            await tester.tap(find.byKey(const Key('pay')).first);
            expect(find.descendant(of: find.byType(Form), matching: find.text('a')), findsOneWidget);
            await tester.tap(
              find.widgetWithText(
                ElevatedButton, // the raised one
                'Go',
              ),
            );
            await tester.tap(find.byKey(saved));
          });
        }
        """,
        "pay_test.dart",
    )

    assert [(use.kind, use.line, use.selector.text if use.selector else None) for use in uses] == [
        (LocatorKind.FINDER, 4, "find.byKey(const Key('pay')).first"),
        (LocatorKind.FINDER, 5, "find.descendant(of: find.byType(Form), matching: find.text('a'))"),
        (LocatorKind.FINDER, 7, "find.widgetWithText(ElevatedButton, 'Go')"),
        (LocatorKind.FINDER, 12, "find.byKey(Key('saved'))"),
    ]


def test_columns_count_as_javascript_counts() -> None:
    assert only("/* \U0001f600é */ page.click('#x');").column == len("/* xxé */ page.click(") + 1


def test_a_name_that_stands_for_itself_ends_the_search() -> None:
    assert only("const a = b; const b = a; page.locator(a).click();").is_dynamic
