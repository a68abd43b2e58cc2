"""What the shop's backend knows. As in life, it has bad moments: each comes once, and is gone when you look again."""

import json
import threading
from dataclasses import dataclass
from http import HTTPStatus

PROFILE = {"name": "Ann Lee", "town": "Harrow"}
SHELVES = {"lamps": ["Desk lamp", "Lantern"], "chairs": ["Stool", "Rocking chair", "Bench"]}
ERROR_PAGE = "<!doctype html><title>Error</title><h1>Something went wrong</h1>"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a browser gets, and after how long."""

    text: str
    status: int = HTTPStatus.OK
    content_type: str = "application/json"
    seconds: float = 0.0


class Api:
    """`healthy`: without the bad moments."""

    def __init__(self, *, healthy: bool = False) -> None:
        self._healthy = healthy
        self._had: set[str] = set()
        self._lock = threading.Lock()

    def answer(self, method: str, path: str) -> Answer:
        match method, path.removeprefix("/api/").split("/"):
            case "GET", ["profile"]:
                # a new customer's profile is only made when somebody asks for it
                return _json({"profile": None if self._bad_moment("profile") else PROFILE})
            case "GET", ["shelves", name] if name in SHELVES:
                # until the cache is warm, the lamps take their time
                late = name == "lamps" and self._bad_moment("shelves")
                return _json({"items": SHELVES[name]}, seconds=0.7 if late else 0.0)
            case "POST", ["orders"]:
                if self._bad_moment("orders"):
                    return Answer(ERROR_PAGE, HTTPStatus.INTERNAL_SERVER_ERROR, "text/html; charset=utf-8")
                return _json({"number": 1001}, HTTPStatus.CREATED)
            case "POST", ["gifts"]:
                return _json({"number": 7}, HTTPStatus.CREATED)
        return _json({"error": "not found"}, HTTPStatus.NOT_FOUND)

    def price_messages(self) -> list[str]:
        """What is pushed to a browser that follows the prices."""
        messages: list[dict[str, object]] = [{"kind": "price", "item": "Teapot", "euros": 24}]
        if self._bad_moment("prices"):
            messages.append({"kind": "discontinued", "item": "Lantern"})
        messages.append({"kind": "price", "item": "Stool", "euros": 35})
        return [json.dumps(one) for one in messages]

    def _bad_moment(self, name: str) -> bool:
        with self._lock:
            first = name not in self._had
            self._had.add(name)
        return first and not self._healthy


def _json(value: object, status: int = HTTPStatus.OK, *, seconds: float = 0.0) -> Answer:
    return Answer(json.dumps(value), status, seconds=seconds)
