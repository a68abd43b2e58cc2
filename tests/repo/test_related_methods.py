"""Methods are related by what they are given, what they do and what follows."""

import pytest

from tests.repo.conftest import Write
from testwright.repo.related_methods import are_opposites, property_context, related_methods
from testwright.repo.symbol_index import index_repository

CODEC = """
class Codec:
    def __init__(self, table: Table):
        self.table = table
        self.last = None

    def encode(self, text: Message) -> Packet:
        self.last = text
        return self.table.put(text)

    def decode(self, text: Message) -> Packet:
        self.last = text
        return self.table.take(text)

    def size(self) -> int:
        return len(self.table)

    def banner(self):
        return "codec"
"""
OTHER = """
def encode_packet(text: Message, table: Table) -> Packet:
    return Packet(text)

def send(text: Message):
    return None

def unrelated(number):
    return number
"""
TESTS = """
from codec import Codec

def test_decode_undoes_encode():
    codec = Codec(Table())
    packet = codec.encode("a")
    assert codec.decode(packet) == "a"
"""


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("encode", "decode", True),
        ("add_item", "remove_item", True),
        ("to_json", "from_json", True),
        ("readLine", "writeLine", True),
        ("to_json", "from_xml", False),
        ("add_item", "remove_user", False),
        ("add", "add", False),
    ],
)
def test_names_that_undo_each_other_are_known(one: str, other: str, expected: bool) -> None:
    assert are_opposites(one, other) is expected


def test_methods_are_ranked_by_level_and_completeness(write: Write) -> None:
    root = write({"codec.py": CODEC, "other.py": OTHER})
    index = index_repository(root)
    focal = next(item for item in index.modules[root / "codec.py"].functions if item.name == "encode")

    found = related_methods(focal, root / "codec.py", index)

    assert [(item.qualname, item.level, item.relation) for item in found] == [
        ("codec.Codec.decode", "intra", "complete"),
        ("codec.Codec.size", "intra", "G"),
        ("other.encode_packet", "repo", "complete"),
        ("other.send", "repo", "G"),
    ]


def test_snippets_and_bundles_come_from_the_related_tests(write: Write) -> None:
    root = write({"codec.py": CODEC, "other.py": OTHER, "tests/test_codec.py": TESTS})
    index = index_repository(root)
    focal = next(item for item in index.modules[root / "codec.py"].functions if item.name == "decode")

    found = property_context(focal, root / "codec.py", "codec", index)

    assert found.given == ("codec = Codec(Table())", "packet = codec.encode('a')")
    assert found.when == ("assert codec.decode(packet) == 'a'",)
    assert found.then == ("assert codec.decode(packet) == 'a'",)
    assert [item.test_name for item in found.test_bundles] == ["test_decode_undoes_encode"]
