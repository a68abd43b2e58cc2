"""Where a repository keeps its packages: src and flat layouts, namespace packages, monorepos, loose modules."""

import re
from dataclasses import dataclass
from pathlib import Path

from testwright.repo.packaging_files import PROJECT_FILES, DeclaredPackages, read_declared
from testwright.repo.repo_files import above_packages, absolute, environment_root, has_python_files, walk

_MEMBER_DEPTH = 4  # libs/group/name/ and one to spare
# Beside a flat package, these hold what belongs to the project but is not the product.
_SIDE_FOLDERS = frozenset(
    {
        "tests", "test", "testing", "docs", "doc", "examples", "example", "scripts", "tools", "bench", "benchmarks",
        "tasks", "ci", "notebooks",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Member:
    """One distribution: a folder with packaging files, or a repository's root that has none."""

    folder: Path
    name: str
    backend: str
    """The build backend's top-level module: `setuptools`, `poetry`, `hatchling`, `flit_core`, ...; "" if not said."""
    roots: tuple[Path, ...]
    """Folders that imports start from, the declared ones first."""
    packages: tuple[str, ...]
    """Importable names directly below the roots."""
    renamed: tuple[tuple[str, Path], ...] = ()
    """Packages that lie in a folder of another name, which no search path can find."""
    has_declared_roots: bool = False


@dataclass(frozen=True, slots=True)
class RepoLayout:
    root: Path
    members: tuple[Member, ...]
    """Outermost first; never empty, except for an installed environment."""
    is_environment: bool = False

    @property
    def packages(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for member in self.members for name in member.packages))

    def member_of(self, file: Path) -> Member | None:
        """The innermost distribution that `file` belongs to."""
        inside = [member for member in self.members if file.is_relative_to(member.folder)]
        return max(inside, key=lambda member: len(member.folder.parts), default=None)


def find_repo_root(path: Path) -> Path:
    """The folder of the repository that `path` belongs to: its version control's, its workspace's or its project's.

    An installed file belongs to its environment. A file with none of these belongs to the folder above its
    packages.
    """
    path = absolute(path)
    installed = environment_root(path)
    if installed is not None:
        return installed
    here = path if path.is_dir() else path.parent
    project: Path | None = None
    for folder in (here, *here.parents):
        if (folder / ".git").exists() or (folder / ".hg").exists():
            return folder
        if any((folder / name).is_file() for name in PROJECT_FILES):
            if project is None:
                project = folder
            elif _is_member(project, folder):
                return folder
    return project or _project_around(here)


def _project_around(folder: Path) -> Path:
    outside = above_packages(folder)
    return outside.parent if outside.name == "src" else outside


def _is_member(folder: Path, workspace: Path) -> bool:
    patterns = read_declared(workspace).members
    return any(folder in workspace.glob(pattern) for pattern in patterns if _is_inner_glob(pattern))


def _is_inner_glob(pattern: str) -> bool:
    return bool(pattern) and not pattern.startswith("/") and ".." not in pattern


def detect_layout(root: Path) -> RepoLayout:
    """The layout of the repository at `root`, from its packaging files first and its folders second."""
    root = absolute(root)
    if environment_root(root / "any.py") is not None:
        return RepoLayout(root, (), is_environment=True)
    folders = [
        folder
        for folder, _, files in walk(root, depth=_MEMBER_DEPTH)
        if folder == root or (_declares(folder, files) and not _is_test_data(folder, root))
    ]
    members = tuple(_member(folder) for folder in folders)
    if len(members) > 1 and not any((root / name).is_file() for name in PROJECT_FILES) and not members[0].packages:
        members = members[1:]  # a bare folder around projects is not a project
    return RepoLayout(root, members)


def _declares(folder: Path, files: list[str]) -> bool:
    """A lone setup.cfg may only configure tools; it makes a project when it names packages."""
    if "pyproject.toml" in files or "setup.py" in files:
        return True
    return "setup.cfg" in files and bool(read_declared(folder).name)


def _is_test_data(folder: Path, root: Path) -> bool:
    """Projects inside a test suite are what it tests with."""
    return any(part in ("tests", "test", "testdata", "fixtures") for part in folder.relative_to(root).parts)


def _member(folder: Path) -> Member:
    declared = read_declared(folder)
    roots = [folder / root if root else folder for root in declared.roots]
    has_declared = any(root != folder and root.is_dir() for root in roots)
    if (folder / "src").is_dir() and not has_declared and _has_modules(folder / "src"):
        roots.insert(0, folder / "src")
    if not any(root.is_dir() for root in roots) or _flat_packages(folder):
        roots.append(folder)
    roots = [root for root in dict.fromkeys(roots) if root.is_dir()]
    return Member(
        folder,
        declared.name,
        declared.backend,
        tuple(roots),
        _packages(folder, roots, declared),
        tuple(_renamed(folder, declared)),
        has_declared,
    )


def _has_modules(src: Path) -> bool:
    """Whether `src` is a root rather than a package itself: it holds packages or modules."""
    return any((child / "__init__.py").is_file() or child.suffix == ".py" for child in src.iterdir()) or any(
        has_python_files(child) for child in src.iterdir()
    )


def _flat_packages(folder: Path) -> list[str]:
    return [
        child.name
        for child in sorted(folder.iterdir())
        if child.name not in _SIDE_FOLDERS and child.name != "src" and (child / "__init__.py").is_file()
    ]


def _packages(folder: Path, roots: list[Path], declared: DeclaredPackages) -> tuple[str, ...]:
    """The declared top-level names, and those that can be seen below the roots."""
    names = [name.partition(".")[0] for name, place in declared.packages.items() if not place.startswith("?")]
    names += [name for name, place in declared.packages.items() if place.startswith("?")]
    for root in roots:
        if root == folder:
            names += _flat_packages(folder)
        else:
            names += [child.name for child in sorted(root.iterdir()) if _is_package_folder(child)]
            names += [child.stem for child in sorted(root.glob("*.py")) if child.name != "__init__.py"]
    guess = re.sub(r"[-.]+", "_", declared.name)
    if guess and (folder / f"{guess}.py").is_file():
        names.append(guess)
    return tuple(dict.fromkeys(names))


def _is_package_folder(child: Path) -> bool:
    """A folder below a root is a package with `__init__.py`, and a namespace when modules lie anywhere in it."""
    if not (child.name.isidentifier() and child.is_dir()):
        return False
    return (child / "__init__.py").is_file() or has_python_files(child)


def _renamed(folder: Path, declared: DeclaredPackages) -> list[tuple[str, Path]]:
    found: list[tuple[str, Path]] = []
    for name, place in declared.packages.items():
        tail = name.replace(".", "/")
        if place.startswith("?") or place == tail or place.endswith("/" + tail) or not (folder / place).is_dir():
            continue
        outer = name.rpartition(".")[0]
        if not any(known == outer or outer.startswith(known + ".") for known, _ in found):
            found.append((name, folder / place))
    return found
