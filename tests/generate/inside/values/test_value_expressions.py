"""Values as source text, and the names of live objects."""

import ast
import datetime as dt
import decimal
import math
from typing import Any

import pytest

from tests.generate.inside.values.conftest import Laboratory
from testwright.generate.inside.values.value_expressions import ReferenceFinder, literal, parsed, text


@pytest.mark.parametrize(
    ("value", "source"),
    [
        ("hello", '"hello"'),
        ('say "hi"', "'say \"hi\"'"),
        ("it's", '"it\'s"'),
        ("two\nlines\t", '"two\\nlines\\t"'),
        ([1, "a", None], '[1, "a", None]'),
        ((1,), "(1,)"),
        ({"b": {2, 1}}, '{"b": {1, 2}}'),
        (set(), "set()"),
        (frozenset({"x"}), 'frozenset({"x"})'),
        (float("inf"), 'float("inf")'),
        (b"\x00", "b'\\x00'"),
    ],
)
def test_a_plain_value_is_written_as_a_person_would(value: object, source: str) -> None:
    assert literal(value) == source


@pytest.mark.parametrize("value", ["", "a", "'\"", "\\", "\x00\x7f", "é\u2028", "\ud800", "\n" * 3])
def test_every_text_reads_back_as_itself(value: str) -> None:
    assert ast.literal_eval(text(value)) == value


def test_what_is_not_plain_or_too_long_to_read_has_no_literal() -> None:
    class Text(str):
        __slots__ = ()

    assert literal(Text("a")) is None
    assert literal([object()]) is None
    assert literal("x" * 1000) is None
    assert literal(10**5000) is None


def test_not_a_number_reads_back() -> None:
    source = literal(float("nan"))
    assert source is not None
    assert math.isnan(eval(source))


def test_objects_are_named_by_the_shortest_public_way(lab: Laboratory) -> None:
    made = lab("""
        import datetime
        import enum
        import json as j

        class Outer:
            class Inner:
                pass
            def method(self):
                pass

        class Color(enum.Enum):
            RED = object()

        LIMITS = object()
    """)
    naming = ReferenceFinder(made.module)
    module: Any = made.module
    assert naming.name_of(str) == "str"
    assert naming.name_of(dt.date) == "datetime.date"
    assert naming.name_of(module.Outer) == "_under_test.Outer"
    assert naming.name_of(module.Outer.Inner) == "_under_test.Outer.Inner"
    assert naming.source_of(module.Color.RED) == "_under_test.Color.RED"
    assert naming.source_of(module.LIMITS) == "_under_test.LIMITS"
    assert naming.source_of(dt.date(2020, 1, 2)) == "datetime.date(2020, 1, 2)"
    assert naming.source_of(decimal.Decimal("1.50")) == 'decimal.Decimal("1.50")'


def test_what_no_import_leads_to_has_no_name(lab: Laboratory) -> None:
    naming = ReferenceFinder(lab("").module)

    def local() -> None:
        pass

    assert naming.name_of(local) is None
    assert naming.source_of(object()) is None


def test_adopted_source_uses_allowed_names_only(lab: Laboratory) -> None:
    naming = ReferenceFinder(lab("import json as j\nLIMIT = 3\n").module)

    def adopted(source: str) -> str | None:
        tree = parsed(source)
        assert tree is not None
        return naming.adopt(tree)

    assert adopted("[LIMIT, 'a']") == '[_under_test.LIMIT, "a"]'
    assert adopted("lambda x, *rest: (x, rest, LIMIT)") == "lambda x, *rest: (x, rest, _under_test.LIMIT)"
    assert adopted("j.dumps({})") == "_under_test.j.dumps({})"
    assert adopted("datetime.date(2020, 1, 2)") == "datetime.date(2020, 1, 2)"
    assert adopted("somewhere") is None
    assert adopted("[x for x in (1, 2)]") is None
