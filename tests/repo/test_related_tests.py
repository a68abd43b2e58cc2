"""A test file is about a module when it imports it, or something of it by way of a package."""

from pathlib import Path

import pytest

from testwright.repo.layout import detect_layout
from testwright.repo.related_tests import tests_about as find_tests


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in {
        "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
        "src/shop/__init__.py": "from shop.basket import total, Basket as Cart\n",
        "src/shop/basket.py": "def total(): ...\nclass Basket: ...\ndef _hidden(): ...\n",
        "src/shop/till.py": "def total(): ...\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "tests").mkdir()
    return tmp_path


def is_about(project: Path, text: str, name: str = "test_it.py") -> bool:
    file = project / "tests" / name
    file.write_text(text)
    module = project / "src" / "shop" / "basket.py"
    return file in find_tests(module, "shop.basket", [project / "tests"], detect_layout(project))


@pytest.mark.parametrize(
    "text",
    [
        "from shop.basket import total",
        "from shop.basket import _hidden",
        "from shop.basket import *",
        "import shop.basket as b",
        "from shop import basket, other",
        "from shop import (\n    basket,\n)",
        "def test_it():\n    from shop import basket",
        "from shop import total",
        "from shop import Cart",
        "import shop\ndef test_it():\n    assert shop.total() is None",
        "import shop\ndef test_it():\n    assert shop.basket.total() is None",
    ],
)
def test_it_is_about_the_module_however_it_is_imported(project: Path, text: str) -> None:
    assert is_about(project, text)


@pytest.mark.parametrize(
    "text",
    [
        "from shop import baskets\nimport shop.basketball",
        "# from shop import basket",
        "from shop.till import total",
        "import shop\ndef test_it():\n    assert shop.till.total() is None",
        "total = 'basket'",
        "from shop import (basket",
    ],
)
def test_it_is_not_about_the_module_when_it_only_sounds_like_it(project: Path, text: str) -> None:
    assert not is_about(project, text)


def test_files_that_pytest_would_not_collect_are_no_tests(project: Path) -> None:
    assert is_about(project, "import shop.basket", "basket_test.py")
    assert not is_about(project, "import shop.basket", "helpers.py")


def test_a_module_that_is_not_python_is_found_by_its_name(project: Path) -> None:
    (project / "src" / "shop" / "basket.py").write_text("def (:\n")

    assert is_about(project, "import shop.basket")
