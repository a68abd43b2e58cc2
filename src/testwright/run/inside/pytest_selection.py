"""Which of the tests that pytest has found are to run in this process."""

import fnmatch
import hashlib
import os
from typing import Any, Dict, Iterable, List, Optional, Sequence, Set, Tuple

import pytest

Part = Tuple[int, int]  # which one (from 1), of how many


def split(nodeid: str, file: str = "") -> Tuple[str, List[str]]:
    """A node id's file and the parts of its title. A parameter may hold `::` itself, and so may a known `file`."""
    if file and nodeid.startswith(file + "::"):
        rest = nodeid[len(file) + 2 :]
    else:
        file, _, rest = nodeid.partition("::")
    if not rest:
        return file, []
    plain, bracket, parameters = rest.partition("[")
    title = plain.split("::")
    title[-1] += bracket + parameters
    return file, title


def title_of(item: Any) -> List[str]:
    """The parts of a test's title, outermost group first."""
    node = item.parent
    while node is not None and not isinstance(node, pytest.File):
        node = node.parent
    return split(item.nodeid, "" if node is None else node.nodeid)[1]


class Selection:
    """What was asked for, as the channel's greeting says it.

    * `only`: `[file, title, occurrence]` of each test; no title stands for everything in that file or folder
    * `within`: files or folders, where pytest's own arguments could not name them
    * `select`: globs on names, any of which may match
    * `shard`, `share`: which part of how many, between machines and between processes of one run
    """

    def __init__(self, config: Dict[str, Any]) -> None:
        self._only: Optional[Set[Tuple[str, str, int]]] = None
        within: Optional[List[str]] = config.get("within")
        self._within = None if within is None else {os.path.realpath(place) for place in within}
        if config.get("only") is not None:
            self._only = {(os.path.realpath(file), title, nth) for file, title, nth in config["only"]}
        self._select: List[str] = config.get("select") or []
        self._parts: List[Part] = [tuple(config[part]) for part in ("shard", "share") if config.get(part)]
        self._is_shared = bool(config.get("share"))
        self._real: Dict[str, str] = {}
        self.occurrences: Dict[int, int] = {}  # by id() of an item: the second of the same name, the third, ...
        self.fingerprint = ""  # of all there was to share out: the other processes must have seen the same

    @property
    def is_narrow(self) -> bool:
        """Whether anything at all may be left out."""
        return bool(self._only is not None or self._within is not None or self._select or self._parts)

    def of(self, items: Sequence[Any]) -> List[Any]:
        self._number(items)
        kept = list(items)
        if self._only is not None:
            kept = [item for item in kept if self._is_asked_for(item, self._only)]
        if self._within is not None:
            kept = [item for item in kept if self._within.intersection(_places(self._file(item)))]
        if self._select:
            kept = [item for item in kept if self._is_selected(item)]
        if self._is_shared:
            names = sorted(item.nodeid for item in kept)
            self.fingerprint = hashlib.sha256("\n".join(names).encode("utf-8", "surrogateescape")).hexdigest()
        for index, count in self._parts:
            kept = _part(kept, index, count)
        return kept

    def _number(self, items: Iterable[Any]) -> None:
        seen: Dict[str, int] = {}
        for item in items:
            seen[item.nodeid] = nth = seen.get(item.nodeid, 0) + 1
            if nth > 1:
                self.occurrences[id(item)] = nth

    def _file(self, item: Any) -> str:
        file = str(item.path)
        if file not in self._real:
            self._real[file] = os.path.realpath(file)
        return self._real[file]

    def _is_asked_for(self, item: Any, only: Set[Tuple[str, str, int]]) -> bool:
        file, title = self._file(item), title_of(item)
        if (file, "::".join(title), self.occurrences.get(id(item), 1)) in only:
            return True
        groups = ["::".join(title[:depth]) for depth in range(1, len(title))]
        groups.append("::".join(title).partition("[")[0])  # with any parameters
        if any((file, group, 1) in only for group in groups):
            return True
        return any((place, "", 1) in only for place in _places(file))

    def _is_selected(self, item: Any) -> bool:
        title = title_of(item)
        names = (item.nodeid, " › ".join(title), title[-1] if title else "")
        return any(
            fnmatch.fnmatchcase(name, pattern) if any(mark in pattern for mark in "*?") else pattern in name
            for pattern in self._select
            for name in names
        )


def _places(file: str) -> Iterable[str]:
    """A file and all the folders around it."""
    yield file
    while os.path.dirname(file) != file:
        file = os.path.dirname(file)
        yield file


def _part(items: List[Any], index: int, count: int) -> List[Any]:
    """Part `index` (from 1) of `count`: whole files where there are enough of them, so that fixtures are shared.

    Depends on which tests there are, never on their order: plugins shuffle it, and sets have none.
    """
    files: Dict[str, List[Any]] = {}
    for item in items:
        files.setdefault(str(item.path), []).append(item)
    if len(files) < count:
        in_order = sorted(items, key=lambda item: item.nodeid)
        mine = {id(item) for item in in_order[index - 1 :: count]}
        return [item for item in items if id(item) in mine]
    loads = [0] * count
    chosen = set()
    for name in sorted(files, key=lambda name: (-len(files[name]), name)):
        lightest = loads.index(min(loads))
        loads[lightest] += len(files[name])
        if lightest == index - 1:
            chosen.add(name)
    return [item for item in items if str(item.path) in chosen]
