"""A rewritten test may say more than the old one, and nothing less."""

import pytest

from testwright.heal.source.languages import Language
from testwright.heal.source.weakening_guard import never_looser

SCRIPT = """\
const total = '12';
test('pays', async ({ page }) => {
  await page.locator('.pay').click({ timeout: 500 });
  await expect(page.locator('.a')).toHaveText(total);
});
test.each([[1, 2]])('adds %i', (a, b) => { expect(a + 1).toBe(b); });
"""
PYTHON = """\
LIMIT = 5

@pytest.mark.parametrize("n", [1, 2])
def test_pays(page, n):
    wanted = "Paid"
    assert page.total(n) == LIMIT
    with pytest.raises(ValueError):
        page.pay(-1)
"""


@pytest.mark.parametrize(
    ("code", "language", "old", "new"),
    [
        (PYTHON, Language.PYTHON, "    with pytest", "    assert page.title == wanted\n    with pytest"),
        (PYTHON, Language.PYTHON, "def test_pays(page, n):", "def test_pays(site, n):\n    page = site.page"),
        (PYTHON, Language.PYTHON, "LIMIT = 5", "from shop import page\n\nLIMIT = 5"),
        (SCRIPT, Language.TYPESCRIPT, "page.locator('.pay')", "page.getByRole('button', { name: 'Pay' })"),
        (SCRIPT, Language.TYPESCRIPT, "  await page.loc", "  await page.goto('/');\n  await page.loc"),
    ],
)
def test_what_checks_as_much_or_more_may_be_proposed(code: str, language: Language, old: str, new: str) -> None:
    assert old in code
    assert never_looser(code.encode(), code.replace(old, new).encode(), language) == ()


@pytest.mark.parametrize(
    ("code", "language", "old", "new"),
    [
        (PYTHON, Language.PYTHON, "== LIMIT", ">= LIMIT"),
        (PYTHON, Language.PYTHON, "    assert page.total(n) == LIMIT\n", ""),
        (PYTHON, Language.PYTHON, "assert page.total(n) == LIMIT", "if page:\n        assert page.total(n) == LIMIT"),
        (PYTHON, Language.PYTHON, "    assert", "    return\n    assert"),
        (PYTHON, Language.PYTHON, "LIMIT = 5", "LIMIT = 6"),
        (PYTHON, Language.PYTHON, "[1, 2]", "[1]"),
        (PYTHON, Language.PYTHON, "raises(ValueError)", "raises(Exception)"),
        (PYTHON, Language.PYTHON, "def test_pays(page, n)", "def check_pays(page, n)"),
        (PYTHON, Language.PYTHON, "@pytest.mark.param", "@pytest.mark.skip\n@pytest.mark.param"),
        (PYTHON, Language.PYTHON, "    assert", "    time.sleep(5)\n    assert"),
        (SCRIPT, Language.TYPESCRIPT, "'12'", "/.*/"),
        (SCRIPT, Language.TYPESCRIPT, "toHaveText(total)", "toContainText(total)"),
        (SCRIPT, Language.TYPESCRIPT, "expect(page.locator('.a'))", "expect(page.locator('body'))"),
        (SCRIPT, Language.TYPESCRIPT, "timeout: 500", "timeout: 30000"),
        (SCRIPT, Language.TYPESCRIPT, "toHaveText(total)", "toHaveText(total).catch(() => {})"),
        (SCRIPT, Language.TYPESCRIPT, "[[1, 2]]", "[]"),
        (SCRIPT, Language.TYPESCRIPT, "test('pays'", "test.fixme('pays'"),
    ],
)
def test_what_checks_less_may_not(code: str, language: Language, old: str, new: str) -> None:
    assert old in code
    assert never_looser(code.encode(), code.replace(old, new).encode(), language) != ()
