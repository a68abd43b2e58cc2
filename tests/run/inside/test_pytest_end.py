"""The end of the process that pytest ran in: as it would be without us."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.run.conftest import RunPytest, Write


def test_what_is_left_open_is_written_out_when_the_process_ends(project: "Write", run_pytest: "RunPytest") -> None:
    # Given tests that leave files open, one of them held by nothing but a module that was there before them
    root = project(
        {
            "test_a.py": (
                "import json\n"
                "class TestLog:\n"
                "    log = open('by-class.txt', 'w')\n"
                "    def test_x(self):\n"
                "        json.our_log = open('by-module.txt', 'w')\n"
                "        assert self.log.write('said') == json.our_log.write('said')\n"
            )
        }
    )

    # When they run
    assert run_pytest(root).outcomes == {"test_a.py::TestLog::test_x": "passed"}

    # Then nothing that was said is lost
    assert (root / "by-class.txt").read_text() == (root / "by-module.txt").read_text() == "said"
