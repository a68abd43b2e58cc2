"""Secrets that a project already has on this machine: in its .env files, and in variables that the user named."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from testwright.masking.name_grades import grade
from testwright.masking.value_looks import REPLACEABLE_LENGTH, is_identifier, is_random, is_secret_value, is_stand_in

_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=\s*(.*)$")
_CREDENTIALS = re.compile(r"^[a-z][a-z0-9+.-]*://[^\s/:@]*:([^\s/@]+)@")
_NOT_FILLED_IN = ("example", "sample", "template", "dist", "defaults")
_LARGEST_FILE = 256 * 1024


def known_secrets(root: Path, env: Mapping[str, str], names: Iterable[str]) -> Mapping[str, str]:
    """Values by the names they have there. Values that are not secrets by name or look (PORT=3000) are left out."""
    found: dict[str, str] = {}
    for file in sorted(root.glob(".env*")):
        if not file.name.endswith(_NOT_FILLED_IN):
            for name, value in _read(file).items():
                if secret := _secret_part(name, value):
                    found[name if found.get(name, secret) == secret else f"{name}_{file.name.lstrip('.')}"] = secret
    for name in names:  # the user named them: any value counts
        if len(env.get(name, "")) >= REPLACEABLE_LENGTH:
            found[name] = env[name]
    return found


def _secret_part(name: str, value: str) -> str:
    if match := _CREDENTIALS.match(value):
        value = match[1]
    elif not is_secret_value(value, grade(name)):
        by_look = is_random(value, least=20) and not is_identifier(value) and "://" not in value
        if not by_look:
            return ""
    return value if len(value) >= REPLACEABLE_LENGTH and not is_stand_in(value) else ""


def _read(file: Path) -> dict[str, str]:
    try:
        if not file.is_file() or file.stat().st_size > _LARGEST_FILE:
            return {}
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}  # not ours to read, so nothing of it can be in a page either
    return parse_env(text)


def parse_env(text: str) -> dict[str, str]:
    """The variables of a .env file: quotes, `export`, comments and values over several lines are understood."""
    found: dict[str, str] = {}
    lines = iter(text.splitlines())
    for line in lines:
        match = _LINE.match(line)
        if not match or line.lstrip().startswith("#"):
            continue
        name, value = match[1], match[2]
        quote = value[:1]
        if quote in {'"', "'", "`"}:
            value = value[1:]
            while quote not in value and (more := next(lines, None)) is not None:
                value = f"{value}\n{more}"
            value = value.partition(quote)[0]
            value = value.replace("\\n", "\n") if quote == '"' else value
        else:
            value = re.split(r"\s#", value, maxsplit=1)[0].strip()
        found[name] = value
    return found
