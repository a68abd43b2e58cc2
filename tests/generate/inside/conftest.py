"""What the tests of the explorer share: little modules under test, loaded from text."""

import importlib.util
import itertools
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from testwright.generate.inside.namespace import Namespace

MakeNamespace = Callable[[str], Namespace]
_numbers = itertools.count()


@pytest.fixture
def namespace_of(tmp_path: Path) -> Iterator[MakeNamespace]:
    """`namespace_of(source)` loads a module of that source and gives its namespace; cases stand in an empty folder."""
    made: list[Namespace] = []
    before = Path.cwd()
    (tmp_path / "current folder").mkdir()
    os.chdir(tmp_path / "current folder")

    def make(source: str) -> Namespace:
        name = f"module_under_test_{next(_numbers)}"
        file = tmp_path / f"{name}.py"
        file.write_text(dedent(source), encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        made.append(Namespace(module))
        return made[-1]

    yield make
    os.chdir(before)
    for namespace in made:
        namespace.close()
        del sys.modules[namespace.module.__name__]
