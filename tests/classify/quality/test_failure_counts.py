"""Failures are counted by what they have in common, and insights name the tests behind them."""

import re

import pytest

from testwright.classify.quality.failure_counts import FailureCounts, count_failures, failure_counts_shape, kind_of_test
from testwright.model.case import Framework, TestCase, TestId
from testwright.model.failure_labels import FailureLabel

from .failures import failed, improvements

URL = "Error: expect(page).toHaveURL(expected) failed"


def sample() -> FailureCounts:
    return count_failures(
        improvements(
            failed("a", FailureLabel.URL_MISMATCH, message=URL, file="e2e/shop.spec.ts", framework="playwright"),
            failed("b", FailureLabel.URL_MISMATCH, message=URL, file="e2e/shop.spec.ts", framework="playwright"),
            failed("c", FailureLabel.SELECTOR_BROKEN, file="e2e/cart.spec.ts", framework="playwright"),
            failed("d", FailureLabel.ASSERTION_MISMATCH),
            failed("e", None, file="tests/api/test_users.py"),
        ),
        origins={"e2e/cart.spec.ts": "engine", "e2e/shop.spec.ts": "some-model prompt 3"},
        flaky=[TestId("playwright:e2e/cart.spec.ts::c")],
    )


def test_failures_are_counted_by_category_kind_origin_and_check_the_largest_first() -> None:
    found = sample()

    assert found.by_category == {"URL_MISMATCH": 2, "ASSERTION_FAIL": 1, "SELECTOR_ISSUE": 1, "UNKNOWN": 1}
    assert found.by_type == {"browser": 3, "api": 1, "unit": 1}
    assert found.by_origin == {"human": 2, "some-model prompt 3": 2, "engine": 1}
    assert found.failed_assertion_methods == {"toHaveURL": 2}
    assert found.total_failures == 5
    assert next(iter(found.by_category)) == "URL_MISMATCH"


def test_insights_name_the_tests_behind_them() -> None:
    insights = sample().insights

    assert insights[0].startswith("1 test saw another value than expected: pytest:tests/test_a.py::d. ")
    assert insights[1].startswith(
        "2 tests ended at another address than expected:"
        " playwright:e2e/shop.spec.ts::a, playwright:e2e/shop.spec.ts::b. See where the page led"
    )
    assert "`toHaveURL` is the check that fails most often, 2 times: playwright:e2e/shop.spec.ts::a" in insights[-2]
    assert insights[-1].startswith("1 test of these is known to be flaky: playwright:e2e/cart.spec.ts::c.")


def test_many_tests_are_named_so_far_as_a_reader_takes_them_in() -> None:
    found = count_failures(improvements(*(failed(f"t{number}", FailureLabel.REAL_BUG) for number in range(8))))

    assert "pytest:tests/test_a.py::t4 and 3 more." in found.insights[0]


@pytest.mark.parametrize("label", list(FailureLabel))
def test_no_insight_advises_a_looser_check_or_fewer_tests(label: FailureLabel) -> None:
    methods = ("toHaveURL", "toHaveText")
    judged = [failed(f"t{n}", label, message=f"expect(page).{methods[n % 2]}(x)") for n in range(3)]

    found = count_failures(improvements(*judged), flaky=[result.case.id for result, _ in judged])

    assert len(found.insights) == 3
    wrong = (
        r"loosen|softer|remove|delete|skip|instead of toHave|try.catch|increase|longer|retry|toContainText|quarantin"
    )
    assert not re.search(wrong, " ".join(found.insights), re.IGNORECASE)


def test_no_failures_give_no_insights() -> None:
    assert count_failures([]) == FailureCounts()
    assert failure_counts_shape(count_failures([])) == {
        "byCategory": {}, "byLabel": {}, "byType": {}, "byOrigin": {}, "failedAssertionMethods": {}, "insights": [],
        "totalFailures": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("framework", "file", "kind"),
    [
        (Framework.PLAYWRIGHT, "tests/shop.spec.ts", "browser"),
        (Framework.PLAYWRIGHT, "tests/api/users.spec.ts", "api"),
        (Framework.PLAYWRIGHT, "tests/a11y.spec.ts", "accessibility"),
        (Framework.PYTEST, "tests/test_prices.py", "unit"),
        (Framework.PYTEST, "tests/e2e/test_shop.py", "browser"),
        (Framework.PYTEST, "tests/test_user_api.py", "api"),
        (Framework.PYTEST, "tests/integration/test_orders.py", "integration"),
        (Framework.PYTEST, "tests/test_capital.py", "unit"),  # a word, not letters within one
        (Framework.VITEST, "src/visual/button.test.ts", "visual"),
        (Framework.SKILL, "skills/api/SKILL.md", "skill"),
        (Framework.FLUTTER, "test/button_test.dart", "widget"),
        (Framework.FLUTTER, "integration_test/app_test.dart", "integration"),
    ],
)
def test_the_kind_of_a_test_is_guessed_from_its_framework_and_path(framework: Framework, file: str, kind: str) -> None:
    assert kind_of_test(TestCase(framework, file)) == kind
