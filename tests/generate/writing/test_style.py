"""The project's own settings decide how its tests look."""

from pathlib import Path

import pytest

from testwright.generate.writing.style import ProjectStyle, style_of


@pytest.mark.parametrize(
    ("name", "settings", "style"),
    [
        pytest.param("pyproject.toml", "[tool.ruff]\nline-length = 120\n", ProjectStyle(120, '"'), id="ruff"),
        pytest.param("pyproject.toml", "[tool.black]\n", ProjectStyle(88, '"'), id="black's own length"),
        pytest.param(
            "pyproject.toml", "[tool.ruff.format]\nquote-style = 'single'\n", ProjectStyle(88, "'"), id="single quotes"
        ),
        pytest.param(
            "pyproject.toml",
            "[tool.black]\nline-length = 79\nskip-string-normalization = true\n",
            ProjectStyle(79, "'"),
            id="black leaves quotes alone",
        ),
        pytest.param("ruff.toml", "line-length = 110\n", ProjectStyle(110, '"'), id="a file of ruff's own"),
        pytest.param("setup.cfg", "[flake8]\nmax-line-length = 99\n", ProjectStyle(99, '"'), id="flake8"),
        pytest.param("pyproject.toml", "[tool.ruff]\nline-length = 1000\n", ProjectStyle(88, '"'), id="no limit meant"),
        pytest.param("pyproject.toml", "[tool", ProjectStyle(100, '"'), id="settings that cannot be read"),
        pytest.param("pyproject.toml", "tool = 3", ProjectStyle(100, '"'), id="settings of another shape"),
        pytest.param("setup.cfg", "max-line-length", ProjectStyle(100, '"'), id="a broken setup.cfg"),
    ],
)
def test_the_style_is_read_from(tmp_path: Path, name: str, settings: str, style: ProjectStyle) -> None:
    (tmp_path / name).write_text(settings, encoding="utf-8")

    assert style_of(tmp_path) == style


def test_a_project_without_settings_gets_ours(tmp_path: Path) -> None:
    assert style_of(tmp_path) == ProjectStyle()
