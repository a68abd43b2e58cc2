"""Nobody is shown a test file that has not run green, twice, where it will live."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from tests.generate.conftest import Gatekeeper
from testwright.generate.measured_results import Mutants, Survivor
from testwright.generate.quality_gates.all_gates import Gate, GateResult
from testwright.isolate.child import Cancel
from testwright.model.execution_feedback import FeedbackResult, feedback_shape

GREEN = """
    import pytest

    def test_total_adds_up():
        assert _under_test.total([1, 2]) == 3

    def test_total_refuses_large_discounts():
        with pytest.raises(ValueError, match="too much"):
            _under_test.total([1], 101)
"""


RUNS_EVERYTHING = """
from shop import basket

def test_all():
    assert basket.total([]) == 0
    assert basket.total([1, 2]) == 3
    assert basket.names('a')
    try:
        basket.total([1], 101)
    except ValueError:
        pass
"""


def verdict(gated: GateResult, gate: Gate) -> bool | None:
    return next(each.passed for each in gated.verdicts if each.gate is gate)


def fingerprint(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_green_file_passes_every_gate_unchanged(gates: Gatekeeper) -> None:
    gated = gates(GREEN, mutants=Mutants(3, 4, (Survivor("ROR", 8, "`>` became `>=`"),)))

    assert gated.text is not None
    assert "test_total_adds_up" in gated.text
    assert gated.tests == 2
    assert [each.gate for each in gated.verdicts] == list(Gate)
    assert all(each.passed for each in gated.verdicts)
    assert gated.refusal == ""


def test_the_feedback_has_the_gaps_and_the_survivors_in_the_words_of_its_contract(gates: Gatekeeper) -> None:
    gated = gates(GREEN, mutants=Mutants(3, 4, (Survivor("ROR", 8, "`>` became `>=`"),)))

    shape = feedback_shape(gated.feedback)

    assert list(shape) == ["result", "trace_excerpt", "coverage", "mutants_survived", "notes"]
    assert shape["result"] == "pass"
    assert shape["coverage"] == {
        "file": "src/shop/basket.py",
        "uncovered_lines": [7, 15],
        "missing_branches": ["L6: true"],
    }
    [survivor] = shape["mutants_survived"]
    assert (survivor["op"], survivor["location"]) == ("ROR", "src/shop/basket.py:8")
    assert "`>` became `>=`" in survivor["hint"]


def test_the_project_is_untouched_byte_for_byte(gates: Gatekeeper, shop: Path) -> None:
    before = fingerprint(shop)

    gates(GREEN + "    def test_litters():\n        open('litter.txt', 'w').write('x')\n")

    assert fingerprint(shop) == before


# --- import and bootstrap --------------------------------------------------------------------


@pytest.mark.parametrize(
    "target_import",
    [
        pytest.param("import shop.basket as _under_test", id="another form"),
        pytest.param("from src.shop import basket as _under_test", id="by way of src"),
        pytest.param("import pytest\nfrom shop import basket as _under_test", id="second"),
        pytest.param("_under_test = __import__('shop.basket').basket", id="no import"),
    ],
)
def test_a_file_that_imports_the_module_otherwise_is_refused(gates: Gatekeeper, target_import: str) -> None:
    gated = gates(GREEN, target_import=target_import)

    assert gated.text is None
    assert verdict(gated, Gate.IMPORT) is False
    assert verdict(gated, Gate.COMPILE) is None
    assert gated.feedback.result is FeedbackResult.ERROR
    assert "from shop import basket as _under_test" in gated.feedback.notes


def test_comments_and_a_docstring_may_stand_above_the_import(gates: Gatekeeper) -> None:
    gated = gates(GREEN, target_import='# A comment.\n"""A docstring."""\n\nfrom shop import basket as _under_test')

    assert gated.text is not None


def test_importing_from_src_anywhere_is_refused(gates: Gatekeeper) -> None:
    gated = gates(GREEN + "\n    def test_other():\n        import src.shop.basket as other\n        assert other\n")

    assert "src" in gated.refusal


def test_a_missing_bootstrap_shuts_the_bootstrap_gate(gates: Gatekeeper) -> None:
    gated = gates(GREEN, bootstrap=False)

    assert gated.text is None
    assert verdict(gated, Gate.BOOTSTRAP) is False


def test_a_conftest_that_does_not_reach_the_code_shuts_the_bootstrap_gate(gates: Gatekeeper, shop: Path) -> None:
    (shop / "tests" / "conftest.py").write_text("# about something else\n")

    gated = gates(GREEN, bootstrap=False)

    assert gated.text is None
    assert "ModuleNotFoundError" in gated.feedback.trace_excerpt
    assert gated.feedback.result is FeedbackResult.ERROR


# --- compile ---------------------------------------------------------------------------------


def test_a_file_that_does_not_import_is_refused_with_the_error(gates: Gatekeeper) -> None:
    gated = gates("import no_such_module_anywhere\n\ndef test_total():\n    assert _under_test.total([]) == 0\n")

    assert gated.text is None
    assert verdict(gated, Gate.COMPILE) is False
    assert "no_such_module_anywhere" in gated.feedback.trace_excerpt


def test_a_file_that_is_not_python_is_refused(gates: Gatekeeper) -> None:
    gated = gates("def test_(:\n")

    assert gated.text is None
    assert "not valid Python" in gated.refusal


def test_a_file_without_tests_is_refused(gates: Gatekeeper) -> None:
    gated = gates("x = 1\n")

    assert gated.text is None
    assert verdict(gated, Gate.COMPILE) is False


# --- determinism -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "result"),
    [
        pytest.param("assert _under_test.total([1]) == 2", "assert 1 == 2", id="a wrong expectation"),
        pytest.param("import os; assert os.path.exists('pyproject.toml')", "run", id="the folder it is started in"),
        pytest.param("import os; os._exit(0)", "process ended", id="an exit"),
        pytest.param("import pytest; pytest.skip('no')", "no", id="a skip"),
        pytest.param("import ctypes; ctypes.string_at(0)", "signal 11", id="a crash"),
    ],
)
def test_a_test_that_is_not_green_everywhere_is_cut_out(gates: Gatekeeper, bad: str, result: str) -> None:
    gated = gates(GREEN + f"\n    def test_bad():\n        {bad}\n")

    assert gated.text is not None
    assert "test_bad" not in gated.text
    assert gated.tests == 2
    [cut] = gated.cut
    assert cut.name == "test_bad"
    assert result in cut.reason
    assert "test_bad was cut out" in gated.feedback.notes
    assert gated.feedback.result is FeedbackResult.PASS


def test_a_test_that_depends_on_the_order_of_a_set_is_cut_out(gates: Gatekeeper) -> None:
    ask = [sys.executable, "-c", "print(str(set('abcdefgh')))"]
    order = subprocess.run(ask, env={"PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=True).stdout.strip()

    gated = gates(GREEN + f"\n    def test_names():\n        assert _under_test.names('abcdefgh') == {order!r}\n")

    assert [(cut.name, "one run" in cut.reason) for cut in gated.cut] == [("test_names", True)]


def test_only_the_bad_row_of_a_table_is_cut_out(gates: Gatekeeper) -> None:
    gated = gates(
        """
        import pytest

        @pytest.mark.parametrize(("prices", "expected"), [([1], 1), ([2], 3), ([3], 3)])
        def test_total(prices, expected):
            assert _under_test.total(prices) == expected
        """
    )

    assert gated.text is not None
    assert "[([1], 1), ([3], 3)]" in gated.text
    assert [cut.name for cut in gated.cut] == ["test_total (row 2)"]


def test_tests_that_lean_on_one_another_are_cut_out_until_the_rest_stands_alone(gates: Gatekeeper) -> None:
    gated = gates(
        GREEN
        + """
    def test_a_sets_the_stage():
        _under_test.stage = 1

    def test_b_needs_it():
        assert _under_test.stage == 1

    def test_c_spoils_it():
        del _under_test.stage
"""
    )

    assert gated.text is not None
    assert gated.tests >= 2
    assert gated.cut


def test_nothing_is_left_when_everything_fails(gates: Gatekeeper) -> None:
    gated = gates("def test_wrong():\n    assert _under_test.total([1]) == 2\n")

    assert gated.text is None
    assert gated.feedback.result is FeedbackResult.FAIL
    assert "assert 1 == 2" in gated.feedback.trace_excerpt
    assert verdict(gated, Gate.DETERMINISM) is False


def test_nothing_but_flaky_tests_is_called_a_flake(gates: Gatekeeper) -> None:
    gated = gates("import os\n\ndef test_here():\n    assert os.path.exists('pyproject.toml')\n")

    assert gated.text is None
    assert gated.feedback.result is FeedbackResult.FLAKE


def test_a_test_that_only_the_probes_disturb_is_kept(gates: Gatekeeper) -> None:
    gated = gates(
        GREEN
        + """
    def test_code_size():
        assert "__tw_hits__" not in vars(_under_test)
        assert not any("tw_" in name for name in _under_test.total.__code__.co_names)
"""
    )

    assert gated.text is not None
    assert "test_code_size" in gated.text
    assert gated.cut == ()


def test_stopping_gives_no_file(gates: Gatekeeper) -> None:
    cancel = Cancel()
    cancel()

    gated = gates(GREEN, cancel=cancel)

    assert gated.text is None


# --- coverage and mutation -------------------------------------------------------------------


def test_tests_that_run_nothing_new_are_refused(gates: Gatekeeper, shop: Path) -> None:
    existing = shop / "tests" / "test_existing.py"
    existing.write_text(RUNS_EVERYTHING)

    gated = gates(GREEN, existing_tests=(existing,), mutants=Mutants(3, 4, before=3))

    assert gated.text is None
    assert gated.adds_nothing
    assert "existing tests" in gated.refusal


def test_what_existing_tests_leave_out_is_a_gain(gates: Gatekeeper, shop: Path) -> None:
    existing = shop / "tests" / "test_existing.py"
    existing.write_text("from shop import basket\ndef test_empty():\n    assert basket.total([]) == 0\n")

    gated = gates(GREEN, existing_tests=(existing,))

    assert gated.text is not None
    assert verdict(gated, Gate.COVERAGE) is True
    assert gated.baseline is not None
    assert 7 not in gated.baseline.uncovered_lines
    assert 9 in gated.baseline.uncovered_lines
    assert 7 not in gated.covered.uncovered_lines  # which the existing test runs, and the new ones do not


def test_mutants_that_existing_tests_do_not_notice_are_a_gain_by_themselves(gates: Gatekeeper, shop: Path) -> None:
    existing = shop / "tests" / "test_existing.py"
    existing.write_text(RUNS_EVERYTHING)

    gated = gates(GREEN, existing_tests=(existing,), mutants=Mutants(3, 4, before=2))

    assert gated.text is not None
    assert verdict(gated, Gate.COVERAGE) is None
    assert verdict(gated, Gate.MUTATION) is True


def test_mutants_are_counted_anew_when_tests_were_cut_out(gates: Gatekeeper) -> None:
    gated = gates(
        """
        def test_total_of_nothing():
            assert _under_test.total([]) == 0

        def test_total_adds_up_wrongly():
            assert _under_test.total([1]) == 2
        """,
        mutants=Mutants(99, 99),
    )

    assert gated.text is not None
    assert 0 < gated.mutants.killed < gated.mutants.total < 99
    assert len(gated.mutants.survivors) == gated.mutants.total - gated.mutants.killed
    [mutation] = [each for each in gated.verdicts if each.gate is Gate.MUTATION]
    assert mutation.detail == f"{gated.mutants.killed} of {gated.mutants.total} mutants noticed"
    assert len(gated.feedback.mutants_survived) == len(gated.mutants.survivors)


def test_tests_that_notice_no_mutant_are_refused(gates: Gatekeeper) -> None:
    gated = gates(GREEN, mutants=Mutants(0, 12))

    assert gated.text is None
    assert "0 of 12" in gated.refusal


# --- the project's own pytest settings -------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param('addopts = "-n 2"', id="several processes"),
        pytest.param('addopts = "--no-such-option-anywhere"', id="an option of a missing plugin"),
        pytest.param('addopts = "-x --lf"', id="options of a plugin that is switched off"),
        pytest.param('filterwarnings = ["error"]', id="warnings are errors"),
        pytest.param('addopts = "--import-mode=importlib"', id="importlib mode"),
    ],
)
def test_the_projects_pytest_settings_are_in_force_and_do_no_harm(gates: Gatekeeper, shop: Path, settings: str) -> None:
    with (shop / "pyproject.toml").open("a") as file:
        file.write(f"[tool.pytest.ini_options]\n{settings}\n")

    assert gates(GREEN).tests == 2


def test_a_warning_fails_a_test_where_the_project_says_so(gates: Gatekeeper, shop: Path) -> None:
    with (shop / "pyproject.toml").open("a") as file:
        file.write('[tool.pytest.ini_options]\nfilterwarnings = ["error"]\n')

    gated = gates(GREEN + "\n    def test_warns():\n        import warnings; warnings.warn('old')\n")

    assert [cut.name for cut in gated.cut] == ["test_warns"]


def test_fixtures_of_the_projects_conftest_are_there(gates: Gatekeeper, shop: Path) -> None:
    (shop / "conftest.py").write_text("import pytest\n@pytest.fixture\ndef prices():\n    return [1, 2]\n")

    assert gates(GREEN + "\n    def test_fixture(prices):\n        assert _under_test.total(prices) == 3\n").tests == 3
