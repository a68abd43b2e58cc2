"""Node.js and a browser, where tests need them."""

from pathlib import Path

from testwright.run.external_programs import CHROMIUM_VARIABLE, find_chromium, find_node


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_the_browser_that_was_named_is_the_one_or_there_is_none(tmp_path: Path) -> None:
    named = program(tmp_path / "my-browser")
    on_path = program(tmp_path / "bin" / "chromium")
    path = str(on_path.parent)
    assert find_chromium({CHROMIUM_VARIABLE: str(named), "PATH": path}) == named
    assert find_chromium({CHROMIUM_VARIABLE: str(tmp_path / "gone"), "PATH": path}) is None
    assert find_chromium({"PATH": path}) == on_path


def test_of_downloaded_browsers_the_newest_is_taken(tmp_path: Path) -> None:
    empty = str(tmp_path / "empty")
    for revision in (999, 1100, 1098):
        program(tmp_path / f"chromium-{revision}" / "chrome-linux" / "chrome")
    newest = tmp_path / "chromium-1100" / "chrome-linux" / "chrome"
    assert find_chromium({"PLAYWRIGHT_BROWSERS_PATH": str(tmp_path), "PATH": empty}) == newest
    assert find_chromium({"HOME": empty, "PATH": empty}) is None


def test_node_is_looked_for_on_the_path_of_the_child(tmp_path: Path) -> None:
    node = program(tmp_path / "bin" / "node")
    assert find_node({"PATH": str(node.parent)}) == node
    assert find_node({"PATH": str(tmp_path / "empty")}) is None
