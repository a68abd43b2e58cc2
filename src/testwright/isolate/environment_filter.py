"""The environment of code that was not read yet: what programs need to work, and nothing that opens doors."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

_ALLOWED = (
    "PATH LANG LANGUAGE TZ TERM COLORTERM NO_COLOR FORCE_COLOR COLUMNS LINES CI SOURCE_DATE_EPOCH "
    "VIRTUAL_ENV CONDA_PREFIX PYTHONPATH PYTHONHASHSEED PYTHONUTF8 PYTHONIOENCODING PYTHONWARNINGS LD_LIBRARY_PATH "
    "NODE_PATH NODE_ENV JAVA_HOME PLAYWRIGHT_BROWSERS_PATH"
)
_ALLOWED_PREFIX = "LC_"
_LOOKS_SECRET = re.compile(
    r"token|key|secret|passw|passphrase|credential|auth|cookie|session|private|signature|dsn|_pat$|_pwd$", re.IGNORECASE
)


def looks_secret(name: str) -> bool:
    """Whether a variable of this name is likely to hold what must not leak."""
    return _LOOKS_SECRET.search(name) is not None


def guarded_environment(
    base: Mapping[str, str], home: Path, temp: Path, extra_names: Iterable[str] = ()
) -> dict[str, str]:
    """What `base` holds of the allowed names and `extra_names`, and folders of the child's own.

    A name that looks like a secret's is never let through, not even as one of `extra_names`.
    """
    wanted = {*_ALLOWED.split(), *extra_names}
    kept = {
        name: value
        for name, value in base.items()
        if (name in wanted or name.startswith(_ALLOWED_PREFIX)) and not looks_secret(name)
    }
    return {**kept, **_own_folders(home, temp), "PYTHONDONTWRITEBYTECODE": "1"}


def _own_folders(home: Path, temp: Path) -> dict[str, str]:
    cache = home / ".cache"
    folders = {
        "HOME": home,
        "TMPDIR": temp,
        "TMP": temp,
        "TEMP": temp,
        "XDG_CACHE_HOME": cache,
        "XDG_CONFIG_HOME": home / ".config",
        "XDG_DATA_HOME": home / ".local" / "share",
        "XDG_STATE_HOME": home / ".local" / "state",
        "XDG_RUNTIME_DIR": temp,
        "PIP_CACHE_DIR": cache / "pip",
        "npm_config_cache": cache / "npm",
        "npm_config_userconfig": home / ".npmrc",
        "YARN_CACHE_FOLDER": cache / "yarn",
    }
    return {name: str(folder) for name, folder in folders.items()}
