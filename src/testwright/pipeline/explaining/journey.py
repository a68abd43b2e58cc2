"""Why the tests of a run failed: a verdict for each, from all that the run knows, and one cause where many share it.

Nothing is kept: verdicts follow from the attempts, which are, and are worked out again each time.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from testwright.model.case import TestCase
from testwright.model.result import RunResult
from testwright.model.verdict import Quote, Verdict
from testwright.pipeline.explaining.failed_tests import FailedTest, failed_tests
from testwright.pipeline.explaining.failure_reader import FailureReader
from testwright.pipeline.explaining.page_evidence import with_heal, with_pages
from testwright.pipeline.explaining.shared_causes import Explanation, grouped, weighed_together
from testwright.pipeline.healing.heal_report import HealEntry

# What else is known of a test, in a sentence, such as when it last passed; and the files its stack names.
Background = Callable[[TestCase, Sequence[str]], Sequence[Quote]]


def explain_run(
    run: RunResult, root: Path, *, heals: Iterable[HealEntry] = (), background: Background | None = None
) -> Explanation:
    """Verdicts for all failures of a run. `heals` is what the heal pass said of them, where there was one."""
    healed = {entry.case.id: entry for entry in heals}
    reader = FailureReader(root, newest=run.started_at.timestamp())
    failures = list(failed_tests(run, reader, healed))

    verdicts = [failure.own_verdict for failure in failures]
    verdicts = with_pages(failures, verdicts, root)
    verdicts, keys = weighed_together(run, failures, verdicts)
    verdicts = [with_heal(verdict, healed.get(failure.id)) for verdict, failure in zip(verdicts, failures, strict=True)]
    if background is not None:
        pairs = zip(verdicts, failures, strict=True)
        verdicts = [_with_background(verdict, failure, reader, background) for verdict, failure in pairs]

    found = list(zip(failures, verdicts, keys, strict=True))
    broken = ((key, failure.id, verdict) for failure, verdict, key in found if not failure.result.outcome.is_success)
    return Explanation({failure.id: verdict for failure, verdict, _ in found}, tuple(grouped(broken)))


def _with_background(verdict: Verdict, failure: FailedTest, reader: FailureReader, background: Background) -> Verdict:
    named = (reader.source(frame.file, failure.suite.root) for frame in failure.detail.frames)
    files = list(dict.fromkeys([failure.result.case.file, *filter(None, named)]))
    return replace(verdict, evidence=(*verdict.evidence, *background(failure.result.case, files)))
