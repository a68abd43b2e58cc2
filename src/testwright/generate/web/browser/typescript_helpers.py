"""The functions that a generated TypeScript test brings along. Each file gets only those that it uses."""

REPLAY = """\
interface Answer {
  status?: number;
  contentType?: string;
  json?: unknown;
  body?: string;
  headers?: Record<string, string>;
  fails?: string; // the connection breaks
  pending?: boolean; // no answer ever comes
  after?: string; // not before this one, though it was asked for earlier
  afterSteps?: number; // not before so many steps are done
}

interface Exchange {
  request: string;
  holds?: string; // a piece of the body
  answers: Answer[]; // in order; the last one repeats
}

/**
 * Answers what pages ask an API for as it was answered when this was recorded. What was not recorded gets 599,
 * and never reaches a server.
 */
async function replay(context: BrowserContext, exchanges: Exchange[]) {
  const turns = new Map<Exchange, number>();
  const answered: string[] = [];
  const sent = new Set<string>();
  let steps = 0;
  let isReleased = false;

  await context.route('**/*', async (route) => {
    const request = route.request();
    if (!['fetch', 'xhr', 'eventsource'].includes(request.resourceType())) return route.fallback();
    const found = exchanges
      .filter((one) => isFor(request, one.request, one.holds))
      .sort((one, other) => other.request.length - one.request.length)[0];
    if (!found) return route.fulfill({ status: 599, body: `not recorded: ${request.method()} ${request.url()}` });
    const turn = (turns.get(found) ?? 0) + 1;
    turns.set(found, turn);
    const { fails, pending, after, afterSteps = 0, ...answer } =
      found.answers[Math.min(turn, found.answers.length) - 1];
    if (pending) return;
    // Kept back as long as it was then; not for ever, as a mended page may do things in another order.
    const isFree = () => isReleased || ((!after || sent.has(after)) && steps >= afterSteps);
    for (let waited = 0; !isFree() && waited < 2000; waited += 10) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const name = `${[found.request, found.holds].filter(Boolean).join(' ')} #${turn}`;
    answered.push(name);
    await (fails ? route.abort(fails) : route.fulfill(answer));
    sent.add(name);
  });
  return { answered, step: () => (steps += 1), release: () => (isReleased = true) };
}
"""

IS_FOR = """\
/** Whether a request is the one that is meant: `GET /api/users/*?sort=name`. */
function isFor(request: Request, meant: string, holds = ''): boolean {
  const [, method, path, query] = /^(\\S+) ([^?]*)(?:\\?(.*))?$/.exec(meant) ?? [];
  const url = new URL(request.url());
  const parts = path.split('/');
  const asked = (path.startsWith('/') ? url.pathname : url.origin + url.pathname).split('/');
  return (
    request.method() === method &&
    parts.length === asked.length &&
    parts.every((part, place) => part === '*' || part === asked[place]) &&
    [...new URLSearchParams(query)].every(([name, value]) => url.searchParams.getAll(name).includes(value)) &&
    (!holds || (request.postData() ?? '').includes(holds))
  );
}
"""

WITHIN = """\
/** What the promise brings, or an empty text when it takes longer than this. */
function within(milliseconds: number, wanted: Promise<string>): Promise<string> {
  return Promise.race([wanted, new Promise<string>((resolve) => setTimeout(() => resolve(''), milliseconds))]);
}
"""

PLAY_SOCKET = """\
/** Plays the server's part of a WebSocket: each message after so many steps, and so many messages from the page. */
async function playSocket(
  context: BrowserContext,
  path: string,
  messages: { text: string; afterSteps: number; afterSent: number }[],
) {
  const open: { socket: WebSocketRoute; sent: number; next: number }[] = [];
  let steps = 0;
  let sent = 0;
  const play = () => {
    for (const one of open) {
      while (one.next < messages.length) {
        const message = messages[one.next];
        if (message.afterSteps > steps || message.afterSent > one.sent) break;
        one.socket.send(message.text);
        one.next += 1;
        sent = Math.max(sent, one.next);
      }
    }
  };
  await context.routeWebSocket(
    (url) => url.pathname === path,
    (socket) => {
      const one = { socket, sent: 0, next: 0 };
      open.push(one);
      socket.onMessage(() => {
        one.sent += 1;
        play();
      });
      play();
    },
  );
  return {
    step: () => {
      steps += 1;
      play();
    },
    sent: () => sent,
  };
}
"""

SHAPE_OF = """\
/** Every part of a JSON value as `path: type`. */
function shapeOf(value: unknown, path = '$'): string[] {
  if (Array.isArray(value)) return [`${path}: array`, ...value.flatMap((one) => shapeOf(one, `${path}[]`))];
  if (value === null || typeof value !== 'object') return [`${path}: ${value === null ? 'null' : typeof value}`];
  return [`${path}: object`, ...Object.entries(value).flatMap(([name, one]) => shapeOf(one, `${path}.${name}`))];
}

/** The parts that an answer lacks. What would be in an empty list is not missed. */
function missingFrom(answer: unknown, wanted: string[]): string[] {
  const found = shapeOf(answer);
  const listOf = (part: string) => part.slice(0, part.lastIndexOf('[]') + 2);
  return wanted.filter((part) => !found.includes(part) && found.some((one) => one.startsWith(listOf(part))));
}
"""
