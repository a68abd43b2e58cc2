"""What a test file imports is tidy, and no name hides another."""

import pytest

from tests.generate.writing.making import IMPORT_LINE, MODULE, Shop, arguments, composed, of_function, result, returned
from testwright.generate.writing.pytest_file import compose_suite


def code_of(expression: str, *imports: str, parameter: str = "value") -> str:
    case = of_function("same", arguments(expression), returned(1), imports=imports, parameters=(parameter,))
    return composed(case).text.partition(IMPORT_LINE)[2]


@pytest.mark.parametrize(
    ("expression", "module", "statement", "use"),
    [
        ("decimal.Decimal('1')", "decimal", "from decimal import Decimal", 'same(Decimal("1"))'),
        ("datetime.timezone.utc", "datetime", "from datetime import timezone", "same(timezone.utc)"),
        ("shop.model.Outer.Inner(1)", "shop.model", "from shop.model import Outer", "same(Outer.Inner(1))"),
        ("re.compile('a')", "re", "import re", 'same(re.compile("a"))'),
        ("os.path.join('a', 'b')", "os.path", "import os", 'same(os.path.join("a", "b"))'),
        ("zlib.error", "zlib", "import zlib", "same(zlib.error)"),
        ("binascii.Error", "binascii", "import binascii", "same(binascii.Error)"),
        ("shop.testing.TestClient()", "shop.testing", "import shop.testing", "same(shop.testing.TestClient())"),
        ("shop.model", "shop.model", "import shop.model", "same(shop.model)"),
    ],
)
def test_a_name_is_imported_as_people_would(expression: str, module: str, statement: str, use: str) -> None:
    code = code_of(expression, module)

    assert f"\n{statement}\n" in code
    assert use in code


def test_the_module_under_test_is_never_imported_twice() -> None:
    code = code_of("shop.basket.Basket('a')", "shop.basket")

    assert "import" not in code
    assert '_under_test.same(_under_test.Basket("a"))' in code


def test_a_name_that_a_variable_has_keeps_its_module_in_front() -> None:
    code = code_of("datetime.date(2020, 1, 2)", "datetime", parameter="date")

    assert "import datetime\n" in code
    assert "datetime.date(2020, 1, 2)" in code


def test_two_modules_with_one_name_both_stay_dotted() -> None:
    cases = [
        of_function("same", arguments("shop.model.Item()"), returned(1), imports=("shop.model",)),
        of_function("price", arguments("shop.store.Item()"), returned(1), imports=("shop.store",)),
    ]

    code = composed(*cases).text

    assert "import shop.model\nimport shop.store\n" in code
    assert "shop.model.Item()" in code
    assert "shop.store.Item()" in code


def test_a_builtin_is_not_hidden() -> None:
    code = code_of("shop.model.list()", "shop.model")

    assert "import shop.model\n" in code


def test_variables_keep_clear_of_builtins_fixtures_and_modules(shop: Shop) -> None:
    text = repr("a text that is so long that it must stand on a line of its own, for this line has no room left for it")
    cases = [
        of_function(
            "slugify",
            arguments(text=text, sep="'_'"),
            result(f"{text}.lower().replace(' ', '_')"),
        ),
        *(
            of_function("same", arguments(value), result(value), parameters=(name,))
            for name in ("list", "request", "copy", "tmp_path", "match", "class")
            for value in ("{'a': {'b': 1}}", "(1, 2)")
        ),
    ]
    # All units are one function here: the same shape, but another parameter name each.
    for case in cases:
        suite = compose_suite(IMPORT_LINE, MODULE, [case, *cases[1:3]])
        ran = shop.run(suite.text)
        assert ran.code == 0, suite.text + ran.output


def test_names_inside_lambdas_and_comprehensions_are_left_alone() -> None:
    code = code_of("[datetime for datetime in map(lambda re: re, [1])]")

    assert "import" not in code
