"""A ContextPack holds all that the data contract names, and fits its budget."""

import importlib.util
from pathlib import Path

import pytest

from tests.repo.conftest import Write
from tests.repo.layouts import project
from testwright.repo.code_target import CodeTarget
from testwright.repo.context_builder import as_json, build_context_pack, tokens_of

BASKET = '''
import json
from enum import Enum

from shop.prices import price_of

LIMIT = 3

class Kind(Enum):
    BIG = 1

class Basket:
    """Things to buy."""

    def __init__(self, owner: str):
        self.items = []

    def add(self, item: str, kind: Kind = Kind.BIG) -> int:
        """Put one in."""
        if len(self.items) > LIMIT:
            raise ValueError(json.dumps(item))
        self.items.append(item)
        return price_of(item)

    def remove(self, item: str) -> int:
        self.items.remove(item)
        return 0
'''
FILES = {
    "pyproject.toml": project("shop"),
    "src/shop/__init__.py": "",
    "src/shop/basket.py": BASKET,
    "src/shop/prices.py": 'def price_of(item: str) -> int:\n    """In cents."""\n    return 1\n',
    "tests/conftest.py": "import pytest\n\n@pytest.fixture\ndef owner():\n    return 'me'\n",
    "tests/test_basket.py": """
        from shop.basket import Basket

        def test_add_and_remove(owner):
            basket = Basket(owner)
            cost = basket.add("pear")
            assert cost == 1
        """,
}


def shape(value: object) -> object:
    """The names and kinds in a document, without its content."""
    if isinstance(value, dict):
        return {name: shape(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__


def test_the_json_has_every_name_of_the_contract_and_no_other(write: Write) -> None:
    root = write(FILES)

    document = as_json(build_context_pack(CodeTarget(root / "src/shop/basket.py", "Basket.add")))

    assert shape(document) == {
        "target": {"module_file": "str", "object": "str"},
        "import_map": {
            "target_import": "str",
            "sys_path_roots": ["str"],
            "needs_bootstrap": "bool",
            "bootstrap_conftest": "str",
        },
        "focal": {"source": "str", "signature": "str", "docstring": "str"},
        "resolved_defs": [{"name": "str", "kind": "str", "signature": "str", "doc": "NoneType", "body": "str"}],
        "property_context": {
            "ranked_methods": [{"qualname": "str", "level": "str", "relation": "str"}],
            "gwt_snippets": {"given": ["str"], "when": ["str"], "then": ["str"]},
            "test_bundles": [
                {"test_name": "str", "imports": ["str"], "fixtures": ["str"], "mocks": [], "assertions": ["str"]}
            ],
        },
        "conventions": {
            "test_style": "str",
            "allowed_libs": ["str"],
            "determinism": {"seed": "int", "tz": "str", "freeze_time": "bool"},
            "io_policy": {"network": "str", "fs": "str"},
        },
        "budget": {"max_input_tokens": "int"},
    }


def test_a_method_is_shown_with_its_import_its_relations_and_its_tests(write: Write) -> None:
    root = write(FILES)

    pack = build_context_pack(CodeTarget(root / "src/shop/basket.py", "Basket.add"))

    assert pack.import_map.target_import == "from shop import basket as _under_test"
    assert pack.focal.signature == "def add(self, item: str, kind: Kind=Kind.BIG) -> int"
    assert pack.focal.source.startswith("    def add(")
    assert pack.focal.docstring == "Put one in."
    first = pack.property_context.ranked_methods[0]
    assert (first.qualname, first.level) == ("shop.basket.Basket.remove", "intra")
    (bundle,) = pack.property_context.test_bundles
    assert bundle.test_name == "test_add_and_remove"
    assert pack.property_context.given == ("basket = Basket(owner)",)
    assert pack.property_context.when == ("cost = basket.add('pear')",)
    assert pack.property_context.then == ("assert cost == 1",)


def test_definitions_tell_what_each_kind_of_name_needs(write: Write) -> None:
    root = write(FILES)

    pack = build_context_pack(
        CodeTarget(root / "src/shop/basket.py", "Basket.add"), missing_symbols=("shop.basket.Basket",)
    )

    found = {item.name: item for item in pack.resolved_defs}
    assert (found["LIMIT"].kind, found["LIMIT"].body) == ("const", "LIMIT = 3")
    assert (found["Kind"].kind, found["Kind"].body) == ("enum", "class Kind(Enum):\n    BIG = 1")
    assert (found["price_of"].kind, found["price_of"].doc, found["price_of"].body) == ("func", "In cents.", None)
    assert found["price_of"].signature == "def price_of(item: str) -> int"
    assert found["shop.basket.Basket"].kind == "class"
    assert "    def remove(self, item: str) -> int" in found["shop.basket.Basket"].signature


@pytest.mark.skipif(importlib.util.find_spec("jedi") is None, reason="jedi is an optional extra")
def test_names_from_outside_the_repository_are_defined_too(write: Write) -> None:
    root = write(FILES)

    pack = build_context_pack(CodeTarget(root / "src/shop/basket.py", "Basket.add"))

    found = {item.name: item for item in pack.resolved_defs}
    assert found["json.dumps"].kind == "func"
    assert found["json.dumps"].signature.startswith("dumps(obj")


@pytest.mark.parametrize("qualname", ["", "Basket", "Kind"])
def test_a_whole_module_or_class_can_be_a_target(qualname: str, write: Write) -> None:
    root = write(FILES)

    pack = build_context_pack(CodeTarget(root / "src/shop/basket.py", qualname))

    assert pack.focal.source.strip()
    assert pack.focal.signature
    assert as_json(pack)["target"]["object"] == qualname


def test_a_pack_fits_its_budget_and_gives_up_tests_before_definitions_before_source(write: Write) -> None:
    root = write({**FILES, "src/shop/big.py": "def big(text):\n" + "    text += 'x'\n" * 400 + "    return text\n"})
    whole = build_context_pack(CodeTarget(root / "src/shop/basket.py", "Basket.add"))

    smaller = build_context_pack(whole.target, max_input_tokens=tokens_of(whole) - 20)
    tiny = build_context_pack(CodeTarget(root / "src/shop/big.py", "big"), max_input_tokens=900)

    assert smaller.property_context.test_bundles == ()
    assert smaller.resolved_defs == whole.resolved_defs
    assert smaller.focal == whole.focal
    assert tokens_of(tiny) <= 900
    assert "cut to fit the budget" in tiny.focal.source
    assert tiny.focal.source.startswith("def big(text):")
    assert tiny.focal.source.endswith("return text")


def test_the_same_question_gets_the_same_answer_with_and_without_a_cache(write: Write, tmp_path: Path) -> None:
    root = write(FILES)
    target = CodeTarget(root / "src/shop/basket.py", "Basket.add")

    plain = build_context_pack(target)
    first = build_context_pack(target, cache=tmp_path / "cache")
    second = build_context_pack(target, cache=tmp_path / "cache")

    assert as_json(plain) == as_json(first) == as_json(second)


def test_nothing_of_the_repository_is_run(write: Write) -> None:
    bomb = "import pathlib\npathlib.Path(__file__).with_name('ran').touch()\n"
    root = write(
        {"setup.py": bomb, "conftest.py": bomb, "shop/__init__.py": bomb, "shop/mod.py": bomb + "def f(): ...\n"}
    )

    build_context_pack(CodeTarget(root / "shop/mod.py", "f"))

    assert list(root.rglob("ran")) == []
