"""A test is shown with exactly what it relies on."""

from pathlib import Path

from tests.repo.conftest import Write
from testwright.repo.symbol_index import index_repository
from testwright.repo.tests_index import TestBundle, bundles_calling, bundles_in

CONFTEST = """
import pytest

@pytest.fixture
def connection(settings):
    return settings

@pytest.fixture
def unused():
    return 1
"""
TESTS = """
import os
import unittest
from unittest import mock
from unittest.mock import patch

import pytest

from shop.text import Basket, slug

@pytest.fixture
def settings():
    return {}

@pytest.mark.parametrize("text", ["a"])
@patch("shop.text.clock")
def test_slug(clock, text, connection, tmp_path, monkeypatch):
    monkeypatch.setenv("A", "1")
    basket = Basket("me")
    result = slug(text)
    assert result == "a"
    clock.assert_called_once_with()
    with pytest.raises(ValueError, match="no"):
        slug(None)

@pytest.mark.usefixtures("connection")
def test_other():
    with patch("os.getcwd") as replaced:
        assert os.getcwd() is replaced.return_value

class BasketTest(unittest.TestCase):
    def setUp(self):
        self.basket = Basket("me")

    @mock.patch.object(Basket, "clock")
    def test_add(self, clock):
        self.basket.add(1)
        self.assertEqual(len(self.basket), 1)
"""


def bundle(write: Write, name: str) -> TestBundle:
    root = write({"tests/conftest.py": CONFTEST, "tests/unit/test_text.py": TESTS})
    return next(item for item in bundles_in(root / "tests/unit/test_text.py", root) if item.test_name == name)


def test_fixtures_are_followed_through_conftests_and_no_further(write: Write) -> None:
    found = bundle(write, "test_slug").fixtures

    assert [text.splitlines()[-2:] for text in found[:1]] == [["def connection(settings):", "    return settings"]]
    assert found[1:3] == ("tmp_path", "monkeypatch")
    assert found[3].endswith("def settings():\n    return {}")
    assert len(found) == 4


def test_only_the_imports_a_test_uses_are_told(write: Write) -> None:
    assert bundle(write, "test_slug").imports == (
        "from unittest.mock import patch",
        "import pytest",
        "from shop.text import Basket",
        "from shop.text import slug",
    )


def test_mocks_of_every_kind_are_found(write: Write) -> None:
    assert bundle(write, "test_slug").mocks == ("@patch('shop.text.clock')", "monkeypatch.setenv('A', '1')")
    assert bundle(write, "test_other").mocks == ("with patch('os.getcwd') as replaced",)
    assert bundle(write, "BasketTest.test_add").mocks == ("@mock.patch.object(Basket, 'clock')",)


def test_assertions_of_every_kind_are_found(write: Write) -> None:
    assert bundle(write, "test_slug").assertions == (
        "assert result == 'a'",
        "clock.assert_called_once_with()",
        "with pytest.raises(ValueError, match='no'):\n    slug(None)",
    )
    assert bundle(write, "BasketTest.test_add").assertions == ("self.assertEqual(len(self.basket), 1)",)


def test_set_up_counts_as_a_fixture_of_a_unittest_class(write: Write) -> None:
    assert bundle(write, "BasketTest.test_add").fixtures == ("def setUp(self):\n    self.basket = Basket('me')",)


def test_used_fixtures_count_though_no_parameter_names_them(write: Write) -> None:
    assert any("def connection" in text for text in bundle(write, "test_other").fixtures)


def test_a_test_is_taken_apart_into_given_when_and_then(write: Write) -> None:
    parts = bundle(write, "test_slug").parts

    assert parts.given("slug") == ("monkeypatch.setenv('A', '1')", "basket = Basket('me')")
    assert parts.when("slug")[0] == "result = slug(text)"


def test_tests_of_a_method_are_found_by_what_they_call(write: Write) -> None:
    root = write(
        {
            "tests/test_text.py": TESTS,
            "tests/test_else.py": "from other import slug\n\ndef test_it():\n    assert slug(1)\n",
        }
    )

    found = bundles_calling("slug", ["text"], index_repository(root))

    assert [(item.file, item.test_name) for item in found] == [(root / "tests/test_text.py", "test_slug")]


def test_a_file_that_cannot_be_parsed_has_no_bundles(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test_a(:\n")

    assert bundles_in(tmp_path / "test_a.py", tmp_path) == []
