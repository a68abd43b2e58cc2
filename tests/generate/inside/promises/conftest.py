"""Little modules that are loaded, tried with likely inputs, and looked at for broken promises."""

import itertools
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from testwright.generate.inside.corpus import Corpus
from testwright.generate.inside.input_search import Search, SearchLimits
from testwright.generate.inside.module_loader import load
from testwright.generate.inside.process_setup import ring_when_too_slow
from testwright.generate.inside.promises.breach_finder import FoundBreaches, look_for_broken
from testwright.generate.inside.unit_finder import list_units
from testwright.generate.inside.units import UnitKind
from testwright.generate.inside.values.input_source import InputSource

LookAt = Callable[[str], FoundBreaches]
_numbers = itertools.count()
_EFFORT = SearchLimits(first=60, neighbours=60, patience=60)


@pytest.fixture
def look_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LookAt]:
    """`look_at(source)` gives what is found in a module of that source."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    (tmp_path / "current folder").mkdir()
    monkeypatch.chdir(tmp_path / "current folder")
    alarm_before = signal.getsignal(signal.SIGALRM)
    ring_when_too_slow()
    names: list[str] = []

    def look(source: str) -> FoundBreaches:
        name = f"looked_at_{next(_numbers)}"
        names.append(name)
        file = tmp_path / f"{name}.py"
        file.write_text(dedent(source).lstrip(), encoding="utf-8")
        under_test, at_import, _ = load(name, str(file), [str(tmp_path)])
        units = list_units(under_test.module, under_test.tree).units
        inputs = InputSource(under_test.module, under_test.tree, units, {}, seed="1")
        corpus = Corpus(seen=at_import)
        for unit in sorted(units, key=lambda each: each.kind is not UnitKind.CONSTRUCTOR):
            search = Search(unit, units, under_test, inputs, corpus, seed="1")
            search.run(_EFFORT, lambda _: True, lambda _: None)
        found = look_for_broken(under_test, units, corpus.kept, inputs, seed="1")
        under_test.namespace.close()
        return found

    yield look
    signal.signal(signal.SIGALRM, alarm_before)
    for name in names:
        sys.modules.pop(name, None)
