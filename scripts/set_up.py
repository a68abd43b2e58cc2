"""Make this checkout ready: environment, browser, Node packages, PostgreSQL, Go. Used by the Makefile.

Standard library only, so that any Python 3.11 can start it. What is there already is kept; what can be
installed without asking for rights is installed; for the rest it says what to do and stops.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / ".testwright-set-up"
REQUIREMENTS = ROOT / "requirements" / "dev.txt"
GO_PACKAGES = Path("/usr/share/gocode/src")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NODE_PROJECTS = ("examples/web-shop",)  # the tests install theirs themselves, into a cache


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("purpose", choices=["demo", "test", "lint"])
    purpose = parser.parse_args().purpose
    if sys.version_info < (3, 11):
        found = sys.version.split()[0]
        return stop(f"Testwright needs Python 3.11 or newer; this is {found}. Try: make PYTHON=python3.12 {purpose}")
    environment()
    bytecode()
    if purpose != "lint":
        browser()
        node()
    if purpose == "test":
        postgresql()
        go()
        bubblewrap()
    return 0


def environment() -> None:
    """The virtual environment, with exactly the locked packages."""
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes() + (ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if PYTHON.exists() and STAMP.exists() and STAMP.read_text() == wanted:
        return
    if not PYTHON.exists():
        say("making .venv")
        if run([sys.executable, "-m", "venv", str(VENV)], check=False) != 0:
            shutil.rmtree(VENV, ignore_errors=True)
            debian("python3-venv", why="Python's venv module")
            run([sys.executable, "-m", "venv", str(VENV)])
    say("installing packages")
    if run([str(PYTHON), "-c", "import pip"], check=False) != 0:  # an environment made by uv
        run([str(PYTHON), "-m", "ensurepip", "--upgrade"])
    pip = [str(PYTHON), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    packages = ["-r", str(REQUIREMENTS)]
    run([*pip, "uv"], check=False)
    # uv is many times faster, but does not read pip's configuration: where it cannot reach a registry, pip may.
    uv = [str(VENV / "bin" / "uv"), "pip", "install", "--quiet", "--compile-bytecode", "--python", str(PYTHON)]
    if not (VENV / "bin" / "uv").exists() or run([*uv, *packages], check=False) != 0:
        run([*pip, *packages])
    run([*pip, "--no-deps", "-e", str(ROOT)])
    STAMP.write_text(wanted)


def bytecode() -> None:
    """Compile what Python would compile at first use anyway: where it may not write, it would do so at every start."""
    run([str(PYTHON), "-m", "compileall", "-q", str(ROOT / "src")])


def browser() -> None:
    named = os.environ.get("TESTWRIGHT_CHROMIUM")
    if named and not Path(named).is_file():
        raise SystemExit(stop(f"TESTWRIGHT_CHROMIUM names {named}, which is not there."))
    if not named and not any(shutil.which(name) for name in BROWSERS) and not downloaded_browser():
        debian("chromium", why="a Chromium browser", otherwise="or set TESTWRIGHT_CHROMIUM to one")


def downloaded_browser() -> bool:
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache" / "ms-playwright"))
    return any(cache.glob("chromium-*/chrome-linux*/chrome"))


def node() -> None:
    if not shutil.which("node") or not shutil.which("npm"):
        debian("nodejs", "npm", why="Node.js with npm")
    for name in NODE_PROJECTS:
        install_node_packages(ROOT / name)


def install_node_packages(folder: Path) -> None:
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    wanted = hashlib.sha256((folder / "package-lock.json").read_bytes() + version.encode()).hexdigest()
    stamp = folder / "node_modules" / ".testwright-set-up"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    say(f"installing Node packages in {folder.relative_to(ROOT)}")
    env = {**os.environ, "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1"}
    command = ["npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(command, cwd=folder, env=env, check=True)
    stamp.write_text(wanted)


def postgresql() -> None:
    if not shutil.which("initdb") and not any(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        debian("postgresql", why="the PostgreSQL server programs")


def go() -> None:
    """Go, and the Bubble Tea packages of Debian: golden screens are healed from what a real program draws."""
    if not shutil.which("go") or not (GO_PACKAGES / "github.com" / "charmbracelet" / "bubbletea").is_dir():
        charm = "golang-github-charmbracelet"
        debian("golang-go", f"{charm}-bubbletea-dev", f"{charm}-lipgloss-dev", why="Go with Bubble Tea and Lip Gloss")


def bubblewrap() -> None:
    """The strongest isolation, tested where it can be had; Testwright works without it, and its tests say so."""
    if not shutil.which("bwrap") and os.geteuid() == 0 and shutil.which("apt-get"):
        debian("bubblewrap", why="bubblewrap")


def debian(*packages: str, why: str, otherwise: str = "") -> None:
    """Install Debian packages where that is possible without asking; say what to do where it is not."""
    command = f"apt-get install {' '.join(packages)}"
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        hint = f" ({otherwise})" if otherwise else ""
        raise SystemExit(
            stop(f"{why} is missing. Install it, on Debian or Ubuntu with: sudo {command}{hint}, then try again.")
        )
    say(f"installing {', '.join(packages)}")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    if (
        subprocess.run(["apt-get", "install", "-qq", "-y", *packages], env=env, stdout=subprocess.DEVNULL).returncode
        != 0
    ):
        subprocess.run(["apt-get", "update", "-qq"], env=env, check=True)
        subprocess.run(["apt-get", "install", "-qq", "-y", *packages], env=env, check=True, stdout=subprocess.DEVNULL)


def run(command: list[str], *, check: bool = True) -> int:
    code = subprocess.run(command, cwd=ROOT).returncode
    if check and code != 0:
        raise SystemExit(stop(f"this failed with {code}: {' '.join(command)}"))
    return code


def say(text: str) -> None:
    print(f"set-up: {text}", flush=True)


def stop(text: str) -> int:
    print(f"set-up: {text}", file=sys.stderr)
    return 3


if __name__ == "__main__":
    sys.exit(main())
