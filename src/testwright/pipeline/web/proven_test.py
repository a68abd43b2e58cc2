"""A written test with its proof: run where it can be run, and written again as it was proven."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

from testwright.generate.web.web_plan import WrittenTest
from testwright.model.errors import TestwrightError, UsageError
from testwright.pipeline.web.answer import Progress, WebTestTools
from testwright.pipeline.web.proof import NOT_RUN, Proof, ProofVerdict, Trial, TrialResult, prove_error, prove_green
from testwright.pipeline.web.web_test_writer import WebTestWriter


def proven(writer: WebTestWriter, written: WrittenTest, tools: WebTestTools) -> tuple[Proof, WrittenTest]:
    """The proof, and the test that it is about: another than `written`, where only another one shows the error.

    Where the test cannot be run the proof says why; a request that insists on the proof gets the error instead.
    """
    request = writer.request
    if request.verify is False or tools.trial is None:
        return NOT_RUN, written
    if written.level == "todo":
        return replace(NOT_RUN, told="There is nothing to run yet."), written
    trouble = _unreachable(writer, tools)
    if trouble and request.verify:
        raise UsageError(trouble, next_step="Start the application, or leave out --verify.")
    if trouble:
        return replace(NOT_RUN, told=trouble), written
    trial = _with_progress(tools.trial(writer.folder), tools.progress)
    try:
        if writer.material.error is None:
            return _proven_green(writer, written, trial)
        return _proven_error(writer, written, trial)
    except TestwrightError as error:
        if request.verify:
            raise
        return replace(NOT_RUN, told=f"{error.message} {error.next_step}".strip()), written


def _unreachable(writer: WebTestWriter, tools: WebTestTools) -> str:
    """Why the application cannot be tested now; empty where it can, or where a unit test needs none."""
    if writer.target.is_unit:
        return ""
    where = writer.request.base_url or writer.material.piece.start_url
    return "" if tools.is_reachable(where) else f"Nothing answers at {where}: the test was not run."


def _proven_green(writer: WebTestWriter, written: WrittenTest, trial: Trial) -> tuple[Proof, WrittenTest]:
    """Where the test does not pass, a plainer one is tried: what changes from run to run cannot be checked."""
    proof = prove_green(written, trial)
    plainer = writer.plainer() if proof.verdict is not ProofVerdict.GREEN else written
    if plainer.content == written.content:
        return proof, written
    again = prove_green(plainer, trial)
    if again.verdict is not ProofVerdict.GREEN:
        return proof, written
    note = "What was seen to change from one run to the next is not checked."
    return again, replace(plainer, notes=(*plainer.notes, note))


def _proven_error(writer: WebTestWriter, written: WrittenTest, trial: Trial) -> tuple[Proof, WrittenTest]:
    request = writer.request
    proof, found = prove_error(
        writer.write,
        writer.ingredients,
        trial,
        may_change=request.include_mocks is None,
        # Where any rejection that is not handled ends a test, its opposite cannot be written.
        has_repro=writer.target.allows_rejections or written.level != "promise",
        reason=writer.red_reason,
        has_earlier_steps=writer.material.has_earlier_steps,
    )
    return proof, writer.write(request.polarity, found)


def _with_progress(trial: Trial, progress: Progress) -> Trial:
    rounds = itertools.count(1)

    def shown(tests: Sequence[WrittenTest]) -> Mapping[str, TrialResult]:
        progress(f"running it, round {next(rounds)}")
        return trial(tests)

    return shown
