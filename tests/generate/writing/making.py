"""Cases made by hand over a little shop, and a way to run what is written for them."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from testwright.generate.inside.generated_case import Argument, Call, Case, Check, Relation, Use
from testwright.generate.writing.pytest_file import ChosenCase, WrittenSuite, compose_suite

IMPORT_LINE = "from shop import basket as _under_test"
MODULE = "shop.basket"

SHOP = """
import asyncio
import contextlib
from decimal import Decimal

CACHE = {}
COUNT = 0


class EmptyBasket(Exception):
    pass


def slugify(text, sep="-"):
    if not isinstance(text, str):
        raise TypeError(f"text must be a string (got {type(text).__name__})")
    return sep.join(text.lower().split())


def is_weekend(day):
    return day.weekday() >= 5


def price(text):
    return Decimal(text)


def share(part, whole):
    return part / whole


def sort_in_place(items, reverse=False):
    items.sort(reverse=reverse)


def greet(name):
    print(f"Hello, {name}!")


def save(path, text):
    path.write_text(text, encoding="utf-8")


def remember(key, value):
    global COUNT
    COUNT += 1
    CACHE[key] = value
    return COUNT


def leave(code):
    raise SystemExit(code)


async def fetch(n):
    await asyncio.sleep(0)
    return n * 2


async def ticks(n):
    for i in range(n):
        yield i


def count_up(start):
    while True:
        yield start
        start += 1


def pairs(items):
    yield from zip(items, items[1:])


@contextlib.contextmanager
def opened(name):
    yield [name]


@contextlib.asynccontextmanager
async def opened_async(name):
    yield [name]


def same(value):
    return value


class Basket:
    def __init__(self, owner, limit=3):
        self.owner = owner
        self.limit = limit
        self.items = []

    def add(self, item):
        if len(self.items) >= self.limit:
            raise OverflowError(f"basket of {self.owner} is full")
        self.items.append(item)

    async def add_later(self, item):
        self.items.append(item)

    def __len__(self):
        return len(self.items)

    def __contains__(self, item):
        return item in self.items

    def __eq__(self, other):
        return isinstance(other, Basket) and self.items == other.items

    def __getitem__(self, index):
        return self.items[index]

    @property
    def is_empty(self):
        return not self.items

    @property
    def name(self):
        return self.owner

    @name.setter
    def name(self, value):
        self.owner = value

    def first(self):
        if not self.items:
            raise EmptyBasket("nothing here")
        return self.items[0]
"""


def arguments(*positional: str, **named: str) -> tuple[Argument, ...]:
    return tuple(
        [Argument(None, value) for value in positional] + [Argument(name, value) for name, value in named.items()]
    )


def result(expected: str, relation: Relation = Relation.EQUAL, path: str = "{}") -> Check:
    return Check("result", path, relation, expected)


def returned(value: object) -> Check:
    """What a describer says of a plain value."""
    identical = value is None or isinstance(value, bool)
    return result(repr(value), Relation.IDENTICAL if identical else Relation.EQUAL)


def raised(error: str, message: str = "") -> tuple[Check, ...]:
    checks = [Check("error", "{}", Relation.RAISES, error)]
    if message:
        checks.append(Check("error", "{}", Relation.MESSAGE_HAS, message))
    return tuple(checks)


def of_function(
    unit: str,
    given: tuple[Argument, ...],
    *checks: Check,
    use: Use = Use.CALL,
    parameters: tuple[str, ...] = (),
    imports: tuple[str, ...] = (),
    proves: tuple[str, ...] = (),
    condition: str = "",
) -> ChosenCase:
    case = Case(unit, Call(f"_under_test.{unit}", given), use)
    return ChosenCase(case, checks, imports=imports, parameters=parameters, proves=proves, condition=condition)


def of_basket(
    method: str,
    given: tuple[Argument, ...],
    *checks: Check,
    built: tuple[Argument, ...] = arguments("'ann'"),
    before: tuple[Call, ...] = (),
    use: Use = Use.CALL,
    parameters: tuple[str, ...] = (),
    condition: str = "",
    kind: str = "method",
) -> ChosenCase:
    case = Case(f"Basket.{method}", Call(f"subject.{method}", given), use, Call("_under_test.Basket", built), before)
    return ChosenCase(case, checks, unit_kind=kind, parameters=parameters, condition=condition)


EVERY_KIND = [  # one case for each thing that a case can do and a check can be about
    of_function("slugify", arguments("''"), returned(""), parameters=("text", "sep")),
    of_function("slugify", arguments("'Hello World'"), returned("hello-world"), parameters=("text", "sep")),
    of_function(
        "slugify", arguments("3"), *raised("TypeError", "text must be a string (got int)"), parameters=("text",)
    ),
    of_function(
        "is_weekend", arguments("datetime.date(2024, 1, 6)"), returned(True), imports=("datetime",), parameters=("day",)
    ),
    of_function("price", arguments("'1.5'"), result("decimal.Decimal('1.5')"), imports=("decimal",)),
    of_function("share", arguments("1", "3"), result("0.3333333333333333", Relation.CLOSE)),
    of_function("share", arguments("1", "4"), result("float", Relation.INSTANCE), result("0.25")),
    of_function(
        "sort_in_place", arguments("[2, 1]"), returned(None), Check("argument 0", "{}", Relation.EQUAL, "[1, 2]")
    ),
    of_function("greet", arguments("'Bob'"), returned(None), Check("stdout", "{}", Relation.EQUAL, "'Hello, Bob!\\n'")),
    of_function(
        "save",
        arguments("tmp_path / 'out.txt'", "'naïve'"),
        Check("file out.txt", "{}", Relation.EQUAL, "'naïve'"),
        parameters=("path", "text"),
    ),
    of_function(
        "remember",
        arguments("'a'", "1"),
        returned(1),
        Check("module CACHE", "{}", Relation.EQUAL, "{'a': 1}"),
        Check("module COUNT", "{}", Relation.EQUAL, "1"),
    ),
    of_function("leave", arguments("3"), *raised("SystemExit"), Check("error", "{}.code", Relation.EQUAL, "3")),
    of_function("fetch", arguments("4"), returned(8), use=Use.AWAIT),
    of_function("ticks", arguments("2"), returned([0, 1]), use=Use.ITERATE_ASYNC),
    of_function("count_up", arguments("0"), returned(list(range(20))), use=Use.ITERATE),
    of_function("pairs", arguments("'abc'"), returned([("a", "b"), ("b", "c")]), use=Use.ITERATE),
    of_function("opened", arguments("'x'"), returned(["x"]), use=Use.ENTER),
    of_function("opened_async", arguments("'x'"), returned(["x"]), use=Use.ENTER_ASYNC),
    of_function(
        "same", arguments("float('nan')"), result("True", Relation.IDENTICAL, "math.isnan({})"), imports=("math",)
    ),
    ChosenCase(
        Case("Basket", Call("_under_test.Basket", arguments("'ann'"))),
        (result("'ann'", path="{}.owner"), result("3", path="{}.limit")),
        unit_kind="constructor",
        parameters=("owner", "limit"),
    ),
    of_basket("add", arguments("'apple'"), returned(None), Check("subject", "{}.items", Relation.EQUAL, "['apple']")),
    of_basket(
        "add",
        arguments("'pear'"),
        *raised("OverflowError", "basket of ann is full"),
        built=arguments("'ann'", limit="1"),
        before=(Call("subject.add", arguments("'apple'")),),
    ),
    of_basket("__len__", (), returned(0)),
    of_basket("__contains__", arguments("'x'"), returned(False)),
    of_basket("is_empty", (), returned(True), use=Use.GET, kind="property"),
    of_basket(
        "name", arguments("'bob'"), Check("subject", "{}.owner", Relation.EQUAL, "'bob'"), use=Use.SET, kind="property"
    ),
    of_basket("first", (), *raised("_under_test.EmptyBasket", "nothing here")),
]


def composed(*cases: ChosenCase) -> WrittenSuite:
    return compose_suite(IMPORT_LINE, MODULE, cases)


def body_of(text: str, test: str) -> str:
    """The statements of one test, without its `def` line and indentation."""
    _, _, after = text.partition(f"def {test}(")
    lines = after.partition(":\n")[2].splitlines()
    inside = []
    for line in lines:
        if line and not line.startswith(" "):
            break
        inside.append(line.removeprefix("    "))
    return "\n".join(inside).strip()


@dataclass(frozen=True)
class Ran:
    code: int
    output: str


class Shop:
    """A folder with the little shop in it, where suites are really run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        package = folder / "shop"
        package.mkdir()
        (package / "__init__.py").write_text("", encoding="utf-8")
        (package / "basket.py").write_text(SHOP, encoding="utf-8")

    def module(self, name: str, source: str) -> None:
        (self.folder / "shop" / f"{name}.py").write_text(source, encoding="utf-8")

    def run(self, text: str, *tests: str, name: str = "test_written.py") -> Ran:
        """Run all of a suite, or the named tests of it in the order given."""
        (self.folder / name).write_text(text, encoding="utf-8")
        chosen = [f"{name}::{test}" for test in tests] or [name]
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", *chosen]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        return Ran(done.returncode, done.stdout + done.stderr)
