"""What was masked once is remembered until another secret is known."""

from testwright.masking.mask_memory import MaskMemory
from testwright.masking.masker import Masker


def test_a_value_is_masked_once_under_each_name() -> None:
    asked: list[tuple[str, str]] = []

    def mask(name: str, value: str) -> str:
        asked.append((name, value))
        return f"{name}:{value}"

    memory = MaskMemory(Masker(), mask)

    assert [memory.masked(*pair) for pair in (("a", "x"), ("a", "x"), ("b", "x"))] == ["a:x", "a:x", "b:x"]
    assert asked == [("a", "x"), ("b", "x")]


def test_a_new_secret_ends_what_was_remembered() -> None:
    masker = Masker()
    memory = MaskMemory(masker, masker.attribute)

    assert memory.masked("title", "call kQ92vLm4xT7") == "call kQ92vLm4xT7"
    masker.remember("kQ92vLm4xT7", "token")
    assert "kQ92vLm4xT7" not in memory.masked("title", "call kQ92vLm4xT7")


def test_it_does_not_grow_without_end() -> None:
    memory = MaskMemory(Masker(), lambda _name, value: value, most=3)
    for number in range(10):
        memory.masked("a", str(number))
    assert len(memory._seen) <= 4
