"""The shop, opened for the tests on a port of its own, and the browser they use."""

import os
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

SHOP = Path(__file__).parents[1] / "shop"
PATIENCE = float(os.environ.get("PATIENCE", "2000"))  # milliseconds; a slow machine may need more


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def base_url():
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(SHOP)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    # Playwright's own browser, unless you name another one.
    return {**browser_type_launch_args, "executable_path": os.environ.get("TESTWRIGHT_CHROMIUM") or None}


@pytest.fixture
def context(context):
    from playwright.sync_api import expect

    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    return context
