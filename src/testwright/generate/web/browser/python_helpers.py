"""The functions that a generated Python test brings along. Each file gets only those that it uses."""

REPLAY = '''\
class Replay:
    """Answers what pages ask an API for as it was answered when this was recorded.

    What was not recorded gets 599, and never reaches a server.
    """

    def __init__(self, context: BrowserContext, exchanges: list[dict[str, Any]]) -> None:
        self.answered: list[str] = []
        self._exchanges = sorted(exchanges, key=lambda one: -len(one["request"]))
        self._turns: dict[int, int] = {}
        self._sent: set[str] = set()
        self._steps = 0
        self._is_released = False
        context.route("**/*", self._take)

    def step(self) -> None:
        self._steps += 1

    def release(self) -> None:
        self._is_released = True

    def _take(self, route: Route) -> None:
        request = route.request
        if request.resource_type not in {"fetch", "xhr", "eventsource"}:
            route.fallback()
            return
        found = next((one for one in self._exchanges if is_for(request, one["request"], one.get("holds", ""))), None)
        if found is None:
            route.fulfill(status=599, body=f"not recorded: {request.method} {request.url}")
            return
        turn = self._turns[id(found)] = self._turns.get(id(found), 0) + 1
        answer = dict(found["answers"][min(turn, len(found["answers"])) - 1])  # the last one repeats
        if answer.pop("pending", False):
            return
        self._hold(request, answer.pop("after", ""), answer.pop("after_steps", 0))
        name = " ".join(filter(None, (found["request"], found.get("holds", ""), f"#{turn}")))
        self.answered.append(name)
        if "fails" in answer:
            route.abort(answer["fails"])
        else:
            route.fulfill(**answer)
        self._sent.add(name)

    def _hold(self, request: Request, after: str, after_steps: int) -> None:
        """As long as it was kept back then; not for ever, as a mended page may do things in another order."""
        until = time.monotonic() + 2
        while not self._is_released and time.monotonic() < until:
            if (not after or after in self._sent) and self._steps >= after_steps:
                return
            request.frame.page.wait_for_timeout(10)  # lets the test go on
'''

IS_FOR = '''\
def is_for(request: Request, meant: str, holds: str = "") -> bool:
    """Whether a request is the one that is meant: `GET /api/users/*?sort=name`."""
    method, _, address = meant.partition(" ")
    path, _, query = address.partition("?")
    url = urlsplit(request.url)
    asked = (url.path if path.startswith("/") else f"{url.scheme}://{url.netloc}{url.path}").split("/")
    parts = path.split("/")
    return (
        request.method == method
        and len(parts) == len(asked)
        and all(part in {"*", other} for part, other in zip(parts, asked))
        and all(pair in parse_qsl(url.query, True) for pair in parse_qsl(query, True))
        and (not holds or holds in (request.post_data or ""))
    )
'''

PLAY_SOCKET = '''\
class PlayedSocket:
    """Plays the server's part of a WebSocket: each message after so many steps, and so many messages from the page."""

    def __init__(self, context: BrowserContext, path: str, messages: list[dict[str, Any]]) -> None:
        self.sent = 0
        self._messages = messages
        self._steps = 0
        self._open: list[dict[str, Any]] = []
        context.route_web_socket(lambda url: urlsplit(url).path == path, self._connect)

    def step(self) -> None:
        self._steps += 1
        self._play()

    def played(self, page: Page, seconds: float = 5) -> int:
        """How many messages went out, once all have, or the time is up."""
        until = time.monotonic() + seconds
        while self.sent < len(self._messages) and time.monotonic() < until:
            page.wait_for_timeout(20)  # lets the page speak
        return self.sent

    def _connect(self, socket: WebSocketRoute) -> None:
        one: dict[str, Any] = {"socket": socket, "sent": 0, "next": 0}
        self._open.append(one)

        def take(_: object) -> None:
            one["sent"] += 1
            self._play()

        socket.on_message(take)
        self._play()

    def _play(self) -> None:
        for one in self._open:
            for message in self._messages[one["next"] :]:
                if message["after_steps"] > self._steps or message["after_sent"] > one["sent"]:
                    break
                one["socket"].send(message["text"])
                one["next"] += 1
                self.sent = max(self.sent, one["next"])
'''

SHAPE_OF = '''\
def shape_of(value: Any, path: str = "$") -> set[str]:
    """Every part of a JSON value as `path: type`."""
    if isinstance(value, list):
        return {f"{path}: array"}.union(*(shape_of(one, f"{path}[]") for one in value))
    if isinstance(value, dict):
        return {f"{path}: object"}.union(*(shape_of(one, f"{path}.{name}") for name, one in value.items()))
    names = {str: "string", bool: "boolean", int: "number", float: "number", type(None): "null"}
    return {f"{path}: {names[type(value)]}"}


def missing_from(answer: Any, wanted: list[str]) -> list[str]:
    """The parts that an answer lacks. What would be in an empty list is not missed."""
    found = shape_of(answer)

    def list_of(part: str) -> str:
        return part[: part.rfind("[]") + 2]

    return [part for part in wanted if part not in found and any(one.startswith(list_of(part)) for one in found)]
'''
