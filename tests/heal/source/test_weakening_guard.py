"""A patch of selectors passes the guard; a patch that makes a test easier to pass does not."""

import pytest

from testwright.heal.source.languages import Language
from testwright.heal.source.weakening_guard import never_weaker

SCRIPT = """\
test('pays', async ({ page }) => {
  await page.locator('.pay').click({ timeout: 500 });
  await expect(page.locator('.a')).toHaveText('Paid', { timeout: 1_000 });
  await expect(page.getByText('Thanks')).toBeVisible();
});
"""
PYTHON = """\
def test_pays(page):
    page.click(".pay", timeout=500)
    expect(page.locator(".a")).to_have_text("Paid")
    assert page.title() == "Shop"
"""


@pytest.mark.parametrize(
    ("code", "language", "old", "new"),
    [
        (SCRIPT, Language.TYPESCRIPT, "locator('.pay')", "getByRole('button', { name: 'Pay' })"),
        (SCRIPT, Language.TYPESCRIPT, "locator('.a')", "getByTestId('a')"),
        (SCRIPT, Language.JAVASCRIPT, "getByText('Thanks')", "getByText('Thank you')"),
        (PYTHON, Language.PYTHON, '".pay"', "'[data-testid=\"pay\"]'"),
        (PYTHON, Language.PYTHON, 'locator(".a")', 'get_by_role("status")'),
        ("void main() { expect(find.text('a'), x); }", Language.DART, "find.text('a')", "find.byTooltip('b')"),
    ],
)
def test_another_selector_is_no_weakening(code: str, language: Language, old: str, new: str) -> None:
    assert old in code
    assert never_weaker(code.encode(), code.replace(old, new).encode(), language) == ()


@pytest.mark.parametrize(
    ("code", "language", "old", "new"),
    [
        (SCRIPT, Language.TYPESCRIPT, "toBeVisible()", "toBeVisible().catch(() => {})"),
        (SCRIPT, Language.TYPESCRIPT, "toBeVisible()", "toBeAttached()"),
        (SCRIPT, Language.TYPESCRIPT, "toBeVisible()", "not.toBeVisible()"),
        (SCRIPT, Language.TYPESCRIPT, "'Paid'", "/.*/"),
        (SCRIPT, Language.TYPESCRIPT, "  await expect(page.getByText('Thanks')).toBeVisible();\n", ""),
        (SCRIPT, Language.TYPESCRIPT, "await expect(page.getByText", "await expect.soft(page.getByText"),
        (SCRIPT, Language.TYPESCRIPT, "test('pays'", "test.skip('pays'"),
        (SCRIPT, Language.TYPESCRIPT, "=> {\n", "=> {\n  test.fixme();\n"),
        (SCRIPT, Language.TYPESCRIPT, "locator('.a')", "locator('.a').first()"),
        (SCRIPT, Language.TYPESCRIPT, "timeout: 500", "timeout: 50000"),
        (SCRIPT, Language.TYPESCRIPT, "timeout: 500", "force: true"),
        (SCRIPT, Language.TYPESCRIPT, "await page.locator('.pay')", "if (0) await page.locator('.pay')"),
        (SCRIPT, Language.TYPESCRIPT, "  await page", "  // await page"),
        (PYTHON, Language.PYTHON, '    assert page.title() == "Shop"', "    pass"),
        (PYTHON, Language.PYTHON, 'assert page.title() == "Shop"', "assert page.title()"),
        (
            PYTHON,
            Language.PYTHON,
            '    page.click(".pay", timeout=500)',
            "    try: page.click('.pay', timeout=500)\n    except Exception: pass",
        ),
        (PYTHON, Language.PYTHON, "def test_pays", "@pytest.mark.skip\ndef test_pays"),
        (PYTHON, Language.PYTHON, 'locator(".a")', 'locator(".a").first'),
        (PYTHON, Language.PYTHON, "timeout=500", "timeout=5000"),
        ("void main() { expect(find.text('a'), one); }", Language.DART, "one", "any"),
        ("void main() { expect(find.text('a'), one); }", Language.DART, "'a')", "'a').first"),
    ],
)
def test_whatever_makes_a_test_easier_to_pass_is_told(code: str, language: Language, old: str, new: str) -> None:
    assert old in code
    assert never_weaker(code.encode(), code.replace(old, new).encode(), language)


def test_the_complaint_names_what_is_wrong() -> None:
    worse = SCRIPT.replace("toBeVisible();", "toBeVisible().catch(() => {});")

    assert any("catch" in complaint for complaint in never_weaker(SCRIPT.encode(), worse.encode(), Language.TYPESCRIPT))
