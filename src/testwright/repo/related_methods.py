"""Which other methods share a property with a method under test: what they are given, what they do, what follows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from testwright.repo.file_roles import is_test_file
from testwright.repo.symbol_index import RepoIndex
from testwright.repo.symbols import FunctionSymbol
from testwright.repo.tests_index import TestBundle, bundles_calling

MOST_METHODS = 20
_MOST_BUNDLES = 8
_MOST_SNIPPETS = 8
_LONGEST_SNIPPET = 1_000
_ALIKE = 0.5  # of the words in two names
_ASKED_FOR_TESTS = 4  # related methods whose tests are looked for

# Words that undo, or answer, each other: a test of one is half a test of the other.
_PAIRS = (
    ("encode", "decode"), ("encrypt", "decrypt"), ("dump", "load"), ("dumps", "loads"), ("add", "remove"),
    ("push", "pop"), ("open", "close"), ("start", "stop"), ("to", "from"), ("get", "set"), ("read", "write"),
    ("pack", "unpack"), ("serialize", "deserialize"), ("parse", "format"), ("parse", "render"), ("insert", "delete"),
    ("create", "delete"), ("save", "load"), ("compress", "decompress"), ("escape", "unescape"), ("quote", "unquote"),
    ("enter", "exit"), ("acquire", "release"), ("register", "unregister"), ("enable", "disable"), ("lock", "unlock"),
    ("append", "pop"), ("send", "receive"), ("attach", "detach"), ("increment", "decrement"), ("show", "hide"),
)  # fmt: skip
_OPPOSITES = frozenset((*_PAIRS, *((second, first) for first, second in _PAIRS)))
# Types and names that half of all code shares: sharing them says nothing.
_COMMON_TYPES = frozenset(
    {
        "", "None", "bool", "int", "str", "float", "bytes", "Any", "object", "dict", "list", "tuple", "set", "Self",
        "typing.Any", "t.Any", "str | None", "int | None", "Optional[str]", "Optional[int]", "Dict", "List",
    }
)  # fmt: skip
_COMMON_PARAMETERS = frozenset({"self", "cls", "args", "kwargs", "value", "name", "key", "x", "obj", "data", "other"})
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True, slots=True)
class RelatedMethod:
    qualname: str
    """With its module: `pkg.mod.Class.method`."""
    level: str
    """`intra`: of the same class, or a function of the same module; `repo`: anywhere else."""
    relation: str
    """`complete` when all three hold, else the strongest of `G`, `W`, `T`."""
    function: FunctionSymbol
    module: str


@dataclass(frozen=True, slots=True)
class PropertyContext:
    ranked_methods: tuple[RelatedMethod, ...]
    given: tuple[str, ...]
    when: tuple[str, ...]
    then: tuple[str, ...]
    test_bundles: tuple[TestBundle, ...]


def property_context(focal: FunctionSymbol, file: Path, module: str, index: RepoIndex) -> PropertyContext:
    """The methods related to `focal`, and how the tests of it and of them arrange, act and check."""
    ranked = related_methods(focal, file, index)
    bundles: dict[tuple[Path, str], tuple[TestBundle, str]] = {}
    for function, name in [(focal, module), *((item.function, item.module) for item in ranked[:_ASKED_FOR_TESTS])]:
        called = called_name(function)
        near = (function.owner.partition(".")[0] or function.name, name.rpartition(".")[2])
        found = bundles_calling(called, near, index, most=_MOST_BUNDLES)
        # A test may import the package alone, and reach the method through it.
        for bundle in found or bundles_calling(called, name.split("."), index, most=_MOST_BUNDLES):
            bundles.setdefault((bundle.file, bundle.test_name), (bundle, called))
    chosen = list(bundles.values())[:_MOST_BUNDLES]
    return PropertyContext(
        ranked,
        _snippets(text for bundle, name in chosen for text in bundle.parts.given(name)),
        _snippets(text for bundle, name in chosen for text in bundle.parts.when(name)),
        _snippets(text for bundle, _ in chosen for text in bundle.assertions),
        tuple(bundle for bundle, _ in chosen),
    )


def merged(contexts: list[PropertyContext]) -> PropertyContext:
    """Several contexts as one: what each knows best comes first."""
    ranked = {item.qualname: item for context in contexts for item in context.ranked_methods}
    order = sorted(ranked.values(), key=lambda item: (item.level != "intra", item.relation != "complete"))
    bundles = {(item.file, item.test_name): item for context in contexts for item in context.test_bundles}
    return PropertyContext(
        tuple(order)[:MOST_METHODS],
        _snippets(text for context in contexts for text in context.given),
        _snippets(text for context in contexts for text in context.when),
        _snippets(text for context in contexts for text in context.then),
        tuple(bundles.values())[:_MOST_BUNDLES],
    )


def called_name(function: FunctionSymbol) -> str:
    """What stands before the parenthesis: a constructor is called by its class's name."""
    return function.owner.rpartition(".")[2] if function.name == "__init__" else function.name


def _snippets(texts: Iterator[str]) -> tuple[str, ...]:
    found = dict.fromkeys(text for text in texts if len(text) <= _LONGEST_SNIPPET)
    return tuple(found)[:_MOST_SNIPPETS]


def related_methods(focal: FunctionSymbol, file: Path, index: RepoIndex) -> tuple[RelatedMethod, ...]:
    """Ranked: intra-class complete, intra-class in part, then the same for the rest of the repository."""
    found: list[tuple[tuple[int, int, int, str], RelatedMethod]] = []
    names = {path: name for name, path in index.module_names().items()}
    for path, symbols in index.modules.items():
        if is_test_file(path):
            continue
        module = names.get(path, path.stem)
        for function in symbols.functions:
            is_same = path == file and function.qualname == focal.qualname
            if is_same or function.name.startswith("__") or function.is_fixture:
                continue
            is_intra = path == file and function.owner == focal.owner
            strengths = _strengths(focal, function, is_intra=is_intra)
            relation = _relation(strengths)
            if relation:
                full = f"{module}.{function.qualname}"
                rank = (int(not is_intra), int(relation != "complete"), -sum(strengths.values()), full)
                related = RelatedMethod(full, "intra" if is_intra else "repo", relation, function, module)
                found.append((rank, related))
    found.sort(key=lambda pair: pair[0])
    return tuple(related for _, related in found[:MOST_METHODS])


def _strengths(one: FunctionSymbol, other: FunctionSymbol, *, is_intra: bool) -> dict[str, int]:
    """How strongly two methods share what is given, what is done and what follows; 0 for not at all."""
    return {
        "G": _given(one, other, is_intra=is_intra),
        "W": _when(one, other, is_intra=is_intra),
        "T": _then(one, other, is_intra=is_intra),
    }


def _relation(strengths: dict[str, int]) -> str:
    if all(strengths.values()):
        return "complete"
    best = max("WTG", key=lambda letter: strengths[letter])  # on a tie, what is done says most
    return best if strengths[best] else ""


def _given(one: FunctionSymbol, other: FunctionSymbol, *, is_intra: bool) -> int:
    state = len(set(one.reads + one.writes) & set(other.reads + other.writes)) if is_intra else 0
    types = len((set(one.types) & set(other.types)) - _COMMON_TYPES)
    parameters = len((set(one.parameters) & set(other.parameters)) - _COMMON_PARAMETERS)
    return state + 2 * types + (parameters if is_intra or parameters > 1 else 0)


def _when(one: FunctionSymbol, other: FunctionSymbol, *, is_intra: bool) -> int:
    strength = 0
    mine, theirs = words_of(one.name), words_of(other.name)
    if are_opposites(one.name, other.name):
        strength += 3 if is_intra or set(mine) & set(theirs) else 1
    elif mine and len(set(mine) & set(theirs)) / len(set(mine) | set(theirs)) >= _ALIKE:
        strength += 2
    if is_intra:
        if _calls(one, other) or _calls(other, one):
            strength += 2
        if len(set(one.calls) & set(other.calls)) > 1:
            strength += 1
    return strength


def _then(one: FunctionSymbol, other: FunctionSymbol, *, is_intra: bool) -> int:
    returns = 2 if one.returns == other.returns and one.returns not in _COMMON_TYPES else 0
    if not is_intra:
        return returns
    seen = set(one.writes) & set(other.writes + other.reads) or set(other.writes) & set(one.reads)
    return returns + (2 if seen else 0) + (1 if returns == 0 and one.returns == other.returns != "" else 0)


def _calls(caller: FunctionSymbol, called: FunctionSymbol) -> bool:
    return any(name.rpartition(".")[2] == called.name for name in caller.calls)


def words_of(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name)]


def are_opposites(one: str, other: str) -> bool:
    """`encode` and `decode`, `add_item` and `remove_item`, `to_json` and `from_json`; never `to_json`, `from_xml`."""
    mine, theirs = words_of(one), words_of(other)
    if len(mine) != len(theirs):
        return False
    different = [(a, b) for a, b in zip(mine, theirs, strict=True) if a != b]
    return len(different) == 1 and different[0] in _OPPOSITES
