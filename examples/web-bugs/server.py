"""The corner shop: pages with ten bugs, or with some or all of them mended. It needs only the standard library."""

import argparse
import time
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from api import Answer, Api
from websocket import accept, send_text

HERE = Path(__file__).parent
BUGS = (
    "null-profile",
    "race",
    "rejection",
    "iframe",
    "shadow",
    "second-tab",
    "storage",
    "clock",
    "websocket",
    "form-validation",
)
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".map": "application/json",
}


class Shop(ThreadingHTTPServer):
    """The shop, with its data and its pages; `fixed` names the bugs that are mended."""

    daemon_threads = True

    def __init__(self, port: int, *, fixed: frozenset[str] = frozenset(), healthy: bool = False) -> None:
        super().__init__(("127.0.0.1", port), Visit)
        self.fixed = fixed
        self.api = Api(healthy=healthy)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def file_at(self, path: str) -> Path | None:
        """The file a path stands for: from `fixed` where its bug is mended and the file has a twin there."""
        inside = Path(path.lstrip("/")) / "index.html" if path.endswith("/") else Path(path.lstrip("/"))
        if ".." in inside.parts or inside.suffix not in TYPES:
            return None
        folders = [HERE / "fixed", HERE / "shop"] if inside.parts[0] in self.fixed else [HERE / "shop"]
        return next((folder / inside for folder in folders if (folder / inside).is_file()), None)


class Visit(BaseHTTPRequestHandler):
    """One connection of a browser."""

    server: Shop
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path == "/api/prices/live":
            self._push_prices()
        elif path.startswith("/api/"):
            self._send(self.server.api.answer("GET", path))
        else:
            self._send_file(path)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self._send(self.server.api.answer("POST", urlsplit(self.path).path))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the name is http.server's)
        """Say nothing: the terminal is for the address."""

    def _send_file(self, path: str) -> None:
        file = self.server.file_at(path)
        if file is None:
            self._send(Answer("Not found", status=HTTPStatus.NOT_FOUND, content_type="text/plain"))
        else:
            self._send(Answer(file.read_text(encoding="utf-8"), content_type=TYPES[file.suffix]))

    def _send(self, answer: Answer) -> None:
        time.sleep(answer.seconds)
        content = answer.text.encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def _push_prices(self) -> None:
        self.close_connection = True
        if not accept(self):
            return
        for message in self.server.api.price_messages():
            send_text(self.wfile, message)
        self.rfile.read()  # until the browser leaves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8020, help="0: any free one (default: %(default)s)")
    parser.add_argument("--fixed", default="", metavar="NAMES", help=f"'all', or some of: {','.join(BUGS)}")
    parser.add_argument("--healthy", action="store_true", help="serve data as on a good day: nothing missing or late")
    options = parser.parse_args()
    fixed = frozenset(BUGS if options.fixed == "all" else filter(None, options.fixed.split(",")))
    if unknown := sorted(fixed.difference(BUGS)):
        parser.error(f"there is no bug called {', '.join(unknown)}")
    with Shop(options.port, fixed=fixed, healthy=options.healthy) as shop:
        print(f"The shop is open: {shop.address}", flush=True)  # noqa: T201
        with suppress(KeyboardInterrupt):  # the usual way to close it
            shop.serve_forever()


if __name__ == "__main__":
    main()
