"""How a project writes its Python: line length, quotes, test classes or plain functions."""

import configparser
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DEFAULT_LINE_LENGTH = 100
_BLACK_LINE_LENGTH = 88  # the default of black and ruff
_SANE_LINE_LENGTHS = range(60, 321)  # a value outside of it means that the project does not care


@dataclass(frozen=True, slots=True)
class ProjectStyle:
    line_length: int = DEFAULT_LINE_LENGTH
    quote: str = '"'


def style_of(root: Path) -> ProjectStyle:
    """The style that the settings of ruff, black or flake8 in `root` ask for; ours where they are silent."""
    ruff = _ruff_settings(root)
    tool = _table(_toml(root / "pyproject.toml"), "tool")
    black = _table(tool, "black")
    formats = bool(ruff) or "black" in tool
    return ProjectStyle(_line_length(ruff, black, root, formats=formats), _quote(ruff, black))


def _ruff_settings(root: Path) -> dict[str, Any]:
    for name in (".ruff.toml", "ruff.toml"):  # ruff looks at them in this order, and before pyproject.toml
        if (root / name).is_file():
            return _toml(root / name)
    return _table(_toml(root / "pyproject.toml"), "tool", "ruff")


def _line_length(ruff: dict[str, Any], black: dict[str, Any], root: Path, *, formats: bool) -> int:
    for candidate in (ruff.get("line-length"), black.get("line-length"), _flake8_line_length(root)):
        if isinstance(candidate, int) and candidate in _SANE_LINE_LENGTHS:
            return candidate
    return _BLACK_LINE_LENGTH if formats else DEFAULT_LINE_LENGTH


def _quote(ruff: dict[str, Any], black: dict[str, Any]) -> str:
    formatted = _table(ruff, "format").get("quote-style")
    linted = _table(ruff, "lint", "flake8-quotes").get("inline-quotes")
    if "single" in (formatted, linted):
        return "'"
    # Such a project keeps what people type; most of those that ask for it type single quotes.
    return "'" if black.get("skip-string-normalization") is True else '"'


def _flake8_line_length(root: Path) -> int | None:
    for name in (".flake8", "setup.cfg", "tox.ini"):
        parser = configparser.ConfigParser(interpolation=None, strict=False)
        try:
            parser.read(root / name, encoding="utf-8")
            found = parser.get("flake8", "max-line-length", fallback="")
        except (configparser.Error, UnicodeDecodeError, OSError):
            continue  # a broken settings file of another tool is not our concern
        if found.strip().isdecimal():
            return int(found)
    return None


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return {}  # a project without readable settings gets our defaults


def _table(settings: dict[str, Any], *names: str) -> dict[str, Any]:
    for name in names:
        inner = settings.get(name)
        settings = inner if isinstance(inner, dict) else {}
    return settings
