"""Which addresses a recorded browser opens: a person's own, and none that hides where it leads."""

import pytest

from testwright.model.errors import InvalidUrl, UrlNotAllowed
from testwright.observe.recording.url_rules import checked_url, shown_address


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:3000/",
        "http://127.0.0.1:8080/cart?x=1#top",
        "https://app.test/a/b?q=a%20b",
        "http://[::1]:3000/",
        "http://10.0.0.7/",
        "http://1and1.test/",
        "http://0xdad.test/",
    ],
)
def test_ordinary_addresses_are_opened_as_they_are(url: str) -> None:
    assert checked_url(url) == url


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "data:text/html,<script>1</script>", "javascript:alert(1)", "chrome://settings", "ftp://a.test/"],
)  # fmt: skip
def test_only_http_is_opened(url: str) -> None:
    with pytest.raises(UrlNotAllowed, match="only http and https") as caught:
        checked_url(url)

    assert caught.value.code == "url_not_allowed"
    assert caught.value.next_step


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://2130706433/", "127.0.0.1"),
        ("http://0x7f000001/", "127.0.0.1"),
        ("http://0177.0.0.1/", "127.0.0.1"),
        ("http://127.1/", "127.0.0.1"),
        ("http://0x7f.1:8080/x", "127.0.0.1"),
        ("http://99999999999/", "of no machine"),
    ],
)
def test_an_address_in_disguise_is_refused_and_named(url: str, address: str) -> None:
    with pytest.raises(UrlNotAllowed, match=f"spells the address {address}"):
        checked_url(url)


def test_what_stands_before_an_at_sign_is_not_the_host(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(UrlNotAllowed, match=r"http://evil\.test/") as caught:
        checked_url("http://localhost@evil.test/")
    with pytest.raises(UrlNotAllowed) as told:
        checked_url("http://ann:hush@evil.test/")

    assert "localhost" not in caught.value.message
    assert "hush" not in told.value.message


def test_foreign_letters_are_shown_as_punycode() -> None:
    cyrillic = "http://\u0430pple.test/"

    assert checked_url(cyrillic) == "http://xn--pple-43d.test/"
    assert shown_address(cyrillic + "cb?code=abcdef0123456789#access_token=zzz") == "http://xn--pple-43d.test/cb"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://",
        "https:///x",
        "http://a.test:port/",
        "http://[",
        "page.html",
        "//a.test/",
        "http://a b/",
        "x" * 9000,
    ],
)
def test_what_is_no_address_is_a_clear_error(url: str) -> None:
    with pytest.raises(InvalidUrl) as caught:
        checked_url(url)

    assert caught.value.code == "invalid_url"
    assert caught.value.next_step
