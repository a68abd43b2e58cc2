"""A small application that has secrets in all the places where applications have them."""

import base64
import hashlib
import json
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedIOBase
from typing import Any

from tests.journeys.planted_values import HARMLESS, bare, of

_ROUTES = (
    "request header",
    "page cookie",
    "local storage",
    "session storage",
    "json sent",
    "json in json",
    "graphql",
    "form",
    "multipart",
    "query",
    "fragment",
    "reset link",
    "address with a password",
    "console",
    "socket sent",
    "socket address",
    "attribute",
    "page text",
    "link",
    "error message",
    "rejection",
    "title",
    "dialog",
    ".env",
    "variable",
    "own word",
)
# The buttons of the page, in the order in which they are clicked. Those that go wrong come last.
FIRST_BUTTONS = ("cookies", "storage")  # then the page is loaded again, and finds what they left
BUTTONS = (
    "login",
    "headers",
    "json",
    "forms",
    "addresses",
    "console",
    "socket",
    "texts",
    "dialog",
    "reject",
    "fail",
)
FIELDS = {
    "password": '<label>Password <input type="password" name="password"></label>',
    "new_password": '<label>Choose one <input name="n1" autocomplete="new-password"></label>',
    "otp": '<label>Code <input name="c1" autocomplete="one-time-code"></label>',
    "card_number": '<label>Card number <input name="card" inputmode="numeric"></label>',
    "iban": '<label>IBAN <input name="iban"></label>',
    "api_key": '<label>API key <input name="api_key"></label>',
    "odd_password": '<label>Repeat password <input type="password" name="again"></label>',
}
PLAIN_FIELDS = ("Name", "Email", "Street", "City", "Wish", "Date")


def _page() -> str:
    hidden = "".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in of("hidden input"))
    metas = "".join(f'<meta name="{name}" content="{value}">' for name, value in of("meta"))
    plain = "".join(f"<label>{name} <input></label>" for name in PLAIN_FIELDS)
    buttons = "".join(f'<button type="button" id="do-{name}">Do {name}</button>' for name in (*FIRST_BUTTONS, *BUTTONS))
    return (
        f"<!doctype html><html lang=en><head><title>Shop</title>{metas}</head><body><h1>Checkout</h1>"
        f"<form id=f>{hidden}{''.join(FIELDS.values())}{plain}</form>{buttons}<div id=out></div>"
        "<script src=/app.js></script></body></html>"
    )


def _script() -> str:
    plan = {"secrets": {route: of(route) for route in _ROUTES}, "harmless": HARMLESS}
    return f"const plan = {json.dumps(plan)};\n" + _SCRIPT


_SCRIPT = """
const has = (route) => plan.secrets[route];
const object = (route) => Object.fromEntries(has(route));
const plain = (route) => plan.harmless[route] || [];
const out = document.getElementById('out');
const show = (html) => out.insertAdjacentHTML('beforeend', html);
const say = (text) => { const line = document.createElement('p'); line.textContent = text; out.append(line); };
const post = (path, body, headers = {}) => fetch(path, { method: 'POST', body, headers });
const json = (path, value) => post(path, JSON.stringify(value), { 'content-type': 'application/json' });
const does = {
  async login() {
    const fields = [...document.querySelectorAll('#f input:not([type=hidden])')].map((field) => field.value);
    for (const value of fields) { say('You typed ' + value); console.log('typed', value); }
    await post('/login', new URLSearchParams(new FormData(document.getElementById('f'))));
  },
  async headers() {
    await fetch('/headers', { headers: { ...object('request header'),
      'x-client': plain('request header')[0], 'x-experiment': plain('request header')[1] } });
  },
  async cookies() {
    for (const [name, value] of has('page cookie')) document.cookie = `${name}=${value}; path=/`;
    document.cookie = `theme=${plain('page cookie')[0]}; path=/`;
    document.cookie = `language=${plain('page cookie')[1]}; path=/`;
    await fetch('/ping');
  },
  async storage() {
    for (const [name, value] of has('local storage')) localStorage.setItem(name, value);
    for (const [name, value] of has('session storage')) sessionStorage.setItem(name, value);
    localStorage.setItem('profile', JSON.stringify({ session: { accessToken: localStorage.access_token } }));
    plain('local storage').forEach((value, place) => localStorage.setItem('choice-' + place, value));
    plain('session storage').forEach((value, place) => sessionStorage.setItem('choice-' + place, value));
  },
  async json() {
    await json('/orders', { order: { notes: plain('json sent'), payment: object('json sent') } });
    await json('/orders', { matricule: object('own word').matricule });
    await json('/wrapped', { note: plain('json in json')[0], payload: JSON.stringify(object('json in json')) });
    await json('/graphql', { operationName: plain('graphql')[0], query: 'mutation FindBasket { ok }',
      variables: { input: object('graphql') } });
    const answer = await (await fetch('/account')).json();
    say(answer.products[0].name);
  },
  async forms() {
    const form = new URLSearchParams(object('form'));
    form.set('frequency', plain('form')[0]); form.set('colour', plain('form')[1]);
    await post('/form', form);
    const parts = new FormData();
    for (const [name, value] of has('multipart')) parts.set(name, value);
    parts.set('caption', plain('multipart')[1]);
    parts.set('picture', plain('multipart')[0]);
    await post('/upload', parts);
  },
  async addresses() {
    const query = new URLSearchParams(object('query'));
    ['page', 'sort', 'q'].forEach((name, place) => query.set(name, plain('query')[place]));
    await fetch('/search?' + query);
    for (const [, value] of has('reset link')) await fetch('/reset/' + value);
    location.hash = String(new URLSearchParams(object('fragment')));
  },
  async console() {
    for (const [before, value] of has('console')) {
      console.log(before + value + (before.includes('://') ? '@db:5432/shop' : ''));
    }
    for (const [, value] of [...has('.env'), ...has('variable')]) { console.warn('using', value); say(value); }
    console.log({ user: 'ann', password: object('console')['password: '] });
    for (const text of plain('console')) console.log(text);
    console.info('host ' + plain('.env')[0]);
  },
  async socket() {
    const socket = new WebSocket(`ws://${location.host}/socket?token=${object('socket address').token}`);
    await new Promise((done) => { socket.onmessage = done; socket.onopen = () => {
      socket.send(JSON.stringify({ type: 'auth', note: plain('socket sent')[0], ...object('socket sent') })); }; });
    socket.close();
  },
  async texts() {
    for (const [name, value] of has('attribute')) show(`<div class="product-card" ${name}="${value}">card</div>`);
    show(`<button class="${plain('attribute')[0]}">Basket</button>`);
    for (const [before, value] of has('page text')) say(before + value);
    for (const text of plain('page text')) say(text);
    show(`<a href="/join?token=${object('link').token}&q=lamps">Join</a>`);
    show(`<a href="http://user:${encodeURIComponent(object('address with a password').user)}@shop.test/">Shop</a>`);
    for (const [before, value] of has('title')) document.title = before + value;
  },
  async dialog() {
    for (const [before, value] of has('dialog')) alert(before + value);
    confirm(plain('dialog')[0]);
  },
  async reject() {
    for (const [before, value] of has('rejection')) Promise.reject(new Error(before + value));
    Promise.reject(new Error(plain('rejection')[0]));
  },
};
const fails = () => {
  const [first, ...others] = has('error message');
  for (const [before, value] of others) console.error(new Error(before + value));
  setTimeout(() => { throw new Error(plain('error message')[0]); });
  throw new TypeError(first[0] + first[1]);
};
for (const [name, does_it] of Object.entries(does)) {
  document.getElementById('do-' + name).addEventListener('click', async () => {
    await does_it();
    show(`<i id="done-${name}">done ${name}</i>`);
  });
}
document.getElementById('do-fail').addEventListener('click', () => {
  show('<i id="done-fail">done fail</i>');
  fails();
});
"""


def _account() -> dict[str, Any]:
    name, stock, currency, uuid, sha, moment, author, tool, *features = HARMLESS["json received"]
    return {
        "account": {**dict(of("json received")), "role": author},
        "products": [{"name": name, "state": stock, "currency": currency, "id": uuid, "tools": [tool]}],
        "build": {"commit": sha, "made": moment, "features": features},
    }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/socket":
            self._speak()
        elif path == "/":
            self._answer("text/html; charset=utf-8", _page())
        elif path == "/app.js":
            self._answer("text/javascript; charset=utf-8", _script())
        elif path == "/account":
            self._answer("application/json", json.dumps(_account()))
        elif path == "/headers":
            server, mood = HARMLESS["answer header"]
            self._answer("text/plain", "ok", [*of("answer header"), ("X-Served-By", server), ("X-Mood", mood)])
        else:
            self._answer("text/plain", "ok")

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        cookies = [("Set-Cookie", f"{name}={value}; HttpOnly; Path=/") for name, value in of("set-cookie")]
        self._answer("application/json", '{"ok": true}', cookies if self.path == "/login" else [])

    def _answer(self, mime: str, text: str, headers: list[tuple[str, str]] | None = None) -> None:
        content = text.encode()
        self.send_response(200)
        for name, value in [("Content-Type", mime), ("Content-Length", str(len(content))), *(headers or [])]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _speak(self) -> None:
        """The few words of a WebSocket that this application needs: hear one message, answer with one."""
        nonce = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(nonce.encode()).digest()).decode())
        self.end_headers()
        self.close_connection = True
        _hear(self.rfile)
        what, item = HARMLESS["socket received"]
        said = json.dumps({"type": what, "item": item, **dict(of("socket received"))}).encode()
        self.wfile.write(struct.pack("!BBH", 0x81, 126, len(said)) + said)
        self.wfile.flush()
        _hear(self.rfile)  # its good-bye

    def log_message(self, *args: object) -> None:
        """Quiet."""


def _hear(file: BufferedIOBase) -> None:
    head = file.read(2)
    if len(head) < 2:
        return
    size = head[1] & 127
    if size == 126:
        (size,) = struct.unpack("!H", file.read(2))
    file.read(4 + size)


@contextmanager
def planted_app() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def har() -> dict[str, Any]:
    secrets = dict(of("har"))
    path, colour = HARMLESS["har"]
    entry = {
        "startedDateTime": "2026-01-31T08:00:00.000Z",
        "time": 12,
        "_resourceType": "fetch",
        "request": {
            "method": "POST",
            "url": f"http://shop.test{path}?colour={colour}",
            "httpVersion": "HTTP/1.1",
            "headers": [
                {"name": "Authorization", "value": secrets["Authorization"]},
                {"name": "Cookie", "value": f"sessionid={secrets['cookie']}"},
            ],
            "cookies": [{"name": "sessionid", "value": secrets["cookie"]}],
            "queryString": [],
            "postData": {"mimeType": "application/json", "text": json.dumps({"password": secrets["password"]})},
            "headersSize": -1,
            "bodySize": -1,
        },
        "response": {
            "status": 200,
            "statusText": "OK",
            "httpVersion": "HTTP/1.1",
            "headers": [{"name": "Content-Type", "value": "application/json"}],
            "cookies": [],
            "content": {"size": 10, "mimeType": "application/json", "text": json.dumps({"token": secrets["token"]})},
            "redirectURL": "",
            "headersSize": -1,
            "bodySize": -1,
        },
        "cache": {},
        "timings": {"send": 0, "wait": 12, "receive": 0},
    }
    return {"log": {"version": "1.2", "creator": {"name": "test", "version": "1"}, "entries": [entry]}}


def devtools_recording() -> dict[str, Any]:
    button, name = HARMLESS["recorder"]
    fills = [("Name", name), *of("recorder")]
    return {
        "title": "Buying a lamp",
        "steps": [
            {"type": "setViewport", "width": 800, "height": 600, "deviceScaleFactor": 1, "isMobile": False},
            {"type": "navigate", "url": "http://shop.test/"},
            *(
                {"type": "change", "value": value, "target": "main", "selectors": [[f"aria/{label}"], [f"#f-{place}"]]}
                for place, (label, value) in enumerate(fills)
            ),
            {
                "type": "click",
                "target": "main",
                "selectors": [[f"aria/{button}"], ["#buy"]],
                "offsetX": 1,
                "offsetY": 1,
            },
        ],
    }


def dotenv() -> str:
    lines = [f'{name}="{value}"' for name, value in of(".env")]
    return "\n".join([*lines, f"SHOP_HOST={HARMLESS['.env'][0]}", "PORT=3000"]) + "\n"


def environment() -> dict[str, str]:
    return {name: bare(value) for name, value in of("variable")}
