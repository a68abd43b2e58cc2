"""Each label is one row, and few files name it beside that row."""

import re
from pathlib import Path

from testwright.model.failure_labels import FailureLabel
from testwright.model.verdict import Verdict

PROJECT = Path(__file__).resolve().parents[2]
SOURCE = PROJECT / "src" / "testwright"

# These give a label as their answer.
GIVE_LABELS = {
    *(f"classify/rules/{path.name}" for path in (SOURCE / "classify" / "rules").glob("*.py")),
    "classify/classifier.py",
    "pipeline/explaining/failed_tests.py",
}
# These ask for one label alone, as nothing that its traits say is what they need to know.
ASK_FOR_ONE = {
    "classify/quality/run_analysis.py": {"UNKNOWN"},
    "pipeline/explaining/page_evidence.py": {"SELECTOR_BROKEN"},
    "pipeline/explaining/shared_causes.py": {"REAL_BUG"},
    "pipeline/improving/loop_report.py": {"TEST_BUG"},
}


def test_a_new_label_has_no_second_list_to_go_into() -> None:
    named = {
        str(path.relative_to(SOURCE)): set(re.findall(r"\bFailureLabel\.([A-Z_]+)\b", path.read_text(encoding="utf-8")))
        for path in SOURCE.rglob("*.py")
    }
    assert {path: labels for path, labels in named.items() if labels and path not in GIVE_LABELS} == ASK_FOR_ONE


def test_the_table_in_the_documentation_says_what_the_rows_say() -> None:
    page = (PROJECT / "docs" / "classifying.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (\w+) \| (\w+) \|$", page, re.MULTILINE)

    assert sorted(rows) == sorted(
        (str(label), label.traits.means, label.traits.category, label.traits.signature) for label in FailureLabel
    )


def test_a_label_travels_as_its_word() -> None:
    assert [f"{label}" for label in (FailureLabel.TEST_BUG, FailureLabel.UNKNOWN)] == ["test_bug", "unknown"]


def test_only_what_may_pass_when_it_is_run_again_is_flaky() -> None:
    flaky = {label for label in FailureLabel if Verdict(label, 0.9).is_flaky}
    assert flaky == {FailureLabel.TIMING_FLAKY, FailureLabel.NETWORK_FLAKY}
