"""Cutting a test out of a file leaves every other byte as it was."""

import ast
from textwrap import dedent

import pytest

from testwright.generate.quality_gates.suite_cutter import TestKey, count_tests, without_tests

FILE = dedent(
    '''\
    """Tests for shop.basket, written by Testwright from the behaviour of the code."""

    from shop import basket as _under_test
    import re
    from decimal import Decimal, getcontext

    import pytest


    @pytest.mark.parametrize(
        ("prices", "expected"),
        [
            pytest.param([], 0, id="empty"),
            pytest.param([1, 2], 3, id="zwölf ✓"),
            pytest.param([Decimal(1)], Decimal(1), id="decimal"),
        ],
    )
    def test_total_adds_up(prices, expected):
        assert _under_test.total(prices) == expected


    # Refusals
    def test_total_refuses_text():
        with pytest.raises(TypeError, match=re.escape("a (text)")):
            _under_test.total("text")


    def test_total_keeps_precision():
        assert getcontext().prec == 28
    '''
)


def test_a_whole_function_goes_with_its_decorators_and_nothing_else() -> None:
    cut = without_tests(FILE, [("test_total_adds_up", None)])

    assert "parametrize" not in cut
    assert cut.endswith(FILE[FILE.index("# Refusals") :])
    assert cut.count("\n\n\n\n") == 0


@pytest.mark.parametrize(("row", "gone"), [(0, "empty"), (1, "zwölf ✓"), (2, "decimal")])
def test_one_row_of_a_table_goes_and_the_others_stay(row: int, gone: str) -> None:
    cut = without_tests(FILE, [("test_total_adds_up", row)])

    left = [name for name in ("empty", "zwölf ✓", "decimal") if f'id="{name}"' in cut]
    assert left == [name for name in ("empty", "zwölf ✓", "decimal") if name != gone]
    table = cut[cut.index("    [\n") : cut.index("    ],\n")]
    assert len(table.splitlines()) == 1 + 2  # no line is left half empty
    ast.parse(cut)


def test_several_rows_and_functions_go_at_once() -> None:
    keys: list[TestKey] = [("test_total_adds_up", 0), ("test_total_adds_up", 2), ("test_total_refuses_text", None)]

    cut = without_tests(FILE, keys)

    assert 'id="zwölf ✓"' in cut
    assert "empty" not in cut
    assert count_tests(cut) == 2


def test_a_table_that_loses_its_last_row_goes_as_a_whole() -> None:
    cut = without_tests(FILE, [("test_total_adds_up", row) for row in range(3)])

    assert "test_total_adds_up" not in cut
    assert count_tests(cut) == 2


def test_imports_go_when_only_the_cut_tests_used_them() -> None:
    cut = without_tests(FILE, [("test_total_refuses_text", None), ("test_total_keeps_precision", None)])

    assert "import re" not in cut
    assert "from decimal import Decimal\n" in cut
    assert "import pytest" in cut


def test_the_import_of_the_module_under_test_stays_whatever_goes() -> None:
    names = ("test_total_adds_up", "test_total_refuses_text", "test_total_keeps_precision")

    cut = without_tests(FILE, [(name, None) for name in names])

    assert "from shop import basket as _under_test" in cut
    assert count_tests(cut) == 0


def test_rows_with_names_in_a_list_of_their_own_lose_both() -> None:
    text = dedent(
        """\
        import shop as _under_test
        import pytest


        @pytest.mark.parametrize("n", [1, 2, 3], ids=["one", "two", "three"])
        def test_n(n):
            assert n
        """
    )

    cut = without_tests(text, [("test_n", 1)])

    assert '@pytest.mark.parametrize("n", [1, 3], ids=["one", "three"])' in cut


def test_a_row_of_two_tables_cannot_be_told_apart_so_the_function_goes() -> None:
    text = dedent(
        """\
        import pytest


        @pytest.mark.parametrize("a", [1, 2])
        @pytest.mark.parametrize("b", [1, 2])
        def test_pairs(a, b):
            assert a == b


        def test_stays():
            pass
        """
    )

    assert count_tests(without_tests(text, [("test_pairs", 0)])) == 1


def test_a_class_goes_with_its_last_test() -> None:
    text = dedent(
        """\
        import shop


        class TestShop:
            def test_opens(self):
                assert shop.opens()

            def test_closes(self):
                assert shop.closes()


        def test_is_there():
            assert shop
        """
    )

    one_left = without_tests(text, [("TestShop.test_opens", None)])
    none_left = without_tests(text, [("TestShop.test_opens", None), ("TestShop.test_closes", None)])

    assert count_tests(one_left) == 2
    assert "class TestShop" not in none_left
    assert count_tests(none_left) == 1
