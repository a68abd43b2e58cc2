"""Assertions are counted on the syntax tree: text that only looks like one is none."""

import pytest

from testwright.generate.web.assertion_count import assertions_in


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param("expect(a).toBe(1);", 1, id="a matcher"),
        pytest.param("await expect(page).not.toHaveURL('/x');", 1, id="not"),
        pytest.param("await expect(f()).resolves.not.toThrow();", 1, id="a chain"),
        pytest.param("expect.soft(a).toBe(1); await expect.poll(() => a).toBe(1);", 2, id="soft and poll"),
        pytest.param("expect(a, 'why').toBe(1);", 1, id="with a message"),
        pytest.param("expect(a);", 0, id="no matcher"),
        pytest.param("expect(a).toBe;", 0, id="a matcher that is not called"),
        pytest.param("// expect(a).toBe(1);", 0, id="a comment"),
        pytest.param("const said = 'expect(a).toBe(1)';", 0, id="a text"),
        pytest.param("const made = `expect(a).toBe(1)`;", 0, id="a template"),
        pytest.param("expect(list).toEqual(expect.arrayContaining([1]));", 1, id="a matcher's own helper"),
        pytest.param("const x: string = expect(a as any).toBe(1);", 1, id="types"),
        pytest.param("", 0, id="nothing"),
    ],
)
def test_in_typescript(text: str, count: int) -> None:
    assert assertions_in(text, "typescript") == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param("assert a == 1", 1, id="assert"),
        pytest.param("expect(page).to_have_url('/x')", 1, id="expect"),
        pytest.param("expect(page.get_by_role('button')).not_to_be_visible()", 1, id="a locator"),
        pytest.param("with pytest.raises(ValueError):\n    f()", 1, id="raises"),
        pytest.param("# assert a", 0, id="a comment"),
        pytest.param('"""assert a"""', 0, id="a docstring"),
        pytest.param("expect(page)", 0, id="no matcher"),
    ],
)
def test_in_python(text: str, count: int) -> None:
    assert assertions_in(text, "python") == count


def test_javascript_with_markup_is_read_too() -> None:
    assert assertions_in("render(<App a={1} />); expect(a).toBe(1);", "tsx") == 1
    assert assertions_in("render(<App a={1} />); expect(a).toBe(1);", "javascript") == 1
