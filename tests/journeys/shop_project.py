"""A copy of the example shop with its checkout suites, and a look at its pages that healing has no part in."""

import copy
import json
import os
import shutil
import subprocess
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar, Self

from tests.conftest import TESTWRIGHT, Said
from tests.journeys.shop_changes import Change, Healed

EXAMPLE = Path(__file__).parents[2] / "examples" / "web-shop"
_USED = shutil.ignore_patterns("node_modules", ".testwright", "test-results", "__pycache__", ".pytest_cache")
_SWITCHES = ("CI", "FORCE_COLOR", "TESTWRIGHT_AUTO_HEAL", "KODER_TEST_AUTO_HEAL")
# Asks a page whether each expression finds one element, and whether that is the true one.
_SAME = """(found, { truth, inFrame }) => {
  const page = found.ownerDocument;
  const true_ones = page.querySelectorAll(truth);
  return true_ones.length === 1 && true_ones[0] === found && (page.defaultView !== window.top) === inFrame;
}"""
_ASK_NODE = """
import { chromium } from '@playwright/test';
const { address, asked } = JSON.parse(process.argv[2]);
const browser = await chromium.launch({ executablePath: process.env.TESTWRIGHT_CHROMIUM });
const page = await browser.newPage();
await page.goto(address);
const answers = [];
for (const { expression, ...truth } of asked) {
  const found = eval(`page.${expression}`);
  await found.waitFor();
  answers.push(await found.evaluate(SAME, truth));
}
await browser.close();
console.log(JSON.stringify(answers));
""".replace("SAME", _SAME)
_ASK_PYTHON = """
import json, os, sys
from playwright.sync_api import sync_playwright
given = json.loads(sys.argv[1])
answers = []
with sync_playwright() as playwright:
    page = playwright.chromium.launch(executable_path=os.environ["TESTWRIGHT_CHROMIUM"]).new_page()
    page.goto(given["address"])
    for asked in given["asked"]:
        found = eval("page." + asked.pop("expression"))
        found.wait_for()
        answers.append(found.evaluate(SAME, asked))
print(json.dumps(answers))
""".replace("SAME", repr(_SAME))


class ShopProject(ABC):
    """The shop in a folder of its own, with one of its suites."""

    suite: ClassVar[str]  # the folder of the suite, from the project's root
    tests: ClassVar[str]  # the file of its tests
    test_ids: ClassVar[str]  # the method that looks for a test id

    def __init__(self, root: Path, chromium: str, port: int) -> None:
        self.root = root
        self._env = {name: value for name, value in os.environ.items() if name not in _SWITCHES}
        self._env |= {"TESTWRIGHT_CHROMIUM": chromium, "PORT": str(port)}
        shutil.copytree(EXAMPLE, root, ignore=_USED)
        shutil.copytree(root / "shop", root.parent / "shop-as-it-was")
        shutil.copytree(root / self.suite / "tests", root.parent / "tests-as-they-were")

    def copied_to(self, root: Path) -> Self:
        """A second project, which remembers what the runs of this one have seen."""
        shutil.copytree(self.root.parent, root.parent, symlinks=True, dirs_exist_ok=True)
        copied = copy.copy(self)
        copied.root = root
        return copied

    def call(self, *arguments: str, patience: int = 20_000, **env: str) -> Said:
        """Run `testwright ARGUMENTS`. `patience`: how many milliseconds the tests wait for an element."""
        done = subprocess.run(
            [str(TESTWRIGHT), *arguments],
            cwd=self.root,
            env={**self._env, "PATIENCE": str(patience), **env},
            capture_output=True,
            text=True,
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)

    def run(self, targets: Sequence[str], *, patience: int = 20_000) -> dict[str, dict[str, Any]]:
        """The results, by the name of the test."""
        said = self.call("run", "--json", *targets, patience=patience)
        assert said.code in (0, 1), said.err
        assert not said.json["healTroubles"]
        (suite,) = said.json["suites"]
        assert not suite["problems"]
        return {self.name_of(result["title"][-1]): result for result in suite["results"]}

    @property
    def patches(self) -> Path:
        return self.root / self.suite / "tests" / "auto-heal-patches"

    def target(self, test: str) -> str:
        return f"{self.tests}::{self.written(test)}"

    def restore(self) -> None:
        """The shop and its suite as they were. What is remembered of earlier runs stays."""
        for kept, place in (("shop-as-it-was", self.root / "shop"), ("tests-as-they-were", self.patches.parent)):
            shutil.rmtree(place)
            shutil.copytree(self.root.parent / kept, place)

    def finds_the_true_element(self, healed: Iterable[tuple[Change, str]]) -> list[str]:
        """The changes whose new selector, in the page as it is now, finds something else than what it should."""
        changes = list(healed)
        asked = [
            {"expression": self._expression(change.verdict, new), **_truth(change.verdict)}
            for change, new in changes
            if isinstance(change.verdict, Healed)
        ]
        with _opened(self.root / "shop") as address:
            program = self._asking(json.dumps({"address": f"{address}/checkout.html", "asked": asked}))
            done = subprocess.run(program, cwd=self.root, env=self._env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        answers = json.loads(done.stdout)
        return [change.name for (change, _), is_true in zip(changes, answers, strict=True) if not is_true]

    def _expression(self, verdict: Healed, new: str) -> str:
        """What a test would write after `page.`; a constant holds a selector or a test id alone."""
        if not new.startswith(("'", '"')):
            return new
        return f"{self.test_ids if verdict.is_test_id else 'locator'}({new})"

    @abstractmethod
    def written(self, test: str) -> str:
        """A test's name as it stands in the suite."""

    @abstractmethod
    def name_of(self, title: str) -> str:
        """The reverse of `written`, without what the runner adds."""

    @abstractmethod
    def _asking(self, question: str) -> list[str]: ...


class TypeScriptShop(ShopProject):
    suite, tests, test_ids = ".", "tests/checkout.spec.ts", "getByTestId"

    def __init__(self, root: Path, chromium: str, port: int, node_modules: Path) -> None:
        super().__init__(root, chromium, port)
        (root / "node_modules").symlink_to(node_modules)

    def written(self, test: str) -> str:
        return test

    def name_of(self, title: str) -> str:
        return title

    def _asking(self, question: str) -> list[str]:
        (self.root / "ask.mjs").write_text(_ASK_NODE)  # beside the packages it needs
        return ["node", "ask.mjs", question]


class PythonShop(ShopProject):
    suite, tests, test_ids = "python", "python/tests/test_checkout.py", "get_by_test_id"

    def written(self, test: str) -> str:
        return f"test_{test.replace(' ', '_')}"

    def name_of(self, title: str) -> str:
        return title.partition("[")[0].removeprefix("test_").replace("_", " ")

    def _asking(self, question: str) -> list[str]:
        return [str(TESTWRIGHT.with_name("python")), "-c", _ASK_PYTHON, question]


def _truth(verdict: Healed) -> dict[str, Any]:
    return {"truth": verdict.truth, "inFrame": verdict.in_frame}


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def _opened(shop: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_QuietHandler, directory=str(shop))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
