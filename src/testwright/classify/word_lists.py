"""Sets of words, written as people write them."""


def words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())
