"""A comment at a test says in which order it wants to be healed."""

import pytest

from testwright.heal.source.languages import Language
from testwright.heal.source.strategy_comment import UnknownStrategy, strategy_order
from testwright.model.heal import Strategy

BOTH = (Strategy.BY_ROLE, Strategy.BY_TEXT)
SCRIPT = b"""\
// testwright:heal-strategy=byTooltip
const other = 1;
test.describe('all', () => {
  // It is drawn by a library.
  // testwright:heal-strategy=byRole,byText
  test('above', async () => {
    one();
  });
  test('inside', async () => {
    // koder:heal-strategy=byRole,byText
    two();
  });
  test('none', async () => {
    three();
  }); // testwright:heal-strategy=byRole

  test('after a comment on other code', async () => {});
  /* testwright:heal-strategy=bySmell */
  test('unknown', async () => {});
});
"""
PYTHON = b"""\
# testwright:heal-strategy=byRole,byText
@pytest.mark.slow
def test_above(page):
    pass

def test_inside(page):
    # testwright:heal-strategy=byRole,byText
    pass

def test_none(page):
    pass
"""
DART = b"""\
void main() {
  // koder:heal-strategy=byRole,byText
  testWidgets('above', (tester) async {
    await tester.pump();
  });
  testWidgets('none', (tester) async {});
}
"""


@pytest.mark.parametrize(
    ("data", "language", "line", "order"),
    [
        (SCRIPT, Language.TYPESCRIPT, 6, BOTH),
        (SCRIPT, Language.TYPESCRIPT, 7, BOTH),
        (SCRIPT, Language.JAVASCRIPT, 9, BOTH),
        (SCRIPT, Language.TYPESCRIPT, 13, None),
        (SCRIPT, Language.TYPESCRIPT, 17, None),
        (PYTHON, Language.PYTHON, 3, BOTH),
        (PYTHON, Language.PYTHON, 6, BOTH),
        (PYTHON, Language.PYTHON, 10, None),
        (DART, Language.DART, 3, BOTH),
        (DART, Language.DART, 6, None),
    ],
)
def test_the_comment_inside_or_right_above_a_test_counts(
    data: bytes, language: Language, line: int, order: tuple[Strategy, ...] | None
) -> None:
    assert strategy_order(data, language, line) == order


def test_an_unknown_name_is_a_complaint_that_names_it() -> None:
    order = strategy_order(SCRIPT, Language.TYPESCRIPT, 19)

    assert isinstance(order, UnknownStrategy)
    assert "bySmell" in order.complaint
    assert "byText" in order.complaint
