"""Which folder a module is imported from, when its repository leaves more than one choice."""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from testwright.repo.layout import Member, RepoLayout
from testwright.repo.repo_files import above_packages, python_files

_IMPORT = re.compile(rb"^[ \t]*(?:from|import)[ \t]+([\w.]+)", re.MULTILINE)
_LOOKED_AT = 60  # files read for evidence: enough to see a habit, few enough to be quick
_MEMBER_LOOKED_AT = 400


def import_root(file: Path, layout: RepoLayout) -> Path:
    """The folder that imports of `file` start from."""
    member = layout.member_of(file)
    chain = above_packages(file.parent)
    if member is None:
        return _seen_root(file, chain, layout.root) or chain
    declared = _deepest(file, (root for root in member.roots if root != member.folder))
    if declared is not None:
        if chain == declared or member.has_declared_roots or not imports_siblings(file):
            return declared
        return chain
    if chain == member.folder or _is_declared_below(file, member):
        return member.folder
    return _seen_root(file, chain, member.folder) or chain


def implicated_roots(file: Path, root: Path, layout: RepoLayout) -> tuple[Path, ...]:
    """`root`, and the roots of every other distribution here that the code imports, directly or by way of another."""
    found = [root]
    own = layout.member_of(file)
    waiting = [own] if own is not None else []
    seen = list(waiting)
    while waiting and len(layout.members) > 1:
        member = waiting.pop(0)
        tops = _imported_tops(_some(_member_files(member, layout), _MEMBER_LOOKED_AT))
        for other in layout.members:
            needed = [name for name in other.packages if name in tops]
            if other in seen or not needed:
                continue
            seen.append(other)
            waiting.append(other)
            found += [place for name in needed for place in other.roots if _holds(place, name)]
    if root.name == "src" and "src" in _imported_tops(_neighbours(file, layout.root)):
        found.append(root.parent)  # its own code says `src.x`: that must work too, though no test of ours writes it
    return tuple(dict.fromkeys(found))


def _holds(root: Path, name: str) -> bool:
    return (root / name).is_dir() or (root / f"{name}.py").is_file()


def _member_files(member: Member, layout: RepoLayout) -> Iterator[Path]:
    return (file for file in python_files(member.folder) if layout.member_of(file) == member)


def _deepest(file: Path, roots: Iterable[Path]) -> Path | None:
    above = [root for root in roots if file.is_relative_to(root) and _is_dotted(file.relative_to(root).parent)]
    return max(above, key=lambda root: len(root.parts), default=None)


def _is_dotted(folder: Path) -> bool:
    return all(part.isidentifier() for part in folder.parts)


def _is_declared_below(file: Path, member: Member) -> bool:
    """Whether the packaging files, or the project's own name (`company-pkg`), name the package it lies in."""
    parts = file.relative_to(member.folder).parts
    if len(parts) > 1 and parts[0] in member.packages:
        return True
    words = tuple(re.split(r"[-.]", member.name))
    return len(words) > 1 and parts[: len(words)] == words


def _seen_root(file: Path, chain: Path, base: Path) -> Path | None:
    """A folder above `chain` that the code around `file` imports from: `from app.models import x` in app/main.py."""
    if chain == base or not chain.is_relative_to(base):
        return None
    imported = _imported_names(_neighbours(file, base))
    root = chain.parent
    while root.is_relative_to(base):
        prefix = chain.relative_to(root)
        dotted = ".".join(prefix.parts)
        is_named = any(name == dotted or name.startswith(dotted + ".") for name in imported)
        if is_named and _is_dotted(prefix) and prefix.parts[0] != "src":
            return root
        root = root.parent
    return None


def imports_siblings(file: Path) -> bool:
    """Whether files beside `file` import one another by their bare names, as scripts in one folder do."""
    if (file.parent / "__init__.py").is_file():
        return False
    siblings = {path.stem for path in file.parent.glob("*.py")} - sys.stdlib_module_names
    return bool(siblings & _imported_tops(_some(sorted(file.parent.glob("*.py")), _LOOKED_AT)))


def _neighbours(file: Path, base: Path) -> list[Path]:
    """The file, what lies beside it, and the modules and tests of the folders above, up to `base`."""
    near = [file, *sorted(file.parent.glob("*.py"))]
    for folder in list(file.parents)[1:4]:
        if not folder.is_relative_to(base):
            break
        near += sorted(folder.glob("*.py"))
        for name in ("tests", "test"):
            near += sorted((folder / name).glob("*.py"))
    return list(dict.fromkeys(near))[:_LOOKED_AT]


def _some(files: Iterable[Path], most: int) -> list[Path]:
    return [file for file, _ in zip(files, range(most), strict=False)]


def _imported_tops(files: Iterable[Path]) -> set[str]:
    return {name.partition(".")[0] for name in _imported_names(files)}


def _imported_names(files: Iterable[Path]) -> set[str]:
    names: set[str] = set()
    for file in files:
        try:
            raw = file.read_bytes()
        except OSError:  # what cannot be read says nothing
            continue
        names.update(found.decode("utf-8", "replace") for found in _IMPORT.findall(raw))
    return names
