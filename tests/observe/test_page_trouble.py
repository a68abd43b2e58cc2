"""Pages on which nothing should be looked for, and pages that only look like them."""

from dataclasses import replace

import pytest

from testwright.model.dom import DomSnapshot, Fingerprint
from testwright.observe.html_page import snapshot_html
from testwright.observe.page_trouble import page_trouble, trouble_in_words

LOGIN = "<title>Sign in</title><h1>Hello</h1><form><input name=u><input type=password><button>Sign in</button></form>"
SHOP = "<title>Basket - Shop</title><h1>Basket</h1><button id=pay>Pay</button>"


def remembered(html: str, url: str = "http://shop.test/basket", *, with_page: bool = True) -> Fingerprint:
    page = snapshot_html(html, url)
    return Fingerprint(page.elements[-1], "/", page=page if with_page else None, url=url, title=page.title)


@pytest.mark.parametrize(
    ("code", "html"),
    [
        ("error_page", "<title>404</title><p>x</p>"),
        ("error_page", "<title>404 Not Found</title><h1>Not Found</h1>"),
        ("error_page", "<title>Page not found | Shop</title><p>Sorry</p>"),
        ("error_page", "<title>Shop</title><h1>Internal Server Error</h1>"),
        ("error_page", "<title>Shop</title><h2>Something went wrong.</h2><button>Try again</button>"),
        ("error_page", "<h1>502 Bad Gateway</h1><hr>nginx"),
        ("error_page", "<title>Error 500</title><p>x</p>"),
        ("error_page", "<title>Shop</title><h1>Oops! Page not found</h1>"),
        ("blank_page", ""),
        ("blank_page", "<title>Shop</title><div id=root></div><script>start()</script>"),
        ("blank_page", "<p hidden>later</p>"),
        ("still_loading", "<div id=root>Loading…</div>"),
        ("still_loading", "<p>Please wait...</p>"),
        ("still_loading", "<body aria-busy=true><h1>Basket</h1>"),
        ("login_page", LOGIN),
        ("login_page", "<h1>Log in to continue</h1><input type=password><button>Go</button>"),
        ("", SHOP),
        ("", "<title>Lost and not found items</title><h1>404 things to do in Rome</h1>"),
        ("", "<title>Orders</title><h1>Orders</h1><h2>Something went wrong</h2><p>of one order</p>"),
        ("", "<title>Status 500 index fund</title><h1>Index 500</h1>"),
        ("", "<title>Shop</title><h1>Shop</h1><div role=alert>Something went wrong</div>"),
        ("", "<canvas></canvas>"),
        ("", "<img src=x alt=''>"),
        ("", "<input aria-label='Search'>"),
        ("", "<h1>Loading</h1><p>docks of the harbour</p>"),
        ("", "<h1>Settings</h1><input type=password name=old><input type=password name=new><button>Change</button>"),
        ("", "<h1>Profile</h1>" + "<input>" * 8 + "<input type=password><button>Sign in elsewhere</button>"),
        ("", "<h1>Safe</h1><input type=password><button>Open</button>"),
        ("", "<h1>Basket</h1><form hidden><input type=password><button>Sign in</button></form>"),
    ],
)
def test_a_page_is_told_by_its_title_its_heading_and_its_fields(code: str, html: str) -> None:
    assert page_trouble(snapshot_html(html, "http://shop.test/basket")) == code


def test_a_page_that_is_not_loaded_or_of_the_browser_itself_is_told() -> None:
    page = snapshot_html(SHOP)

    assert page_trouble(replace(page, is_loaded=False)) == "still_loading"
    assert page_trouble(replace(page, url="chrome-error://chromewebdata/")) == "error_page"


@pytest.mark.parametrize(
    ("code", "html", "before"),
    [
        ("login_page", LOGIN, remembered(SHOP)),
        ("login_page", LOGIN, remembered(SHOP, with_page=False)),
        ("", LOGIN, remembered(LOGIN)),
        ("", LOGIN, remembered(LOGIN, with_page=False)),
        ("", LOGIN, remembered("<title>x</title><input type=password>", with_page=False)),
        ("error_page", "<title>404</title><p>x</p>", remembered(SHOP)),
        ("", "<title>404</title><h1>Not found</h1><a>Home</a>", remembered("<title>404</title><h1>Not found</h1>")),
    ],
)
def test_a_test_of_the_sign_in_or_of_the_error_page_itself_is_left_alone(
    code: str, html: str, before: Fingerprint
) -> None:
    assert page_trouble(snapshot_html(html, "http://shop.test/basket"), before) == code


def test_every_code_has_a_sentence() -> None:
    codes = ("login_page", "error_page", "blank_page", "still_loading")

    assert all(trouble_in_words(code).endswith(".") for code in codes)
    assert trouble_in_words("") == ""


def test_a_page_without_a_single_element_is_blank() -> None:
    assert page_trouble(DomSnapshot(())) == "blank_page"
