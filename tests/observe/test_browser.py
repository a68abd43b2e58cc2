"""Pages by their address."""

import sys
from pathlib import Path

import pytest

from testwright.model.errors import DomQueryFailed, MissingExtra, UsageError
from testwright.observe.browser import snapshot_url


@pytest.mark.needs_chromium
def test_a_page_is_opened_and_read(tmp_path: Path, chromium: str) -> None:
    site = tmp_path / "page.html"
    site.write_text("<title>Saved</title><button>Pay</button>", encoding="utf-8")

    page = snapshot_url(site.as_uri(), chromium=Path(chromium))

    assert page.title == "Saved"
    assert [e.name for e in page.elements if e.role == "button"] == ["Pay"]
    assert page.has_boxes


@pytest.mark.needs_chromium
def test_an_address_that_does_not_answer_is_a_clear_error(chromium: str) -> None:
    with pytest.raises(DomQueryFailed, match=r"http://127\.0\.0\.1:9/x cannot be opened: .*REFUSED|UNSAFE") as caught:
        snapshot_url("http://me:hush@127.0.0.1:9/x?token=hush", chromium=Path(chromium))

    assert "hush" not in caught.value.message
    assert caught.value.next_step


def test_a_browser_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(DomQueryFailed, match="No browser could be started"):
        snapshot_url("http://a.test/", chromium=tmp_path / "no-browser")


@pytest.mark.parametrize(
    "url",
    ["", "page.html", "javascript:alert(1)", "data:text/html,x", "ftp://a.test", "http://", "http://[", "chrome://gpu"],
)
def test_what_is_no_address_of_a_page_is_a_usage_error(url: str) -> None:
    with pytest.raises(UsageError, match="is no address of a page"):
        snapshot_url(url)


def test_without_playwright_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)

    with pytest.raises(MissingExtra, match="browser"):
        snapshot_url("http://a.test/")
