"""Traces, as real runs of Playwright leave them and as they should not be."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import TimeoutError as TookTooLong

from tests.observe.test_archive import packed
from testwright.model.dom import DomSnapshot
from testwright.model.errors import ArchiveInvalid, TraceUnsupported
from testwright.observe.live_page import snapshot_page
from testwright.observe.playwright_trace import Trace, TracedCall, read_trace

SHOP = """<title>Shop</title><base href="http://shop.test/"><h1>Basket</h1>
<ul><li>Apples</li><li>Pears</li></ul><input id="mail" aria-label="E-mail"><button id="pay">Pay</button>
<iframe srcdoc="<button>In the frame</button>"></iframe><x-card>light</x-card><script>
document.querySelector('x-card').attachShadow({mode: 'open'}).innerHTML = '<b>shadow</b> <slot></slot>';
document.querySelector('#pay').onclick = () => document.querySelector('h1').textContent = 'Paid';</script>"""

SPEC = """
import { test, expect } from '@playwright/test';
const lost = (page) => page.locator('#gone');
test('pays', async ({ page }) => {
  await page.setContent(SHOP);
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect(page.locator('li')).toHaveCount(2);
  await lost(page).click({ timeout: 300 });
});
""".replace("SHOP", json.dumps(SHOP))

CONFIG = """
import { defineConfig } from '@playwright/test';
export default defineConfig({ use: { trace: 'on', launchOptions: { executablePath: process.env.BROWSER_PATH } } });
"""


@pytest.fixture(scope="module")
def python_trace(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> tuple[Trace, DomSnapshot]:
    """A trace of the Python API, and the page as the browser had it at the end."""
    path = tmp_path_factory.mktemp("trace") / "trace.zip"
    context = browser.new_context()
    context.tracing.start(snapshots=True)
    page = context.new_page()
    page.set_content(SHOP)
    page.fill("#mail", "hush@shop.test")
    page.click("#pay")
    page.frame_locator("iframe").get_by_role("button").click()
    expect(page.locator("li")).to_have_count(2)
    with pytest.raises(TookTooLong):
        page.get_by_test_id("gone").click(timeout=300)
    at_the_end = snapshot_page(page)
    context.tracing.stop(path=path)
    context.close()
    return read_trace(path), at_the_end


@pytest.fixture(scope="module")
def node_trace(node: str, node_modules: Path, chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Trace:
    project = tmp_path_factory.mktemp("project")
    (project / "node_modules").symlink_to(node_modules)
    (project / "pays.spec.ts").write_text(SPEC, encoding="utf-8")
    (project / "playwright.config.ts").write_text(CONFIG, encoding="utf-8")
    command = [node, str(node_modules / "@playwright" / "test" / "cli.js"), "test"]
    env = {**os.environ, "BROWSER_PATH": chromium}
    done = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=False)
    found = list(project.rglob("trace.zip"))
    assert found, done.stdout + done.stderr
    return read_trace(found[0])


def the(trace: Trace, method: str) -> TracedCall:
    return next(call for call in trace.calls if call.method == method and call.selector)


def pointed_out(trace: Trace, call: TracedCall) -> list[tuple[str, str, str]]:
    seen = trace.seen(call)
    assert seen is not None
    assert seen.targets == trace.targets(call)
    return [(seen.page.elements[n].tag, seen.page.elements[n].role, seen.page.elements[n].text) for n in seen.targets]


@pytest.mark.needs_chromium
def test_the_page_at_the_failure_is_the_page_that_the_browser_had(python_trace: tuple[Trace, DomSnapshot]) -> None:
    trace, live = python_trace
    failed = trace.failed_call()
    assert failed is not None
    traced = trace.page_at_failure(failed)
    assert traced is not None

    def described(page: DomSnapshot) -> list[tuple[Any, ...]]:
        # Playwright leaves scripts out.
        return [
            (e.tag, e.text, e.role, e.name, e.frame, e.in_shadow, e.get("id"))
            for e in page.elements
            if e.tag not in ("script", "base")
        ]

    assert described(traced) == described(live)
    assert (traced.title, traced.viewport, traced.has_boxes) == ("Shop", (1280, 720), False)
    assert "Paid" in [e.text for e in traced.elements]


@pytest.mark.needs_chromium
def test_the_failed_call_says_what_it_looked_for_and_from_where(python_trace: tuple[Trace, DomSnapshot]) -> None:
    failed = python_trace[0].failed_call()

    assert failed is not None
    assert (failed.method, failed.selector) == ("click", 'internal:testid=[data-testid="gone"s]')
    assert "Timeout 300ms exceeded" in failed.error
    assert (Path(failed.stack[0].file).name, failed.stack[0].line > 0) == (Path(__file__).name, True)
    assert python_trace[0].version == 10
    assert python_trace[0].test_id_attribute == "data-testid"


@pytest.mark.needs_chromium
def test_the_elements_that_passing_calls_were_about_are_known(python_trace: tuple[Trace, DomSnapshot]) -> None:
    trace = python_trace[0]
    clicks = [call for call in trace.calls if call.method == "click" and not call.error]

    assert pointed_out(trace, the(trace, "fill")) == [("input", "textbox", "")]
    assert pointed_out(trace, clicks[0]) == [("button", "button", "Pay")]
    assert pointed_out(trace, clicks[1]) == [("button", "button", "In the frame")]
    assert pointed_out(trace, the(trace, "expect")) == [("li", "listitem", "Apples"), ("li", "listitem", "Pears")]
    seen = trace.seen(clicks[0])
    assert seen is not None
    assert seen.page.elements[seen.targets[0]].box is not None
    assert [e.text for e in seen.page.elements if e.tag == "h1"] == ["Basket"]


@pytest.mark.needs_chromium
def test_what_was_typed_is_nowhere_in_what_is_read(python_trace: tuple[Trace, DomSnapshot]) -> None:
    trace = python_trace[0]
    pages = [trace.page_at(call, phase) for call in trace.calls for phase in ("before", "action", "after")]

    assert "hush" not in repr((trace.calls, pages))


@pytest.mark.needs_node
@pytest.mark.needs_chromium
def test_a_trace_of_the_test_runner_is_joined_with_what_the_runner_knows(node_trace: Trace) -> None:
    failed = node_trace.failed_call()
    assert failed is not None

    assert (failed.selector, failed.locator) == ("#gone", "locator('#gone')")
    assert [(Path(site.file).name, site.line) for site in failed.stack[:1]] == [("pays.spec.ts", 8)]
    assert pointed_out(node_trace, the(node_trace, "click")) == [("button", "button", "Pay")]
    assert pointed_out(node_trace, the(node_trace, "expect")) == [
        ("li", "listitem", "Apples"),
        ("li", "listitem", "Pears"),
    ]
    page = node_trace.page_at_failure(failed)
    assert page is not None
    assert [e.name for e in page.elements if e.role == "button"] == ["Pay", "In the frame"]


def written(*events: dict[str, Any] | str, version: int | None = 10) -> bytes:
    head = [] if version is None else [{"type": "context-options", "version": version}]
    lines = [event if isinstance(event, str) else json.dumps(event) for event in [*head, *events]]
    return packed(("trace.trace", "\n".join(lines).encode()))


def snapshot(html: Any, **more: Any) -> dict[str, Any]:
    where = {"callId": "call@1", "phase": "before", **more}
    return {"type": "frame-snapshot", "snapshot": {"frameId": "f", "isMainFrame": True, "html": html, **where}}


CALL = {"type": "before", "callId": "call@1", "class": "Frame", "method": "click", "params": {"selector": "#x"}}


def page_of(archive: bytes) -> DomSnapshot:
    trace = read_trace(archive)
    page = trace.page_at(trace.calls[0])
    assert page is not None
    return page


def test_a_snapshot_points_back_at_what_did_not_change() -> None:
    first = ["HTML", {}, ["BODY", {}, ["P", {}, "one"], ["B", {}, "two"]]]
    archive = written(
        CALL,
        snapshot(first, callId="call@0"),
        snapshot(["HTML", {}, ["BODY", {}, ["I", {}, "new"], [[1, 3]]]], callId="call@0"),
        snapshot(["HTML", {}, ["BODY", {}, [[1, 1]], [[2, 1]]]]),
    )

    assert [(e.tag, e.text) for e in page_of(archive).elements[2:]] == [("i", "new"), ("p", "one")]


def test_the_names_that_older_traces_give_snapshots_are_understood() -> None:
    named = snapshot(["HTML", {}, ["BODY", {"__playwright_target__": "call@1"}]], callId=None, phase=None)
    named["snapshot"]["snapshotName"] = "input@call@1"
    trace = read_trace(written(CALL, named, version=6))

    assert trace.page_at(trace.calls[0], "action") is not None
    assert trace.page_at(trace.calls[0], "before") is None
    assert trace.targets(trace.calls[0]) == (1,)


def test_torn_and_strange_lines_are_left_out() -> None:
    trace = read_trace(written("{oops", "[1]", "null", "", CALL, snapshot(["HTML"]), '{"type":"after","call'))

    assert [call.selector for call in trace.calls] == ["#x"]
    assert trace.problems == ("line_torn",)


def test_a_line_that_is_too_long_is_left_out() -> None:
    trace = read_trace(packed(("trace.trace", b'{"a":"' + b"x" * (17 << 20) + b'"}\n')))

    assert trace.calls == ()
    assert trace.failed_call() is None
    assert trace.problems == ("line_too_long",)


@pytest.mark.parametrize("version", [1, 5, 11])
def test_a_version_that_is_not_read_is_named(version: int) -> None:
    with pytest.raises(TraceUnsupported, match=f"format {version};"):
        read_trace(written(version=version))


def test_a_newer_version_that_still_looks_the_same_is_read() -> None:
    assert page_of(written(CALL, snapshot(["HTML", {}, ["BODY"]]), version=11)).elements


def test_an_archive_without_a_trace_is_refused() -> None:
    with pytest.raises(ArchiveInvalid, match="holds no trace"):
        read_trace(packed(("readme.txt", b"x")))


@pytest.mark.parametrize(
    "html",
    [
        [[0, 0]],
        [[9, 9]],
        ["HTML", {}, [[0, 0]]],
        ["HTML", {}, ["BODY", {}, [[0, 1]], [[0, 0]]]],
        ["HTML", {}, *[["DIV", {}, [[0, 1]], [[0, 0]]]] * 3],
        ["HTML", {}, ["P", {}, *["x"] * 5_000], *[[[0, 5_000]]] * 5_000],
        ["HTML", None, [[-1, 0]], [["a", "b"]], 7, None, [], [[]], [[1]], {}],
        ["IFRAME", {"src": "/snapshot/f"}],
        "just text",
        None,
        7,
    ],
)
def test_snapshots_that_point_in_circles_or_nowhere_end(html: Any) -> None:
    assert len(page_of(written(CALL, snapshot(html))).elements) <= 50_000


def test_a_page_that_is_nested_without_end_is_cut() -> None:
    nested: list[Any] = ["B", {}]
    for _ in range(200):
        nested = ["DIV", {}, nested]
    doubled = [
        snapshot(["HTML", {}, ["DIV", {}, [[1, level]], [[1, level]]]], callId="call@0") for level in [200, *[0] * 30]
    ]
    page = page_of(written(CALL, snapshot(nested, callId="call@0"), *doubled, snapshot([[1, 1]])))

    assert len(page.elements) <= 50_000
