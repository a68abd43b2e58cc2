"""Beside its result a call is described by what it raised, changed, printed and wrote."""

import json
from collections.abc import Callable

import pytest

from testwright.generate.inside.case_run.case_runner import run_case
from testwright.generate.inside.descriptions.observation_builder import confirm, describe, still_true
from testwright.generate.inside.generated_case import (
    Argument,
    Call,
    Case,
    CaseOutcome,
    Check,
    Observation,
    Relation,
    Use,
)
from testwright.generate.inside.namespace import Namespace

MakeNamespace = Callable[[str], Namespace]

SOURCE = """
    import argparse
    import json
    import random
    import sys
    import zlib

    HISTORY = []
    CURRENT = None
    _cache = {}

    class ShopError(Exception):
        def __init__(self, message, code):
            super().__init__(message)
            self.code = code

    class _Hidden(ShopError):
        pass

    def _local_error():
        class Local(ShopError):
            pass
        return Local("a local one", 5)

    class Basket:
        def __init__(self, owner):
            self.owner = owner
            self._items = []
            self._log = []

        @property
        def items(self):
            return tuple(self._items)

        def add(self, item):
            self._items.append(item)
            return self

        def rename(self, owner):
            self.owner = owner
            return f"now of {owner}"

        def note(self, text):
            self._log.append(text)

        def nothing(self):
            return 1

    class Bag(list):
        def put(self, item):
            self.append(item)

    def refuse(text):
        raise ValueError(f"cannot take {text!r}")

    def refuse_long():
        raise ValueError("word " * 100)

    def refuse_object(thing):
        raise ValueError(f"this is unexpected: {thing!r} and no good")

    def parse(text):
        try:
            return json.loads(text)
        except ValueError as error:
            raise ShopError(f"no JSON in there: {error}", 7) from error

    def number(text):
        return int(text)

    def look_up(table, key):
        return table[key]

    def raise_local():
        raise _local_error()

    def leave(code):
        sys.exit(code)

    def usage():
        argparse.ArgumentParser().parse_args(["--no-such"])

    def extend(items, more):
        items.extend(more)

    def write_to(stream):
        stream.write("written")

    def save(path, text):
        path.write_text(text)

    def save_bytes(path):
        path.write_bytes(b"\\xff\\xfe")
        print("saved")

    def remember(thing):
        global CURRENT
        CURRENT = thing
        HISTORY.append(thing)

    def cached(x):
        _cache[x] = x
        return x

    def maybe(x):
        if x:
            HISTORY.append(x)
            return x
        HISTORY.append(None)
        return None

    def speak():
        print("one")
        print("two", file=sys.stderr)

    def shuffled(text):
        return "".join(random.sample(text, len(text)))

    def die():
        return random.random()

    def sometimes():
        if random.random() < 2:
            return object()

    class Noisy:
        @property
        def loud(self):
            print("somebody looked")
            return 1
        @property
        def fatal(self):
            sys.exit(3)
    """


@pytest.fixture
def shop(namespace_of: MakeNamespace) -> Namespace:
    return namespace_of(SOURCE)


def case(name: str, *expressions: str, **named: str) -> Case:
    arguments = [Argument(None, each) for each in expressions]
    arguments += [Argument(each, value) for each, value in named.items()]
    return Case(name, Call(f"_under_test.{name}", tuple(arguments)))


def on_basket(method: str, *expressions: str, use: Use = Use.CALL) -> Case:
    arguments = tuple(Argument(None, each) for each in expressions)
    subject = Call("_under_test.Basket", (Argument(None, "'Ann'"),))
    return Case(f"Basket.{method}", Call(f"subject.{method}", arguments), use, subject)


def seen(namespace: Namespace, case: Case) -> Observation:
    observation = describe(run_case(case, namespace), namespace)
    if observation.outcome is not CaseOutcome.UNUSABLE:
        assert still_true(observation.checks, run_case(case, namespace), namespace)
    return observation


# --- exceptions --------------------------------------------------------------------------------------


def raises(kind: str, message: str | None = None, how_much: Relation = Relation.MESSAGE_IS) -> list[Check]:
    checks = [Check("error", "{}", Relation.RAISES, kind)]
    return checks if message is None else [*checks, Check("error", "{}", how_much, message)]


def test_an_exception_is_told_by_its_class_and_the_words_the_package_chose(shop: Namespace) -> None:
    observation = seen(shop, case("refuse", "'x'"))
    assert observation.outcome is CaseOutcome.RAISED
    assert list(observation.checks) == raises("ValueError", "cannot take 'x'")
    assert observation.kind.startswith("raised ValueError L")


def test_the_words_of_python_itself_are_not_relied_on(shop: Namespace) -> None:
    assert list(seen(shop, case("number", "'x'")).checks) == raises("ValueError")


def test_words_of_others_are_cut_out_of_a_message_that_quotes_them(shop: Namespace) -> None:
    observation = seen(shop, case("parse", "'{'"))
    assert list(observation.checks) == [
        *raises("_under_test.ShopError", "no JSON in there:", Relation.MESSAGE_BEGINS),
        Check("error", "{}.code", Relation.EQUAL, "7"),
    ]


def test_a_missing_key_is_named(shop: Namespace) -> None:
    assert list(seen(shop, case("look_up", "{}", "'colour'")).checks) == raises(
        "KeyError", "colour", Relation.MESSAGE_HAS
    )


def test_a_long_message_is_cut_at_a_word(shop: Namespace) -> None:
    message = seen(shop, case("refuse_long")).checks[1].expected
    assert len(message) <= 120
    assert message.endswith("word")


@pytest.mark.parametrize("thing", ["object()", "lambda: 0", "_under_test.refuse"])
def test_what_changes_in_a_message_is_left_out(shop: Namespace, thing: str) -> None:
    message = seen(shop, case("refuse_object", thing)).checks[1].expected
    assert message == "this is unexpected:"


def test_a_class_without_a_name_is_told_by_its_nearest_base_with_one(shop: Namespace) -> None:
    assert seen(shop, case("raise_local")).checks[0].expected == "_under_test.ShopError"


@pytest.mark.parametrize(("code", "expected"), [("3", "3"), ("'bad'", "'bad'")])
def test_leaving_is_told_by_its_code(shop: Namespace, code: str, expected: str) -> None:
    assert list(seen(shop, case("leave", code)).checks) == [
        *raises("SystemExit"),
        Check("error", "{}.code", Relation.EQUAL, expected),
    ]


def test_the_usage_text_of_argparse_is_not_relied_on(shop: Namespace) -> None:
    assert [check.of for check in seen(shop, case("usage")).checks] == ["error", "error"]


def test_an_error_that_no_longer_comes_or_is_another_one_is_noticed(shop: Namespace) -> None:
    checks = seen(shop, case("refuse", "'x'")).checks
    assert not still_true(checks, run_case(case("refuse", "'y'"), shop), shop)
    assert not still_true(checks, run_case(case("number", "'1'"), shop), shop)
    assert not still_true(checks, run_case(case("look_up", "{}", "1"), shop), shop)
    assert not still_true(seen(shop, case("number", "'1'")).checks, run_case(case("number", "'x'"), shop), shop)


# --- state -------------------------------------------------------------------------------------------


def test_a_change_of_the_subject_is_told_by_its_attribute(shop: Namespace) -> None:
    assert list(seen(shop, on_basket("rename", "'Bob'")).checks) == [
        Check("result", "{}", Relation.EQUAL, "'now of Bob'"),
        Check("subject", "{}.owner", Relation.EQUAL, "'Bob'"),
    ]


def test_a_hidden_change_is_told_by_the_property_that_shows_it(shop: Namespace) -> None:
    assert list(seen(shop, on_basket("add", "1")).checks) == [
        Check("result", "{}", Relation.IDENTICAL, "subject"),
        Check("subject", "{}.items", Relation.EQUAL, "(1,)"),
    ]


def test_a_hidden_change_that_nothing_shows_is_told_itself(shop: Namespace) -> None:
    assert list(seen(shop, on_basket("note", "'hm'")).checks) == [
        Check("subject", "{}._log", Relation.EQUAL, "['hm']"),
    ]


def test_how_a_hidden_thing_is_built_inside_is_not_told_where_its_size_shows_the_change(
    namespace_of: MakeNamespace,
) -> None:
    namespace = namespace_of(
        """
        class Basket:
            def __init__(self, owner):
                self._nodes = []

            def add(self, item):
                self._nodes.append([self, item])
        """
    )

    assert [check.path for check in seen(namespace, on_basket("add", "1")).checks] == ["len({}._nodes)"]


def test_what_stays_the_same_is_not_described(shop: Namespace) -> None:
    assert list(seen(shop, on_basket("nothing")).checks) == [Check("result", "{}", Relation.EQUAL, "1")]


def test_setting_an_attribute_is_told_by_the_subject_alone(shop: Namespace) -> None:
    assert list(seen(shop, on_basket("owner", "'Bob'", use=Use.SET)).checks) == [
        Check("subject", "{}.owner", Relation.EQUAL, "'Bob'"),
    ]


def test_a_subject_that_is_a_container_is_told_by_what_it_holds(shop: Namespace) -> None:
    put = Case("Bag.put", Call("subject.put", (Argument(None, "1"),)), subject=Call("_under_test.Bag"))
    assert seen(shop, put).checks[0] == Check("subject", "{}", Relation.EQUAL, "_under_test.Bag([1])")


def test_arguments_that_were_changed_are_told_by_position_or_name(shop: Namespace) -> None:
    assert list(seen(shop, case("extend", "[1]", "[2]")).checks) == [
        Check("argument 0", "{}", Relation.EQUAL, "[1, 2]"),
    ]
    assert list(seen(shop, case("extend", items="[1]", more="[2]")).checks) == [
        Check("argument items", "{}", Relation.EQUAL, "[1, 2]"),
    ]


def test_what_was_written_to_a_stream_is_described(shop: Namespace) -> None:
    assert (
        Check("argument 0", "{}.getvalue()", Relation.EQUAL, "'written'")
        in seen(shop, case("write_to", "io.StringIO()")).checks
    )


def test_printed_text_is_described(shop: Namespace) -> None:
    assert list(seen(shop, case("speak")).checks) == [
        Check("stdout", "{}", Relation.EQUAL, repr("one\n")),
        Check("stderr", "{}", Relation.EQUAL, repr("two\n")),
    ]


def test_written_files_are_told_as_text_or_bytes(shop: Namespace) -> None:
    assert list(seen(shop, case("save", "tmp_path / 'a.txt'", "'hello'")).checks) == [
        Check("file a.txt", "{}", Relation.EQUAL, "'hello'"),
    ]
    assert (
        Check("file b.bin", "{}", Relation.EQUAL, repr(b"\xff\xfe"))
        in seen(shop, case("save_bytes", "tmp_path / 'b.bin'")).checks
    )


def test_a_file_that_is_not_written_is_noticed(shop: Namespace) -> None:
    checks = seen(shop, case("save", "tmp_path / 'a.txt'", "'hello'")).checks
    assert not still_true(checks, run_case(case("save", "tmp_path / 'b.txt'", "'hello'"), shop), shop)


def test_changed_variables_of_the_module_are_described(shop: Namespace) -> None:
    assert list(seen(shop, case("remember", "5")).checks) == [
        Check("module CURRENT", "{}", Relation.EQUAL, "5"),
        Check("module HISTORY", "{}", Relation.EQUAL, "[5]"),
    ]


def test_private_variables_are_told_only_where_little_else_is(shop: Namespace) -> None:
    assert [check.of for check in seen(shop, case("cached", "5")).checks] == ["result"]


def test_none_is_told_where_the_function_could_have_given_something_else(shop: Namespace) -> None:
    assert [check.of for check in seen(shop, case("maybe", "0")).checks] == ["result", "module HISTORY"]
    assert [check.of for check in seen(shop, case("remember", "0")).checks] == ["module CURRENT", "module HISTORY"]


# --- looking does no harm ----------------------------------------------------------------------------


def test_looking_prints_nothing_and_survives_properties_that_exit(
    shop: Namespace, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [check.path for check in seen(shop, case("Noisy")).checks] == ["{}", "{}.loud"]
    assert capsys.readouterr() == ("", "")


def test_an_unusable_run_is_an_unusable_observation(shop: Namespace) -> None:
    observation = describe(run_case(case("refuse"), shop), shop)
    assert observation.outcome is CaseOutcome.UNUSABLE
    assert "does not fit" in observation.reason
    assert not still_true((), run_case(case("refuse"), shop), shop)


# --- chance ------------------------------------------------------------------------------------------


def test_confirming_keeps_what_is_seen_again(shop: Namespace) -> None:
    for steady in (case("number", "'1'"), case("refuse", "'x'"), on_basket("add", "1")):
        observation = seen(shop, steady)
        assert confirm(observation, steady, shop) == observation


def test_confirming_keeps_the_shape_of_what_came_by_chance(shop: Namespace) -> None:
    shuffle = case("shuffled", repr("abcdefghijklmnopqrstuvwxyz"))
    assert confirm(describe(run_case(shuffle, shop), shop), shuffle, shop).checks == (
        Check("result", "{}", Relation.INSTANCE, "str"),
        Check("result", "len({})", Relation.EQUAL, "26"),
    )
    die = case("die")
    assert confirm(describe(run_case(die, shop), shop), die, shop).checks == (
        Check("result", "{}", Relation.INSTANCE, "float"),
    )


def test_checks_are_plain_text(shop: Namespace) -> None:
    for check in seen(shop, on_basket("add", "1")).checks:
        assert json.loads(json.dumps([check.of, check.path, check.relation.value, check.expected]))
