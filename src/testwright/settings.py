"""A project's settings: `testwright.toml`, or `[tool.testwright]` in `pyproject.toml`. Every one has a default."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testwright.isolate.limits import GIB, parse_size
from testwright.model.case import RUNNABLE, WebFramework
from testwright.model.errors import InvalidSettings
from testwright.model.state_folder import STATE_FOLDER, STORE_FILE

_MOST_BYTES = 1 << 62  # what the kernel takes for a limit
HEAL_POLICIES = ("pass", "fail")
OWN_FILE, SHARED_FILE = "testwright.toml", "pyproject.toml"
_HEAL_SWITCHES = ("TESTWRIGHT_AUTO_HEAL", "KODER_TEST_AUTO_HEAL")  # "0" in one of them switches healing off

_ADDRESS = re.compile(r"https?://[^\s/@?#\\]+(?:[/?#][^\s]*)?", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]*")
_REGEX = re.compile(r"/(.+)/i?", re.DOTALL)  # between slashes, as in JavaScript; anything else is plain text
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Settings:
    store: str = f"{STATE_FOLDER}/{STORE_FILE}"  # a file from the project's root, or a postgresql:// URL
    python: str = ""  # the interpreter, or environment folder, for Python tests; empty: found
    timeout: float | None = None  # seconds for each test; None: its runner's limit, else the default of `run`
    memory: int = 4 * GIB  # bytes for each process of a test; 0: no limit
    output: int = 256 << 20  # bytes that a runner may print
    parallel: int = 0  # tests at a time; 0: what each runner does by itself
    retries: int = 0
    frameworks: tuple[str, ...] = ()  # empty: all that are found
    exclude: tuple[str, ...] = ()  # globs on file names from the project's root
    heal: bool = True  # look for lost elements when a browser test fails
    heal_policy: str = "pass"  # what a run comes to whose tests passed with a heal: `pass`, or `fail` to be strict
    pilot: bool = False  # may a heal be written, or a recorded browser be driven, without a person: docs/healing.md
    web_framework: str = WebFramework.PLAYWRIGHT.value  # what tests of a session are written for
    web_tests: str = ""  # the folder for them, from the project's root; empty: where the project keeps such tests
    base_url: str = ""  # where the application is when such a test runs; empty: where it was recorded
    test_id_attribute: str = ""  # empty: what the project's Playwright settings say, else data-testid
    noise_requests: tuple[str, ...] = ()  # addresses to leave out of a session, as globs
    noise_console: tuple[str, ...] = ()  # console lines to leave out, by a part of their text or a /regex/
    noise_errors: tuple[str, ...] = ()  # the same for errors
    secret_names: tuple[str, ...] = ()  # more words that mean a secret, such as "matricule"
    secret_variables: tuple[str, ...] = ()  # environment variables whose values are secrets

    def python_at(self, root: Path) -> Path | None:
        """What `python` names, for the project at `root`; None: the interpreter has to be found."""
        if not self.python:
            return None
        return root / self.python if "/" in self.python else Path(self.python)


def is_healing_switched_off(env: Mapping[str, str]) -> bool:
    """Whether the environment says so, over the settings."""
    return any(env.get(name) == "0" for name in _HEAL_SWITCHES)


def load_settings(root: Path) -> Settings:
    """The settings of the project at `root`. Raises InvalidSettings, naming the file and the setting."""
    own, shared = root / OWN_FILE, root / SHARED_FILE
    if own.is_file():
        return checked_settings(_parsed(own), own)
    if shared.is_file() and b"testwright" in _content(shared):
        tools = _parsed(shared).get("tool", {})
        return checked_settings(tools.get("testwright", {}) if isinstance(tools, dict) else {}, shared)
    return Settings()


def setting_names() -> tuple[str, ...]:
    """All settings, as a file spells them."""
    return tuple(_READERS)


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InvalidSettings(
            f"{file} cannot be read: {error.strerror}.", next_step="Check its permissions, or remove it."
        ) from error


def _parsed(file: Path) -> dict[str, Any]:
    import tomllib  # late: start-up: most projects have no settings

    try:
        return tomllib.loads(_content(file).decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidSettings(f"{file} is not valid TOML: {error}.", next_step="Mend it, or remove it.") from error


def checked_settings(given: object, file: Path) -> Settings:
    """What a table of settings says. `file` is only for the message of InvalidSettings."""
    if not isinstance(given, dict):
        raise InvalidSettings(
            f"{file}: `testwright` must be a table of settings.", next_step="Write [tool.testwright]."
        )
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in _READERS:
            known = ", ".join(_READERS)
            raise InvalidSettings(
                f"{file} sets {name!r}, which is no setting.", next_step=f"The settings are: {known}."
            )
        try:
            values[name.replace("-", "_")] = _READERS[name](value)
        except (TypeError, ValueError) as error:
            raise InvalidSettings(
                f"{file} sets {name} to {value!r}: {error}.", next_step="Mend the value, or leave the setting out."
            ) from error
    return Settings(**values)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("it must be a text")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError("it must be a list of texts")
    return tuple(_text(item) for item in value)


def _frameworks(value: object) -> tuple[str, ...]:
    known = [str(framework) for framework in RUNNABLE]
    for name in _texts(value):
        if name not in known:
            raise ValueError(f"{name!r} is none of {', '.join(known)}")
    return _texts(value)


def _size(value: object) -> int:
    size = parse_size(str(value))
    if size > _MOST_BYTES:
        raise ValueError("no machine has that much")
    return size


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("it must be true or false")
    return value


def _policy(value: object) -> str:
    if value not in HEAL_POLICIES:
        raise ValueError(f"it must be {' or '.join(HEAL_POLICIES)}")
    return str(value)


def _web_framework(value: object) -> str:
    if value not in list(WebFramework):
        raise ValueError(f"it must be one of {', '.join(WebFramework)}")
    return str(value)


def _folder_inside(value: object) -> str:
    parts = _text(value).split("/")
    if (parts[0] == "" and value) or ".." in parts or any(char in _text(value) for char in "\\\0\n\r"):
        raise ValueError("it must be a folder of the project, named from its root")
    return _text(value)


def _address(value: object) -> str:
    if value and not _ADDRESS.fullmatch(_text(value)):
        raise ValueError("it must begin with http:// or https:// and name a host, without a user or password")
    return _text(value)


def _attribute(value: object) -> str:
    if value and not _ATTRIBUTE.fullmatch(_text(value)):
        raise ValueError("it must be the name of an attribute, such as data-testid")
    return _text(value)


def _filled_texts(value: object) -> tuple[str, ...]:
    if any(not text.strip() for text in _texts(value)):
        raise ValueError("an empty text would match everything")
    return _texts(value)


def _patterns(value: object) -> tuple[str, ...]:
    for text in _filled_texts(value):
        if written := _REGEX.fullmatch(text):
            try:
                re.compile(written[1])
            except re.error as error:
                raise ValueError(f"{text} is no regular expression: {error}") from error
    return _texts(value)


def _variables(value: object) -> tuple[str, ...]:
    for name in _texts(value):
        if not _VARIABLE.fullmatch(name):
            raise ValueError(f"{name!r} is no name of an environment variable")
    return _texts(value)


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("it must be a whole number, 0 or more")
    return value


def _seconds(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < float("inf"):
        raise ValueError("it must be a number of seconds above 0")
    return float(value)


_READERS: dict[str, Callable[[object], object]] = {
    "store": _text,
    "python": _text,
    "timeout": _seconds,
    "memory": _size,
    "output": _size,
    "parallel": _whole,
    "retries": _whole,
    "frameworks": _frameworks,
    "exclude": _texts,
    "heal": _switch,
    "heal-policy": _policy,
    "pilot": _switch,
    "web-framework": _web_framework,
    "web-tests": _folder_inside,
    "base-url": _address,
    "test-id-attribute": _attribute,
    "noise-requests": _filled_texts,
    "noise-console": _patterns,
    "noise-errors": _patterns,
    "secret-names": _filled_texts,
    "secret-variables": _variables,
}
