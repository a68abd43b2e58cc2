"""The command line's reference says what the commands themselves say."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_reference_is_what_make_docs_would_write_now() -> None:
    written = runpy.run_path(str(ROOT / "scripts" / "write_cli_reference.py"))["reference"]()

    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == written
