"""From the call that failed to the place where its selector is written, across variables, page objects and files."""

from textwrap import dedent

import pytest

from testwright.heal.source.selector_definition import NotDefinable, SelectorDefinition, definition_of
from testwright.model.heal import CallSite

SCRIPT = {
    "tests/pay.spec.ts": """\
        import { test, expect } from './fixtures';
        import { SEL } from '../lib';
        let late: Locator;
        test.beforeEach(async ({ page }) => { late = page.getByTestId('late'); });
        test('pays', async ({ page, shop }) => {
          await page.locator('#a').click();
          await page.click('#b');
          await shop.pay.click();
          await shop.form.send().click();
          await page.locator(SEL.go).click();
          const cart = page.locator('#cart');
          await cart.getByRole('button', { name: 'Remove' }).first().click();
          await expect(late).toBeVisible();
          await press(page, '#helper');
          await Promise.all([page.click('#one'), page.click('#two')]);
          for (const each of ['#loop']) await page.click(each);
          page.click('#twice'); page.click('#twice');
          await expect(
            page.getByText('Thanks'),
          ).toBeVisible();
          await shop.title.click();
          await shop.row('x').click();
        });
        """,
    "tests/fixtures.ts": """\
        import { test as base } from '@playwright/test';
        import { Shop } from '../pages/shop.js';
        export const test = base.extend<{ shop: Shop }>({
          shop: async ({ page }, use) => { const made = new Shop(page); await use(made); },
        });
        export { expect } from '@playwright/test';
        """,
    "pages/shop.ts": """\
        import Form from './form';
        import { BasePage } from './base';
        export class Shop extends BasePage {
          readonly pay: Locator;
          form = new Form(this.page.locator('#form'));
          constructor(readonly page: Page) {
            super(page);
            this.pay = page.getByTestId("pay");
          }
          row(name: string) { return this.page.getByRole('row', { name }); }
        }
        """,
    "pages/base.ts": """\
        export abstract class BasePage {
          constructor(protected page: Page) {}
          get title() { return this.page.getByRole('heading'); }
        }
        """,
    "pages/form.ts": """\
        export default class Form {
          constructor(private root: Locator) {}
          send() { return this.root.getByText('Send'); }
        }
        """,
    "lib/index.ts": "export * from './selectors';\n",
    "lib/selectors.ts": "export const SEL = { go: '.go' } as const;\n",
}
PYTHON = {
    "tests/test_pay.py": """\
        from pages.shop import Shop
        from pages import places

        def test_pays(page, shop, send, typed: Shop):
            page.locator("#a").click()
            shop.pay.click()
            send.click()
            page.click(places.GO)
            shop.title().click()
            shop.note.click()
            typed.pay.click()
            cart = page.locator("#cart")
            cart.get_by_role("button", name="Remove").first.click()
            for each in ["#loop"]:
                page.click(each)
        """,
    "tests/conftest.py": """\
        import pytest
        from pages.shop import Shop

        @pytest.fixture
        def shop(page):
            yield Shop(page)

        @pytest.fixture(name="send")
        def send_button(page):
            return page.get_by_text("Send")
        """,
    "pages/__init__.py": "",
    "pages/places.py": 'GO = ".go"\n',
    "pages/shop.py": """\
        from .base import BasePage

        class Shop(BasePage):
            NOTE = "#note"

            def __init__(self, page: Page) -> None:
                super().__init__(page)
                self.pay = page.get_by_test_id("pay")

            @property
            def note(self):
                return self.page.locator(self.NOTE)
        """,
    "pages/base.py": """\
        class BasePage:
            def __init__(self, page):
                self.page = page

            def title(self):
                return self.page.get_by_role("heading")
        """,
}


def followed(files: dict[str, str], site: CallSite, selector: str) -> SelectorDefinition | NotDefinable:
    return definition_of({file: dedent(code).encode() for file, code in files.items()}, [site], selector)


@pytest.mark.parametrize(
    ("line", "selector", "file", "written_at"),
    [
        (6, "locator('#a')", "tests/pay.spec.ts", 6),
        (6, "#a", "tests/pay.spec.ts", 6),
        (7, "locator('#b')", "tests/pay.spec.ts", 7),
        (8, "getByTestId('pay')", "pages/shop.ts", 8),
        (8, 'internal:testid=[data-testid="pay"s]', "pages/shop.ts", 8),
        (9, "locator('#form').getByText('Send')", "pages/form.ts", 3),
        (10, "locator('.go')", "lib/selectors.ts", 1),
        (12, "locator('#cart').getByRole('button', { name: 'Remove' }).first()", "tests/pay.spec.ts", 12),
        (13, "getByTestId('late')", "tests/pay.spec.ts", 4),
        (14, "locator('#helper')", "tests/pay.spec.ts", 14),
        (15, "locator('#two')", "tests/pay.spec.ts", 15),
        (20, "getByText('Thanks')", "tests/pay.spec.ts", 19),
        (21, "getByRole('heading')", "pages/base.ts", 3),
    ],
)
def test_a_selector_of_typescript_is_followed(line: int, selector: str, file: str, written_at: int) -> None:
    place = followed(SCRIPT, CallSite("tests/pay.spec.ts", line), selector)

    assert isinstance(place, SelectorDefinition), place
    assert (place.file, place.line) == (file, written_at)


@pytest.mark.parametrize(
    ("line", "selector", "file", "written_at"),
    [
        (5, 'locator("#a")', "tests/test_pay.py", 5),
        (6, 'get_by_test_id("pay")', "pages/shop.py", 8),
        (7, 'get_by_text("Send")', "tests/conftest.py", 10),
        (8, 'locator(".go")', "pages/places.py", 1),
        (9, 'get_by_role("heading")', "pages/base.py", 6),
        (10, 'locator("#note")', "pages/shop.py", 4),
        (11, 'get_by_test_id("pay")', "pages/shop.py", 8),
        (13, 'locator("#cart").get_by_role("button", name="Remove").first', "tests/test_pay.py", 13),
    ],
)
def test_a_selector_of_python_is_followed(line: int, selector: str, file: str, written_at: int) -> None:
    place = followed(PYTHON, CallSite("tests/test_pay.py", line), selector)

    assert isinstance(place, SelectorDefinition), place
    assert (place.file, place.line) == (file, written_at)


@pytest.mark.parametrize(
    ("files", "site", "selector", "reason"),
    [
        (SCRIPT, CallSite("tests/pay.spec.ts", 16), "locator('#loop')", "does not use this selector"),
        (SCRIPT, CallSite("tests/pay.spec.ts", 17), "locator('#twice')", "2 times"),
        (SCRIPT, CallSite("tests/pay.spec.ts", 22), "getByRole('row', { name: 'x' })", "put together at run time"),
        (SCRIPT, CallSite("tests/pay.spec.ts", 6), "locator('#other')", "does not use this selector"),
        (SCRIPT, CallSite("tests/gone.spec.ts", 6), "locator('#a')", "not among the project's sources"),
        (PYTHON, CallSite("tests/test_pay.py", 15), 'locator("#loop")', "does not use this selector"),
        (PYTHON, CallSite("tests/test_pay.py", 5), "", "selector"),
    ],
)
def test_what_cannot_be_told_is_refused_with_a_reason(
    files: dict[str, str], site: CallSite, selector: str, reason: str
) -> None:
    place = followed(files, site, selector)

    assert isinstance(place, NotDefinable)
    assert reason in place.reason


@pytest.mark.parametrize(("column", "written_at"), [(6, 12), (28, 34)])
def test_the_column_tells_two_calls_on_one_line_apart(column: int, written_at: int) -> None:
    code = {"a.spec.ts": "page.click('#twice'); page.click('#twice');\n"}
    place = followed(code, CallSite("a.spec.ts", 1, column), "locator('#twice')")

    assert isinstance(place, SelectorDefinition)
    assert place.last.column == written_at


def test_without_a_place_there_is_no_definition() -> None:
    assert isinstance(definition_of({}, [], "#a"), NotDefinable)


def test_the_outer_call_is_looked_at_where_the_inner_one_was_handed_the_selector() -> None:
    files = {
        "help.ts": b"export async function press(page: Page, what: string) {\n  await page.click(what);\n}\n",
        "a.spec.ts": b"import { press } from './help';\nawait press(page, '#a');\n",
    }
    place = definition_of(files, [CallSite("help.ts", 2, 14), CallSite("a.spec.ts", 2, 7)], "locator('#a')")

    assert isinstance(place, SelectorDefinition)
    assert (place.file, place.line, place.string_only) == ("a.spec.ts", 2, True)


def test_imports_that_lead_in_a_circle_end() -> None:
    files = {
        "a.ts": b"import { x } from './b';\nexport { x };\npage.click(x);\n",
        "b.ts": b"export { x } from './a';\n",
    }

    assert isinstance(definition_of(files, [CallSite("a.ts", 3)], "#a"), NotDefinable)


def test_old_style_modules_are_followed() -> None:
    files = {
        "lib.js": b"module.exports = { PAY: '#pay', other: 1 };\n",
        "a.test.js": b"const { PAY } = require('./lib');\nconst lib = require('./lib');\n"
        b"page.click(PAY);\npage.click(lib.PAY);\n",
    }
    for line in (3, 4):
        place = definition_of(files, [CallSite("a.test.js", line)], "#pay")
        assert isinstance(place, SelectorDefinition), place
        assert place.file == "lib.js"


def test_a_finder_in_a_variable_is_followed() -> None:
    code = b"void main() {\n  final pay = find.byKey(const Key('pay'));\n  tester.tap(pay);\n}\n"
    place = definition_of({"a_test.dart": code}, [CallSite("a_test.dart", 3)], "find.byKey(Key('pay'))")

    assert isinstance(place, SelectorDefinition), place
    assert place.line == 2
