"""Pages from the ARIA snapshots that Playwright leaves with a failure."""

import pytest
from playwright.sync_api import Page

from testwright.model.dom import DomSnapshot
from testwright.observe.aria_page import snapshot_from_aria

CONTEXT = """# Test info

- Name: shop.spec.ts >> pays

# Error details

```
- not: this
```

# Page snapshot

```yaml
- generic [ref=e1]:
  - banner [ref=e2]:
    - link "Home" [ref=e3] [cursor=pointer]:
      - /url: /home
  - main [ref=e4]:
    - heading "Your basket" [level=1] [ref=e5]
    - textbox "E-mail" [active] [ref=e6]:
      - /placeholder: you@shop.test
      - text: ada@shop.test
    - 'button "Pay: now" [disabled] [ref=e7]': "Pay: now"
    - list [ref=e8]:
      - listitem [ref=e9]:
        - text: Apples
        - button "Remove" [ref=e10]
    - paragraph [ref=e11]: It's "here"
    - iframe [ref=e12]:
      - button "Inside" [ref=f1e2]
```

# Test source

```yaml
- button "not this either"
```
"""


def described(page: DomSnapshot) -> list[tuple[int | None, str, str, str, str]]:
    return [(e.parent, e.tag, e.role, e.name, e.text) for e in page.elements]


def test_roles_names_texts_and_nesting_are_read() -> None:
    page = snapshot_from_aria(CONTEXT)

    assert described(page) == [
        (None, "div", "", "", 'Home Your basket Pay: now Apples Remove It\'s "here"'),
        (0, "header", "banner", "", "Home"),
        (1, "a", "link", "Home", "Home"),
        (0, "main", "main", "", 'Your basket Pay: now Apples Remove It\'s "here"'),
        (3, "h1", "heading", "Your basket", "Your basket"),
        (3, "input", "textbox", "E-mail", ""),
        (3, "button", "button", "Pay: now", "Pay: now"),
        (3, "ul", "list", "", "Apples Remove"),
        (7, "li", "listitem", "", "Apples Remove"),
        (8, "button", "button", "Remove", "Remove"),
        (3, "p", "paragraph", "", 'It\'s "here"'),
        (3, "iframe", "", "", ""),
        (11, "button", "button", "Inside", "Inside"),
    ]
    assert (page.elements[2].get("href"), page.elements[5].get("placeholder")) == ("/home", "you@shop.test")
    assert not page.elements[6].enabled
    assert [frame.element for frame in page.frames] == [None, 11]
    assert page.elements[12].frame == 1
    assert not page.has_boxes
    assert "ada@shop.test" not in repr(page)


@pytest.mark.needs_chromium
def test_what_playwright_writes_of_a_real_page_is_read_back(page: Page) -> None:
    page.set_content(
        """<h1>Quotes "and" 'more': here</h1><ul><li>- dash</li><li>a: b #c</li></ul><button>Back\\slash</button>
        <input type=checkbox aria-label="true"><p>[x] {y}</p><a href="/q?a=1: 2">Query</a><p>12</p>"""
    )

    read = snapshot_from_aria(page.locator("body").aria_snapshot())

    assert [(e.role, e.name) for e in read.elements if e.name] == [
        ("heading", "Quotes \"and\" 'more': here"),
        ("button", "Back\\slash"),
        ("checkbox", "true"),
        ("link", "Query"),
    ]
    assert [e.text for e in read.elements if e.role in ("listitem", "paragraph")] == [
        "- dash",
        "a: b #c",
        "[x] {y}",
        "12",
    ]
    assert [e.get("href") for e in read.elements if e.role == "link"] == ["/q?a=1: 2"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no snapshot at all",
        "```yaml\n",
        "- ",
        "- :",
        '- button "open',
        "- 'button",
        "- button [",
        "- text: alone",
        "      - button",
        "- /url: x",
        '- button "\\ud800"',
        "- 1",
        "\x00",
    ],
)
def test_torn_snapshots_give_what_can_be_read(text: str) -> None:
    page = snapshot_from_aria(text)

    assert len(page.elements) <= 1
    assert [element.number for element in page.elements] == list(range(len(page.elements)))


def test_a_snapshot_nested_without_end_is_cut() -> None:
    page = snapshot_from_aria("\n".join("  " * depth + "- list:" for depth in range(2_000)))

    assert len(page.elements) < 600
    assert not page.is_loaded
