"""What a guarded child sees: enough to start its program, not the home folder around it."""

from pathlib import Path

import pytest

from testwright.isolate import visible_files


def _program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_a_virtual_environment_brings_the_python_its_link_leads_to(tmp_path: Path) -> None:
    real = _program(tmp_path / "pythons" / "3.12" / "bin" / "python3.12")
    link = tmp_path / "project" / ".venv" / "bin" / "python"
    link.parent.mkdir(parents=True)
    link.symlink_to(real)
    folders = visible_files.program_folders(str(link), "", "/")
    assert folders == [str(tmp_path / "project" / ".venv"), str(tmp_path / "pythons" / "3.12")]


def test_a_program_in_the_home_folder_does_not_open_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    program = _program(tmp_path / "bin" / "tool")
    assert visible_files.program_folders(str(program), "", "/") == [str(tmp_path / "bin")]


def test_a_program_is_found_as_a_shell_would_find_it(tmp_path: Path) -> None:
    program = _program(tmp_path / "b" / "tool")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "tool").write_text("not executable")
    assert visible_files.found_program("tool", f"{tmp_path}/a:{tmp_path}/b", "/") == str(program)
    assert visible_files.found_program("./tool", "", str(tmp_path / "b")) == str(program)
    assert visible_files.found_program("tool", str(tmp_path), str(tmp_path / "b")) == ""


def test_links_in_a_circle_come_to_an_end(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    assert set(visible_files.program_folders(str(tmp_path / "one"), "", "/")) == {str(tmp_path)}


@pytest.mark.parametrize(
    ("path", "folder", "expected"),
    [("/a/b", "/a", True), ("/a", "/a", True), ("/ab", "/a", False), ("/a", "/", True), ("/a", "/a/b", False)],
)
def test_being_within_a_folder_goes_by_whole_names(path: str, folder: str, expected: bool) -> None:
    assert visible_files.is_within(path, folder) is expected


def test_no_folder_with_secrets_of_the_system_is_shown() -> None:
    assert not {"/etc", "/etc/shadow", "/etc/ssh", "/etc/ssl/private", "/root", "/home", "/var"} & {
        *visible_files.SYSTEM
    }
