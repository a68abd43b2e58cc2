"""Secrets that a project has already."""

from pathlib import Path

from testwright.masking.known_secrets import known_secrets, parse_env
from testwright.masking.masker import REDACTED, Masker


def test_env_files_give_their_secrets_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(
        "# settings\nPORT=3000\nexport API_KEY='abc123def456'  # mine\nDEBUG=true\nAPP_NAME=shop\nPIN=1234\n"
        'DATABASE_URL="postgres://app:tulip-987@db.test/shop"\nTOKEN=${OTHER}\nSESSION_SECRET=lilac-and-rose-7\n'
    )
    (tmp_path / ".env.local").write_text("API_KEY=fed654cba321\nBLOB=Zk3Jq9Xw2Lm8Pv5Rt7YbNc4D\n")
    (tmp_path / ".env.example").write_text("API_KEY=put-your-key-123\n")

    found = known_secrets(tmp_path, {}, ())

    assert sorted(found.values()) == [
        "Zk3Jq9Xw2Lm8Pv5Rt7YbNc4D", "abc123def456", "fed654cba321", "lilac-and-rose-7", "tulip-987",
    ]  # fmt: skip


def test_variables_the_user_named_count_whatever_they_look_like(tmp_path: Path) -> None:
    found = known_secrets(tmp_path, {"MINE": "plainword", "SHORT": "abc", "OTHER": "x" * 20}, ["MINE", "SHORT", "GONE"])

    assert found == {"MINE": "plainword"}
    assert Masker(known=found).text("a plainword here") == f"a {REDACTED} here"


def test_a_file_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    (tmp_path / ".env.bin").write_bytes(b"\xff\xfe\x00TOKEN=\x00")

    assert known_secrets(tmp_path, {}, ()) == {}


def test_quotes_comments_and_several_lines_are_understood() -> None:
    assert parse_env("A=1 # one\nB=\"two\nlines\"\n C = ' x '\n#D=4\nnonsense\nE=\n") == {
        "A": "1",
        "B": "two\nlines",
        "C": " x ",
        "E": "",
    }
