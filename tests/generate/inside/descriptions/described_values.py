"""Values of every kind, each with another one that must not be taken for it."""

from testwright.generate.inside.generated_case import Argument, Call, Case

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

# Values of which only parts can be described, at the top.
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


def giving(expression: str) -> Case:
    return Case("give", Call("_under_test.give", (Argument(None, expression),)))
