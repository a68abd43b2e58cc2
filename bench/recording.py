"""What it costs a page to be recorded: one of 2,000 elements that asks for 200 answers, alone and with us watching."""

import asyncio
import json
import os
import resource
import statistics
import sys
import tempfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import Figure

if TYPE_CHECKING:
    from playwright.async_api import Page

ELEMENTS, REQUESTS = 2_000, 200
ROUNDS = 9
_ROWS = "".join(f'<li id="row-{n}"><a href="#{n}" class="thing">Thing {n}</a></li>' for n in range(ELEMENTS // 2))
_PAGE = f"""<!doctype html><title>busy</title><button>Go</button><p role="status"></p><ul>{_ROWS}</ul><script>
document.querySelector('button').addEventListener('click', async (event) => {{
  const numbers = Array.from({{ length: {REQUESTS} }}, (_, n) => n);
  const take = async () => {{
    while (numbers.length) {{
      const answer = await fetch('/api/things/' + numbers.pop());
      const thing = await answer.json();
      document.getElementById('row-' + thing.id).firstChild.textContent = thing.name;
    }}
  }};
  await Promise.all([take(), take(), take(), take(), take(), take()]);
  window.took = performance.now() - event.timeStamp; // since the click, with all that listens to clicks
  document.querySelector('[role=status]').textContent = 'done';
}});
</script>"""


def figures(folder: Path) -> Iterator[Figure]:
    alone, recorded, memory = [], [], []
    with _served() as url:
        for _ in range(ROUNDS):
            alone.append(_measured("alone", url, folder)["took"])
            found = _measured("recorded", url, folder)
            recorded.append(found["took"])
            memory.append(found["megabytes"])
    ratios = [one / other for one, other in zip(recorded, alone, strict=True)]
    detail = f"{statistics.median(recorded):.0f} ms over {statistics.median(alone):.0f} ms"
    yield Figure(
        "a page that is recorded, over the same page alone", statistics.median(ratios), 1.25, "x", detail=detail
    )
    yield Figure("memory of the recorder", statistics.median(memory), 150, " MB", detail="its peak; not the browser's")


class _served:  # noqa: N801  used as a function
    """The page and its answers, on a port of their own."""

    def __enter__(self) -> str:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_address[1]}/"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path.startswith("/api/"):
            number = int(self.path.rpartition("/")[2])
            tags = ["red", "green", "blue"] * 20
            body = json.dumps({"id": number, "name": f"Thing no. {number}", "tags": tags}).encode()
            kind = "application/json"
        else:
            body, kind = _PAGE.encode(), "text/html; charset=utf-8"
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody wants to read 200 lines for each round."""


def _measured(how: str, url: str, folder: Path) -> dict[str, float]:
    """In a process of its own, whose memory is only ours."""
    import subprocess

    command = [sys.executable, "-m", "bench.recording", how, url, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1])
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


async def _use(page: "Page") -> float:
    await page.wait_for_load_state()
    await page.get_by_role("button", name="Go").click()
    await page.get_by_text("done").wait_for()
    took: float = await page.evaluate("took")
    return took


def _alone(url: str) -> float:
    from playwright.async_api import async_playwright

    from testwright.run.external_programs import find_chromium

    async def whole() -> float:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=find_chromium(os.environ))
            page = await browser.new_page()
            await page.goto(url)
            took = await _use(page)
            await browser.close()
            return took

    return asyncio.run(whole())


def _recorded(url: str, folder: Path) -> float:
    from testwright.observe.recording.record_options import RecordOptions
    from testwright.pipeline.observing.journey import record_session
    from testwright.run.external_programs import find_chromium
    from testwright.settings import Settings

    took = []

    async def drive(page: "Page") -> None:
        took.append(await _use(page))

    with tempfile.TemporaryDirectory(dir=folder) as root:
        options = RecordOptions(headless=True, chromium=find_chromium(os.environ))
        record_session(Path(root), Settings(), url, options, drive=drive)
    return took[0]


if __name__ == "__main__":
    took = _alone(sys.argv[2]) if sys.argv[1] == "alone" else _recorded(sys.argv[2], Path(sys.argv[3]))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"took": took, "megabytes": peak}))
