"""Three strangers' pages from npm, served as they come, and a few steps that a person would take on each."""

import json
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect

# Some of these pages ask for fonts elsewhere. What a test shows must not depend on that.
_ONLY_HERE = "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'"
_TYPES = {".js": "text/javascript; charset=utf-8", ".html": "text/html; charset=utf-8"}


@dataclass(frozen=True)
class Stranger:
    name: str
    folder: str  # below node_modules
    start: str
    steps: Callable[[Page], Awaitable[None]]
    breakage: tuple[str, str, str]  # in the file at a path, another text for one: the last step has no result any more
    ours: Mapping[str, str] = field(default_factory=dict)  # path -> content: what the package leaves to its users


@contextmanager
def served(stranger: Stranger, node_modules: Path, *, broken: bool = False) -> Iterator[str]:
    """The address of a stranger's pages, while they are served."""
    folder = node_modules / stranger.folder
    own = dict(stranger.ours)
    if broken:
        path, old, new = stranger.breakage
        content = (folder / path.lstrip("/")).read_text(encoding="utf-8")
        assert content.count(old) == 1
        own[path] = content.replace(old, new)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, own, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, own: Mapping[str, str], *args: Any, **options: Any) -> None:
        self._own = own
        super().__init__(*args, **options)  # handles the request before it returns

    def do_GET(self) -> None:
        if self.path not in self._own:
            super().do_GET()
            return
        content = self._own[self.path].encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", _TYPES.get(Path(self.path).suffix, "application/json"))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", _ONLY_HERE)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the name is http.server's)
        """Say nothing."""


# --- an API's documentation --------------------------------------------------------------------

_INITIALIZER = """\
window.onload = () => {
  window.ui = SwaggerUIBundle({
    url: '/bakery.json', dom_id: '#swagger-ui', layout: 'StandaloneLayout',
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  });
};
"""
_BAKERY = {
    "openapi": "3.0.3",
    "info": {"title": "Bakery", "version": "1.0.0"},
    "paths": {
        "/loaves/{number}": {
            "get": {
                "tags": ["loaves"],
                "summary": "One loaf",
                "parameters": [{"name": "number", "in": "path", "required": True, "schema": {"type": "integer"}}],
                "responses": {"200": {"description": "The loaf"}},
            }
        },
        "/ovens": {"get": {"tags": ["ovens"], "summary": "All ovens", "responses": {"200": {"description": "Ovens"}}}},
    },
}


async def _ask_for_a_loaf(page: Page) -> None:
    await page.get_by_role("button", name="GET /loaves/{number} One loaf").click()
    await page.get_by_role("button", name="Try it out").click()
    await page.get_by_placeholder("number").fill("7")
    await page.get_by_role("button", name="Execute").click()
    await expect(page.get_by_text("sourdough").first).to_be_visible()


# --- an admin dashboard ------------------------------------------------------------------------


async def _look_around(page: Page) -> None:
    await page.get_by_role("listitem").filter(has_text="Book boss flight").locator("label").first.click()
    await page.get_by_role("button", name="Notifications").click()
    await page.keyboard.press("Escape")
    await page.get_by_role("link", name="Email").click()
    await expect(page.get_by_role("heading", name="Inbox")).to_be_visible()


# --- a todo app --------------------------------------------------------------------------------


async def _plan_the_day(page: Page) -> None:
    field = page.get_by_placeholder("What needs to be done?")
    for text in ("Buy flour", "Bake bread"):
        await field.fill(text)
        await field.press("Enter")
        await expect(page.get_by_role("listitem").filter(has_text=text)).to_be_visible()
    await page.get_by_role("listitem").filter(has_text="Buy flour").get_by_role("checkbox").check()
    await page.get_by_text("Active", exact=True).click()
    await expect(page.get_by_text("Buy flour")).to_have_count(0)


STRANGERS = (
    Stranger(
        "api docs",
        "swagger-ui-dist",
        "/index.html",
        _ask_for_a_loaf,
        ("/swagger-ui-bundle.js", '"Request URL"', "null"),
        {
            "/swagger-initializer.js": _INITIALIZER,
            "/bakery.json": json.dumps(_BAKERY),
            "/loaves/7": json.dumps({"number": 7, "kind": "sourdough"}),
        },
    ),
    Stranger(
        "dashboard",
        "adminator-admin-dashboard/dist",
        "/index.html",
        _look_around,
        ("/email.html", ">Inbox · <span", ">Outbox · <span"),
    ),
    Stranger(
        "todo",
        "todomvc-react/dist",
        "/",
        _plan_the_day,
        ("/todomvc.js", "SHOW_ACTIVE:function(e){return!e.completed}", "SHOW_ACTIVE:function(){return!0}"),
    ),
)
