"""Small projects to use the command line on."""

from pathlib import Path
from textwrap import dedent

import pytest


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one test that passes, one that fails and one that is skipped."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_sums.py").write_text(
        dedent(
            """\
            import pytest

            def test_adds():
                assert 1 + 1 == 2

            def test_is_wrong():
                print("about to be wrong")
                assert 1 + 1 == 3

            @pytest.mark.skip(reason="not today")
            def test_rests():
                pass
            """
        )
    )
    return tmp_path
