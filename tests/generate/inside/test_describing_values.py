"""Whatever a function gives is described so that the very value passes and another one does not."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from testwright.generate.inside.case import Argument, Call, Case, Check, Outcome, Relation
from testwright.generate.inside.describing import describe, still_true
from testwright.generate.inside.namespace import Namespace
from testwright.generate.inside.performing import perform

MakeNamespace = Callable[[str], Namespace]

SOURCE = """
    import collections
    import dataclasses
    import enum
    import functools
    import io
    import re
    import typing

    class Colour(enum.Enum):
        RED = 1
        BLUE = "b"

    class Level(enum.IntEnum):
        LOW = 1
        HIGH = 2

    class Right(enum.Flag):
        READ = 1
        WRITE = 2
        RUN = 4

    @dataclasses.dataclass
    class Point:
        x: int
        y: int = 2
        tags: list = dataclasses.field(default_factory=list)

    @dataclasses.dataclass(frozen=True, order=True)
    class Span:
        start: float
        end: float

    @dataclasses.dataclass(eq=False)
    class Unequal:
        a: int

    Pair = collections.namedtuple("Pair", "left right")

    class Typed(typing.NamedTuple):
        name: str
        size: int = 0

    class Temperature:
        '''Its own text is a call of itself.'''
        def __init__(self, degrees, unit="C"):
            self.degrees, self.unit = degrees, unit
        def __repr__(self):
            return f"Temperature({self.degrees!r}, unit={self.unit!r})"
        def __eq__(self, other):
            return isinstance(other, Temperature) and vars(self) == vars(other)

    class Basket:
        '''Nothing but attributes.'''
        def __init__(self, *items):
            self.items = list(items)
            self._seen = 0

    class Hidden:
        def __init__(self, secret):
            self._secret = secret

    class Slotted:
        __slots__ = ("a", "b")
        def __init__(self, a):
            self.a = a

    class Shown:
        def __init__(self, n):
            self._n = n
        @property
        def n(self):
            return self._n
        @property
        def broken(self):
            raise RuntimeError("never")
        def __len__(self):
            return self._n
        def __str__(self):
            return f"shown {self._n}"

    class Shy:
        '''Asking for its text changes it.'''
        def __init__(self, n):
            self._n, self._asked = n, 0
        def __str__(self):
            self._asked += 1
            return ""

    class Odd:
        '''Comparing it gives no truth, as with arrays.'''
        def __init__(self, n):
            self.n = n
        def __eq__(self, other):
            return [True, False]
        __hash__ = None
        def __repr__(self):
            return f"Odd({self.n})"

    class Markup(str):
        pass

    class Stack(list):
        pass

    class Strict(dict):
        def __init__(self, *args):
            super().__init__(*args)
            self.checked = True

    class Loop:
        def __init__(self, n):
            self.n, self.me = n, self

    class Anything:
        '''Has every attribute.'''
        def __init__(self, n):
            self.n = n
        def __getattr__(self, name):
            return Anything(name)

    MISSING = object()
    OTHER = object()

    def give(value):
        return value

    def local_class(n):
        class Local:
            def __init__(self):
                self.n = n
        return Local()

    def closure(n):
        def inner():
            return n
        return inner
    """

# The value, and another one that a test must tell from it.
PAIRS = [
    ("None", "False"),
    ("True", "1"),
    ("False", "0"),
    ("0", "1"),
    ("-7", "7"),
    ("10 ** 30", "10 ** 30 + 1"),
    ("0.5", "0.25"),
    ("2.0", "2.5"),
    ("0.1 + 0.2", "0.31"),
    ("1e300", "1e301"),
    ("float('inf')", "float('-inf')"),
    ("-0.75", "0.75"),
    ("1 + 2j", "1 - 2j"),
    ("''", "' '"),
    ("'abc'", "'abd'"),
    ("'it\\'s \"quoted\"\\n\\t\\\\'", "'its'"),
    ("'naïve ☃ \\x00'", "'naive'"),
    ("'{braces} {}'", "'{} {braces}'"),
    ("'a/b/c'", "'a/b'"),
    ("b''", "b'0'"),
    ("b'\\xff\\x00'", "b'\\xff\\x01'"),
    ("bytearray(b'ab')", "bytearray(b'ac')"),
    ("range(3)", "range(4)"),
    ("range(0, 10, 3)", "range(0, 10, 4)"),
    ("slice(1, None, 2)", "slice(1, 5, 2)"),
    ("...", "None"),
    ("NotImplemented", "None"),
    ("[]", "[0]"),
    ("[1, 'a', None, [2.5]]", "[1, 'a', None, [2.25]]"),
    ("()", "[]"),
    ("(1,)", "(2,)"),
    ("(1, (2, (3,)))", "(1, (2, (4,)))"),
    ("set()", "{1}"),
    ("{3, 1, 2, 10}", "{3, 1, 2, 11}"),
    ("{'b', 'a', 1, None}", "{'b', 'a', 1}"),
    ("frozenset({'x'})", "frozenset({'y'})"),
    ("{}", "{1: 1}"),
    ("{'a': {'b': [1, 2]}, 2: None}", "{'a': {'b': [1, 3]}, 2: None}"),
    ("{(1, 2): {3}}", "{(1, 2): {4}}"),
    ("{True: 'yes', None: 'no'}", "{True: 'yes', None: 'yes'}"),
    ("{'x': 0.1, 'y': 0.2}", "{'x': 0.1, 'y': 0.21}"),
    ("[0.1, 1 / 3]", "[0.1, 1 / 4]"),
    ("collections.OrderedDict([('b', 1), ('a', 2)])", "collections.OrderedDict([('a', 2), ('b', 1)])"),
    ("collections.OrderedDict()", "collections.OrderedDict(a=1)"),
    ("collections.defaultdict(list, {'a': [1]})", "collections.defaultdict(list, {'a': [2]})"),
    ("collections.defaultdict(lambda: 0, {'a': 1})", "collections.defaultdict(lambda: 0, {'a': 2})"),
    ("collections.Counter('aab')", "collections.Counter('abb')"),
    ("collections.deque([1, 2], maxlen=3)", "collections.deque([2, 1], maxlen=3)"),
    ("array.array('i', [1, 2])", "array.array('i', [1, 3])"),
    ("types.SimpleNamespace(a=1, b='x')", "types.SimpleNamespace(a=1, b='y')"),
    ("types.MappingProxyType({'a': 1})", "types.MappingProxyType({'a': 2})"),
    ("decimal.Decimal('1.50')", "decimal.Decimal('1.51')"),
    ("decimal.Decimal('Infinity')", "decimal.Decimal('1')"),
    ("fractions.Fraction(1, 3)", "fractions.Fraction(2, 3)"),
    ("datetime.date(2020, 2, 29)", "datetime.date(2020, 2, 28)"),
    ("datetime.datetime(2020, 1, 2, 3, 4, 5, 6)", "datetime.datetime(2020, 1, 2, 3, 4, 5, 7)"),
    (
        "datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc)",
        "datetime.datetime(2020, 1, 3, tzinfo=datetime.timezone.utc)",
    ),
    (
        "datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))",
        "datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=3)))",
    ),
    ("datetime.time(1, 2)", "datetime.time(1, 3)"),
    ("datetime.time(1, tzinfo=datetime.timezone.utc)", "datetime.time(2, tzinfo=datetime.timezone.utc)"),
    ("datetime.timedelta(days=1, seconds=5)", "datetime.timedelta(days=1, seconds=6)"),
    ("uuid.UUID('12345678-1234-5678-1234-567812345678')", "uuid.UUID('12345678-1234-5678-1234-567812345679')"),
    ("uuid.uuid5(uuid.NAMESPACE_DNS, 'a')", "uuid.uuid5(uuid.NAMESPACE_DNS, 'b')"),
    ("pathlib.PurePosixPath('a/b')", "pathlib.PurePosixPath('a/c')"),
    ("pathlib.Path('a') / 'b'", "pathlib.Path('a')"),
    ("re.compile('a+')", "re.compile('a*')"),
    ("re.compile('a', re.I | re.M)", "re.compile('a', re.I)"),
    ("re.compile(b'a')", "re.compile('a')"),
    ("ipaddress.ip_address('10.0.0.1')", "ipaddress.ip_address('10.0.0.2')"),
    ("int", "float"),
    ("ValueError", "TypeError"),
    ("len", "abs"),
    ("str.upper", "str.lower"),
    ("json", "csv"),
    ("json.dumps", "json.loads"),
    ("_under_test.Colour.RED", "_under_test.Colour.BLUE"),
    ("_under_test.Level.LOW", "1"),
    ("_under_test.Right.READ | _under_test.Right.RUN", "_under_test.Right.READ"),
    ("_under_test.Right(0)", "_under_test.Right.READ"),
    ("_under_test.Point", "_under_test.Span"),
    ("_under_test.Point(1)", "_under_test.Point(2)"),
    ("_under_test.Point(1, 3, ['a'])", "_under_test.Point(1, 3, ['b'])"),
    ("_under_test.Span(1.0, 2.0)", "_under_test.Span(1.0, 3.0)"),
    ("_under_test.Pair(1, [2])", "_under_test.Pair(1, [3])"),
    ("_under_test.Typed('a')", "_under_test.Typed('b')"),
    ("_under_test.Temperature(3)", "_under_test.Temperature(3, 'F')"),
    ("_under_test.MISSING", "_under_test.OTHER"),
    ("_under_test.give", "_under_test.closure"),
]

# Values of which only parts can be told, at the top.
PARTIAL_PAIRS = [
    ("float('nan')", "1.0"),
    ("decimal.Decimal('NaN')", "decimal.Decimal(1)"),
    ("2 ** 1000", "2 ** 1000 + 2"),
    ("'ab' * 2_000", "'ab' * 1_999 + 'ac'"),
    ("b'ab' * 2_000", "b'ab' * 1_999"),
    ("list(range(1_000))", "list(range(999))"),
    ("{n: str(n) for n in range(1_000)}", "{n: str(n) for n in range(999)}"),
    ("[float('nan'), 1]", "[2.0, 1]"),
    ("_under_test.Basket(1, 2)", "_under_test.Basket(1, 3)"),
    ("_under_test.Hidden(1)", "_under_test.Hidden(2)"),
    ("_under_test.Slotted(1)", "_under_test.Slotted(2)"),
    ("_under_test.Shown(1)", "_under_test.Shown(2)"),
    ("_under_test.Odd(1)", "_under_test.Odd(2)"),
    ("_under_test.Shy(1)", "_under_test.Shy(2)"),
    ("_under_test.Markup('<b>')", "_under_test.Markup('<i>')"),
    ("_under_test.Markup('<b>')", "'<b>'"),
    ("_under_test.Stack([1, 2])", "_under_test.Stack([2])"),
    ("_under_test.Strict({'a': 1})", "_under_test.Strict({'a': 2})"),
    ("_under_test.Loop(1)", "_under_test.Loop(2)"),
    ("_under_test.Anything(1)", "_under_test.Anything(2)"),
    ("_under_test.Unequal(1)", "_under_test.Unequal(2)"),
    ("_under_test.local_class(1)", "_under_test.local_class(2)"),
    ("_under_test.closure(1)", "1"),
    ("[_under_test.Basket(1), _under_test.Basket(2)]", "[_under_test.Basket(1), _under_test.Basket(3)]"),
    ("{'a': _under_test.Basket(1)}", "{'a': _under_test.Basket(2)}"),
    ("(_under_test.Basket(1), 5)", "(_under_test.Basket(1), 6)"),
    ("_under_test.Basket(_under_test.Basket(1))", "_under_test.Basket(_under_test.Basket(2))"),
    ("iter([1, 2, 3])", "iter([1, 2])"),
    ("(n * n for n in itertools.count())", "(n for n in itertools.count())"),
    ("map(str, [1, 2])", "map(int, [1, 2])"),
    ("{'a': 1}.keys()", "{'b': 1}.keys()"),
    ("{'a': 1}.values()", "{'a': 2}.values()"),
    ("re.match('(a)(b)', 'abc')", "re.match('(a)(b*)', 'abbc')"),
    ("functools.partial(int, base=2)", "functools.partial(int, base=3)"),
    ("io.StringIO('text')", "io.StringIO('other')"),
    ("memoryview(b'ab')", "memoryview(b'ac')"),
    ("ValueError('a', 1)", "ValueError('a', 2)"),
    ("argparse.Namespace(a=1)", "argparse.Namespace(a=2)"),
]

WRAPPERS = ["{}", "[{}]", "{{'key': {}}}", "({}, 'x')"]
WRAPPED = [
    (wrapper.format(value), wrapper.format(other))
    for wrapper in WRAPPERS
    for value, other in PAIRS
    # A container takes an equal number of another type for the same; only at the top is that told apart.
    if wrapper == "{}" or (value, other) not in (("True", "1"), ("False", "0"), ("_under_test.Level.LOW", "1"))
]


def giving(expression: str) -> Case:
    return Case("give", Call("_under_test.give", (Argument(None, expression),)))


@pytest.fixture
def values(namespace_of: MakeNamespace) -> Namespace:
    return namespace_of(SOURCE)


def test_every_value_passes_its_own_checks_and_another_does_not(values: Namespace) -> None:
    wrong: list[tuple[object, ...]] = []
    for value, other in [*WRAPPED, *PARTIAL_PAIRS]:
        observation = describe(perform(giving(value), values), values)
        holds = still_true(observation.checks, perform(giving(value), values), values)
        if observation.outcome is not Outcome.RETURNED or not holds:
            wrong.append((value, observation))
        elif still_true(observation.checks, perform(giving(other), values), values):
            wrong.append((value, other, observation.checks))
    assert wrong == []
    assert len(WRAPPED) + len(PARTIAL_PAIRS) > 350


def test_what_can_be_written_down_is_told_by_one_whole_check_that_evaluates_to_it(values: Namespace) -> None:
    for expression, _ in WRAPPED:
        performance = perform(giving(expression), values)
        first = describe(performance, values).checks[0]
        assert first.path == "{}", (expression, first)
        again = values.evaluate(first.expected)
        assert type(again) is type(performance.result), (expression, first)
        assert again == performance.result or first.relation is Relation.CLOSE, (expression, first)


def the_checks(namespace: Namespace, expression: str) -> list[tuple[str, Relation, str]]:
    observation = describe(perform(giving(expression), namespace), namespace)
    return [(check.path, check.relation, check.expected) for check in observation.checks]


def test_expectations_read_as_a_person_would_write_them(values: Namespace) -> None:
    assert the_checks(values, "None") == [("{}", Relation.IDENTICAL, "None")]
    assert the_checks(values, "{3, 10, 2}") == [("{}", Relation.EQUAL, "{2, 3, 10}")]
    assert the_checks(values, "{'b', 'a'}") == [("{}", Relation.EQUAL, "{'a', 'b'}")]
    assert the_checks(values, "_under_test.Colour.RED") == [("{}", Relation.IDENTICAL, "_under_test.Colour.RED")]
    assert the_checks(values, "_under_test.Point(1, 2)") == [("{}", Relation.EQUAL, "_under_test.Point(x=1, tags=[])")]
    assert the_checks(values, "0.1 + 0.2") == [("{}", Relation.CLOSE, "0.30000000000000004")]
    assert the_checks(values, "2.0") == [("{}", Relation.EQUAL, "2.0"), ("{}", Relation.INSTANCE, "float")]
    assert the_checks(values, "re.compile('a', re.I)") == [("{}", Relation.EQUAL, "re.compile('a', re.IGNORECASE)")]
    assert the_checks(values, "_under_test.Basket(1)") == [
        ("{}", Relation.INSTANCE, "_under_test.Basket"),
        ("{}.items", Relation.EQUAL, "[1]"),
    ]
    assert the_checks(values, "iter([1])") == [("list({})", Relation.EQUAL, "[1]")]
    assert the_checks(values, "itertools.count()") == [
        ("list(itertools.islice({}, 20))", Relation.EQUAL, str(list(range(20))))
    ]


def test_rounded_numbers_are_compared_closely_only_where_approx_can(values: Namespace) -> None:
    assert the_checks(values, "[0.1, 2]")[0][1] is Relation.CLOSE
    assert the_checks(values, "{'a': 0.1}")[0][1] is Relation.CLOSE
    assert the_checks(values, "[0.1, 'a']")[0][1] is Relation.EQUAL
    assert the_checks(values, "[[0.1]]")[0][1] is Relation.EQUAL


@pytest.mark.parametrize(
    ("source", "is_told"),
    [
        pytest.param("def give(value): return value // 1\n", True, id="it divides"),
        pytest.param(
            "def give(value): return half(value) * 2\ndef half(n): return n // 2\n", True, id="through another"
        ),
        pytest.param("def give(value): return value\ndef half(n): return n // 2\n", False, id="only others do"),
    ],
)
def test_the_type_of_a_number_is_told_where_a_division_led_to_it(
    namespace_of: MakeNamespace, source: str, is_told: bool
) -> None:
    of_type = [("{}", Relation.INSTANCE, "int")] if is_told else []
    assert the_checks(namespace_of(source), "2") == [("{}", Relation.EQUAL, "2"), *of_type]


@pytest.mark.parametrize(
    "expression",
    [
        "time.time()",
        "int(time.time())",
        "datetime.datetime.now()",
        "datetime.date.today()",
        "str(datetime.date.today())",
        "time.strftime('%a, %d %b %Y %H:%M:%S GMT')",
        "time.ctime()",
        "urllib.parse.quote(str(object()))",
        "uuid.uuid4()",
        "object()",
        "repr(object())",
        "str(_under_test.closure)",
        "str({'a', 'b', 'c'})",
        "os.getpid()",
        "sys.prefix + '/x'",
        "tempfile.gettempdir() + '/xyz'",
        "'usage: ' + sys.argv[0]",
        "tmp_path.name",
        "[object()]",
    ],
)
def test_nothing_is_claimed_that_is_otherwise_elsewhere_or_later(values: Namespace, expression: str) -> None:
    checks = the_checks(values, expression)
    values_claimed = [
        check for check in checks if check[1] is not Relation.INSTANCE and not check[0].startswith("len(")
    ]
    assert values_claimed == []


def test_the_hash_of_a_text_is_not_claimed(namespace_of: MakeNamespace) -> None:
    namespace = namespace_of("def give(value): return hash(value)")
    assert the_checks(namespace, "'some text'") == []
    assert the_checks(namespace, "7") == [("{}", Relation.EQUAL, "7")]


def test_what_came_from_the_input_is_claimed_though_it_looks_like_chance(values: Namespace) -> None:
    one = "uuid.UUID('6e0d0fd8-26e1-4a2c-8c8e-4d53b0f4c2bb')"
    assert the_checks(values, one) == [("{}", Relation.EQUAL, one)]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("tmp_path", "tmp_path"),
        ("tmp_path / 'a' / 'b'", "tmp_path / 'a/b'"),
        ("str(tmp_path)", "str(tmp_path)"),
        ("str(tmp_path / 'x')", "f'{tmp_path}/x'"),
        ("f'see {tmp_path}/x, {{}}'", "f'see {tmp_path}/x, {{}}'"),
        ("os.getcwd()", "os.getcwd()"),
        ("os.path.abspath('x')", "f'{os.getcwd()}/x'"),
        ('[tmp_path / "it\'s"]', '[pathlib.Path(f"{tmp_path}/it\'s")]'),
    ],
)
def test_places_are_named_and_not_quoted(values: Namespace, expression: str, expected: str) -> None:
    assert the_checks(values, expression) == [("{}", Relation.EQUAL, expected)]
    assert still_true([Check("result", "{}", Relation.EQUAL, expected)], perform(giving(expression), values), values)


def test_large_and_strange_things_stay_bounded(values: Namespace) -> None:
    for expression in (
        "[_under_test.Basket(n) for n in range(500)]",
        "{n: _under_test.Basket(n) for n in range(500)}",
        "_under_test.Basket(*[_under_test.Basket(*range(50)) for _ in range(50)])",
        "types.SimpleNamespace(**{f'a{n}': object() for n in range(100)})",
        "unittest.mock.MagicMock()",
        "'x' * 1_000_000",
        "[[[[[[[[[[1]]]]]]]]]]",
    ):
        checks = the_checks(values, expression)
        assert len(checks) <= 12, expression
        assert all(len(expected) <= 1_500 for _, _, expected in checks), expression


def test_kinds_tell_outcomes_apart(values: Namespace) -> None:
    def kind(expression: str) -> str:
        return describe(perform(giving(expression), values), values).kind

    expressions = [
        "None",
        "True",
        "False",
        "0",
        "1",
        "-1",
        "0.5",
        "''",
        "'a'",
        "[]",
        "[1]",
        "{}",
        "_under_test.Shown(0)",
    ]
    assert len({kind(expression) for expression in expressions}) == len(expressions)
    assert kind("[1]") == kind("[2]")


def test_descriptions_are_the_same_in_processes_with_other_hashes(tmp_path: Path) -> None:
    script = """
        import sys
        from pathlib import Path
        sys.path[:0] = [sys.argv[1], sys.argv[2]]
        import described_module
        from test_describing_values import PAIRS, PARTIAL_PAIRS, giving
        from testwright.generate.inside.describing import describe
        from testwright.generate.inside.namespace import Namespace
        from testwright.generate.inside.performing import perform
        namespace = Namespace(described_module)
        for expression, other in [*PAIRS, *PARTIAL_PAIRS]:
            for each in (expression, other):
                print(describe(perform(giving(each), namespace), namespace))
        namespace.close()
        """
    (tmp_path / "described_module.py").write_text(dedent(SOURCE))
    (tmp_path / "describe_all.py").write_text(dedent(script))
    arguments = [sys.executable, str(tmp_path / "describe_all.py"), str(tmp_path), str(Path(__file__).parent)]
    texts = [
        subprocess.run(
            arguments,
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    ]
    assert texts[0].count("\n") == 2 * len(PAIRS + PARTIAL_PAIRS)
    assert texts[0] == texts[1]
