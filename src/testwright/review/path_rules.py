"""Which names may be read, and which few may be written: a check on the text alone, before any file is touched.

Names are data from strangers: a model, an MCP client, a report. They are read literally: `%2e%2e`,
`$HOME` and `~` are names like any other. What a name leads to on disk (links, pipes, other names of
the same file) is checked by `testwright.review.confined_root`, which asks here first.
"""

import re
import unicodedata
from collections.abc import Iterable
from fnmatch import fnmatchcase

from testwright.model.errors import InvalidPath, PathNotAllowed
from testwright.model.state_folder import STATE_FOLDER
from testwright.model.untrusted_text import visible_line

MAX_PATH_BYTES = 4096
MAX_NAME_BYTES = 255

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_DRIVE_OR_SCHEME = re.compile(r"[A-Za-z]:|[A-Za-z][A-Za-z0-9+.\-]*:/|(?:file|data):", re.IGNORECASE)
_NOT_ON_EVERY_SYSTEM = re.compile(r'[<>:"|?*]')
_RESERVED_DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\..*)?", re.IGNORECASE)
_HIDDEN_FROM_THE_EYE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # a name must look like what it is

# Folders whose files run, or decide what runs, without anybody asking for them. This list shares no set with the walks
# (`model.foreign_folders`): a walk that begins to look into a folder does not open it for writing.
_PROTECTED_FOLDERS = frozenset(
    {
        ".git", "git~1", ".hg", ".svn", STATE_FOLDER, ".ci", ".circleci", ".buildkite", ".woodpecker", ".husky",
        ".vscode", ".idea", ".devcontainer", ".venv", "venv", "node_modules", "site-packages", "__pycache__",
    }
)  # fmt: skip
_PROTECTED_PAIRS = frozenset({(".github", "workflows"), (".gitea", "workflows"), (".forgejo", "workflows")})
_PROTECTED_FILES = (
    "*.pth", "*.pyc", "*.so", "*.pyd", "*.dll", "*.exe", "sitecustomize.py", "usercustomize.py", "setup.py",
    "jenkinsfile", "azure-pipelines.y*ml", "bitbucket-pipelines.y*ml", "appveyor.y*ml", "makefile", "package.json",
    "pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini", "pubspec.yaml",
    ".*",  # dot files are settings: .gitlab-ci.yml, .travis.yml, .pre-commit-config.yaml, .gitattributes, ...
)  # fmt: skip

_TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "__snapshots__", "e2e", "integration_test"})
_PAGE_OBJECT_FOLDERS = frozenset({"page-objects", "page_objects", "pageobjects", "pom"})
_SCRIPTS = ("js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts")
_TEST_FILES = (
    "test_*.py", "*_test.py", "*_test.dart", "*_test.go",
    *(f"*.{word}.{ending}" for word in ("test", "tests", "spec") for ending in _SCRIPTS),
    # Page objects, by names that no web framework gives to pages of the product.
    "*_page.py",
    *(f"*{mark}page.{ending}" for mark in (".", "-", "_") for ending in _SCRIPTS if not ending.endswith("x")),
)  # fmt: skip
_GOLDEN_FOLDER, _GOLDEN_FILE = "testdata", "*.golden"
# These run for every test near them, asked for or not.
_SUPPORT_FILES = ("conftest.py", "*.config.*", "*.setup.*", "global-setup.*", "global-teardown.*")


def normalised_for_reading(path: str) -> str:
    """`path` without `.`, `..` and doubled slashes, or an error that says why it may not be read. `.` is the root."""
    shown = visible_line(path, limit=200)
    if not path:
        raise InvalidPath("The path is empty.", next_step=_FROM_THE_ROOT)
    if _CONTROL.search(path):
        raise InvalidPath(f"'{shown}' has control characters in it.", next_step=_PLAIN_NAME)
    if "\\" in path:
        raise InvalidPath(f"'{shown}' has a backslash in it.", next_step="Write the path with forward slashes.")
    if _DRIVE_OR_SCHEME.match(path):
        raise InvalidPath(f"'{shown}' starts with a drive or a scheme.", next_step=_FROM_THE_ROOT)
    if path.startswith("/"):
        raise PathNotAllowed(f"'{shown}' is an absolute path.", next_step=_FROM_THE_ROOT)
    parts = _without_dots(path.split("/"), shown)
    _check_lengths(parts, shown)
    return "/".join(parts) or "."


def normalised_for_writing(path: str, *, confirmed_support_file: bool = False) -> str:
    """`path` as for reading, if it is also a test file that every system can hold; otherwise an error.

    A support file (a conftest, a runner's set-up) runs for every test near it, so it passes only when
    somebody has confirmed that very file.
    """
    normalised = normalised_for_reading(path)
    if normalised == ".":
        return normalised  # the caller finds a folder there, and says so
    parts = normalised.split("/")
    shown = visible_line(path, limit=200)
    for part in parts:
        _check_writable_name(part, shown)
    folders, name = [part.casefold() for part in parts[:-1]], parts[-1].casefold()
    if _is_protected(folders, name):
        raise PathNotAllowed(
            f"'{shown}' is in a protected place: it could run, or decide what runs, without being asked for.",
            next_step="Testwright writes test files only. Make this change by hand.",
        )
    if not is_test_file(normalised):
        raise PathNotAllowed(
            f"'{shown}' is not a test file by the usual names.",
            next_step="Put it into a tests folder, or name it as a test: test_*.py, *_test.py, *.spec.ts, *.test.ts.",
        )
    if is_support_file(normalised) and not confirmed_support_file:
        raise PathNotAllowed(
            f"'{shown}' is a support file: it runs for every test near it.",
            next_step="Read it with care, and confirm this file a second time.",
        )
    return normalised


def is_test_file(normalised: str) -> bool:
    """True for a file that is a test or a page object by its name, or lies in a folder of them."""
    *folders, name = normalised.casefold().split("/")
    return (
        any(folder in _TEST_FOLDERS | _PAGE_OBJECT_FOLDERS or folder.endswith("-snapshots") for folder in folders)
        or _matches(name, _TEST_FILES)
        or (_GOLDEN_FOLDER in folders and fnmatchcase(name, _GOLDEN_FILE))
        or name == "conftest.py"
    )


def is_support_file(normalised: str) -> bool:
    """True for a file that runs for every test near it, and so needs a second confirmation."""
    return _matches(normalised.casefold().rsplit("/", 1)[-1], _SUPPORT_FILES)


_FROM_THE_ROOT = "Give the path from the project's root, like tests/test_login.py."
_PLAIN_NAME = "Give the file a plain name."


def _without_dots(parts: Iterable[str], shown: str) -> list[str]:
    kept: list[str] = []
    for part in parts:
        if part == "..":
            if not kept:  # leaving and coming back is refused too: what lies outside is not shown
                raise PathNotAllowed(f"'{shown}' leaves the project.", next_step=_FROM_THE_ROOT)
            kept.pop()
        elif part not in {"", "."}:
            kept.append(part)
    return kept


def _check_lengths(parts: list[str], shown: str) -> None:
    try:
        sizes = [len(part.encode("utf-8", "surrogateescape")) for part in parts]
    except UnicodeEncodeError:
        raise InvalidPath(f"'{shown}' cannot be a file's name here.", next_step=_PLAIN_NAME) from None
    if sum(sizes) + len(sizes) > MAX_PATH_BYTES or max(sizes, default=0) > MAX_NAME_BYTES:
        raise InvalidPath(f"'{shown}' is too long for a path.", next_step="Give the file a shorter name.")


def _check_writable_name(part: str, shown: str) -> None:
    if any(unicodedata.category(character) in _HIDDEN_FROM_THE_EYE for character in part):
        raise InvalidPath(f"'{shown}' has invisible characters in it.", next_step=_PLAIN_NAME)
    if _NOT_ON_EVERY_SYSTEM.search(part):
        raise InvalidPath(f"'{shown}' has a character that other systems refuse.", next_step=_PLAIN_NAME)
    if part.endswith((".", " ")):
        raise InvalidPath(f"'{shown}' has a name that ends with a dot or a space.", next_step=_PLAIN_NAME)
    if _RESERVED_DEVICE.fullmatch(part):
        raise InvalidPath(f"'{shown}' is a device on some systems.", next_step="Choose another name.")


def _is_protected(folders: list[str], name: str) -> bool:
    return (
        not _PROTECTED_FOLDERS.isdisjoint([*folders, name])
        or any(pair in _PROTECTED_PAIRS for pair in zip(folders, [*folders[1:], name], strict=False))
        or _matches(name, _PROTECTED_FILES)
    )


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
