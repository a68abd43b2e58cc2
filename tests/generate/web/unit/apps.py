"""The small apps that unit tests are written for: one bug each, and how it is mended."""

import re
from collections.abc import Mapping
from dataclasses import replace

from testwright.model.session import ActionType, ErrorSource

from .recordings import PROFILE, Recording

_BUTTON = """\
<main><h1>Shop</h1><p id="news">far away</p></main><section><button id="load">Load</button><p id="out"></p></section>"""
_Files = Mapping[str, str]
_AT_NIGHT = 1_767_308_400_000  # 2026-01-01, 23:00 UTC


def _app(source: str, broken: str, mended: str, main: str = "") -> tuple[_Files, _Files]:
    """The same sources with the bug and without it."""
    assert broken in source
    others = {"src/main.js": main} if main else {}
    return {"src/app.js": source, **others}, {"src/app.js": source.replace(broken, mended), **others}


CALL = Recording(
    "call",
    "module",
    *_app(
        """\
export async function loadProfile(root) {
  const answer = await fetch(`/api/profile?ts=${Date.now()}`, { method: 'POST' });
  const { profile } = await answer.json();
  const name = localStorage.getItem('theme') === 'dark' ? profile.name : 'you';
  root.querySelector('#out').textContent = name;
}
""",
        "profile.name",
        "profile?.name ?? 'nobody'",
    ),
    frames=(("src/app.js", "name : 'you'"),),
    html=_BUTTON,
    source=ErrorSource.REJECTION,
    requests=(("POST", "/api/profile?ts=1767268800797", 200, '{"profile": null}'),),
    local={"theme": "dark"},
)

_TYPED = """\
interface Profile { name: string }

export const loadProfile = async (out: HTMLElement): Promise<void> => {
  const answer = await fetch('/api/profile', { method: 'POST' });
  const { profile } = (await answer.json()) as { profile: Profile };
  out.textContent = profile.name;
};
"""

TYPED = Recording(
    "typed",
    "module",
    {"src/app.ts": _TYPED},
    {"src/app.ts": _TYPED.replace("profile.name", "profile?.name ?? ''")},
    frames=(("src/app.ts", "name;\n};"),),
    html=_BUTTON,
    source=ErrorSource.REJECTION,
    requests=(PROFILE,),
)

KNOWN_ARGUMENTS = Recording(
    "known-arguments",
    "module",
    *_app(
        """\
export function priceOf(item) {
  return item.price;
}

export function show(kind) {
  const items = JSON.parse(localStorage.getItem(kind));
  return items.map((item) => priceOf(item));
}
""",
        "item.price",
        "item?.price ?? 0",
        "import { show } from './app.js';\ndocument.title = String(show('basket'));\n",
    ),
    frames=(
        ("src/app.js", "price;"),
        ("src/app.js", "priceOf(item))"),
        ("src/app.js", "map("),
        ("src/main.js", "show('b"),
    ),
    does=None,
    error=("TypeError", "Cannot read properties of null (reading 'price')"),
    local={"basket": "[null]"},
)

HANDLER = Recording(
    "handler",
    "handler",
    *_app(
        """\
const out = document.querySelector('#out');
document.getElementById('load').addEventListener('click', () => {
  const user = JSON.parse(localStorage.getItem('user'));
  out.textContent = user.name;
});
""",
        "user.name",
        "user?.name ?? 'nobody'",
    ),
    frames=(("src/app.js", "name;"),),
    html=_BUTTON,
)

PROMISE = Recording(
    "promise",
    "promise",
    *_app(
        """\
async function load() {
  const answer = await fetch('/api/profile', { method: 'POST' });
  const { profile } = await answer.json();
  document.querySelector('#out').textContent = profile.name;
}

function init() {
  document.querySelector('#load').addEventListener('click', () => {
    load();
  });
}

init();
""",
        "profile.name",
        "profile?.name ?? 'nobody'",
    ),
    frames=(("src/app.js", "name;"),),
    html=_BUTTON,
    source=ErrorSource.REJECTION,
    requests=(PROFILE,),
)

STARTED_BY_TEST = Recording(
    "started-by-test",
    "handler",
    *_app(
        """\
export function start(root) {
  const user = null;
  root.querySelector('#load').addEventListener('click', () => {
    root.querySelector('#out').textContent = user.name;
  });
}
""",
        "user.name",
        "user?.name ?? ''",
    ),
    frames=(("src/app.js", "name;"),),
    html=_BUTTON,
)

STARTED_BY_PAGE = Recording(
    "started-by-page",
    "handler",
    *_app(
        """\
export function start({ button, out }) {
  const user = null;
  button.addEventListener('click', () => {
    out.textContent = user.name;
  });
}
""",
        "user.name",
        "user?.name ?? ''",
        """\
import { start } from './app.js';
start({ button: document.querySelector('#load'), out: document.querySelector('#out') });
""",
    ),
    frames=(("src/app.js", "name;"),),
    html=_BUTTON,
    scripts=("/src/main.js", "/src/app.js"),
    is_mapped=False,
)

XHR = Recording(
    "xhr",
    "handler",
    *_app(
        """\
document.querySelector('#load').addEventListener('click', () => {
  const request = new XMLHttpRequest();
  request.open('post', '/api/profile');
  request.onload = () => {
    document.querySelector('#out').textContent = JSON.parse(request.responseText).profile.name;
  };
  request.send();
});
""",
        ".profile.name",
        ".profile?.name",
    ),
    frames=(("src/app.js", "name;"),),
    html=_BUTTON,
    requests=(PROFILE,),
    resource="xhr",
)

SOCKET = Recording(
    "socket",
    "handler",
    *_app(
        """\
const socket = new WebSocket(`ws://${location.host}/live`);
let asked = false;
socket.addEventListener('message', (event) => {
  const { price } = JSON.parse(event.data);
  document.querySelector('#out').textContent = asked ? price.name : '';
});
document.querySelector('#load').addEventListener('click', () => {
  asked = true;
});
""",
        "price.name",
        "price?.name",
    ),
    frames=(("src/app.js", "name : ''"),),
    html=_BUTTON,
    messages=('{"price": null}',),
)

CLOCK = Recording(
    "clock",
    "module",
    *_app(
        """\
export default function greeting() {
  const greetings = { day: { name: 'Hello' } };
  const hour = new Date().getUTCHours();
  return (hour >= 22 ? greetings.night : greetings.day).name;
}
""",
        "greetings.night",
        "greetings.day",
    ),
    frames=(("src/app.js", "name;"),),
    error=("TypeError", "Cannot read properties of undefined (reading 'name')"),
    started=_AT_NIGHT,
)

LOADING = Recording(
    "loading",
    "module",
    *_app(
        "const user = JSON.parse(localStorage.getItem('user'));\ndocument.title = user.name;\n",
        "user.name",
        "user?.name ?? ''",
    ),
    frames=(("src/app.js", "name;"),),
    does=None,
)

CONSOLE = Recording(
    "console",
    "handler",
    *_app(
        """\
document.querySelector('#load').addEventListener('click', () => {
  console.error('cannot show item', 17);
});
""",
        "console.error(",
        "console.debug(",
    ),
    frames=(("src/app.js", "error("),),
    html=_BUTTON,
    error=("", "cannot show item 23"),
    source=ErrorSource.CONSOLE,
)

FORM = Recording(
    "form",
    "handler",
    *_app(
        """\
document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const { email, plan } = event.target.elements;
  const users = { 'ann@example.com': null };
  document.querySelector('#out').textContent = plan.value === 'pro' ? users[email.value].name : '';
});
""",
        "].name",
        "]?.name",
    ),
    frames=(("src/app.js", "name : ''"),),
    html="""\
<form action="/join"><input name="email">
<select name="plan"><option value="free">Free</option><option value="pro">Pro</option></select>
<input name="code" value="typed by somebody"><button>Join</button></form><p id="out"></p>""",
    before=((ActionType.FILL, "[name=email]", "ann@example.com"), (ActionType.SELECT, "[name=plan]", "pro")),
    does=(ActionType.CLICK, "form > button"),
)

TIMER = Recording(
    "timer",
    "handler",
    *_app(
        """\
document.querySelector('#load').addEventListener('click', () => {
  setTimeout(() => {
    const user = null;
    document.querySelector('#out').textContent = user.name;
  }, 60);
});
""",
        "user.name",
        "user?.name",
    ),
    frames=(("src/app.js", "name;"),),
    html=_BUTTON,
    delay=70,
)

SHADOW = Recording(
    "shadow",
    "handler",
    *_app(
        """\
class ShopCard extends HTMLElement {
  connectedCallback() {
    this.attachShadow({ mode: 'open' }).innerHTML = '<button id="load">Load</button><p></p>';
    this.shadowRoot.querySelector('#load').addEventListener('click', () => {
      this.shadowRoot.querySelector('p').textContent = this.user.name;
    });
  }

  user = null;
}

customElements.get('shop-card') ?? customElements.define('shop-card', ShopCard);
""",
        "user.name",
        "user?.name",
    ),
    frames=(("src/app.js", "name;"),),
    html='<shop-card><template shadowrootmode="open"><button id="load">Load</button><p></p></template></shop-card>',
)

RACE = Recording(
    "race",
    "promise",
    *_app(
        """\
async function open(name) {
  document.querySelector('#out').innerHTML = `<b id="${name}"></b>`;
  const { items } = await (await fetch(`/api/shelves/${name}`)).json();
  document.getElementById(name).textContent = items.join();
}

for (const button of document.querySelectorAll('button')) {
  button.addEventListener('click', () => open(button.name));
}
""",
        "document.getElementById(name).textContent",
        "(document.getElementById(name) ?? {}).textContent",
    ),
    frames=(("src/app.js", "textContent = items"),),
    html='<p><button name="lamps">Lamps</button><button name="chairs">Chairs</button></p><p id="out"></p>',
    before=((ActionType.CLICK, "[name=lamps]", ""),),
    does=(ActionType.CLICK, "[name=chairs]"),
    error=("TypeError", "Cannot set properties of null (setting 'textContent')"),
    source=ErrorSource.REJECTION,
    requests=(
        ("GET", "/api/shelves/lamps", 200, '{"items": ["Lantern"]}'),
        ("GET", "/api/shelves/chairs", 200, '{"items": ["Stool"]}'),
    ),
    first_is_last=True,
)

FARTHER = Recording(
    "farther",
    "promise",
    *_app(
        """\
document.querySelector('#load').addEventListener('click', async () => {
  const phone = null;
  const digits = phone.name;
  const { number } = await (await fetch('/api/gifts', { method: 'POST', body: digits })).json();
  document.querySelector('#out').textContent = number.toFixed();
});
""",
        "phone.name",
        "phone?.name ?? ''",
    ),
    frames=(("src/app.js", "name;"),),
    html=_BUTTON,
    source=ErrorSource.REJECTION,
)

FARTHER_CALL = Recording(
    "farther-call",
    "module",
    *_app(
        """\
export async function send() {
  const phone = null;
  const digits = phone.name;
  return (await fetch('/api/gifts', { method: 'POST', body: digits })).json();
}
""",
        "phone.name",
        "phone?.name ?? ''",
    ),
    frames=(("src/app.js", "name;"),),
    source=ErrorSource.REJECTION,
)

OPENER = Recording(
    "opener",
    "handler",
    *_app(
        """\
document.querySelector('#load').onclick = () => {
  window.opener.name = 'paid';
};
""",
        "window.opener.name =",
        "if (window.opener) window.opener.name =",
    ),
    frames=(("src/app.js", "name ="),),
    html=_BUTTON,
    error=("TypeError", "Cannot set properties of null (setting 'name')"),
)

APPS = (
    CALL, KNOWN_ARGUMENTS, HANDLER, PROMISE, STARTED_BY_TEST, STARTED_BY_PAGE, XHR, SOCKET, CLOCK, LOADING, CONSOLE,
    FORM, TIMER, SHADOW, RACE, FARTHER, FARTHER_CALL, OPENER,
)  # fmt: skip


def as_commonjs(app: Recording) -> Recording:
    """The same app as Node's own modules, as Jest loads them without any set-up."""
    return replace(
        app,
        buggy={file: _commonjs(text) for file, text in app.buggy.items()},
        fixed={file: _commonjs(text) for file, text in app.fixed.items()},
    )


def _commonjs(text: str) -> str:
    names = re.findall(r"^export (?:async )?function (\w+)", text, re.MULTILINE)
    text = re.sub(r"^import (\{.*?\}) from (.*);$", r"const \1 = require(\2);", text, flags=re.MULTILINE)
    text = re.sub(r"^export default function", "module.exports = function", text, flags=re.MULTILINE)
    text = re.sub(r"^export ", "", text, flags=re.MULTILINE)
    return f"{text}\nmodule.exports = {{ {', '.join(names)} }};\n" if names else text
