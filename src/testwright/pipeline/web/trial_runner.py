"""Run generated test files as they would lie in the project, on a copy of it."""

import os
from collections.abc import Mapping, Sequence
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

from testwright.generate.web.unit.import_style import NEEDS_FLAG
from testwright.generate.web.web_plan import WrittenTest
from testwright.model.case import Framework
from testwright.model.errors import NoTests, RunnerMissing
from testwright.model.outcome import Outcome
from testwright.pipeline.running.copy_run import TrialProject, run_on_copy
from testwright.pipeline.running.event_book import Finished
from testwright.pipeline.web.proof import Trial, TrialResult

_MINUTE = 60.0
_ES_MODULES = "--experimental-vm-modules"  # what Jest needs to load them by itself
_NO_BROWSER = "Executable doesn't exist"  # Playwright's words
_SECONDS_TO_ANSWER = 3.0


def trial_on(project: TrialProject, folder: str) -> Trial:
    """Runs files in `folder`. Generated tests are run with the user's own rights: they need the browser and the app."""

    def trial(tests: Sequence[WrittenTest]) -> Mapping[str, TrialResult]:
        finished = _run(project, folder, tests)
        problems = [problem for suite in finished.run.suites for problem in suite.problems]
        if not finished.run.results:
            reason = problems[0].message if problems else "No test of it was found."
            raise RunnerMissing(
                f"The generated test could not be run: {reason}",
                next_step="Install the project's test runner, or generate with --no-verify.",
            )
        tried = {test.filename: _worst_result(finished, test.filename) for test in tests}
        if any(_NO_BROWSER in one.message for one in tried.values()):
            raise RunnerMissing(
                "The project's Playwright has no browser to run the test in.",
                next_step="Run `playwright install chromium` in the project, or name one in its configuration.",
            )
        return tried

    return trial


def _run(project: TrialProject, folder: str, tests: Sequence[WrittenTest]) -> Finished:
    files = {f"{folder}/{test.filename}".removeprefix("./"): test.content.encode() for test in tests}
    framework = tests[0].framework
    env = {**os.environ, **({"NODE_OPTIONS": _ES_MODULES} if NEEDS_FLAG in tests[0].notes else {})}
    env.pop("BASE_URL", None)  # it may lead to another application than the one that was recorded
    try:
        return run_on_copy(
            project, files, command="generate", test_seconds=_MINUTE, framework=Framework(framework), env=env
        )
    except NoTests as error:
        raise RunnerMissing(
            f"The project is not set up for {framework}, so that the test could not be run.",
            next_step="Install it in the project, or ask for another framework.",
        ) from error


def _worst_result(finished: Finished, filename: str) -> TrialResult:
    """Of all tests of the file: a runner may have several browsers, and the one where it did not pass counts."""
    results = [
        one for one in finished.run.results if one.case.file.endswith(f"/{filename}") or one.case.file == filename
    ]
    attempts = [one.attempts[0] for one in results if one.attempts]
    if not attempts:
        return TrialResult(Outcome.NO_VERDICT, "it did not run")
    worst = next((one for one in attempts if one.outcome is not Outcome.PASSED), attempts[0])
    return TrialResult(worst.outcome, worst.message)


def answers_at(url: str) -> bool:
    """Whether a server answers there, with any status."""
    if urlsplit(url).scheme not in {"http", "https"}:
        return False
    opener = build_opener(ProxyHandler({}))
    try:
        with opener.open(Request(url, headers={"user-agent": "testwright"}), timeout=_SECONDS_TO_ANSWER):  # noqa: S310  checked above
            return True
    except HTTPError as error:
        error.close()
        return True
    except (URLError, OSError, ValueError):
        return False
