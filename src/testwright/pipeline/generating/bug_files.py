"""Broken promises as files: a test that fails until the code is fixed, and a note for the person who fixes it.

A test is shown only after it was seen to fail, in a check of its own and not in a step before that check.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from testwright.generate.inside.promises.breach import Breach
from testwright.generate.quality_gates.single_run import RunConditions, SuiteFile, run_once
from testwright.generate.writing.bug_test_and_note import write_bug_note, write_bug_test
from testwright.generate.writing.style import style_of
from testwright.isolate.child import Cancel
from testwright.pipeline.generating.module_outcome import NewFile
from testwright.pipeline.generating.module_plan import ModulePlan

FOLDER = "bugs"  # below the tests: a run that must be green leaves it out


def sentence_of(breach: Breach) -> str:
    """A broken promise in a line."""
    symptom, promised = breach.symptom.replace("_", " "), " ".join(breach.promise.split())
    return f"{breach.unit} {symptom} ({breach.where}), though {breach.promised_at} says: {promised}"


def bug_files(
    plan: ModulePlan, suite: SuiteFile, breaches: Sequence[Breach], cancel: Cancel
) -> Iterator[NewFile | str]:
    """A test and a note for each promise, or a sentence that says why there is none.

    `suite` is a test file of this module, with all that it needs; only its name and text are replaced.
    """
    import_map, style = plan.request.import_map, style_of(plan.request.root)
    for breach in breaches:
        test = write_bug_test(breach, import_map.target_import, import_map.module_name, style=style)
        # Judged beside the other tests, whose conftest it shares; its place is one folder below them.
        seen = run_once(replace(suite, name=test.file_name, text=test.text), RunConditions(hash_seed=1), cancel)
        outcomes = [each.outcome for each in seen.tests]
        if outcomes != ["failed"]:
            yield f"the bug in {breach.unit} could not be shown by a test: {', '.join(outcomes) or seen.trouble}"
            continue
        place = plan.folder / FOLDER / test.file_name
        shown = place.relative_to(plan.request.root) if place.is_relative_to(plan.request.root) else place
        note = write_bug_note(
            breach, import_map.target_import, import_map.module_name, test_file=str(shown), style=style
        )
        title = f"A bug in {import_map.module_name}: {breach.unit} {breach.symptom.replace('_', ' ')}"
        yield NewFile(place, test.text, title)
        yield NewFile(plan.folder / FOLDER / note.file_name, note.text, title)
