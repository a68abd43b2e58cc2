"""The part of a page that a test mounts: small, harmless, and without what people typed."""

import pytest

from testwright.generate.web.unit.page_fragment import MOST_ELEMENTS, Fragment, css_for, fragment_of, looked_up
from testwright.model.dom import DomSnapshot
from testwright.observe.html_page import snapshot_html


def _page(body: str) -> DomSnapshot:
    return snapshot_html(f"<html><head><title>x</title></head><body>{body}</body></html>", "http://127.0.0.1/")


def _html(fragment: Fragment) -> str:
    return "".join(line for _, line in fragment.lines)


def test_only_what_the_code_asks_for_and_what_holds_it_together_is_kept() -> None:
    page = _page(
        "<main><p>far away</p></main><div><section><b id='a'>A</b><i>between</i><b id='b'>B</b></section></div>"
    )

    fragment = fragment_of(page, looked_up(page, ["#a", "#b", "#not-there", "]["]))

    assert _html(fragment) == '<section><b id="a">A</b><i>between</i><b id="b">B</b></section>'


def test_a_field_comes_with_its_form() -> None:
    page = _page("<form id='f'><p><input name='a'></p></form>")

    assert _html(fragment_of(page, looked_up(page, ["[name=a]"]))) == '<form id="f"><p><input name="a"></p></form>'


def test_without_anything_to_look_for_it_is_the_body() -> None:
    assert _html(fragment_of(_page("<p>a</p><p>b</p>"), [])) == "<p>a</p><p>b</p>"


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        pytest.param("<p>a</p><script>run()</script><style>p{}</style>", "<p>a</p>", id="scripts and styles"),
        pytest.param("<p onclick='run()' class='x'>a</p>", '<p class="x">a</p>', id="inline handlers"),
        pytest.param("<img src='http://far.test/x.png' alt='x'>", '<img alt="x">', id="what would be loaded"),
        pytest.param("<a href='javascript:run()'>a</a>", "<a>a</a>", id="code in an address"),
        pytest.param("<iframe src='/x'></iframe><p>a</p>", "<p>a</p>", id="frames"),
        pytest.param(
            "<input value='typed'><textarea>typed</textarea>", "<input><textarea></textarea>", id="what was typed"
        ),
        pytest.param("<option value='1'>a</option>", '<option value="1">a</option>', id="values of the page's own"),
        pytest.param(
            "<p title='&quot;&lt;b&gt;'>1 &lt; 2 &amp; 3</p>",
            '<p title="&quot;&lt;b&gt;">1 &lt; 2 &amp; 3</p>',
            id="text",
        ),
    ],
)
def test_nothing_runs_nothing_loads_and_nothing_typed_is_kept(body: str, kept: str) -> None:
    assert _html(fragment_of(_page(body), [])) == kept


def test_a_large_page_is_cut_and_keeps_what_was_asked_for() -> None:
    page = _page("".join(f"<p id='p{place}'>x</p>" for place in range(1_000)))

    fragment = fragment_of(page, looked_up(page, ["#p3", "#p990"]))

    assert fragment.is_cut
    assert len(fragment.numbers) < MOST_ELEMENTS + 2
    assert 'id="p990"' in _html(fragment)


@pytest.mark.parametrize(
    ("body", "wanted", "selector"),
    [
        ("<button data-testid='go' id='x'>Go</button>", "#x", '[data-testid="go"]'),
        ("<button id='x'>Go</button>", "#x", "#x"),
        ("<button id='a b'>Go</button>", "[id='a b']", '[id="a b"]'),
        ("<input name='q'><input name='q'>", "input:nth-of-type(2)", "body > input:nth-of-type(2)"),
        ("<div><button>A</button><button>B</button></div>", "button:last-child", "body > div > button:nth-of-type(2)"),
        ("<button data-testid='a\"b\\c'>Go</button>", "button", '[data-testid="a\\22 b\\5c c"]'),
    ],
)
def test_an_element_is_found_again_in_the_mounted_part(body: str, wanted: str, selector: str) -> None:
    page = _page(body)
    [number] = looked_up(page, [wanted])

    assert css_for(page, number, fragment_of(page, []), "data-testid") == selector
    assert looked_up(page, [selector]) == [number]
