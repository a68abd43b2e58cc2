"""`testwright heal match --jsonl`, as a program that another one talks to."""

import argparse
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.heal.test_lost_element_cases import OLD, case, record
from testwright.faces.cli import heal_match

TESTWRIGHT = Path(sys.executable).with_name("testwright")


def test_each_line_is_answered_before_the_next_one_is_sent() -> None:
    new = [OLD[0], OLD[1], record(2, 0, "button", "Save order", id="b7", title="Save it"), OLD[3]]
    with subprocess.Popen(
        [TESTWRIGHT, "heal", "match", "--jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as talk:
        assert talk.stdin is not None
        assert talk.stdout is not None
        answers = []
        for line in (json.dumps(case(OLD[2], OLD, new)), "{not json", json.dumps(case(OLD[2], OLD, OLD[:2]))):
            talk.stdin.write(line + "\n")
            talk.stdin.flush()
            answers.append(json.loads(talk.stdout.readline()))
        talk.stdin.close()
    assert [answer["decision"] for answer in answers] == ["heal", "abstain", "abstain"]
    assert answers[0]["index"] == 2
    assert answers[0]["ms"] > 0
    assert answers[1]["error"]["code"] == "malformed_report"
    assert talk.returncode == 1  # one line could not be understood


def test_a_line_that_is_far_too_long_is_one_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = json.dumps(case(OLD[2], OLD, OLD)).encode()
    monkeypatch.setattr(heal_match, "_MOST_BYTES", len(good) + 1)
    asked = io.BytesIO(b"[" * (3 * len(good)) + b"\n" + good + b"\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(asked))

    code = heal_match.carry_out(argparse.Namespace())

    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert code == 1
    assert len(answers) == 2
    assert answers[0]["error"]["code"] == "malformed_report"
    assert answers[1]["decision"] == "heal"
