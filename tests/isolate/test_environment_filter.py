"""A guarded child's environment holds what programs need, and nothing that opens doors."""

import os
from pathlib import Path

import pytest

from testwright.isolate.sandbox import guarded_environment, looks_secret

HOME, TEMP = Path("/private/home"), Path("/private/temp")


def _guarded(base: dict[str, str], *extra: str) -> dict[str, str]:
    return guarded_environment(base, HOME, TEMP, extra)


def test_what_programs_need_is_passed_on() -> None:
    base = {"PATH": "/usr/bin", "LANG": "de_DE.UTF-8", "LC_TIME": "C", "TZ": "UTC", "PYTHONHASHSEED": "7"}
    assert base.items() <= _guarded(base).items()


def test_anything_else_is_not() -> None:
    base = {"SSH_AUTH_SOCK": "/s", "HTTP_PROXY": "http://p", "AWS_PROFILE": "x", "DATABASE_URL": "y", "FOO": "z"}
    assert not base.keys() & _guarded(base).keys()


@pytest.mark.parametrize(
    "name", ["GITHUB_TOKEN", "API_KEY", "aws_secret_access_key", "DB_PASSWORD", "LC_TOKEN", "SSH_AUTH_SOCK", "MY_PAT"]
)
def test_a_name_that_looks_secret_is_never_passed_on(name: str) -> None:
    assert looks_secret(name)
    assert name not in _guarded({name: "x"}, name)


def test_a_name_the_user_adds_is_passed_on() -> None:
    assert _guarded({"DJANGO_SETTINGS_MODULE": "s", "OTHER": "o"}, "DJANGO_SETTINGS_MODULE")["DJANGO_SETTINGS_MODULE"]


def test_home_temp_and_caches_are_the_childs_own_for_any_of_ours() -> None:
    env = _guarded({"HOME": "/home/ann", "TMPDIR": "/tmp/ann", "XDG_CACHE_HOME": "/home/ann/.cache"})
    assert (env["HOME"], env["TMPDIR"]) == (str(HOME), str(TEMP))
    assert all(
        value.startswith("/private/")
        for name, value in env.items()
        if name.startswith(("XDG_", "npm_", "PIP_", "YARN_"))
    )


def test_none_of_our_own_variables_with_token_or_key_in_its_name_is_let_through() -> None:
    planted = {**os.environ, "TOKEN": "1", "KEY": "2", "LC_KEY": "3", "PYTHON_TOKEN": "4"}
    assert [name for name in _guarded(planted) if "TOKEN" in name.upper() or "KEY" in name.upper()] == []
