"""Whether the tests of a file pass with other content: what decides about a change that was made to it."""

from testwright.model.errors import ExitCode, NoTests
from testwright.model.outcome import Outcome
from testwright.pipeline.healing.on_request.file_proposals import Rerun, Rerunner
from testwright.pipeline.running.copy_run import TrialProject, run_on_copy
from testwright.pipeline.running.event_book import Finished


def rerunner(project: TrialProject, *, test_seconds: float | None) -> Rerunner:
    """Runs the tests of one file on a copy of the project."""

    def rerun(file: str, content: bytes) -> Rerun:
        try:
            return _judged(run_on_copy(project, {file: content}, command="heal", test_seconds=test_seconds))
        except NoTests:
            return Rerun(False, "the file has no tests of its own")

    return rerun


def _judged(finished: Finished) -> Rerun:
    """Passed means: tests ran, and each of them passed or was skipped."""
    results = finished.run.results
    passed = [result for result in results if result.outcome is Outcome.PASSED]
    failed = [result for result in results if not result.outcome.is_success]
    if finished.exit_code is ExitCode.OK and passed:
        return Rerun(True, f"{len(passed)} of {len(results)} passed")
    if failed:
        return Rerun(False, f"{failed[0].case.name}: {failed[0].outcome}")
    return Rerun(False, "no test passed")
