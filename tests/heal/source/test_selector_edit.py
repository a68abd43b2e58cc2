"""A new selector takes the place of the old one, and every other byte stays as it was."""

import pytest

from testwright.heal.source.locator_finder import find_locators
from testwright.heal.source.locator_uses import LocatorUse
from testwright.heal.source.selector_definition import SelectorDefinition, definition_of
from testwright.heal.source.selector_edit import apply_edit, edit_for
from testwright.model.errors import SelectorNotPatchable
from testwright.model.heal import CallSite
from testwright.model.selector import Dialect, Selector
from testwright.selectors.selector_parser import parse_selector


def string(text: str) -> Selector:
    return parse_selector(text, Dialect.INTERNAL)


def script(text: str) -> Selector:
    return parse_selector(text, Dialect.TYPESCRIPT)


def python(text: str) -> Selector:
    return parse_selector(text, Dialect.PYTHON)


def patched(data: bytes, place: LocatorUse | SelectorDefinition, new: Selector) -> bytes:
    return apply_edit(data, edit_for(place, new))


def flutter(text: str) -> Selector:
    return parse_selector(text, Dialect.FLUTTER)


@pytest.mark.parametrize(
    ("file", "before", "new", "after"),
    [
        (
            "a.spec.ts",
            "await expect(page.locator('.a')).toBeVisible();",
            script("getByRole('button', { name: 'Pay' })"),
            "await expect(page.getByRole('button', { name: 'Pay' })).toBeVisible();",
        ),
        (
            "a.spec.ts",
            'await page.locator(".a").click();',
            script("getByRole('button', { name: 'Pay' })"),
            'await page.getByRole("button", { name: "Pay" }).click();',
        ),
        (
            "a.spec.ts",
            "page.click('#x', { force: 1 });",
            string('[data-testid="x"]'),
            "page.click('[data-testid=\"x\"]', { force: 1 });",
        ),
        ("a.spec.ts", "page.locator('#x').fill('a');", string("#y"), "page.locator('#y').fill('a');"),
        ("a.spec.ts", "page.waitForSelector(`#x`);", string("#y"), "page.waitForSelector('#y');"),
        ("a.spec.ts", "page.fill('#x', '#x');", string("#it's"), "page.fill('#it\\'s', '#x');"),
        (
            "a.spec.ts",
            "page.locator('#cart').getByText('Pay').first().click();",
            script("locator('#cart').getByText('Buy').first()"),
            "page.locator('#cart').getByText('Buy').first().click();",
        ),
        (
            "a.spec.ts",
            "page.locator('#cart').getByText('Pay').click();",
            script("getByTestId('cart').getByText('Pay')"),
            "page.getByTestId('cart').getByText('Pay').click();",
        ),
        (
            "a.spec.ts",
            "page\n  .locator('#cart') // the cart\n  .getByText('Pay')\n  .click();",
            script("getByText('Pay')"),
            "page\n  .getByText('Pay')\n  .click();",
        ),
        (
            "a.spec.ts",
            "page.frameLocator('#f').getByText('a');",
            script("frameLocator('#g').getByText('a')"),
            "page.frameLocator('#g').getByText('a');",
        ),
        ("a.spec.ts", "const PAY = '#x';\npage.click(PAY);", string("#y"), "const PAY = '#y';\npage.click(PAY);"),
        (
            "test_a.py",
            'page.locator(".a").first.click()',
            python('get_by_role("button", name="Pay")'),
            'page.get_by_role("button", name="Pay").click()',
        ),
        ("test_a.py", "page.get_by_text('a').click()", python('get_by_label("b")'), "page.get_by_label('b').click()"),
        ("test_a.py", 'page.click(r"#x")', string("#y"), 'page.click("#y")'),
        ("test_a.py", 'page.click("#x" ".y")', string("#y"), 'page.click("#y")'),
        (
            "a_test.dart",
            "void main() { expect(find.byKey(const Key('a')), findsOneWidget); }",
            flutter("find.byTooltip('Save')"),
            "void main() { expect(find.byTooltip('Save'), findsOneWidget); }",
        ),
    ],
)
def test_the_new_selector_is_written_as_the_old_one_was(file: str, before: str, new: Selector, after: str) -> None:
    (use,) = find_locators(before.encode(), file)

    assert patched(before.encode(), use, new).decode() == after


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        (
            "test_a.py",
            b"\xef\xbb\xbfdef test_a(page):\r\n    page.click('#x')\r\n    assert 1",
            b"\xef\xbb\xbfdef test_a(page):\r\n    page.click('#y')\r\n    assert 1",
        ),
        (
            "a.spec.ts",
            b"\xef\xbb\xbf// \xc3\xa9\r\n\tpage.click('#x');  \r\n\r\n// end",
            b"\xef\xbb\xbf// \xc3\xa9\r\n\tpage.click('#y');  \r\n\r\n// end",
        ),
        (
            "test_a.py",
            b"# coding: latin-1\nname = '\xe9'\npage.click('#x')  # \xe9",
            b"# coding: latin-1\nname = '\xe9'\npage.click('#y')  # \xe9",
        ),
    ],
)
def test_line_ends_marks_and_encodings_survive_byte_for_byte(file: str, before: bytes, after: bytes) -> None:
    (use,) = find_locators(before, file)

    assert patched(before, use, string("#y")) == after


@pytest.mark.parametrize(
    ("code", "new"),
    [
        ("page.click('#x');", script("getByRole('button')")),  # only a string fits
        ("page.locator('#x').click();", script("locator('#x').first()")),  # it hides that there are several
        ("page.locator('#x').click();", script("locator('#x')")),  # nothing changes
        ("page.click(`#x${n}`);", string("#y")),  # computed
    ],
)
def test_what_does_not_fit_is_refused(code: str, new: Selector) -> None:
    (use,) = find_locators(code.encode(), "a.spec.ts")

    with pytest.raises(SelectorNotPatchable):
        patched(code.encode(), use, new)


def test_a_file_that_has_changed_meanwhile_is_not_touched() -> None:
    (use,) = find_locators(b"page.click('#x');", "a.spec.ts")

    with pytest.raises(SelectorNotPatchable, match="no longer"):
        patched(b"\npage.click('#x');", use, string("#y"))


def test_a_selector_that_the_files_encoding_lacks_is_refused() -> None:
    code = b"# coding: latin-1\npage.click('#x')\n"
    (use,) = find_locators(code, "test_a.py")

    with pytest.raises(SelectorNotPatchable):
        patched(code, use, string('[title="→"]'))


def test_what_is_searched_within_is_changed_where_it_is_written() -> None:
    code = b"const cart = page.locator('#cart');\ncart.getByText('Pay').click();\n"
    place = definition_of({"a.ts": code}, [CallSite("a.ts", 2)], "locator('#cart').getByText('Pay')")
    assert isinstance(place, SelectorDefinition)

    assert patched(code, place, script("getByTestId('cart').getByText('Pay')")) == (
        b"const cart = page.getByTestId('cart');\ncart.getByText('Pay').click();\n"
    )
    with pytest.raises(SelectorNotPatchable, match="several places"):
        patched(code, place, script("getByTestId('pay')"))


def test_a_constant_of_another_file_is_changed_there() -> None:
    files = {
        "sel.ts": b"export const PAY = '#x';\n",
        "a.ts": b"import { PAY } from './sel';\npage.locator(PAY).click();\n",
    }
    place = definition_of(files, [CallSite("a.ts", 2)], "#x")
    assert isinstance(place, SelectorDefinition)
    edit = edit_for(place, string("#y"))

    assert (edit.file, edit.line, edit.old, edit.new) == ("sel.ts", 1, "'#x'", "'#y'")
    assert patched(files["sel.ts"], place, string("#y")) == b"export const PAY = '#y';\n"


@pytest.mark.parametrize("hostile", ["'); process.exit(0); ('", '"`${x}', "a\\", "\u2028", "*/ //", "a\x1b[2J"])
def test_a_hostile_selector_stays_inside_its_quotes(hostile: str) -> None:
    code = b"page.click('#x'); // after"
    (use,) = find_locators(code, "a.spec.ts")
    value = f'[title="{hostile.replace(chr(92), chr(92) * 2).replace(chr(34), chr(92) + chr(34))}"]'
    (again,) = find_locators(patched(code, use, string(value)), "a.spec.ts")

    assert again.selector is not None
    assert again.selector.text == value
