"""A name is read literally, may not lead out of the project, and may be written only if it is a test's."""

import pytest

from testwright.model.errors import InvalidPath, PathNotAllowed, TestwrightError
from testwright.model.state_folder import STATE_FOLDER
from testwright.review.path_rules import is_support_file, is_test_file, normalised_for_reading, normalised_for_writing

REFUSED_FOR_READING = [
    ("", InvalidPath),
    ("tests/a.py\0.png", InvalidPath),
    ("tests/a\n.py", InvalidPath),
    ("tests/a\x1b[2J.py", InvalidPath),
    ("tests/a\x85.py", InvalidPath),
    ("\\\\server\\share\\x.py", InvalidPath),
    ("tests\\a.py", InvalidPath),
    ("C:/Windows/win.ini", InvalidPath),
    ("c:tests/a.py", InvalidPath),
    ("file:///etc/passwd", InvalidPath),
    ("FILE:etc/passwd", InvalidPath),
    ("https://example.com/test_a.py", InvalidPath),
    ("tests/" + "a" * 300 + ".py", InvalidPath),
    ("tests/" * 1000 + "a.py", InvalidPath),
    ("tests/\ud800.py", InvalidPath),
    ("/etc/passwd", PathNotAllowed),
    ("//server/share/x.py", PathNotAllowed),
    ("..", PathNotAllowed),
    ("../../../etc/passwd", PathNotAllowed),
    ("../proj-evil/s.py", PathNotAllowed),
    ("tests/../../proj/tests/x.py", PathNotAllowed),
]

REFUSED_FOR_WRITING = [
    *REFUSED_FOR_READING,
    ("tests/CON.py", InvalidPath),
    ("tests/nul", InvalidPath),
    ("tests/com1.test.ts", InvalidPath),
    ("tests/LPT9 .py", InvalidPath),
    ("AUX/test_a.py", InvalidPath),
    ("tests/a.py. ", InvalidPath),
    ("tests/a.py.", InvalidPath),
    ("tests /test_a.py", InvalidPath),
    ("tests/a.py:stream", InvalidPath),
    ("tests/what?.py", InvalidPath),
    ("tests/yp.\u202egro_tset.py", InvalidPath),
    ("tests/te\u200bst_a.py", InvalidPath),
    ("tests/test_\udcff.py", InvalidPath),
    (".git/hooks/pre-commit", PathNotAllowed),
    (".GIT/hooks/test_a.py", PathNotAllowed),
    ("vendor/.git/tests/test_a.py", PathNotAllowed),
    ("GIT~1/hooks/test_a.py", PathNotAllowed),
    (".git", PathNotAllowed),
    (".github/workflows/test_ci.py", PathNotAllowed),
    (".github/workflows/tests.yml", PathNotAllowed),
    (".gitlab-ci.yml", PathNotAllowed),
    ("tests/.gitlab-ci.yml", PathNotAllowed),
    (".ci/tests/test_a.py", PathNotAllowed),
    (".circleci/tests/config.yml", PathNotAllowed),
    (".testwright/tests/test_a.py", PathNotAllowed),
    (".testwright/testwright.db", PathNotAllowed),
    ("azure-pipelines.yml", PathNotAllowed),
    ("tests/Jenkinsfile", PathNotAllowed),
    ("tests/evil.pth", PathNotAllowed),
    ("tests/EVIL.PTH", PathNotAllowed),
    ("tests/sitecustomize.py", PathNotAllowed),
    ("tests/package.json", PathNotAllowed),
    ("tests/pytest.ini", PathNotAllowed),
    ("node_modules/pkg/tests/a.test.js", PathNotAllowed),
    ("src/app.py", PathNotAllowed),
    ("README.md", PathNotAllowed),
    ("latest/app.py", PathNotAllowed),
    ("contest.py", PathNotAllowed),
    ("openapi.spec.yaml", PathNotAllowed),
    ("src/testdata/app.py", PathNotAllowed),
    ("conftest.py", PathNotAllowed),
    ("tests/unit/conftest.py", PathNotAllowed),
    ("tests/CONFTEST.PY", PathNotAllowed),
    ("e2e/playwright.config.ts", PathNotAllowed),
    ("tests/global-setup.ts", PathNotAllowed),
]

WRITABLE = [
    "tests/test_a.py",
    "tests/deep/er/cases.py",
    "test/widget_test.dart",
    "lib/src/counter_test.dart",
    "pkg/server_test.go",
    "src/app/test_views.py",
    "src/app/views_test.py",
    "web/login.spec.ts",
    "web/Button.test.tsx",
    "web/__tests__/button.js",
    "web/__tests__/__snapshots__/button.js.snap",
    "web/login.spec.ts-snapshots/page.png",
    "tests/greeting.tests.mjs",
    "pkg/testdata/render.golden",
    "tests/café.py",
    "tests/[id].spec.ts",
    "tests/with space.py",
    "tests/console.py",
    "tests/communication.py",
]


@pytest.mark.parametrize(("path", "error"), REFUSED_FOR_READING)
def test_a_name_that_no_project_has_is_refused_for_reading(path: str, error: type[TestwrightError]) -> None:
    with pytest.raises(error) as raised:
        normalised_for_reading(path)
    assert raised.value.next_step
    assert raised.value.message.isprintable()


@pytest.mark.parametrize(("path", "error"), REFUSED_FOR_WRITING)
def test_a_name_that_is_not_clearly_a_test_is_refused_for_writing(path: str, error: type[TestwrightError]) -> None:
    with pytest.raises(error) as raised:
        normalised_for_writing(path)
    assert raised.value.next_step
    assert raised.value.message.isprintable()


@pytest.mark.parametrize(
    "path", ["pages/shop_page.py", "pages/login.page.ts", "page-objects/cart.ts", "pom/Checkout.ts"]
)
def test_a_page_object_may_be_written(path: str) -> None:
    assert normalised_for_writing(path) == path


@pytest.mark.parametrize("path", ["app/page.tsx", "pages/index.tsx", "pages/home.js", "src/HomePage.tsx"])
def test_a_page_of_the_product_may_not(path: str) -> None:
    with pytest.raises(PathNotAllowed):
        normalised_for_writing(path)


@pytest.mark.parametrize("path", WRITABLE)
def test_a_test_by_the_usual_names_may_be_written(path: str) -> None:
    assert normalised_for_writing(path) == path
    assert is_test_file(path)


@pytest.mark.parametrize(
    ("path", "normalised"),
    [
        ("tests/../tests/x.py", "tests/x.py"),
        ("./tests//x.py", "tests/x.py"),
        ("a/b/../../tests/x.py", "tests/x.py"),
        ("tests/x.py/", "tests/x.py"),
        ("tests/..", "."),
        (".", "."),
    ],
)
def test_dots_and_doubled_slashes_are_taken_out(path: str, normalised: str) -> None:
    assert normalised_for_reading(path) == normalised
    assert normalised_for_writing(path) == normalised


@pytest.mark.parametrize(
    "path", ["tests/%2e%2e/%2e%2e/etc/passwd", "$HOME/.aws/credentials", "~/secrets", "tests/...", "src/app.py"]
)
def test_what_looks_like_a_trick_is_only_a_name_to_read(path: str) -> None:
    assert normalised_for_reading(path) == path


@pytest.mark.parametrize("path", ["conftest.py", "tests/conftest.py", "e2e/playwright.config.ts"])
def test_a_support_file_may_be_written_once_it_is_confirmed(path: str) -> None:
    assert is_support_file(path)
    assert normalised_for_writing(path, confirmed_support_file=True) == path


@pytest.mark.parametrize("path", ["tests/evil.pth", ".git/conftest.py", "src/app.py", "playwright.config.ts"])
def test_a_confirmation_opens_nothing_but_support_files(path: str) -> None:
    with pytest.raises(PathNotAllowed):
        normalised_for_writing(path, confirmed_support_file=True)


# Spelled out: this list is a promise about a user's files, and no list of another room may shorten it.
@pytest.mark.parametrize(
    "folder",
    [
        ".git", "git~1", ".hg", ".svn", ".testwright", ".ci", ".circleci", ".buildkite", ".woodpecker", ".husky",
        ".vscode", ".idea", ".devcontainer", ".venv", "venv", "node_modules", "site-packages", "__pycache__",
        ".github/workflows", ".gitea/workflows", ".forgejo/workflows", STATE_FOLDER,
    ],
)  # fmt: skip
def test_no_test_is_written_into_a_protected_folder(folder: str) -> None:
    with pytest.raises(PathNotAllowed, match="protected place"):
        normalised_for_writing(f"{folder}/tests/test_a.py")
