"""Expressions are evaluated as a test would evaluate them, and objects get names that give them back."""

import collections
import datetime as dt
import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from testwright.generate.inside.namespace import Namespace

MakeNamespace = Callable[[str], Namespace]

SOURCE = """
    import collections
    import enum

    class Size(enum.Enum):
        SMALL = 1

    class Outer:
        class Inner:
            pass

        def method(self):
            pass

    MISSING = object()

    def function():
        pass

    def _wrapped():
        def made():
            pass
        return made

    made_once = _wrapped()
    VISITS = []
    """


def test_an_expression_may_name_the_module_under_test_and_builtins(namespace_of: MakeNamespace) -> None:
    namespace = namespace_of(SOURCE)
    assert namespace.evaluate("[_under_test.Size.SMALL.value, len('abc')]") == [1, 3]


def test_an_expression_may_name_any_module_by_its_dotted_path(namespace_of: MakeNamespace) -> None:
    namespace = namespace_of(SOURCE)
    assert namespace.evaluate("datetime.date(2020, 1, 2)") == dt.date(2020, 1, 2)
    assert namespace.evaluate("xml.etree.ElementTree.Element('a').tag") == "a"
    assert namespace.evaluate("(lambda x: json.dumps(x))([1])") == "[1]"


@pytest.mark.parametrize(
    ("expression", "modules"),
    [
        ("1 + 2", ()),
        ("_under_test.f(tmp_path)", ()),
        ("datetime.date(2020, 1, 2)", ("datetime",)),
        ("xml.etree.ElementTree.Element('a')", ("xml.etree.ElementTree",)),
        ("collections.abc.Mapping", ("collections.abc",)),
        ("[decimal.Decimal('1'), decimal.Decimal(2), uuid.UUID(int=1)]", ("decimal", "uuid")),
        ("lambda json: json.dumps", ()),
        ("[os for os in (1, 2)]", ()),
    ],
)
def test_imports_are_the_longest_paths_that_are_modules(
    namespace_of: MakeNamespace, expression: str, modules: tuple[str, ...]
) -> None:
    assert namespace_of(SOURCE).imports(expression) == modules


def test_the_folder_is_made_when_it_is_first_used_and_empty_for_each_case(namespace_of: MakeNamespace) -> None:
    namespace = namespace_of(SOURCE)
    assert namespace.made_folder is None
    (namespace.evaluate("tmp_path") / "left.txt").write_text("from the case before")
    namespace.begin()
    assert namespace.made_folder is None
    assert list(namespace.tmp_path.iterdir()) == []


def test_closing_removes_the_folder(namespace_of: MakeNamespace) -> None:
    namespace = namespace_of(SOURCE)
    folder: Path = namespace.tmp_path
    namespace.close()
    assert not folder.exists()


@pytest.mark.parametrize(
    "path", ["Size", "Size.SMALL", "Outer", "Outer.Inner", "Outer.method", "MISSING", "function", "made_once"]
)
def test_what_the_module_has_is_named_in_it(namespace_of: MakeNamespace, path: str) -> None:
    namespace = namespace_of(SOURCE)
    thing = namespace.evaluate(f"_under_test.{path}")
    assert namespace.name_of(thing) == f"_under_test.{path}"


@pytest.mark.parametrize(
    ("thing", "name"),
    [
        (int, "int"),
        (ValueError, "ValueError"),
        (len, "len"),
        (str.upper, "str.upper"),
        (dt.date, "datetime.date"),
        (json.dumps, "json.dumps"),
        (json.JSONDecodeError, "json.decoder.JSONDecodeError"),
        (collections.OrderedDict, "collections.OrderedDict"),
        (io.StringIO, "io.StringIO"),
        (os, "os"),
        (dt.timezone(dt.timedelta(hours=1)), None),
        ([], None),
        ("text", None),
    ],
)
def test_what_lives_elsewhere_is_named_by_its_public_path(
    namespace_of: MakeNamespace, thing: object, name: str | None
) -> None:
    namespace = namespace_of(SOURCE)
    assert namespace.name_of(thing) == name
    if name is not None:
        assert namespace.evaluate(name) is thing


def test_a_private_module_is_gone_round_where_its_package_shows_the_same_object(tmp_path: Path) -> None:
    package = tmp_path / "roundabout"
    package.mkdir()
    (package / "__init__.py").write_text("from roundabout._hidden import Shown\n")
    (package / "_hidden.py").write_text("class Shown: pass\nclass Unshown: pass\n")
    sys.path.insert(0, str(tmp_path))
    try:
        import roundabout._hidden as hidden  # type: ignore[import-not-found]  # made a moment ago

        namespace = Namespace(sys.modules["roundabout"])
        assert namespace.name_of(hidden.Shown) == "roundabout.Shown"
        assert namespace.name_of(hidden.Unshown) == "roundabout._hidden.Unshown"
    finally:
        sys.path.remove(str(tmp_path))
        for name in ("roundabout", "roundabout._hidden"):
            sys.modules.pop(name, None)


def test_what_was_made_by_a_call_has_no_name(namespace_of: MakeNamespace) -> None:
    namespace = namespace_of(SOURCE)
    assert namespace.name_of(namespace.evaluate("_under_test._wrapped()")) is None
    assert namespace.name_of(namespace.evaluate("_under_test.Outer()")) is None


def test_an_object_whose_attributes_raise_has_no_name(namespace_of: MakeNamespace) -> None:
    class Hostile:
        def __getattr__(self, name: str) -> object:
            raise RuntimeError(name)

    assert namespace_of(SOURCE).name_of(Hostile()) is None
