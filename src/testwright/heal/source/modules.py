"""Which file of the project an import means."""

import posixpath
from collections.abc import Iterator
from pathlib import PurePosixPath

_SCRIPT_ENDINGS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
# An import may name the file that the compiler will have made.
_COMPILED = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}


def script_files(importer: str, module: str) -> Iterator[str]:
    """Paths that a relative import of TypeScript or JavaScript may mean, the likeliest first; others mean packages."""
    if not module.startswith("."):
        return
    path = posixpath.normpath(posixpath.join(posixpath.dirname(importer), module))
    if path.startswith(".."):
        return
    stem, ending = posixpath.splitext(path)
    yield path
    for compiled in _COMPILED.get(ending, ()):
        yield stem + compiled
    for own in _SCRIPT_ENDINGS:
        yield path + own
    for own in _SCRIPT_ENDINGS:
        yield f"{path}/index{own}"


def python_files(importer: str, module: str, name: str = "") -> Iterator[tuple[str, str]]:
    """Paths that an import of Python may mean, each with the name that is left to be looked up in it."""
    for path in _python_paths(importer, module):
        if name:
            yield f"{path}/{name}.py" if path else f"{name}.py", ""
        if path:
            yield f"{path}.py", name
        yield f"{path}/__init__.py" if path else "__init__.py", name


def _python_paths(importer: str, module: str) -> Iterator[str]:
    folder = PurePosixPath(importer).parent
    stripped = module.lstrip(".")
    dots = len(module) - len(stripped)
    inner = stripped.replace(".", "/")
    if dots:
        for _ in range(dots - 1):
            folder = folder.parent
        yield _joined(folder, inner)
        return
    above = [folder, *folder.parents]
    for root in above:
        yield _joined(root, inner)
    for root in above:
        for usual in ("src", "tests", "test"):
            yield _joined(root / usual, inner)


def _joined(folder: PurePosixPath, inner: str) -> str:
    path = str(folder / inner) if inner else str(folder)
    return "" if path == "." else path
