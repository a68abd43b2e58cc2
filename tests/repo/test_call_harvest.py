"""Calls that people wrote are gathered, and written so that they stand by themselves."""

from collections.abc import Mapping

import pytest

from tests.repo.conftest import Write
from tests.repo.layouts import project
from testwright.repo.call_harvest import harvest
from testwright.repo.file_roles import MARK
from testwright.repo.layout import detect_layout

MODULE = '''
from enum import Enum

RATE = 3

class Color(Enum):
    RED = 1

class Basket:
    def __init__(self, owner, *items):
        self.items = list(items)

    @classmethod
    def empty(cls):
        return cls("nobody")

    def add(self, item, count=1):
        """Add.

        >>> Basket("doc").add("pear", count=2)
        """

class Gift(Basket):
    pass

def slug(text, *, sep="-"):
    return text

def _hidden(text):
    return text
'''


def gather(write: Write, files: Mapping[str, str], most: int = 40) -> dict[str, tuple[str, ...]]:
    root = write(
        {
            "pyproject.toml": project("shop"),
            "src/shop/__init__.py": "from .text import slug\n",
            "src/shop/text.py": MODULE,
            **files,
        }
    )
    return harvest(detect_layout(root), root / "src/shop/text.py", most=most)


@pytest.mark.parametrize(
    ("test", "unit", "call"),
    [
        pytest.param("from shop.text import slug\nslug('a b')", "slug", "slug('a b')", id="imported name"),
        pytest.param("from shop.text import slug as s\ns('a', sep='_')", "slug", "slug('a', sep='_')", id="alias"),
        pytest.param("import shop.text\nshop.text.slug('x')", "slug", "slug('x')", id="module by its full name"),
        pytest.param("import shop.text as t\nt.slug('x')", "slug", "slug('x')", id="module by another name"),
        pytest.param("from shop import text\ntext.slug('x')", "slug", "slug('x')", id="module from its package"),
        pytest.param("from shop import slug\nslug('x')", "slug", "slug('x')", id="offered again by the package"),
        pytest.param("import shop\nshop.slug('x')", "slug", "slug('x')", id="through the package"),
        pytest.param("from shop.text import *\nslug('x')", "slug", "slug('x')", id="star"),
        pytest.param(
            "from shop.text import slug\nx = 'a'\nslug([x, {x: 1}])", "slug", "slug(['a', {'a': 1}])", id="variable"
        ),
        pytest.param(
            "from shop.text import slug, Color\nslug(Color.RED)", "slug", "slug(_under_test.Color.RED)", id="enum"
        ),
        pytest.param("from shop.text import Basket\nBasket('me', 1)", "Basket", "Basket('me', 1)", id="constructor"),
        pytest.param(
            "from shop.text import Basket\nb = Basket('me')\nb.add(1)",
            "Basket.add",
            "Basket('me').add(1)",
            id="method of a variable",
        ),
        pytest.param(
            "from shop.text import Gift\nGift('me').add(1)", "Basket.add", "Gift('me').add(1)", id="inherited method"
        ),
        pytest.param(
            "from shop.text import Basket\nBasket.empty()", "Basket.empty", "Basket.empty()", id="class method"
        ),
        pytest.param(
            "from shop.text import Basket\nBasket.empty().add(2)",
            "Basket.add",
            "Basket.empty().add(2)",
            id="object made by a class method",
        ),
        pytest.param(
            "from shop.text import slug\nimport datetime as dt\nslug(dt.date(2024, 1, 31))",
            "slug",
            "slug(datetime.date(2024, 1, 31))",
            id="value of the standard library",
        ),
    ],
)
def test_a_call_is_rewritten_to_the_module_under_test(test: str, unit: str, call: str, write: Write) -> None:
    body = test.replace("\n", "\n    ")

    found = gather(write, {"tests/test_text.py": f"def test_it():\n    {body}\n"})

    assert "_under_test." + call in found[unit]


@pytest.mark.parametrize(
    "test",
    [
        pytest.param("from shop.text import slug\nslug(tmp_path)", id="a fixture"),
        pytest.param("from shop.text import slug\nslug(open('x').read())", id="a call of something else"),
        pytest.param("from shop.text import slug\nslug('x' * 10**9)", id="a value of a gigabyte"),
        pytest.param("from shop.text import slug\nx = 'a'\nx = compute()\nslug(x)", id="a variable that was changed"),
        pytest.param("from elsewhere import slug\nslug('x')", id="a namesake"),
        pytest.param("from shop.text import _hidden\n_hidden('x')", id="a private function"),
    ],
)
def test_what_does_not_stand_by_itself_is_dropped(test: str, write: Write) -> None:
    body = test.replace("\n", "\n    ")

    found = gather(write, {"tests/test_text.py": f"def test_it(tmp_path):\n    {body}\n"})

    assert set(found) == {"Basket", "Basket.add"}  # the doctest's


def test_parametrised_rows_are_put_in(write: Write) -> None:
    found = gather(
        write,
        {
            "tests/test_text.py": """
            import pytest
            from shop.text import slug

            @pytest.mark.parametrize("sep", ["-", "_"])
            @pytest.mark.parametrize(("text", "wanted"), [("a", "b"), pytest.param("c", "d", id="x")])
            def test_it(text, wanted, sep):
                assert slug(text, sep=sep) == wanted
            """
        },
    )

    assert found["slug"] == (
        "_under_test.slug('a', sep='-')",
        "_under_test.slug('c', sep='-')",
        "_under_test.slug('a', sep='_')",
        "_under_test.slug('c', sep='_')",
    )


def test_loops_fixtures_and_set_up_are_put_in(write: Write) -> None:
    found = gather(
        write,
        {
            "tests/test_text.py": """
            import unittest
            import pytest
            from shop.text import Basket, slug

            @pytest.fixture
            def basket():
                return Basket("fix")

            def test_fixture(basket):
                basket.add(1)

            def test_loop():
                for text, sep in [("a", "1"), ("b", "2")]:
                    slug(text, sep=sep)

            class TestBasket(unittest.TestCase):
                def test_add(self):
                    self.basket.add(2)

                def setUp(self):
                    self.basket = Basket("setup")
            """
        },
    )

    assert found["slug"] == ("_under_test.slug('a', sep='1')", "_under_test.slug('b', sep='2')")
    assert found["Basket.add"][:2] == ("_under_test.Basket('fix').add(1)", "_under_test.Basket('setup').add(2)")


def test_tests_come_before_doctests_before_readmes_before_other_code(write: Write) -> None:
    found = gather(
        write,
        {
            "src/shop/other.py": "from .text import Basket\nBasket('code').add('code')\n",
            "README.md": "Use it:\n\n```python\nfrom shop.text import Basket\nBasket('me').add('readme')\n```\n",
            "docs/use.rst": ".. code:: python\n\n  from shop.text import Basket\n  Basket('me').add('docs')\n\nEnd.\n",
            "tests/test_text.py": "from shop.text import Basket\n\ndef test_it():\n    Basket('me').add('test')\n",
        },
    )

    assert found["Basket.add"] == (
        "_under_test.Basket('me').add('test')",
        "_under_test.Basket('doc').add('pear', count=2)",
        "_under_test.Basket('me').add('readme')",
        "_under_test.Basket('me').add('docs')",
        "_under_test.Basket('code').add('code')",
    )


def test_each_unit_keeps_the_first_so_many(write: Write) -> None:
    calls = "\n".join(f"    slug({number})" for number in range(50))

    found = gather(write, {"tests/test_text.py": f"from shop import slug\n\ndef test_it():\n{calls}\n"}, most=3)

    assert found["slug"] == ("_under_test.slug(0)", "_under_test.slug(1)", "_under_test.slug(2)")


def test_a_file_that_cannot_be_parsed_is_passed_over(write: Write) -> None:
    found = gather(write, {"tests/test_text.py": "from shop.text import slug\nslug('x'\n"})

    assert "slug" not in found


def test_what_testwright_wrote_itself_is_passed_over(write: Write) -> None:
    calls = gather(
        write,
        {
            "tests/test_text.py": f'"""Tests for shop.text, {MARK} from the behaviour of the code."""\n'
            "from shop.text import slug\nslug('ours')\n",
            "tests/test_shop_text.py": f'"""Tests for shop.text.\n\n{MARK.capitalize()}.\n"""\n'
            "from shop.text import slug\nslug('ours too')\n",
            "tests/bugs/test_bug_slug_is_wrong.py": "from shop.text import slug\nslug('a bug')\n",
            "tests/test_mine.py": "from shop.text import slug\nslug('mine')\n",
        },
    )

    assert calls["slug"] == ("_under_test.slug('mine')",)
