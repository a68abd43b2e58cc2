"""The adapter of Playwright on the heal seam: what it takes for a lost element, and the patch it writes."""

import subprocess
from pathlib import Path

import pytest

from testwright.heal.heal_adapter import NotHealable
from testwright.heal.web_adapter import WebAdapter
from testwright.model.case import Framework, TestCase
from testwright.model.dom import DomSnapshot
from testwright.model.heal import CallSite, FailureRecord, Strategy
from testwright.observe.html_page import snapshot_html

LATIN = "# coding: latin-1\ndef test_a(page):\n    page.fill('#name', 'Zoé')\n    page.click('#go')\n".encode("latin-1")
CASE = TestCase(Framework.PYTEST, "test_a.py", ("test_a",))
PAGE = snapshot_html("<label>Name <input id='name'></label><button id='send'>Send</button>")


def record(page: DomSnapshot | None = PAGE) -> FailureRecord:
    return FailureRecord(CASE, "lost", (CallSite("test_a.py", 4),), 'locator("#go")', "click", page)


def adapter(*, is_miss: bool = True) -> WebAdapter:
    return WebAdapter({"test_a.py": LATIN}, is_miss=lambda _: is_miss)


def test_a_patch_is_written_in_the_bytes_of_its_file(tmp_path: Path) -> None:
    healer = adapter()
    original, page = healer.parse_failure(record())
    button = next(element for element in page.elements if element.tag == "button")

    patch = healer.emit_patch(original, button, Strategy.BY_TEXT)

    (tmp_path / "test_a.py").write_bytes(LATIN)
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=patch, check=True)
    before, after = LATIN.splitlines(), (tmp_path / "test_a.py").read_bytes().splitlines()
    assert before[:3] == after[:3]
    assert b"Send" in after[3]


@pytest.mark.parametrize(("is_miss", "page", "reason"), [(False, PAGE, "not_a_lost_element"), (True, None, "no_page")])
def test_what_is_no_lost_element_or_has_no_page_is_not_healable(
    is_miss: bool, page: DomSnapshot | None, reason: str
) -> None:
    with pytest.raises(NotHealable) as refused:
        adapter(is_miss=is_miss).parse_failure(record(page))
    assert refused.value.reason == reason
