"""`testwright demo` tells the story of what really happened."""

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
    assert "python-package/tests/test_labels.py begins so:" in said.out


def test_a_folder_without_examples_is_named_with_the_way_out(testwright: CommandLine, tmp_path: Path) -> None:
    said = testwright("demo", "--examples", str(tmp_path / "nowhere"))

    assert said.code == 2
    assert "--examples DIR" in said.err
