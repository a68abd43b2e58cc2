"""test_heal as a function: one file or a folder of them, against a page that is a file."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from testwright.heal.page_names import PageNames
from testwright.model.case import TestId
from testwright.model.errors import TestwrightError
from testwright.model.heal import CallSite, Sighting
from testwright.observe.html_page import snapshot_html
from testwright.pipeline.healing.on_request.answer import FileAnswer, HealAnswer
from testwright.pipeline.healing.on_request.file_healer import heal_file
from testwright.pipeline.healing.on_request.heal_lock import one_at_a_time
from testwright.pipeline.healing.on_request.journey import HealTools, answer_heal
from testwright.pipeline.healing.on_request.page_opener import page_opener
from testwright.pipeline.healing.on_request.request import Deadline, heal_request
from testwright.selectors.selector_parser import parse_selector
from testwright.selectors.spelling import canonical

PAGE = """<!doctype html><title>Checkout</title><main><h1>Checkout</h1>
<form action="/orders"><label>Email <input name="email"></label>
<button data-testid="submit-button">Place order</button>
<button type="button" id="cancel">Cancel</button></form>
<a href="/help">Help</a></main>"""

SPEC = """\
import { test, expect } from '@playwright/test';

test('a customer can order', async ({ page }) => {
  await page.goto('/checkout');
  await page.getByLabel('Email').fill('a@b.example');
  await page.getByTestId('submit-btn').click();
  await expect(page.locator('#spinner')).toBeHidden();
});
"""

PYTHON = """\
from playwright.sync_api import Page

def test_a_customer_can_order(page: Page) -> None:
    page.goto("/checkout")
    page.click("#submit-btn")
    page.get_by_role("link", name="Help").click()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "order.spec.ts").write_text(SPEC)
    (tmp_path / "tests" / "test_order.py").write_text(PYTHON)
    (tmp_path / "page.html").write_text(PAGE)
    return tmp_path


def tools(root: Path, **more: Any) -> HealTools:
    return HealTools(root, page_opener(lambda name: (root / name).read_bytes()), **more)


def ask(root: Path, action: str = "repair", file: str = "tests/order.spec.ts", **more: Any) -> HealAnswer:
    where = {"test_dir": file} if action == "batch" else {"test_file": file}
    request = heal_request({"type": "test_heal", "action": action, "html_file": "page.html", **where, **more})
    return answer_heal(request, tools(root))


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(TestwrightError) as raised:
        call()
    assert raised.value.next_step
    return raised.value.code


def test_a_renamed_test_id_is_healed_and_only_it(project: Path) -> None:
    answer = ask(project)
    data = answer.shape()
    assert data["healed"] == [
        {
            "old_selector": "getByTestId('submit-btn')",
            "new_selector": "getByTestId('submit-button')",
            "confidence": 1.0,
            "strategy": "testid_match",
            "line_number": 6,
        }
    ]
    assert data["unhealed"] == []
    assert data["summary"] == {"total_broken": 1, "healed_auto": 0, "healed_manual": 1, "unhealed": 0}
    assert "updated_content" not in data
    assert answer.summary == "Healed 1/1 selectors in tests/order.spec.ts"
    assert answer.files[0].after.decode() == SPEC.replace("submit-btn", "submit-button")
    assert (project / "tests" / "order.spec.ts").read_text() == SPEC


def test_a_string_selector_stays_a_string_in_python(project: Path) -> None:
    answer = ask(project, file="tests/test_order.py")
    (healed,) = answer.files[0].healed
    assert (healed.old, healed.line) == ("#submit-btn", 5)
    changed = answer.files[0].after.decode()
    assert changed != PYTHON
    assert changed.replace(changed.splitlines()[4], PYTHON.splitlines()[4]) == PYTHON


def test_an_assertion_that_something_is_absent_is_not_broken(project: Path) -> None:
    assert any("meant to find nothing" in note for note in ask(project).files[0].notes)


def test_what_cannot_be_told_is_unhealed_with_a_reason_and_suggestions(project: Path) -> None:
    (project / "tests" / "order.spec.ts").write_text(SPEC.replace("submit-btn", "place-my-big-order"))
    answer = ask(project)
    assert answer.shape()["unhealed"] == ["getByTestId('place-my-big-order')"]
    (missed,) = answer.files[0].unhealed
    assert missed.reason == "gone"
    assert any("submit-button" in one.selector for one in missed.suggestions)
    assert answer.summary == "Healed 0/1 selectors in tests/order.spec.ts (1 unhealed, requires manual review)"


def test_only_the_selectors_asked_for_are_healed(project: Path) -> None:
    answer = ask(project, broken_selectors=["#nothing-like-it", "getByLabel('Email')"])
    assert [one.old for one in answer.files[0].unhealed] == ["#nothing-like-it"]
    assert not answer.files[0].healed
    assert any("not broken" in note for note in answer.files[0].notes)


def test_what_cannot_be_tried_on_a_page_is_refused_and_not_taken_for_broken(project: Path) -> None:
    answer = ask(project, broken_selectors=["button:hover", "a > > b"]).files[0]
    assert [(one.old, one.reason) for one in answer.unhealed] == [
        ("button:hover", "selector_unsupported"),
        ("a > > b", "selector_not_parseable"),
    ]
    assert not answer.healed


def test_a_selector_of_the_file_that_cannot_be_tried_is_noted_and_left_as_it_is(project: Path) -> None:
    spec = SPEC.replace("'#spinner'", "'#old:hover'").replace("submit-btn", "submit-button")
    (project / "tests" / "order.spec.ts").write_text(spec.replace("toBeHidden", "toBeVisible"))
    answer = ask(project).files[0]
    assert (answer.healed, answer.unhealed) == ((), ())
    assert any(":hover" in note for note in answer.notes)


def test_a_place_that_cannot_be_tried_leads_nowhere(project: Path) -> None:
    (answer,) = ask(project, broken_selectors=["form:hover #submit-btn"]).files[0].unhealed
    assert answer.reason == "selector_unsupported"


def test_a_plain_string_that_is_asked_for_becomes_a_plain_string(project: Path) -> None:
    (healed,) = ask(project, broken_selectors=["#submit-btn"]).files[0].healed
    assert healed.new == '[data-testid="submit-button"]'


def test_a_selector_given_in_another_spelling_is_the_same_selector(project: Path) -> None:
    (healed,) = ask(project, broken_selectors=['internal:testid=[data-testid="submit-btn"s]']).files[0].healed
    assert healed.line == 6


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (
            "<title>404 Not Found</title><h1>Not found</h1><button data-testid='submit-button'>Home</button>",
            "error_page",
        ),
        ("<html><body></body></html>", "blank_page"),
    ],
)
def test_nothing_is_healed_on_a_page_that_is_in_trouble(project: Path, page: str, reason: str) -> None:
    (project / "page.html").write_text(page)
    answer = ask(project)
    assert not answer.files[0].healed
    assert {one.reason for one in answer.files[0].unhealed} == {reason}


def test_a_page_on_which_most_selectors_find_nothing_may_be_the_wrong_one(project: Path) -> None:
    lines = "".join(f"  await page.locator('#thing-{name}').click();\n" for name in ("a", "bee", "sea", "dee", "ease"))
    (project / "tests" / "order.spec.ts").write_text(SPEC.replace("});\n", lines + "});\n"))
    assert any("may be another" in note for note in ask(project, "analyze").files[0].notes)


def test_crlf_and_a_byte_order_mark_survive_a_heal(project: Path) -> None:
    original = b"\xef\xbb\xbf" + SPEC.replace("\n", "\r\n").encode().rstrip()
    (project / "tests" / "order.spec.ts").write_bytes(original)
    assert ask(project).files[0].after == original.replace(b"submit-btn", b"submit-button")


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("../../../etc/passwd", "path_not_allowed"),
        ("/etc/passwd", "path_not_allowed"),
        ("tests/nothing.spec.ts", "test_file_not_found"),
        ("tests/%2e%2e/%2e%2e/etc/passwd", "test_file_not_found"),
        ("$HOME/.aws/credentials", "test_file_not_found"),
        ("tests/a.py\0.png", "invalid_path"),
        ("\\\\server\\share\\x.py", "invalid_path"),
        (".", "not_a_regular_file"),
        ("tests", "not_a_regular_file"),
        ("tests/outside.py", "path_not_allowed"),
    ],
)
def test_a_file_outside_the_project_or_missing_is_refused(project: Path, file: str, code: str) -> None:
    (project / "tests" / "outside.py").symlink_to("/proc/self/environ")
    assert refused(lambda: ask(project, file=file)) == code


def test_a_path_that_stays_inside_is_normalised(project: Path) -> None:
    assert ask(project, file="tests/../tests/order.spec.ts").files[0].file == "tests/order.spec.ts"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"def test_x(:\n  pass", "invalid_test_syntax"),
        (b"(" * 5000 + b")" * 5000, "invalid_test_syntax"),
        (b"# -*- coding: nope -*-\nx=1", "invalid_test_encoding"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(project: Path, content: bytes, code: str) -> None:
    (project / "tests" / "test_order.py").write_bytes(content)
    assert refused(lambda: ask(project, file="tests/test_order.py")) == code


def test_a_file_that_is_too_large_is_refused(project: Path) -> None:
    (project / "tests" / "test_order.py").write_bytes(b"#" * (500 * 1024 + 1))
    assert refused(lambda: ask(project, file="tests/test_order.py")) == "too_large"


def test_a_batch_heals_each_file_and_goes_on_past_a_bad_one(project: Path) -> None:
    (project / "tests" / "test_bad.py").write_text("def test_x(:\n")
    heard: list[tuple[str, int, int]] = []
    request = heal_request({"action": "batch", "test_dir": "tests", "html_file": "page.html"})
    answer = answer_heal(
        request, tools(project), progress=lambda one, done, total: heard.append((one.file, done, total))
    )
    assert heard == [("tests/order.spec.ts", 1, 3), ("tests/test_bad.py", 2, 3), ("tests/test_order.py", 3, 3)]
    data = answer.shape()
    assert [each["file"] for each in data["files"]] == [name for name, _, _ in heard]
    assert data["files"][1]["error"]["code"] == "invalid_test_syntax"
    assert {one["file"] for one in data["healed"]} == {"tests/order.spec.ts", "tests/test_order.py"}
    assert data["summary"]["total_broken"] == 2


def test_B126_a_batch_of_more_than_twenty_files_is_refused(project: Path) -> None:  # noqa: N802  the row's name
    for number in range(19):
        (project / "tests" / f"test_{number}.py").write_text("")
    assert refused(lambda: ask(project, "batch", "tests")) == "batch_too_large"


@pytest.mark.parametrize(("sizes", "limit"), [([500 * 1024 + 1], "file size"), ([400 * 1024] * 14, "total size")])
def test_a_batch_that_is_too_large_is_refused_and_the_limit_named(project: Path, sizes: list[int], limit: str) -> None:
    for number, size in enumerate(sizes):
        (project / "tests" / f"test_{number}.py").write_bytes(b"#" * size)
    with pytest.raises(TestwrightError, match=limit) as raised:
        ask(project, "batch", "tests")
    assert raised.value.code == "batch_too_large"


def test_a_batch_of_no_tests_is_refused(project: Path) -> None:
    (project / "empty").mkdir()
    assert refused(lambda: ask(project, "batch", "empty")) == "no_tests"
    assert refused(lambda: ask(project, "batch", "nowhere")) == "test_file_not_found"
    assert refused(lambda: ask(project, "batch", "../")) == "path_not_allowed"


def test_what_was_not_reached_in_time_is_named() -> None:
    answer = heal_file("a.spec.ts", SPEC.encode(), PageNames(snapshot_html(PAGE)), deadline=Deadline.after(-1))
    assert "getByTestId('submit-btn')" in answer.not_reached
    assert not answer.healed


def test_B092_auto_apply_without_the_toggle_writes_nothing(project: Path) -> None:  # noqa: N802  the row's name
    assert refused(lambda: ask(project, auto_apply=True)) == "ai_web_pilot_disabled"
    assert (project / "tests" / "order.spec.ts").read_text() == SPEC


def test_auto_apply_hands_over_only_what_is_sure(project: Path) -> None:
    handed: list[FileAnswer] = []

    def apply(answer: FileAnswer) -> FileAnswer:
        handed.append(answer)
        return answer

    request = heal_request(
        {"action": "repair", "test_file": "tests/order.spec.ts", "html_file": "page.html", "auto_apply": True}
    )
    answer_heal(request, tools(project, pilot=True, apply=apply))
    assert handed[0].sure.decode() == SPEC.replace("submit-btn", "submit-button")


def test_one_request_at_a_time(project: Path) -> None:
    request = heal_request({"action": "analyze", "test_file": "tests/order.spec.ts", "html_file": "page.html"})
    with one_at_a_time(project):
        assert refused(lambda: answer_heal(request, tools(project, wait_seconds=0.05))) == "heal_busy"
        answers: list[HealAnswer] = []
        waiting = threading.Thread(target=lambda: answers.append(answer_heal(request, tools(project))))
        waiting.start()
    waiting.join(30)
    assert len(answers) == 1


# --- with a memory of passing runs -----------------------------------------------------------


def remembered(file: str, selector: str, html: str, text: str, url: str = "") -> Callable[[str], list[Sighting]]:
    """What a passing run of a test in `file` found by `selector`: the element with that text."""
    page = snapshot_html(html, url)
    element = next(one.number for one in page.elements if one.own_text == text)
    sighting = Sighting(
        TestId("a test"), CallSite(file, 6), canonical(parse_selector(selector)), page, (element,), "click"
    )
    return lambda wanted: [sighting] if wanted == sighting.selector else []


OLD_PAGE = PAGE.replace('data-testid="submit-button"', 'data-testid="go-4711" class="wide"')


def test_a_remembered_element_is_found_where_the_selector_says_nothing(project: Path) -> None:
    (project / "tests" / "order.spec.ts").write_text(SPEC.replace("submit-btn", "go-4711"))
    request = heal_request({"action": "repair", "test_file": "tests/order.spec.ts", "html_file": "page.html"})
    memory = remembered("tests/order.spec.ts", "getByTestId('go-4711')", OLD_PAGE, "Place order")
    (healed,) = answer_heal(request, tools(project, memory=memory)).files[0].healed
    assert healed.is_remembered
    assert (healed.new, healed.found_by) == ("getByTestId('submit-button')", "aria_match")


def test_a_remembered_element_that_is_gone_is_not_replaced_by_words(project: Path) -> None:
    (project / "page.html").write_text(PAGE.replace("Place order", "Subscribe to our letter"))
    request = heal_request({"action": "repair", "test_file": "tests/order.spec.ts", "html_file": "page.html"})
    memory = remembered("tests/order.spec.ts", "getByTestId('submit-btn')", OLD_PAGE, "Place order")
    answer = answer_heal(request, tools(project, memory=memory))
    assert not answer.files[0].healed
    assert len(answer.files[0].unhealed) == 1


def test_a_selector_of_another_page_is_left_out() -> None:
    page = snapshot_html(PAGE, "http://shop.example/checkout")
    memory = remembered("a.spec.ts", "getByTestId('submit-btn')", OLD_PAGE, "Place order", "http://shop.example/cart")
    answer = heal_file("a.spec.ts", SPEC.encode(), PageNames(page), memory=memory, deadline=Deadline.after(5))
    assert answer.summary["total_broken"] == 0
    assert any("another page" in note for note in answer.notes)


# --- which page, which attribute -------------------------------------------------------------

LOGIN = """<title>Sign in</title><h1>Sign in</h1><form><input name="user" aria-label="User">
<input type="password" aria-label="Password"><button data-testid="login-button">Sign in</button></form>"""


def test_a_login_page_is_what_a_login_test_is_about(project: Path) -> None:
    (project / "page.html").write_text(LOGIN)
    test = SPEC.replace("'Email'", "'Password'").replace("submit-btn", "login-btn")
    (project / "tests" / "order.spec.ts").write_text(test)
    assert [one.line for one in ask(project).files[0].healed] == [6]


def test_a_login_page_is_not_what_any_other_test_is_about(project: Path) -> None:
    (project / "page.html").write_text(LOGIN.replace("login-button", "submit-button"))
    answer = ask(project)
    assert not answer.files[0].healed
    assert {one.reason for one in answer.files[0].unhealed} == {"login_page"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("playwright.config.ts", "export default { use: { testIdAttribute: 'data-qa' } };"),
        (
            "tests/conftest.py",
            "def pytest_configure(playwright): playwright.selectors.set_test_id_attribute('data-qa')",
        ),
    ],
)
def test_test_ids_are_looked_for_where_the_project_keeps_them(project: Path, name: str, text: str) -> None:
    (project / "page.html").write_text(PAGE.replace('data-testid="submit-button"', 'data-qa="submit-btn"'))
    assert ask(project).total["total_broken"] == 1
    (project / name).write_text(text)
    assert ask(project).total["total_broken"] == 0
