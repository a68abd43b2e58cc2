"""Values for annotations, by calling functions that check what they get."""

import pytest

from tests.generate.inside.values.conftest import Laboratory

HEADER = """
import collections, collections.abc, dataclasses, datetime, decimal, enum, io, os, pathlib, re, types, typing, uuid
from typing import *
T = TypeVar("T")
N = TypeVar("N", int, str)
UserId = NewType("UserId", int)
class Color(enum.Enum):
    RED = 1
    BLUE = 2
class Movie(TypedDict, total=False):
    title: Required[str]
    year: int
class Pair(NamedTuple):
    left: int
    right: str = ""
@dataclasses.dataclass(frozen=True)
class Money:
    amount: decimal.Decimal
    currency: str
class Handler(Protocol):
    def __call__(self, event: str, count: int) -> bool: ...
"""


@pytest.mark.parametrize(
    ("annotation", "check"),
    [
        ("int", "type(value) is int"),
        ("Optional[str]", "isinstance(value, str)"),
        ("Union[bytes, int]", "isinstance(value, (bytes, int))"),
        ("int | None", "isinstance(value, int)"),
        ("Literal['r', 'w']", "value in ('r', 'w')"),
        ("list[int]", "isinstance(value, list) and all(isinstance(each, int) for each in value)"),
        ("List[Tuple[str, int]]", "all(isinstance(a, str) and isinstance(b, int) for a, b in value)"),
        ("Sequence[Money]", "all(isinstance(each, Money) for each in value)"),
        ("Iterable[str]", "all(isinstance(each, str) for each in value)"),
        ("Iterator[int]", "isinstance(next(value), int)"),
        ("Generator[int, None, None]", "isinstance(next(value), int)"),
        ("dict[str, list[int]]", "all(type(v) is list for v in value.values())"),
        ("Mapping[Color, Money]", "all(isinstance(k, Color) for k in value)"),
        ("collections.OrderedDict[str, int]", "isinstance(value, collections.OrderedDict)"),
        ("collections.Counter[str]", "sum(value.values()) is not None"),
        ("set[str]", "isinstance(value, set)"),
        ("frozenset[int]", "isinstance(value, frozenset)"),
        ("tuple[int, ...]", "isinstance(value, tuple)"),
        ("Callable[[int, int], str]", "isinstance(value(1, 2), str)"),
        ("Callable[..., Any]", "callable(value)"),
        ("Handler", "isinstance(value('event', 1), bool)"),
        ("type[Money]", "value is Money"),
        ("Type[ValueError]", "issubclass(value, ValueError)"),
        ("Annotated[int, 'positive']", "isinstance(value, int)"),
        ("UserId", "isinstance(value, int)"),
        ("N", "isinstance(value, (int, str))"),
        ("Movie", "isinstance(value['title'], str)"),
        ("Pair", "isinstance(value, Pair) and isinstance(value.left, int)"),
        ("Money", "isinstance(value.amount, decimal.Decimal)"),
        ("Color", "isinstance(value, Color)"),
        ("pathlib.Path", "isinstance(value, pathlib.Path)"),
        ("os.PathLike[str]", "os.fspath(value)"),
        ("datetime.datetime", "value.hour is not None"),
        ("datetime.date", "value.year"),
        ("datetime.timedelta", "isinstance(value.days, int)"),
        ("uuid.UUID", "value.version"),
        ("re.Pattern[str]", "value.pattern"),
        ("TextIO", "isinstance(value.read(), str)"),
        ("BinaryIO", "isinstance(value.read(), bytes)"),
        ("io.BytesIO", "isinstance(value.getvalue(), bytes)"),
        ("collections.abc.MutableMapping[str, int]", "value.update(a=1) is None"),
        ("Exception", "isinstance(value, Exception)"),
        ("'Money'", "isinstance(value, Money)"),
        ("'list[Money] | None'", "isinstance(value, list)"),
    ],
)
def test_the_first_value_is_one_of_the_type(lab: Laboratory, annotation: str, check: str) -> None:
    made = lab(f"{HEADER}\ndef take(value: {annotation}):\n    return bool({check})\n")
    outcomes = made.results("take", 12)
    assert outcomes[0] is True, made.calls("take", 1)
    assert outcomes.count(True) >= 1


def test_all_members_of_an_enumeration_and_of_a_literal_are_given(lab: Laboratory) -> None:
    made = lab(f"{HEADER}\ndef take(value: Color): return value\ndef mode(value: Literal['r', 'w', 3]): return value\n")
    assert made.values("take")[:2] == ["_under_test.Color.RED", "_under_test.Color.BLUE"]
    assert set(made.values("mode")[:3]) == {'"r"', '"w"', "3"}


def test_each_option_of_a_union_is_given_before_ill_typed_values(lab: Laboratory) -> None:
    made = lab("def take(value: int | list[str] | bytes | None): return type(value).__name__\n")
    assert {"int", "list", "bytes", "NoneType"} <= set(made.results("take", 8))


def test_a_type_imported_for_checkers_only_is_found_by_its_name(lab: Laboratory) -> None:
    made = lab("""
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from elsewhere import Ledger as Book
        class Ledger:
            def total(self): return 1
        def take(book: "Ledger") -> int:
            return book.total()
    """)
    assert made.results("take")[0] == 1
