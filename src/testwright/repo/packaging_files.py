"""What a project's own files say about its packages: pyproject.toml, setup.cfg, setup.py. Nothing is ever run."""

import ast
import configparser
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from testwright.model.errors import TestwrightError
from testwright.repo.python_source import parse_file

PROJECT_FILES = ("pyproject.toml", "setup.cfg", "setup.py")


@dataclass(slots=True)
class DeclaredPackages:
    """Where the packages are said to be. Folders are relative to the project's, "" for the project's own."""

    name: str = ""
    backend: str = ""
    roots: list[str] = field(default_factory=list)
    packages: dict[str, str] = field(default_factory=dict)  # dotted name -> folder
    members: list[str] = field(default_factory=list)  # globs of a workspace's member projects

    def add_root(self, folder: object) -> None:
        if isinstance(folder, str):
            clean = _clean(folder)
            if clean not in self.roots:
                self.roots.append(clean)

    def add_package(self, name: str, folder: str) -> None:
        """A package by its name and place; where the place ends with the name, the rest of it is a root."""
        place = _clean(folder)
        self.packages.setdefault(name, place)
        tail = name.replace(".", "/")
        if place == tail or place.endswith("/" + tail):
            self.add_root(place[: -len(tail)])


def read_declared(folder: Path) -> DeclaredPackages:
    """All that the files in `folder` declare; the more modern file's word comes first."""
    declared = DeclaredPackages()
    _from_pyproject(read_toml(folder / "pyproject.toml"), declared)
    _from_setup_cfg(read_ini(folder / "setup.cfg"), declared)
    _from_setup_py(folder / "setup.py", declared)
    return declared


def read_toml(file: Path) -> dict[str, Any]:
    """A TOML file's content; nothing where there is none, or none that makes sense: the layout can still be seen."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return {}


def read_ini(file: Path) -> dict[str, dict[str, str]]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(file.read_text(encoding="utf-8"))
        return {section: dict(parser.items(section)) for section in parser.sections()}
    except (OSError, UnicodeDecodeError, configparser.Error):
        return {}


def table(document: object, *keys: str) -> dict[str, Any]:
    """The table at `keys`, or an empty one: a user's file may hold anything anywhere."""
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, dict) else {}


def texts(value: object) -> list[str]:
    """A list of texts, from a list or from one text with a line or a word for each."""
    if isinstance(value, str):
        return value.split("\n") if "\n" in value else value.split()
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _clean(folder: str) -> str:
    parts = [part for part in folder.replace("\\", "/").split("/") if part not in ("", ".")]
    return "/".join(parts)


def _from_pyproject(document: dict[str, Any], declared: DeclaredPackages) -> None:
    tools = table(document, "tool")
    project = table(document, "project")
    declared.name = str(project.get("name") or table(tools, "poetry").get("name") or "")
    declared.backend = str(table(document, "build-system").get("build-backend") or "").split(".", maxsplit=1)[0]
    _setuptools(table(tools, "setuptools"), declared)
    _poetry(table(tools, "poetry"), declared)
    _hatch(table(tools, "hatch", "build"), declared)
    _others(tools, declared)
    declared.members = texts(table(tools, "uv", "workspace").get("members"))


def _setuptools(settings: dict[str, Any], declared: DeclaredPackages) -> None:
    folders = table(settings, "package-dir")
    _package_dir(folders, declared)
    packages = settings.get("packages")
    if isinstance(packages, list):
        _listed(texts(packages), folders, declared)
    for root in texts(table(settings, "packages", "find").get("where")):
        declared.add_root(root)


def _package_dir(folders: Mapping[str, Any], declared: DeclaredPackages) -> None:
    for name, folder in folders.items():
        if not isinstance(folder, str):
            continue
        if name:
            declared.add_package(name, folder)
        else:
            declared.add_root(folder)


def _listed(names: list[str], folders: Mapping[str, Any], declared: DeclaredPackages) -> None:
    """Packages by name: each lies where `package_dir` puts it or the nearest package above it."""
    for name in names:
        above, _, below = name, "", ""
        while above and above not in folders:
            above, _, last = above.rpartition(".")
            below = f"{last}/{below}" if below else last
        declared.add_package(name, f"{folders.get(above, '')}/{below}")


def _poetry(settings: dict[str, Any], declared: DeclaredPackages) -> None:
    packages = settings.get("packages")
    for entry in packages if isinstance(packages, list) else []:
        include = entry.get("include") if isinstance(entry, dict) else None
        if isinstance(include, str):
            root = entry.get("from") or ""
            fixed = _clean(include.split("*")[0]).removesuffix(".py")
            declared.add_root(root)
            if fixed:
                declared.add_package(fixed.replace("/", "."), f"{root}/{fixed}")


def _hatch(build: dict[str, Any], declared: DeclaredPackages) -> None:
    for settings in (table(build, "targets", "wheel"), build):
        sources = settings.get("sources")
        if isinstance(sources, dict):
            for folder, name in sources.items():
                if isinstance(name, str) and name:
                    declared.add_package(_clean(name).replace("/", "."), folder)
                else:
                    declared.add_root(folder)
        for root in [*(texts(sources) if isinstance(sources, list) else []), *texts(settings.get("dev-mode-dirs"))]:
            declared.add_root(root)
        for folder in texts(settings.get("packages")):
            declared.add_package(_clean(folder).rpartition("/")[2], folder)


def _others(tools: dict[str, Any], declared: DeclaredPackages) -> None:
    """PDM, uv, maturin and scikit-build name a folder; Flit and uv may name the module."""
    for keys, setting in (
        (("pdm", "build"), "package-dir"),
        (("pdm",), "package-dir"),
        (("uv", "build-backend"), "module-root"),
        (("maturin",), "python-source"),
    ):
        declared.add_root(table(tools, *keys).get(setting))
    for folder in texts(table(tools, "scikit-build", "wheel").get("packages")):
        declared.add_package(_clean(folder).rpartition("/")[2], folder)
    flit = table(tools, "flit", "module").get("name") or table(tools, "flit", "metadata").get("module")
    uv = table(tools, "uv", "build-backend").get("module-name")
    for module in (flit, uv):
        if isinstance(module, str):
            declared.packages.setdefault(module, "?" + module)  # in src/ or beside pyproject.toml: the layout looks


def _from_setup_cfg(sections: dict[str, dict[str, str]], declared: DeclaredPackages) -> None:
    options = sections.get("options", {})
    declared.name = declared.name or sections.get("metadata", {}).get("name", "")
    folders = {
        name.strip(): folder.strip()
        for line in options.get("package_dir", "").replace(",", "\n").split("\n")
        for name, found, folder in [line.partition("=")]
        if found
    }
    _package_dir(folders, declared)
    packages = [name.strip(" ,") for name in texts(options.get("packages", ""))]
    _listed([name for name in packages if name and not name.endswith(":")], folders, declared)
    for root in texts(sections.get("options.packages.find", {}).get("where", "")):
        declared.add_root(root.strip())


def _from_setup_py(file: Path, declared: DeclaredPackages) -> None:
    if not file.is_file():
        return
    try:
        tree = parse_file(file)
    except TestwrightError:  # a setup.py of another age: the folders still speak
        return
    known = _constants(tree)
    for call in _setup_calls(tree):
        given = {word.arg: word.value for word in call.keywords if word.arg}
        name = _literal(given.get("name"), known)
        declared.name = declared.name or (name if isinstance(name, str) else "")
        folders = _literal(given.get("package_dir"), known)
        folders = folders if isinstance(folders, dict) else {}
        _package_dir(folders, declared)
        packages = given.get("packages")
        _listed(texts(_literal(packages, known)), folders, declared)
        for root in _searched(packages, known):
            declared.add_root(root)


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    return {
        target.id: statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }


def _setup_calls(tree: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) == "setup":
            yield node


def _called(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _literal(node: ast.expr | None, known: Mapping[str, ast.expr]) -> object:
    if isinstance(node, ast.Name):
        node = known.get(node.id)
    try:
        return None if node is None else ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return None


def _searched(packages: ast.expr | None, known: Mapping[str, ast.expr]) -> Iterator[str]:
    """The folders that `find_packages(...)` calls search, wherever they stand in the expression."""
    if isinstance(packages, ast.Name):
        packages = known.get(packages.id)
    for node in ast.walk(packages) if packages is not None else ():
        if isinstance(node, ast.Call) and _called(node).startswith("find_"):
            given = [*node.args[:1], *(word.value for word in node.keywords if word.arg == "where")]
            where = _literal(given[0], known) if given else None
            if isinstance(where, str):
                yield where
