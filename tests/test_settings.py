"""A project's settings, and what is said of wrong ones."""

from pathlib import Path

import pytest

from testwright.isolate.limits import GIB
from testwright.model.errors import InvalidSettings
from testwright.settings import Settings, load_settings


def test_without_a_file_everything_has_its_default(tmp_path: Path) -> None:
    assert load_settings(tmp_path) == Settings()


LINES = "timeout = 5\nmemory = '2G'\nframeworks = ['pytest']\nexclude = ['old/*']\n"
INLINE = "{timeout = 5.0, memory = 2147483648, frameworks = ['pytest'], exclude = ['old/*']}"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("testwright.toml", LINES),
        ("pyproject.toml", f"[tool.testwright]\n{LINES}"),
        ("pyproject.toml", f"[tool]\ntestwright = {INLINE}\n"),
    ],
)
def test_settings_are_read_from_either_file(tmp_path: Path, file: str, text: str) -> None:
    (tmp_path / file).write_text(text)
    assert load_settings(tmp_path) == Settings(timeout=5.0, memory=2 * GIB, frameworks=("pytest",), exclude=("old/*",))


def test_our_own_file_wins_over_the_shared_one(tmp_path: Path) -> None:
    (tmp_path / "testwright.toml").write_text("retries = 2\n")
    (tmp_path / "pyproject.toml").write_text("[tool.testwright]\nretries = 3\n")
    assert load_settings(tmp_path).retries == 2


def test_a_shared_file_that_does_not_speak_of_us_is_not_even_parsed(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("this is [ not TOML")
    assert load_settings(tmp_path) == Settings()


def test_healing_has_settings(tmp_path: Path) -> None:
    (tmp_path / "testwright.toml").write_text("heal = false\nheal-policy = 'fail'\npilot = true\n")

    assert load_settings(tmp_path) == Settings(heal=False, heal_policy="fail", pilot=True)


def test_sessions_and_their_tests_have_settings(tmp_path: Path) -> None:
    (tmp_path / "testwright.toml").write_text(
        "web-framework = 'jest'\nweb-tests = 'e2e'\nbase-url = 'http://127.0.0.1:3000'\n"
        "test-id-attribute = 'data-cy'\nnoise-requests = ['*/beacon']\nnoise-console = ['[HMR]', '/^tick \\d+$/']\n"
        "noise-errors = ['ResizeObserver']\nsecret-names = ['matricule']\nsecret-variables = ['SHOP_PASSWORD']\n"
    )

    assert load_settings(tmp_path) == Settings(
        web_framework="jest",
        web_tests="e2e",
        base_url="http://127.0.0.1:3000",
        test_id_attribute="data-cy",
        noise_requests=("*/beacon",),
        noise_console=("[HMR]", r"/^tick \d+$/"),
        noise_errors=("ResizeObserver",),
        secret_names=("matricule",),
        secret_variables=("SHOP_PASSWORD",),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("timeout = [", "not valid TOML"),
        ("colour = 'red'", "'colour', which is no setting"),
        ("timeout = 0", "timeout"),
        ("timeout = inf", "timeout"),
        ("timeout = true", "timeout"),
        ("timeout = 'soon'", "timeout"),
        ("retries = -1", "retries"),
        ("retries = 1.5", "retries"),
        ("parallel = true", "parallel"),
        ("memory = 'much'", "memory"),
        ("memory = -5", "memory"),
        ("memory = '99999999999T'", "memory"),
        ("store = 5", "store"),
        ("exclude = 'one'", "exclude"),
        ("exclude = [1]", "exclude"),
        ("frameworks = ['mocha']", "mocha"),
        ("heal = 0", "heal"),
        ("heal-policy = 'maybe'", "heal-policy"),
        ("heal_policy = 'fail'", "'heal_policy', which is no setting"),
        ("pilot = 'yes'", "pilot"),
        ("frameworks = ['flutter']", "flutter"),
        ("web-framework = 'cypress'", "web-framework"),
        ("web-tests = '/etc'", "web-tests"),
        ("web-tests = 'tests/../../other'", "web-tests"),
        ("web-tests = 5", "web-tests"),
        ("base-url = 'shop.test'", "base-url"),
        ("base-url = 'file:///etc/passwd'", "base-url"),
        ("base-url = 'http://localhost@evil.test/'", "base-url"),
        ("test-id-attribute = 'data testid'", "test-id-attribute"),
        ("noise-requests = ['']", "noise-requests"),
        ("noise-console = ['/[/']", "noise-console"),
        ("noise-errors = 'ResizeObserver'", "noise-errors"),
        ("secret-names = [' ']", "secret-names"),
        ("secret-variables = ['A B']", "secret-variables"),
    ],
)
def test_a_wrong_setting_is_named_with_its_file(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "testwright.toml").write_text(text)
    with pytest.raises(InvalidSettings) as caught:
        load_settings(tmp_path)
    assert said in caught.value.message
    assert "testwright.toml" in caught.value.message
    assert caught.value.next_step


@pytest.mark.parametrize("text", ["[tool]\ntestwright = 5\n", "tool = 'testwright'\n"])
def test_a_table_that_is_none_is_no_traceback(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    if text.startswith("[tool]"):
        with pytest.raises(InvalidSettings):
            load_settings(tmp_path)
    else:
        assert load_settings(tmp_path) == Settings()


def test_bytes_that_are_no_text_are_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "testwright.toml").write_bytes(b"store = '\xff'\n")
    with pytest.raises(InvalidSettings):
        load_settings(tmp_path)


@pytest.mark.parametrize(
    ("python", "found"),
    [
        pytest.param("", None, id="none is named"),
        pytest.param("python3.12", Path("python3.12"), id="a program"),
        pytest.param("env/bin/python", Path("/project/env/bin/python"), id="in the project"),
        pytest.param("/usr/bin/python3", Path("/usr/bin/python3"), id="anywhere"),
    ],
)
def test_an_interpreter_with_a_folder_is_named_from_the_projects_root(python: str, found: Path | None) -> None:
    assert Settings(python=python).python_at(Path("/project")) == found
