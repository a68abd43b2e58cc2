"""A case is run as the written test will run it, and nothing it does outlives it."""

import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from testwright.generate.inside.case_run.case_runner import run_case
from testwright.generate.inside.generated_case import Argument, Call, Case, Use
from testwright.generate.inside.namespace import Namespace

MakeNamespace = Callable[[str], Namespace]

SOURCE = """
    import asyncio
    import contextlib
    import functools
    import logging
    import os
    import sys
    import warnings

    VISITS = []
    COUNT = 0

    class Basket:
        def __init__(self, *items):
            self.items = list(items)

        def add(self, item):
            self.items.append(item)
            return self

        @property
        def total(self):
            return sum(self.items)

        @total.setter
        def total(self, value):
            self.items = [value]

    def echo(*positional, **named):
        return positional, named

    def show(text):
        print(text)
        sys.stderr.write("careful\\n")
        sys.stdout.buffer.write(b"bytes\\n")

    def ask():
        return input("name? ")

    def fail(kind):
        raise kind("on purpose")

    def count_up():
        global COUNT
        COUNT += 1
        VISITS.append(COUNT)
        return COUNT

    @functools.cache
    def remembered(x):
        print("computed")
        return x

    class Ticket:
        number = 0
        sold = []

        def __init__(self):
            Ticket.number += 1
            self.sold.append(Ticket.number)
            self.label = f"ticket {Ticket.number} of {len(self.sold)}"

    def numbers():
        try:
            n = 0
            while True:
                yield n
                n += 1
        finally:
            VISITS.append("closed")

    async def double(x):
        await asyncio.sleep(0)
        return 2 * x

    async def wait_forever():
        await asyncio.Event().wait()

    async def stream(n):
        for i in range(n):
            yield i

    @contextlib.contextmanager
    def opened(name):
        VISITS.append("in")
        yield name
        VISITS.append("out")

    @contextlib.asynccontextmanager
    async def opened_slowly(name):
        yield name

    def endless(n):
        return endless(n + 1)

    def warn():
        warnings.warn("old")
        return "warned"

    def log():
        logging.getLogger("some").warning("seen")

    def wander():
        os.chdir("/")

    def litter():
        with open("litter.txt", "w") as file:
            file.write("x")

    def set_variable():
        os.environ["TESTWRIGHT_TRIED"] = "1"
        return len(os.environ)

    def program():
        return sys.argv

    class Stop(BaseException):
        pass
    """


def values(*expressions: str) -> tuple[Argument, ...]:
    return tuple(Argument(None, each) for each in expressions)


def case(name: str, *expressions: str, use: Use = Use.CALL) -> Case:
    return Case(name, Call(f"_under_test.{name}", values(*expressions)), use)


@pytest.fixture
def shop(namespace_of: MakeNamespace) -> Namespace:
    return namespace_of(SOURCE)


def test_arguments_are_passed_by_position_by_name_and_unpacked(shop: Namespace) -> None:
    arguments = (
        Argument(None, "1"),
        Argument("*", "[2, 3]"),
        Argument("four", "4"),
        Argument("**", "{'five': 5}"),
    )
    seen = run_case(Case("echo", Call("_under_test.echo", arguments)), shop)
    assert seen.result == ((1, 2, 3), {"four": 4, "five": 5})
    assert seen.arguments == [1, [2, 3], 4, {"five": 5}]


def test_a_method_is_called_on_the_subject_after_the_calls_before_it(shop: Namespace) -> None:
    basket = Call("_under_test.Basket", values("1"))
    before = (Call("subject.add", values("2")), Call("subject.add", values("3")))
    seen = run_case(Case("Basket.total", Call("subject.total"), Use.GET, basket, before), shop)
    assert seen.result == 6
    assert seen.subject.items == [1, 2, 3]


def test_an_attribute_is_set_on_the_subject(shop: Namespace) -> None:
    basket = Call("_under_test.Basket", values("1"))
    seen = run_case(Case("Basket.total", Call("subject.total", values("9")), Use.SET, basket), shop)
    assert seen.subject.items == [9]
    assert seen.error is None


def test_printing_is_kept_and_the_streams_are_given_back(shop: Namespace) -> None:
    before = (sys.stdin, sys.stdout, sys.stderr, sys.argv)
    seen = run_case(case("show", "'hello'"), shop)
    assert seen.stdout == "hello\nbytes\n"
    assert seen.stderr == "careful\n"
    assert (sys.stdin, sys.stdout, sys.stderr, sys.argv) == before


def test_reading_input_fails_as_it_does_under_pytest(shop: Namespace) -> None:
    seen = run_case(case("ask"), shop)
    assert isinstance(seen.error, OSError)
    assert "reading from stdin" in str(seen.error)
    assert seen.stdout == "name? "


@pytest.mark.parametrize("kind", ["ValueError", "SystemExit", "_under_test.Stop"])
def test_exceptions_of_the_action_are_outcomes(shop: Namespace, kind: str) -> None:
    seen = run_case(case("fail", kind), shop)
    assert type(seen.error) is shop.evaluate(kind)
    assert seen.origin is not None
    assert seen.origin.line > 0
    assert seen.origin.is_stated
    assert not seen.unusable


@pytest.mark.parametrize("kind", ["KeyboardInterrupt", "GeneratorExit", "MemoryError", "RecursionError"])
def test_what_interrupts_from_outside_is_no_outcome(shop: Namespace, kind: str) -> None:
    seen = run_case(case("fail", kind), shop)
    assert seen.error is None
    assert kind in seen.unusable


@pytest.mark.parametrize(
    "unusable",
    [
        case("echo", "1 / 0"),
        case("echo", "_under_test.no_such_thing"),
        case("echo", "not python"),
        case("echo", "no_such_module.x"),
        case("no_such_function"),
        Case("Basket.add", Call("subject.add", values("1")), subject=Call("_under_test.fail", values("ValueError"))),
        Case("Basket.add", Call("subject.add", values("1")), subject=Call("sys.exit")),
    ],
)
def test_a_case_that_cannot_be_arranged_is_unusable(shop: Namespace, unusable: Case) -> None:
    seen = run_case(unusable, shop)
    assert seen.unusable.startswith("cannot be arranged")
    assert seen.error is None


def test_arguments_that_do_not_fit_the_signature_are_unusable(shop: Namespace) -> None:
    assert run_case(case("fail"), shop).unusable.startswith("the call does not fit")


def test_endless_recursion_is_unusable_and_the_limit_is_given_back(shop: Namespace) -> None:
    limit = sys.getrecursionlimit()
    assert "RecursionError" in run_case(case("endless", "0"), shop).unusable
    assert sys.getrecursionlimit() == limit


def test_warnings_are_ignored_even_if_the_filters_say_otherwise(shop: Namespace) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        seen = run_case(case("warn"), shop)
    assert seen.result == "warned"
    assert seen.stderr == ""


def test_a_log_record_is_not_printed_for_want_of_a_handler(shop: Namespace) -> None:
    assert run_case(case("log"), shop).stderr == ""


def test_an_endless_generator_is_taken_from_and_closed(shop: Namespace) -> None:
    seen = run_case(case("numbers", use=Use.ITERATE), shop)
    assert seen.result == list(range(20))
    assert shop.module.VISITS == ["closed"]


def test_asynchronous_code_is_run(shop: Namespace) -> None:
    assert run_case(case("double", "4", use=Use.AWAIT), shop).result == 8
    assert run_case(case("stream", "3", use=Use.ITERATE_ASYNC), shop).result == [0, 1, 2]
    assert run_case(case("opened_slowly", "'a'", use=Use.ENTER_ASYNC), shop).result == "a"


def test_waiting_for_what_never_comes_is_unusable(shop: Namespace) -> None:
    assert "still waits" in run_case(case("wait_forever", use=Use.AWAIT), shop).unusable


def test_a_coroutine_that_is_not_awaited_is_unusable(shop: Namespace) -> None:
    assert "coroutine" in run_case(case("double", "4"), shop).unusable


def test_a_context_manager_is_entered_and_left(shop: Namespace) -> None:
    assert run_case(case("opened", "'a'", use=Use.ENTER), shop).result == "a"
    assert shop.module.VISITS == ["in", "out"]


def test_each_case_finds_the_variables_of_the_module_as_they_were(shop: Namespace) -> None:
    visits = shop.module.VISITS
    assert [run_case(case("count_up"), shop).result for _ in range(3)] == [1, 1, 1]
    shop.begin()
    assert shop.module.VISITS is visits
    assert (visits, shop.module.COUNT) == ([], 0)


def test_each_case_finds_the_variables_of_classes_as_they_were(shop: Namespace) -> None:
    labels = [run_case(case("Ticket"), shop).result.label for _ in range(2)]
    assert labels == ["ticket 1 of 1", "ticket 1 of 1"]


def test_each_case_finds_caches_empty(shop: Namespace) -> None:
    assert [run_case(case("remembered", "1"), shop).stdout for _ in range(2)] == ["computed\n", "computed\n"]


def test_each_case_finds_the_environment_as_it_was(shop: Namespace) -> None:
    first = run_case(case("set_variable"), shop).result
    assert run_case(case("set_variable"), shop).result == first
    shop.begin()
    assert "TESTWRIGHT_TRIED" not in os.environ


def test_a_case_that_changes_the_current_folder_is_brought_back(shop: Namespace) -> None:
    folder = Path.cwd()
    run_case(case("wander"), shop)
    assert Path.cwd() == folder


def test_a_case_that_litters_the_current_folder_is_unusable_and_cleaned_up_after(shop: Namespace) -> None:
    Path("kept.txt").write_text("was here before")
    assert "current folder" in run_case(case("litter"), shop).unusable
    assert "current folder" in run_case(case("litter"), shop).unusable
    assert [entry.name for entry in Path.cwd().iterdir()] == ["kept.txt"]


def test_the_command_line_of_the_worker_is_not_shown(shop: Namespace) -> None:
    assert run_case(case("program"), shop).result == ["program-of-the-case"]
