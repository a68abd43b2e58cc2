"""What an order costs, in cents."""

from dataclasses import dataclass

PRICES = {"bun": 60, "loaf": 340, "tart": 420}
BAKERS_DOZEN = 13


class NotBakedError(Exception):
    """Nobody bakes this here."""


@dataclass(frozen=True)
class Order:
    item: str
    count: int

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError(f"an order needs at least one {self.item}")


def price_of(order: Order) -> int:
    """What an order costs; of thirteen of a kind, one is free."""
    if order.item not in PRICES:
        raise NotBakedError(order.item)
    free = order.count // BAKERS_DOZEN
    return (order.count - free) * PRICES[order.item]


def total(orders: list[Order], *, day_old: bool = False) -> int:
    """What all orders cost together; yesterday's bread is half the price, rounded down."""
    full = sum(price_of(order) for order in orders)
    return full // 2 if day_old else full
