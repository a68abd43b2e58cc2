"""What may be asked of test_heal, and what is refused before anything is looked at."""

import pytest

from testwright.model.errors import TestwrightError
from testwright.pipeline.healing.on_request.request import HealAction, PageSource, heal_request

GOOD = {"type": "test_heal", "action": "repair", "test_file": "tests/a.spec.ts", "url": "http://127.0.0.1/"}


def refused(**changes: object) -> TestwrightError:
    with pytest.raises(TestwrightError) as raised:
        heal_request({**GOOD, **changes})
    assert raised.value.next_step
    return raised.value


def test_a_request_is_read_as_it_was_given() -> None:
    request = heal_request({**GOOD, "broken_selectors": ["#pay", "getByRole('button')"], "auto_apply": True})
    assert request.action is HealAction.REPAIR
    assert request.page == PageSource(url="http://127.0.0.1/")
    assert request.broken_selectors == ("#pay", "getByRole('button')")
    assert request.auto_apply


def test_a_batch_names_a_folder() -> None:
    request = heal_request({"action": "batch", "test_dir": "e2e", "html_file": "page.html"})
    assert (request.test_dir, request.page.html_file) == ("e2e", "page.html")


@pytest.mark.parametrize(
    "changes",
    [
        {"type": "test_classify"},
        {"action": "mend"},
        {"action": 3},
        {"test_file": ["a"]},
        {"test_file": ""},
        {"test_dir": "tests"},
        {"broken_selectors": "#pay"},
        {"broken_selectors": ["#pay", 7]},
        {"auto_apply": "yes"},
        {"auto_apply": 1},
        {"html_file": "page.html"},
        {"url": ""},
        {"surprise": 1},
        {"action": "analyze", "auto_apply": True},
        {"action": "batch"},
    ],
)
def test_a_wrong_parameter_is_named(changes: dict[str, object]) -> None:
    error = refused(**changes)
    assert error.code == "usage"


def test_B070_more_than_fifty_selectors_are_refused() -> None:  # noqa: N802  the row's name
    assert refused(broken_selectors=[f"#a{number}" for number in range(51)]).code == "too_many_selectors"
    assert len(heal_request({**GOOD, "broken_selectors": [f"#a{n}" for n in range(50)]}).broken_selectors) == 50


@pytest.mark.parametrize(
    ("selector", "code"),
    [
        ("   ", "selector_not_parseable"),
        ("x\n// @ts-nocheck\nprocess.exit(0)", "selector_not_parseable"),
        ("#x\0", "selector_invalid_char"),
        ("#" + "x" * 1000, "selector_too_long"),
        ("😀" * 1001, "selector_too_long"),
    ],
)
def test_a_selector_that_cannot_be_one_is_refused(selector: str, code: str) -> None:
    assert refused(broken_selectors=[selector]).code == code


@pytest.mark.parametrize(
    "selector",
    [':has-text("Save")', "(//li)[2]", "\\#weird", "日本語", 'a[href="javascript:void(0)"]', "a`+process.env.HOME+`"],
)
def test_an_unusual_selector_is_data(selector: str) -> None:
    assert heal_request({**GOOD, "broken_selectors": [selector]}).broken_selectors == (selector,)
