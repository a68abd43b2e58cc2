"""Whatever a function gives is described so that the very value passes and another one does not."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from tests.generate.inside.descriptions.described_values import PAIRS, PARTIAL_PAIRS, SOURCE, giving
from testwright.generate.inside.case_run.case_runner import run_case
from testwright.generate.inside.descriptions.observation_builder import describe, still_true
from testwright.generate.inside.generated_case import CaseOutcome, Check, Relation
from testwright.generate.inside.namespace import Namespace

MakeNamespace = Callable[[str], Namespace]

WRAPPERS = ["{}", "[{}]", "{{'key': {}}}", "({}, 'x')"]
WRAPPED = [
    (wrapper.format(value), wrapper.format(other))
    for wrapper in WRAPPERS
    for value, other in PAIRS
    # A container takes an equal number of another type for the same; only at the top is there a check of the type.
    if wrapper == "{}" or (value, other) not in (("True", "1"), ("False", "0"), ("_under_test.Level.LOW", "1"))
]


@pytest.fixture
def values(namespace_of: MakeNamespace) -> Namespace:
    return namespace_of(SOURCE)


def test_every_value_passes_its_own_checks_and_another_does_not(values: Namespace) -> None:
    wrong: list[tuple[object, ...]] = []
    for value, other in [*WRAPPED, *PARTIAL_PAIRS]:
        observation = describe(run_case(giving(value), values), values)
        holds = still_true(observation.checks, run_case(giving(value), values), values)
        if observation.outcome is not CaseOutcome.RETURNED or not holds:
            wrong.append((value, observation))
        elif still_true(observation.checks, run_case(giving(other), values), values):
            wrong.append((value, other, observation.checks))
    assert wrong == []
    assert len(WRAPPED) + len(PARTIAL_PAIRS) > 350


def test_what_can_be_written_down_has_type_check_by_one_whole_check_that_evaluates_to_it(values: Namespace) -> None:
    for expression, _ in WRAPPED:
        run = run_case(giving(expression), values)
        first = describe(run, values).checks[0]
        assert first.path == "{}", (expression, first)
        again = values.evaluate(first.expected)
        assert type(again) is type(run.result), (expression, first)
        assert again == run.result or first.relation is Relation.CLOSE, (expression, first)


def the_checks(namespace: Namespace, expression: str) -> list[tuple[str, Relation, str]]:
    observation = describe(run_case(giving(expression), namespace), namespace)
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
    ("source", "has_type_check"),
    [
        pytest.param("def give(value): return value // 1\n", True, id="it divides"),
        pytest.param(
            "def give(value): return half(value) * 2\ndef half(n): return n // 2\n", True, id="through another"
        ),
        pytest.param("def give(value): return value\ndef half(n): return n // 2\n", False, id="only others do"),
    ],
)
def test_the_type_of_a_number_has_type_check_where_a_division_led_to_it(
    namespace_of: MakeNamespace, source: str, has_type_check: bool
) -> None:
    of_type = [("{}", Relation.INSTANCE, "int")] if has_type_check else []
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
    assert still_true([Check("result", "{}", Relation.EQUAL, expected)], run_case(giving(expression), values), values)


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
        return describe(run_case(giving(expression), values), values).kind

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
        from described_values import PAIRS, PARTIAL_PAIRS, giving
        from testwright.generate.inside.descriptions.observation_builder import describe
        from testwright.generate.inside.namespace import Namespace
        from testwright.generate.inside.case_run.case_runner import run_case
        namespace = Namespace(described_module)
        for expression, other in [*PAIRS, *PARTIAL_PAIRS]:
            for each in (expression, other):
                print(describe(run_case(giving(each), namespace), namespace))
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
