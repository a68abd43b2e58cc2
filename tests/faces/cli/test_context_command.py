"""`testwright context` tells a person what is known about a target, and a program all of it."""

from pathlib import Path

import pytest

from tests.conftest import CommandLine


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "shop"\n')
    (tmp_path / "src" / "shop").mkdir(parents=True)
    (tmp_path / "src" / "shop" / "__init__.py").touch()
    (tmp_path / "src" / "shop" / "text.py").write_text(
        "LIMIT = 3\n\ndef slug(text: str) -> str:\n    return text[:LIMIT]\n"
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_text.py").write_text(
        "from shop.text import slug\n\ndef test_slug():\n    assert slug('a')\n"
    )
    return tmp_path


def test_a_person_is_told_the_import_the_uses_and_the_tests(testwright: CommandLine, shop: Path) -> None:
    said = testwright("context", "src/shop/text.py::slug")

    assert said.code == 0, said.err
    assert "def slug(text: str) -> str" in said.out
    assert "from shop import text as _under_test" in said.out
    assert "A bootstrap in the tests' conftest.py is needed." in said.out
    assert "const LIMIT" in said.out
    assert "test_text.py::test_slug" in said.out


def test_a_program_is_told_everything(testwright: CommandLine, shop: Path) -> None:
    pack = testwright("context", "src/shop/text.py::slug", "--json").json

    assert pack["target"] == {"module_file": str(shop / "src/shop/text.py"), "object": "slug"}
    assert pack["import_map"]["sys_path_roots"] == [str(shop / "src")]
    assert pack["property_context"]["test_bundles"][0]["test_name"] == "test_slug"
    assert pack["budget"] == {"max_input_tokens": 60000}


def test_what_is_remembered_lies_in_the_projects_own_hidden_folder(testwright: CommandLine, shop: Path) -> None:
    testwright("context", "src/shop/text.py")

    assert (shop / ".testwright" / "cache" / "symbols.db").is_file()
    assert (shop / ".testwright" / ".gitignore").read_text() == "*\n"


def test_a_name_that_is_not_there_is_answered_with_those_near_it(testwright: CommandLine, shop: Path) -> None:
    said = testwright("context", "src/shop/text.py::slgu")

    assert said.code == 2
    assert "[symbol_not_found]" in said.err
    assert "Near it: slug." in said.err


def test_a_file_with_a_syntax_error_is_named_with_its_line(testwright: CommandLine, shop: Path) -> None:
    (shop / "src" / "shop" / "text.py").write_text("def slug(:\n")

    said = testwright("context", "src/shop/text.py")

    assert said.code == 2
    assert "line 1" in said.err
    assert "[invalid_source]" in said.err
