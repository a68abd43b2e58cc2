"""What the supervisor is to start, and how that reaches it."""

from __future__ import annotations

import marshal
import os

TYPE_CHECKING = False  # importing `typing` would cost every child some milliseconds
if TYPE_CHECKING:
    from typing import TypedDict

    class GuardPlan(TypedDict):
        level: int
        project: str
        private: str
        writable: list[str]
        readable: list[str]

    class Plan(TypedDict):
        argv: list[str]
        cwd: str
        env: dict[str, str]
        limits: dict[str, int | None]
        guard: GuardPlan | None
        child_descriptors: list[int]


_LENGTH_BYTES = 8


def packed(plan: Plan) -> bytes:
    # marshal, not JSON: it is built into the interpreter, which both ends share, and needs no import that costs.
    body = marshal.dumps(dict(plan))
    return len(body).to_bytes(_LENGTH_BYTES, "little") + body


def read_plan(descriptor: int) -> Plan:
    """The plan that `packed` wrote; reads not a byte more. EOFError when the writer is gone."""
    length = int.from_bytes(_read_exactly(descriptor, _LENGTH_BYTES), "little")
    plan: Plan = marshal.loads(_read_exactly(descriptor, length))  # noqa: S302  it comes from our own process
    return plan


def _read_exactly(descriptor: int, count: int) -> bytes:
    parts = []
    while count:
        part = os.read(descriptor, min(count, 1 << 20))
        if not part:
            raise EOFError("the plan broke off")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def in_namespaces(plan: Plan) -> bool:
    """Whether the command runs below a first process of ours inside namespaces (R2 and R3)."""
    return plan["guard"] is not None and plan["guard"]["level"] >= 2
