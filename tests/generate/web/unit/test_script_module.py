"""What a module gives away is read from its syntax, whichever way it was written."""

import pytest
from tree_sitter import Node

from testwright.generate.web.unit.script_module import Module, function_around, parameters_of, unlike_here

from .recordings import place_of


def _function_here(module: Module, text: str) -> Node | None:
    """The innermost function around a place; None: the module's own code."""
    node = module.node_at(*place_of(text, "HERE"))
    return function_around(node) if node is not None else None


def _module(text: str, path: str = "src/app.ts") -> Module:
    return Module(path, text)


@pytest.mark.parametrize(
    ("text", "path", "name", "local"),
    [
        pytest.param("export function load() { HERE; }", "a.ts", "load", "load", id="function"),
        pytest.param("export async function load() { HERE; }", "a.js", "load", "load", id="async function"),
        pytest.param("export const load = async (): Promise<void> => { HERE; };", "a.ts", "load", "load", id="arrow"),
        pytest.param("const load = function () { HERE; };\nexport { load };", "a.js", "load", "load", id="listed"),
        pytest.param("function l() { HERE; }\nexport { l as load };", "a.ts", "load", "l", id="listed, renamed"),
        pytest.param("export default function load() { HERE; }", "a.ts", "default", "load", id="default, named"),
        pytest.param("export default async () => { HERE; };", "a.js", "default", "run", id="default, without a name"),
        pytest.param("function load() { HERE; }\nexport default load;", "a.ts", "default", "load", id="default, later"),
        pytest.param("exports.load = () => { HERE; };", "a.cjs", "load", "load", id="exports"),
        pytest.param("function load() { HERE; }\nmodule.exports = { load };", "a.js", "load", "load", id="an object"),
        pytest.param(
            "function l() { HERE; }\nmodule.exports = { load: l };", "a.js", "load", "l", id="an object, renamed"
        ),
        pytest.param("module.exports = function load() { HERE; };", "a.js", "default", "load", id="module.exports"),
    ],
)
def test_an_exported_function_is_found_by_a_place_in_it(text: str, path: str, name: str, local: str) -> None:
    module = _module(text, path)
    function = _function_here(module, text)
    assert function is not None

    found = module.exported(function)

    assert found is not None
    assert (found.name, found.local) == (name, local)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("function load() { HERE; }", id="not exported"),
        pytest.param("export function outer() { function load() { HERE; } }", id="inside of an exported one"),
        pytest.param("export { load } from './other';\nfunction load() { HERE; }", id="another module's"),
        pytest.param("export class Cart { load() { HERE; } }", id="a method: what its object was like is not known"),
        pytest.param("const exports = {}; const o = { load() { HERE; } };", id="a method of an object"),
    ],
)
def test_what_is_not_given_away_is_not_made_up(text: str) -> None:
    module = _module(text)
    function = _function_here(module, text)
    assert function is not None

    assert module.exported(function) is None


def test_a_static_method_is_called_on_its_class() -> None:
    text = "export class Cart { static load() { HERE; } }"
    module = _module(text)
    function = _function_here(module, text)
    assert function is not None

    found = module.exported(function)

    assert found is not None
    assert (found.owner, found.local) == ("Cart", "load")


def test_columns_are_counted_as_browsers_count_them() -> None:
    text = "const smile = '😀'; export function load() { HERE; }"
    module = _module(text)
    units = len(text[: text.index("HERE")].encode("utf-16-le")) // 2

    node = module.node_at(1, units + 1)

    assert node is not None
    assert node.text == b"HERE"


def test_places_that_a_file_does_not_have_are_no_places() -> None:
    assert _module("let a;").node_at(7, 1) is None


def test_parameters_say_what_may_be_left_out() -> None:
    text = "export function f(a: HTMLElement, { b }: X, c?: number, d = 1, ...rest) { HERE; }"
    function = _function_here(_module(text), text)
    assert function is not None

    seen = [(one.name, one.type, one.can_be_left_out) for one in parameters_of(function)]

    assert seen == [
        ("a", "HTMLElement", False),
        ("", "X", False),
        ("c", "number", True),
        ("d", "", True),
        ("", "", True),
    ]


def test_lookups_and_imports_are_those_that_are_written_out() -> None:
    module = _module(
        """\
import { a } from './a.js';
import type { B } from '../b';
const c = require('./c');
document.getElementById('out'); document.querySelector(`[name="x"]`); document.querySelector(`#${c}`);
"""
    )

    assert module.lookups == ("#out", '[name="x"]')
    assert module.imports == ("./a.js", "../b", "./c")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("el.getBoundingClientRect()", "no layout"),
        ("window.matchMedia('(min-width: 1px)')", "no layout"),
        ("location.href = '/x'", "no navigation"),
        ("location.assign('/x')", "no navigation"),
        ("if (location.href === '/x') el.textContent = 'getContext'", ""),
    ],
)
def test_what_a_page_without_a_browser_cannot_do_is_known(text: str, why: str) -> None:
    assert why in unlike_here(_module(text).root)
    assert bool(unlike_here(_module(text).root)) == bool(why)
