"""The tests of a run that failed, each with what its runner said and what is known around it."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from testwright.classify.classifier import FailureContext, classify, classify_text
from testwright.model.case import TestId
from testwright.model.failure import FailureDetail
from testwright.model.result import Attempt, RunResult, SuiteResult, TestResult
from testwright.model.verdict import Verdict
from testwright.pipeline.explaining.attempt_endings import by_outcome
from testwright.pipeline.explaining.failure_reader import FailureReader
from testwright.pipeline.explaining.heal_evidence import known_from_heal
from testwright.pipeline.healing.heal_report import HealEntry


class FailedTest(NamedTuple):
    """A test that failed, whether or not it passed when it was run again."""

    suite: SuiteResult
    result: TestResult
    attempt: Attempt  # the last one that failed
    detail: FailureDetail
    context: FailureContext

    @property
    def id(self) -> TestId:
        return self.result.case.id

    @property
    def own_verdict(self) -> Verdict:
        """What the failure says by itself, without a look at the others of the run."""
        verdict = by_outcome(self.attempt, self.detail, classify(self.detail, self.context))
        if verdict.is_consequence and len(self.attempt.errors) > 1:
            first = classify_text(self.attempt.errors[0], self.detail.framework, self.context)
            if not first.is_unknown and not first.is_consequence:
                return first
        return verdict


def failed_tests(run: RunResult, reader: FailureReader, heals: Mapping[TestId, HealEntry]) -> Iterator[FailedTest]:
    """In the order of the run. `heals` is what the heal pass said of them."""
    for suite in run.suites:
        for result in suite.results:
            counting = (attempt for attempt in result.attempts if not attempt.is_repetition)
            failed = [attempt for attempt in counting if not attempt.outcome.is_success]
            if not failed or (result.outcome.is_success and not result.is_flaky):
                continue
            context = known_from_heal(heals.get(result.case.id), passed_on_retry=result.is_flaky)
            yield FailedTest(suite, result, failed[-1], reader.of(result, failed[-1], suite.root), context)
