"""`testwright demo` tells the story of what really happened."""

import shutil
import socket
from pathlib import Path

import pytest

from tests.conftest import CommandLine

LABELS = """\
def weight_text(grams):
    if grams < 1000:
        return f"{grams} g"
    return f"{grams / 1000:g} kg"
"""


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """A bakery with a failing test that is not the one the demo's story is about."""
    package = tmp_path / "examples" / "python-package"
    (package / "src" / "bakery").mkdir(parents=True)
    (package / "tests").mkdir()
    (package / "pyproject.toml").write_text('[project]\nname = "bakery"\nversion = "1"\n')
    (package / "src" / "bakery" / "__init__.py").write_text("")
    (package / "src" / "bakery" / "labels.py").write_text(LABELS)
    (package / "tests" / "test_oven.py").write_text("def test_is_hot():\n    assert 20 > 180\n")
    return tmp_path / "examples"


def test_another_failure_than_the_expected_one_is_not_explained_away_and_the_next_chapter_is_still_told(
    testwright: CommandLine, examples: Path, tmp_path: Path
) -> None:
    said = testwright("demo", "--examples", str(examples), "--keep", str(tmp_path / "kept"))

    assert said.code == 1
    assert "That was not the run we expected" in said.out
    assert "it is right to" not in said.out
    written = tmp_path / "kept" / "python-package" / "tests" / "test_labels.py"
    assert "def test_weight_text" in written.read_text()
    assert "python-package/tests/test_labels.py begins like this:" in said.out


def test_a_folder_without_examples_is_named_with_the_way_out(testwright: CommandLine, tmp_path: Path) -> None:
    said = testwright("demo", "--examples", str(tmp_path / "nowhere"))

    assert said.code == 2
    assert "--examples DIR" in said.err


SHOP = Path(__file__).parents[3] / "examples" / "web-shop"
BUG = """\
import { expect, test } from '@playwright/test';

test('counts the quantity in the total', () => expect(1).toBe(3));
"""
ORDER = """\
import { expect, test } from '@playwright/test';
import { CheckoutPage } from './pages/checkout-page';

test('places an order', async ({ page }) => {
  const checkout = new CheckoutPage(page);
  await checkout.open();
  await checkout.placeOrder();
  await expect(checkout.message).toHaveText('Thank you! Your tea is on its way.');
});
"""


@pytest.mark.needs_node
@pytest.mark.needs_chromium
def test_a_test_that_loses_its_button_is_healed_and_its_patch_is_shown_and_not_applied(
    testwright: CommandLine, tmp_path: Path, node_modules: Path, chromium: str
) -> None:
    shop = tmp_path / "examples" / "web-shop"
    shutil.copytree(SHOP, shop, ignore=shutil.ignore_patterns("node_modules", "tests", "python", "test-results"))
    shutil.copytree(SHOP / "tests" / "pages", shop / "tests" / "pages")
    (shop / "tests" / "cart.spec.ts").write_text(BUG)
    (shop / "tests" / "checkout.spec.ts").write_text(ORDER)
    (shop / "node_modules").symlink_to(node_modules)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    env = {"TESTWRIGHT_CHROMIUM": chromium, "PORT": port, "PATIENCE": "4000"}

    said = testwright("demo", "--examples", tmp_path / "examples", "--keep", tmp_path / "kept", env=env)

    assert "SELF_HEAL_APPLIED playwright:web-shop/tests/checkout.spec.ts::places an order: " in said.out
    assert "$ testwright review list" in said.out
    assert "+    this.order = page.getByRole('button', { name: 'Place order' });" in said.out
    assert "Not shown here: there is no web-bugs among these examples." in said.out
    kept = tmp_path / "kept" / "web-shop"
    assert "'.btn-primary'" in (kept / "tests" / "pages" / "checkout-page.ts").read_text()
    assert "btn-primary" not in (kept / "shop" / "checkout.html").read_text()
