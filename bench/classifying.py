"""What it costs to say why tests failed: texts as runners write them, and texts that are meant to do harm.

All texts are made here. A text of a failure has some twenty lines and a thousand
characters, as most have.
"""

import random
import time
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Figure
from testwright.classify.classifier import classify_text
from testwright.classify.failure_text.failure_splitter import split_failures

_ROUNDS, _TURNS = 40, 5
_MILLION = 1_000_000
_SECONDS = 1000  # in milliseconds

_JS_STACK = """
      3 | test('pays {n}', async ({{ page }}) => {{
      4 |   await page.goto('/cart/{n}');
    > 5 |   await expect(page.locator('#total')).toHaveText('{n}');
        |                                        ^
      6 | }});

        at CartPage.expectTotal (/home/dev/shop/tests/pages/cart.page.ts:31:24)
        at CartPage.pay (/home/dev/shop/tests/pages/cart.page.ts:44:16)
        at /home/dev/shop/tests/cart.spec.ts:5:40
        at processTicksAndRejections (node:internal/process/task_queues:95:5)
        at TestInfo.step (/home/dev/shop/node_modules/playwright/lib/worker/testInfo.js:120:9)
        at Worker.run (/home/dev/shop/node_modules/playwright/lib/worker/worker.js:310:7)

    attachment #1: screenshot (image/png) ──────────────────────────────────────────────
    test-results/cart-pays-{n}-chromium/test-failed-1.png
    ────────────────────────────────────────────────────────────────────────────────────

    Error Context: test-results/cart-pays-{n}-chromium/error-context.md
"""
_PLAYWRIGHT = "  {n}) [chromium] › tests/cart.spec.ts:5:3 › cart › pays {n} ─────────\n\n    "
_CHECK_LOG = """

    Call log:
      - Expect "toHaveText" with timeout 5000ms
      - waiting for locator('#total')
"""
_CLICK_LOG = """

    Call log:
      - waiting for getByRole('button', {{ name: 'Pay {n}' }})
"""
_PYTEST = """\
____________________ test_pays[{n}] ____________________

client = <Client {n}>

    def test_pays(client):
        basket = client.post("/basket", json={{"lines": [{n}]}})
        # the till answers late on Mondays
        answer = client.post("/pay", json=basket.json())
        receipt = answer.json()["receipt"]
        for line in receipt["lines"]:
            assert line["price"] > 0
        seen = client.get("/receipts/{n}", headers={{"Accept": "application/json"}})
        print("seen", seen.text, "of", receipt)

"""
_VITEST = " FAIL  src/cart.test.ts > cart > pays {n}\n"
_VITEST_STACK = """
 ❯ src/cart.test.ts:12:20
     10|   it('pays', () => {{
     11|     const till = new Till({n})
     12|     expect(till.pay()).toBe({n})
       |                    ^
     13|   }})
     14|   it('is paid once', () => {{
 ❯ Till.pay src/till.test.ts:40:11
 ❯ processTicksAndRejections node:internal/process/task_queues:95:5
 ❯ runTest node_modules/@vitest/runner/dist/index.js:960:11
 ❯ runSuite node_modules/@vitest/runner/dist/index.js:1115:15
 ❯ run node_modules/vitest/dist/chunks/runBaseTests.js:114:5

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[{n}/99]⎯
"""
_JEST = " FAIL  src/cart.test.js\n  ● cart › pays {n}\n\n    "
_FLUTTER = """\
══╡ EXCEPTION CAUGHT BY FLUTTER TEST FRAMEWORK ╞════════════════════════════════════════════════════
The following TestFailure was thrown running a test:
"""
_FLUTTER_STACK = """
When the exception was thrown, this was the stack:
#4      main.<anonymous closure> (file:///home/dev/shop/test/cart_test.dart:21:5)
<asynchronous suspension>
#5      testWidgets.<anonymous closure> (package:flutter_test/src/widget_tester.dart:183:15)
<asynchronous suspension>

The test description was:
  pays {n}
"""
_RESOLVED = """\
        14 × locator resolved to <p id="total">7</p>
           - unexpected value "7"
"""
FORMS = (
    _PLAYWRIGHT
    + "Error: expect(locator).toHaveText(expected) failed\n\n    Locator:  locator('#total')\n"
    + '    Expected: "{n}"\n    Received: "7"\n    Timeout:  5000ms'
    + _CHECK_LOG
    + _RESOLVED
    + _JS_STACK,
    _PLAYWRIGHT
    + "Error: expect(locator).toBeVisible() failed\n\n    Locator: locator('#total')\n    Expected: visible\n"
    + "    Received: <element(s) not found>"
    + _CHECK_LOG
    + _JS_STACK,
    _PLAYWRIGHT + "Error: locator.click: Test timeout of 30000ms exceeded." + _CLICK_LOG + _JS_STACK,
    _PLAYWRIGHT
    + "Error: locator.click: Timeout 5000ms exceeded."
    + _CLICK_LOG
    + "          - locator resolved to <button>Pay</button>\n        - attempting click action\n"
    + '          - <div class="curtain"></div> intercepts pointer events\n' * 8
    + _JS_STACK,
    _PLAYWRIGHT
    + "Error: expect.toBeVisible: Error: strict mode violation: getByText('Pay') resolved to 2 elements:\n"
    + "        1) <a>Pay</a>\n        2) <b>Pay</b>\n"
    + _JS_STACK,
    _PLAYWRIGHT + "Error: page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:{n}/" + _JS_STACK,
    _PLAYWRIGHT
    + 'Error: expect(page).toHaveURL(expected) failed\n\n    Expected: "/paid/{n}"\n    Received: "/"'
    + _JS_STACK,
    _PYTEST + ">       assert receipt == {n}\nE       assert 7 == {n}\n\ntests/test_cart.py:9: AssertionError\n",
    _PYTEST
    + ">       assert answer.status_code == 200\nE       assert 500 == 200\nE        +  where 500 = <Response>\n\n"
    + "tests/api/test_cart.py:9: AssertionError\n",
    _PYTEST + ">       total(None)\nE       TypeError: unsupported operand\n\nsrc/shop/cart.py:{n}: TypeError\n",
    (
        "ImportError while importing test module '/home/dev/tests/test_{n}.py'.\nTraceback:\n"
        "tests/test_{n}.py:1: in <module>\n    import till\nE   ModuleNotFoundError: No module named 'till'\n"
    ),
    (
        "____ ERROR at setup of test_pays ____\nfile /home/dev/tests/test_cart.py, line {n}\n  def test_pays(mocker):\n"
        "E       fixture 'mocker' not found\n>       available fixtures: cache, capfd, tmp_path\n"
    ),
    "FAILED tests/test_cart.py::test_pays[{n}] - requests.exceptions.ConnectionError: Connection reset by peer\n",
    _VITEST
    + "AssertionError: expected 7 to be {n} // Object.is equality\n\n- Expected\n+ Received\n\n- {n}\n+ 7\n"
    + _VITEST_STACK,
    _VITEST + "Error: Test timed out in 5000ms.\n" + _VITEST_STACK,
    _VITEST + "TypeError: till.pay is not a function\n" + _VITEST_STACK,
    _VITEST + 'Error: [vitest] No "pay" export is defined on the "./till" mock.\n' + _VITEST_STACK,
    _JEST + "expect(received).toEqual(expected) // deep equality\n\n    Expected: {n}\n    Received: 7\n" + _JS_STACK,
    _JEST
    + "TestingLibraryElementError: Unable to find an element with the text: {n}.\n\n    Ignored nodes: comments\n"
    + "    <body>\n      <div>\n        <p>7</p>\n      </div>\n    </body>\n" * 4
    + _JS_STACK,
    _JEST + "Cannot find module '../src/till{n}' from 'src/cart.test.js'\n" + _JS_STACK,
    _FLUTTER
    + "Expected: exactly one matching candidate\n  Actual: _TextFinder:<Found 0 widgets: []>\n"
    + _FLUTTER_STACK,
    _FLUTTER + "Expected: <{n}>\n  Actual: <7>\n" + _FLUTTER_STACK,
)
HOSTILE = {
    "one line of one letter": "a" * _MILLION,
    "brackets": "([{" * (_MILLION // 3),
    "empty lines": "\n" * _MILLION,
    "short lines": "a\n" * (_MILLION // 2),
    "colours that do not end": "\x1b[" * (_MILLION // 2),
    "right to left": "\u202e" * _MILLION,
    "values": ("Expected: " + "'x' " * 25 + "\n") * (_MILLION // 111),
    "phrases": "Error: read ECONNRESET net::ERR_ timed out\n" * (_MILLION // 43),
    "frames": "    at f (/a/b.js:1:2)\n" * (_MILLION // 24),
    "call logs": "- waiting for locator('a') resolved to\n" * (_MILLION // 40),
}


def figures(_folder: Path) -> Iterator[Figure]:
    texts = _texts()
    per_text = min(_cpu(texts) for _ in range(_TURNS)) / len(texts)
    yield Figure("failures classified in a second of CPU", 1 / per_text, 2000, "/s", at_least=True)
    slowest, seconds = max(((name, _best(text)) for name, text in HOSTILE.items()), key=lambda each: each[1])
    yield Figure(
        "a text of 1 MB that means harm, CPU", seconds * _SECONDS, 50, " ms", detail=f"(of {len(HOSTILE)}: {slowest})"
    )
    log = "Running 500 tests using 2 workers\n\n" + "\n".join(FORMS[0].format(n=n) for n in range(500))
    started = time.process_time()
    found = split_failures(log)
    seconds = time.process_time() - started
    if len(found) != 500:
        raise SystemExit(f"A log of 500 failures was cut into {len(found)}.")
    yield Figure(
        "a log of 500 failures cut apart, CPU", seconds * _SECONDS, 200, " ms", detail=f"({len(log) >> 10} KB)"
    )


def _texts() -> list[str]:
    """Every form many times, each time with other numbers, and mixed as failures come."""
    texts = [form.format(n=number) for number in range(1, _ROUNDS + 1) for form in FORMS]
    random.Random(5).shuffle(texts)
    return texts


def _cpu(texts: list[str]) -> float:
    started = time.process_time()
    for text in texts:
        classify_text(text)
    return time.process_time() - started


def _best(text: str) -> float:
    return min(_cpu([text]) for _ in range(_TURNS))
