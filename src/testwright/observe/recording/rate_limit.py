"""A page may say more than anybody wants to keep."""


class RateLimit:
    """Says from when on there was too much within one second."""

    def __init__(self, per_second: int) -> None:
        self._per_second = per_second
        self._second = -1
        self._count = 0

    def is_too_much(self, now_ms: int) -> bool:
        """Whether what happens now is one too many; counts it."""
        if now_ms // 1000 != self._second:
            self._second, self._count = now_ms // 1000, 0
        self._count += 1
        return self._count > self._per_second
