"""A module is imported as its twin, or the reason why not is said for a person."""

import sys
from pathlib import Path

import pytest

from tests.generate.inside.loaded_modules import loaded
from testwright.generate.inside.module_loader import CannotLoad


def test_what_the_import_runs_is_known_from_what_only_calls_run(tmp_path: Path) -> None:
    with loaded(tmp_path, "LIMIT = 3\n\n\ndef double(number):\n    return number * 2\n") as it:
        hit = {probe.line for probe in it.under_test.twin.probes if it.at_import >> (8 * probe.index) & 1}

        assert it.under_test.module.LIMIT == 3
        assert 1 in hit
        assert 5 not in hit
        assert it.notes == []


def test_an_import_that_prints_is_noted_and_keeps_its_words_to_itself(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with loaded(tmp_path, "import os\n\nos.write(1, b'hello')\n") as it:
        assert it.notes == ["its import prints"]

    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import no_such_module_anywhere\n", "its import needs 'no_such_module_anywhere', which is not installed"),
        ("raise ModuleNotFoundError('the plugin is gone')\n", "its import fails: the plugin is gone"),
        ("def f(:\n", "it is not valid Python"),
        ("x = " + "-" * 100_000 + "1\n", "it is not valid Python"),
        ("import sys\n\nsys.exit(2)\n", "its import ends the program (exit 2)"),
        ("1 / 0\n", "its import fails: ZeroDivisionError: division by zero"),
        ("raise KeyboardInterrupt\n", "its import fails: KeyboardInterrupt"),
        ("import sys\n\nsys.modules[__name__] = object()\n", "gives no module, but a object"),
        ("__file__ = '/somewhere/else.py'\n", "gives another file: /somewhere/else.py"),
    ],
)
def test_the_reason_why_it_cannot_be_loaded_is_said_plainly(tmp_path: Path, source: str, reason: str) -> None:
    with pytest.raises(CannotLoad) as refused, loaded(tmp_path, source):
        pass

    assert reason in str(refused.value)


def test_a_file_that_is_no_text_cannot_be_read(tmp_path: Path) -> None:
    from testwright.generate.inside.module_loader import load

    (tmp_path / "binary.py").write_bytes(b"\xff\xfe\x00")
    before = list(sys.path)

    with pytest.raises(CannotLoad, match="it cannot be read"):
        load("binary", str(tmp_path / "binary.py"), [])

    assert sys.path == before


def test_a_module_that_answers_every_name_itself_is_still_known_by_its_own_file(tmp_path: Path) -> None:
    source = "def __getattr__(name):\n    raise RuntimeError(name)\n\n\ndef double(number):\n    return number * 2\n"

    with loaded(tmp_path, source) as it:
        assert "double" in {unit.qualname for unit in it.units}
