"""The functions that a generated unit test brings along. What stands between ⟦ and ⟧ is for TypeScript alone,
what stands between ⟨ and ⟩ for answers that came in another order than they were asked for.

Each file gets only those it uses, by their names. Globals that are replaced are put back after the test.
"""

import re

SERVER = """\
/** Answers what code asks an API for as it was answered when this was recorded. Nothing reaches a server. */
async function answerTo(method⟦: string⟧, address⟦: string⟧, body⟦: string⟧)⟦: Promise<any>⟧ {
  const url = new URL(address, location.href);
  const found = RECORDED.filter((one) => isFor(method, url, body, one)).sort(
    (one, other) => other.request.length - one.request.length,
  )[0];
  if (!found) return unrecorded();
  const name = [found.request, found.holds].filter(Boolean).join(' ');
  asked.push(name);
  const turn = asked.filter((one) => one === name).length;
  const answer = found.answers[Math.min(turn, found.answers.length) - 1];
  if (answer.pending) return new Promise(() => {});
⟨  held += 1;
  if (answer.after) await until(() => answered.includes(answer.after));
  held -= 1;
⟩  answered.push(`${name} #${turn}`);
  if (answer.fails) throw new TypeError('Failed to fetch');
  return response(answer);
}

/** Whether a request is the one that is meant: `GET /api/users/*?sort=name`. */
function isFor(method⟦: string⟧, url⟦: URL⟧, body⟦: string⟧, { request, holds = '' }⟦: any⟧)⟦: boolean⟧ {
  const [, wanted, path, query]⟦: any⟧ = /^(\\S+) ([^?]*)(?:\\?(.*))?$/.exec(request) ?? [];
  const isOwn = [location.origin, ORIGIN].includes(url.origin);
  const parts = path.split('/');
  const given = (isOwn ? url.pathname : url.origin + url.pathname).split('/');
  return (
    method === wanted &&
    parts.length === given.length &&
    parts.every((part⟦: string⟧, place⟦: number⟧) => part === '*' || part === given[place]) &&
    [...new URLSearchParams(query)].every(([name, value]) => url.searchParams.getAll(name).includes(value)) &&
    body.includes(holds)
  );
}

function fetchRecorded(input⟦: any⟧, init⟦: any⟧ = {}) {
  const method = (init.method ?? input?.method ?? 'GET').toUpperCase();
  return answerTo(method, String(input?.url ?? input), String(init.body ?? ''));
}
"""

NO_SERVER = """\
function fetchRecorded() {
  return unrecorded();
}
"""

UNRECORDED = """\
/** The error came before this was asked for. What would come now is not known: no answer ever comes. */
function unrecorded()⟦: Promise<any>⟧ {
  stop();
  return new Promise(() => {});
}
"""

RESPONSE = """\
/** A plain object, because not every environment has `Response`. */
function response({ status, contentType = 'application/json', json, body = '', headers = {} }⟦: any⟧)⟦: any⟧ {
  const text = json === undefined ? body : JSON.stringify(json);
  const all = new Map⟦<string, any>⟧(Object.entries({ 'content-type': contentType, ...headers }));
  const made = {
    ok: status >= 200 && status < 300,
    status,
    statusText: '',
    headers: {
      get: (name⟦: string⟧) => all.get(name.toLowerCase()) ?? null,
      has: (name⟦: string⟧) => all.has(name.toLowerCase()),
    },
    text: async () => text,
    json: async () => JSON.parse(text),
    clone: () => made,
  };
  return made;
}
"""

SPEAKER = """\
/** Calls listeners as a browser would: what one of them throws goes to nobody but us. */
class Speaker {
⟦  [name: string]: any;
⟧  listeners⟦: [string, any][]⟧ = [];

  addEventListener(type⟦: string⟧, listener⟦: any⟧) {
    this.listeners.push([type, listener]);
  }

  removeEventListener(type⟦: string⟧, listener⟦: any⟧) {
    this.listeners = this.listeners.filter(([one, other]) => one !== type || other !== listener);
  }

  say(event⟦: any⟧) {
    const own = this[`on${event.type}`];
    const called = this.listeners.filter(([type]) => type === event.type).map(([, listener]) => listener);
    for (const listener of own ? [own, ...called] : called) {
      try {
        (listener.handleEvent ?? listener).call(this, event);
      } catch (error) {
        note(error);
      }
    }
  }
}
"""

XHR = """\
class RecordedXhr extends Speaker {
  readyState = 0;
  status = 0;
  statusText = '';
  responseText = '';
  response⟦: any⟧ = '';
  responseType = '';
  upload = new Speaker();
  asking = ['GET', '/'];
  answer⟦: any⟧ = null;

  open(method⟦: string⟧, address⟦: string⟧) {
    this.asking = [method.toUpperCase(), String(address)];
    this.readyState = 1;
  }

  setRequestHeader() {}
  abort() {}

  getResponseHeader(name⟦: string⟧) {
    return this.answer?.headers.get(name) ?? null;
  }

  getAllResponseHeaders() {
    return this.answer ? `content-type: ${this.answer.headers.get('content-type')}\\r\\n` : '';
  }

  async send(body⟦: any⟧ = '') {
    this.answer = await answerTo(this.asking[0], this.asking[1], String(body ?? '')).catch(() => null);
    this.readyState = 4;
    if (this.answer) {
      this.status = this.answer.status;
      this.responseText = await this.answer.text();
      this.response = this.responseType === 'json' ? JSON.parse(this.responseText || 'null') : this.responseText;
    }
    for (const type of ['readystatechange', this.answer ? 'load' : 'error', 'loadend']) this.say(new Event(type));
  }
}
"""

SOCKET = """\
/** Plays the server's part of a WebSocket: each message after so many steps, and so many messages from the page. */
class RecordedSocket extends Speaker {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSING = 2;
  static CLOSED = 3;
  readyState = 0;
  sent = 0;
  next = 0;
  url⟦: string⟧;
  messages⟦: any[]⟧;

  constructor(url⟦: any⟧) {
    super();
    this.url = String(url);
    this.messages = SOCKETS[new URL(this.url, location.href).pathname] ?? [];
    sockets.push(this);
    setTimeout(() => {
      this.readyState = 1;
      this.say(new Event('open'));
      this.play();
    }, 0);
  }

  send() {
    this.sent += 1;
    setTimeout(() => this.play(), 0);
  }

  close() {
    this.readyState = 3;
    this.say(new Event('close'));
  }

  play() {
    while (this.readyState === 1 && this.next < this.messages.length) {
      const message = this.messages[this.next];
      if (message.afterSteps > steps || message.afterSent > this.sent) return;
      this.next += 1;
      this.say(new MessageEvent('message', { data: message.text }));
    }
  }
}
"""

REFUSED = """\
/** Stands for a way to a server that was not used when this was recorded. */
function refused(name⟦: string⟧)⟦: any⟧ {
  return class {
    constructor() {
      throw new TypeError(`not recorded: ${name}`);
    }
  };
}
"""

FIND = """\
/** The element, also inside of components. */
function find(selector⟦: string⟧, root⟦: any⟧ = document)⟦: any⟧ {
  const found = root.querySelector(selector);
  if (found) return found;
  for (const host of root.querySelectorAll('*')) {
    const inside = host.shadowRoot && find(selector, host.shadowRoot);
    if (inside) return inside;
  }
  return null;
}
"""

FIRE = """\
function fire(element⟦: any⟧, types⟦: string[]⟧, more⟦: any⟧ = {}) {
  for (const type of types) {
    const made = /^key/.test(type) ? KeyboardEvent : /^(mouse|click|dbl|context)/.test(type) ? MouseEvent : Event;
    element.dispatchEvent(new made(type, { bubbles: true, cancelable: true, composed: true, ...more }));
  }
}
"""

UNTIL = """\
async function until(isTrue⟦: () => boolean⟧, milliseconds = 2000) {
  const end = performance.now() + milliseconds;
  while (!isTrue() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
}
"""

QUIET = """\
/** Lets happen what is due by now: answers arrive, and what waits for them goes on. */
async function quiet() {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}
"""

NOTING = """\
async function noting(doing⟦: () => any⟧) {
  try {
    await Promise.race([doing(), stuck]);
  } catch (error) {
    note(error);
  }
}
"""

ON_ERROR = """\
function onError(event⟦: any⟧) {
  event.preventDefault();
  note(event.error ?? event.message);
}
"""

ON_REJECTION = """\
function onRejection(error⟦: any⟧) {
  note(error);
}
"""

NOTE = """\
function note(error⟦: any⟧) {
  errors.push(error?.name && error?.message !== undefined ? `${error.name}: ${error.message}` : String(error));
}
"""

STUB = """\
const before⟦: any⟧ = {};
function stub(name⟦: string⟧, value⟦: any⟧) {
  before[name] ??= Object.getOwnPropertyDescriptor(globalThis, name) ?? { value: undefined, configurable: true };
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
"""

# In the order in which they are looked for: a part that another one uses comes after it.
PARTS = {
    "RecordedXhr": XHR,
    "RecordedSocket": SOCKET,
    "Speaker": SPEAKER,
    "refused": REFUSED,
    "find": FIND,
    "fire": FIRE,
    "noting": NOTING,
    "onError": ON_ERROR,
    "onRejection": ON_REJECTION,
    "until": UNTIL,
    "quiet": QUIET,
    "note": NOTE,
    "unrecorded": UNRECORDED,
    "response": RESPONSE,
}

_TYPES = re.compile("⟦([^⟧]*)⟧")
_ORDER = re.compile("⟨([^⟩]*)⟩")


def with_order(server: str, *, matters: bool) -> str:
    """The server's part, with answers that wait for others or without."""
    return _ORDER.sub(r"\1" if matters else "", server)


def in_language(text: str, *, typed: bool) -> str:
    """The part with its types, or without."""
    return _TYPES.sub(r"\1" if typed else "", text)
