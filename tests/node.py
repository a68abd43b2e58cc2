"""What the JavaScript frameworks need: Node.js, their packages, a browser."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from filelock import FileLock

from testwright.run.external_programs import find_chromium

_PACKAGES = Path(__file__).parent / "js"
_LOCKED = ("package.json", "package-lock.json", ".npmrc")


def _missing(what: str) -> str:
    if os.environ.get("CI"):
        pytest.fail(f"{what}, and on CI nothing may be left out")
    pytest.skip(what)


@pytest.fixture(scope="session")
def node() -> str:
    return shutil.which("node") or _missing("there is no node on the PATH")


@pytest.fixture(scope="session")
def node_modules(node: str) -> Path:
    """The packages of tests/js, installed once for each lock file and Node version."""
    npm = shutil.which("npm") or _missing("there is no npm on the PATH")
    version = subprocess.run([node, "--version"], capture_output=True, check=True).stdout
    digest = hashlib.sha256(version + b"".join((_PACKAGES / name).read_bytes() for name in _LOCKED)).hexdigest()[:16]
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "testwright-tests"
    caches.mkdir(parents=True, exist_ok=True)
    folder = caches / f"js-{digest}"
    with FileLock(caches / f"js-{digest}.lock"):
        if not (folder / ".ok").exists():
            _install(npm, folder)
    return folder / "node_modules"


def _install(npm: str, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name in _LOCKED:
        shutil.copy(_PACKAGES / name, folder / name)
    command = [npm, "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"]
    env = {**os.environ, "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        _missing(f"npm could not install the packages of tests/js: {done.stderr[-500:]}")
    (folder / ".ok").touch()


@pytest.fixture(scope="session")
def chromium() -> str:
    found = find_chromium(os.environ)
    return str(found) if found else _missing("there is no Chromium: set TESTWRIGHT_CHROMIUM or put one on the PATH")
