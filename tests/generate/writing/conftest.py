"""A shop for every test of the writer."""

from pathlib import Path

import pytest

from tests.generate.writing.making import Shop


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)
