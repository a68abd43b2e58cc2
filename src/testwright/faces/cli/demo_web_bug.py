"""The demo's chapter on recording: a bug is met in a browser, and becomes a test that proves it."""

import json
import os
import shlex
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from testwright.faces.cli.demo_terminal import run_quietly, say, show_and_run
from testwright.isolate.child import Child
from testwright.isolate.command import Command
from testwright.model.errors import ExitCode, PageUnreachable
from testwright.model.proposal import ProposalKind, ProposalStatus
from testwright.model.untrusted_text import visible_line
from testwright.pipeline.web.trial_runner import answers_at
from testwright.run.external_programs import find_chromium
from testwright.settings import load_settings
from testwright.wiring import open_review

SHOP = "web-bugs"
_PACKAGES = "../web-shop/node_modules"  # Playwright is there already
_BUG, _BUTTON = "null-profile", "Show my profile"
_STEPS = "steps.json"
_ADDRESS_VARIABLE = "BASE_URL"  # where generated tests look for the application
_CONFIG = """\
import {{ defineConfig }} from '@playwright/test';

export default defineConfig({{
  testDir: 'tests',
  reporter: 'list',
  // Playwright's own browser, unless you name another one.
  use: {{ launchOptions: {{ executablePath: process.env.TESTWRIGHT_CHROMIUM || undefined }} }},
  webServer: {{ command: {command}, url: {address}, reuseExistingServer: true }},
}});
"""
_SECONDS_TO_OPEN = 20.0
_PAUSE_SECONDS = 0.05
_MOST_SHOWN = 500  # bytes of an answer


def show_web_bug(examples: Path) -> int:
    """Record, generate, and see the guard turn green on the fixed shop; or say why that cannot be done here."""
    project = examples / SHOP
    say("\nTests can also come from a browser in which something broke.\n")
    if (reason := _missing(project)) != "":
        say(f"Not shown here: {reason}\n")
        return ExitCode.OK
    os.environ.pop(_ADDRESS_VARIABLE, None)  # it may name another application
    with ExitStack() as shops:
        shop = shops.enter_context(_open_shop(project))
        _prepare(project, shop)
        code = _show_proof(project, shop)
        guards = _guards_that_wait(project) if code == ExitCode.OK else []
        if not guards:
            say("\nThat bug should have been proven: the lines above say what was seen instead.\n")
            return code or ExitCode.FAILURES
        say("\nYou would read it first; the demo says yes:\n\n")
        code = show_and_run(project, "review", "accept", guards[0][0])
        _show_test(project, guards[0][1])
        fixed = shops.enter_context(_open_shop(project, "--fixed", _BUG))
        return code or _show_fixed_shop(project, fixed)


def _missing(project: Path) -> str:
    """What this machine lacks for the chapter, in words; empty where nothing does."""
    if not (project / "server.py").is_file():
        return f"there is no {SHOP} among these examples."
    if find_chromium(os.environ) is None:
        return "no Chromium was found; `testwright doctor` says how to get one."
    if find_spec("playwright") is None:
        return "recording needs Playwright for Python: pip install 'testwright[browser]'"
    if not (project / _PACKAGES / "@playwright" / "test").exists():
        return "Playwright Test is not installed: npm ci --prefix web-shop, in a kept demo."
    return ""


def _prepare(project: Path, shop: str) -> None:
    """Make the shop a project with Playwright tests; what it has of its own stays."""
    if not (project / "node_modules").exists():
        (project / "node_modules").symlink_to(_PACKAGES)
    server = shlex.join([sys.executable, "server.py", "--port", shop.rpartition(":")[2]])
    config = _CONFIG.format(command=json.dumps(server), address=json.dumps(shop))
    (project / "playwright.config.ts").write_text(config, encoding="utf-8")
    steps = [{"do": "click", "selector": f'role=button[name="{_BUTTON}"]'}]
    (project / _STEPS).write_text(json.dumps(steps), encoding="utf-8")


def _show_proof(project: Path, shop: str) -> int:
    say(f"The corner shop has ten bugs. A new customer chooses {_BUTTON!r}. You would click; here a script does:\n\n")
    url = f"{shop}/{_BUG}/"
    say(f"$ testwright record {url} --headless --steps {_STEPS}\n")
    steps = str(project / _STEPS)
    code = run_quietly("record", "--project", str(project), url, "--headless", "--steps", steps)
    if code != ExitCode.OK:
        return code
    say(f"\nAsked once more, the backend says {_asked(shop)}: by now the bug may hide.\n")
    say("The test that is written brings along what was recorded, and is run before you see it:\n\n")
    return show_and_run(project, "generate", "web", "--from", "error", "--verify")


def _asked(shop: str) -> str:
    """What the shop's backend says of the profile now, as any client would ask for it."""
    try:
        with build_opener(ProxyHandler({})).open(f"{shop}/api/profile", timeout=_SECONDS_TO_OPEN) as answer:
            return visible_line(answer.read(_MOST_SHOWN).decode("utf-8", "replace"))
    except (URLError, OSError) as error:
        return f"nothing ({error})"


def _guards_that_wait(project: Path) -> list[tuple[str, str]]:
    """The tests that were proven and wait for review: their ids and files."""
    with open_review(project, load_settings(project)) as queue:
        waiting = queue.list(status=ProposalStatus.PENDING)
    return [(str(one.id), one.file) for one in waiting if one.kind is ProposalKind.BUG_REPORT]


def _show_test(project: Path, name: str) -> None:
    """The test itself: what stands around it serves it."""
    file = project / name
    lines = file.read_text(encoding="utf-8").split("\n") if file.is_file() else []
    begin = next((number for number, line in enumerate(lines) if line.startswith("test(")), len(lines))
    end = next((number for number, line in enumerate(lines) if number > begin and line == "});"), len(lines))
    say(f"\n{name}, without what stands around the test:\n\n")
    say("".join(f"  {line}".rstrip() + "\n" for line in lines[begin : end + 1]))


def _show_fixed_shop(project: Path, fixed: str) -> int:
    say("\nNow a developer fixes the bug. The same test, on the fixed shop:\n\n")
    say(f"$ {_ADDRESS_VARIABLE}={fixed} testwright run\n")
    os.environ[_ADDRESS_VARIABLE] = fixed
    code = run_quietly("run", "--project", str(project))
    del os.environ[_ADDRESS_VARIABLE]
    if code != ExitCode.OK:
        say("\nThat test should have passed: the lines above say what went wrong.\n")
        return code
    say("\nRed while the bug was there, green now; the test is the same.\n")
    return code


@contextmanager
def _open_shop(project: Path, *options: str) -> Iterator[str]:
    """The shop's server for as long as it is needed; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    address = f"http://127.0.0.1:{port}"
    argv = [sys.executable, "server.py", "--port", port, *options]
    with Child(Command(argv, project, dict(os.environ))):
        until = time.monotonic() + _SECONDS_TO_OPEN
        while not answers_at(address):
            if time.monotonic() > until:
                raise PageUnreachable(f"The example shop did not open at {address}.", next_step="Try again.")
            time.sleep(_PAUSE_SECONDS)
        yield address
