"""`test_from_context`: from a session to a test, proven where the application can be reached, waiting for review."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from testwright.generate.web.web_plan import Polarity, WebFramework, WrittenTest
from testwright.generate.web.web_plan_builder import Ingredients
from testwright.model.errors import TestwrightError, UsageError
from testwright.pipeline.web.answer import WebTestAnswer
from testwright.pipeline.web.output_folder import folder_for
from testwright.pipeline.web.proof import NOT_RUN, Proof, ProofVerdict, Trial, TrialResult, prove_error, prove_green
from testwright.pipeline.web.request import OutputFormat, TestContext, WebTestRequest
from testwright.pipeline.web.session_material import Material, gathered
from testwright.pipeline.web.web_test_writer import WebTestWriter

if TYPE_CHECKING:
    from testwright.model.session_baseline import SessionBaseline

Progress = Callable[[str], None]
Propose = Callable[[WebTestAnswer], str]
"""Queues a test for review; the proposal's id."""


@dataclass(frozen=True)
class WebTestTools:
    root: Path
    folder: str = ""  # what the settings say; empty: found
    base_url: str = ""  # what the settings say
    trial: Callable[[str], Trial] | None = None  # runs tests that lie in the folder given; None: nothing is run
    is_reachable: Callable[[str], bool] = lambda _: False
    propose: Propose | None = None
    progress: Progress = lambda _: None


def answer_web_test(request: WebTestRequest, tools: WebTestTools) -> WebTestAnswer:
    """Raises SessionNotFound, NoErrorContext, NoActionsCaptured and their kin. Nothing in the project is touched."""
    request = replace(request, base_url=request.base_url or tools.base_url)
    material = gathered(request, tools.root)
    folder = folder_for(tools.root, request.framework, tools.folder)
    writer = WebTestWriter(tools.root, request, material, folder, _baseline(request, material, tools.root))
    tools.progress("writing the test")
    chosen = writer.ingredients
    written = writer.write(request.polarity, chosen)
    proof, written = _proven(writer, chosen, written, tools)
    answer = WebTestAnswer(
        written,
        proof,
        datetime.now(UTC),
        material.used,
        str(material.session.head.id),
        str(material.error.error_id) if material.error is not None else "",
        f"{folder}/{written.filename}".removeprefix("./"),
        notes=material.notes,
    )
    is_proposed = request.output_format is OutputFormat.FILE and tools.propose is not None
    if not is_proposed or proof.verdict in {ProofVerdict.NOT_REPRODUCED, ProofVerdict.NOT_GREEN}:
        return answer
    assert tools.propose is not None
    return replace(answer, proposal=tools.propose(answer))


def _baseline(request: WebTestRequest, material: Material, root: Path) -> "SessionBaseline | None":
    """What a regression test is held against: the baseline that was named, or the session itself."""
    if request.context is not TestContext.REGRESSION:
        return None
    if request.baseline:
        from testwright.store.sessions.baseline_files import load_baseline

        return load_baseline(root, request.baseline)
    from testwright.pipeline.observing.baseline_of_session import baseline_of

    return baseline_of(material.reader, str(material.session.head.id))


def write_web_test(
    root: Path,
    session: str = "",
    *,
    context: str = "error",
    error_id: str = "",
    framework: str = "playwright",
    polarity: str = "guard",
    include_mocks: bool | None = None,
    base_url: str = "",
) -> WrittenTest:
    """A test from a session, not run: for scripts."""
    request = WebTestRequest(
        TestContext(context),
        error_id,
        WebFramework(framework),
        base_url=base_url,
        include_mocks=include_mocks,
        session=session,
        polarity=Polarity(polarity),
    )
    return answer_web_test(request, WebTestTools(root)).written


def _proven(
    writer: WebTestWriter, chosen: Ingredients, written: WrittenTest, tools: WebTestTools
) -> tuple[Proof, WrittenTest]:
    request = writer.request
    if request.verify is False or tools.trial is None:
        return NOT_RUN, written
    if written.level == "todo":
        return replace(NOT_RUN, told="There is nothing to run yet."), written
    where = request.base_url or writer.material.piece.start_url
    is_unit = request.framework in {WebFramework.VITEST, WebFramework.JEST}
    if not is_unit and not tools.is_reachable(where):
        told = f"Nothing answers at {where}: the test was not run."
        if request.verify:
            raise UsageError(told, next_step="Start the application, or leave out --verify.")
        return replace(NOT_RUN, told=told), written
    trial = _told(tools.trial(writer.folder), tools.progress)
    try:
        return _tried(writer, chosen, written, trial)
    except TestwrightError as error:
        if request.verify:
            raise
        return replace(NOT_RUN, told=f"{error.message} {error.next_step}".strip()), written


def _tried(writer: WebTestWriter, chosen: Ingredients, written: WrittenTest, trial: Trial) -> tuple[Proof, WrittenTest]:
    request = writer.request
    if writer.material.error is None:
        proof = prove_green(written, trial)
        if proof.verdict is ProofVerdict.GREEN:
            return proof, written
        plainer = writer.plainer()
        if plainer.content == written.content:
            return proof, written
        again = prove_green(plainer, trial)
        if again.verdict is not ProofVerdict.GREEN:
            return proof, written
        note = "What was seen to change from one run to the next is not checked."
        return again, replace(plainer, notes=(*plainer.notes, note))
    may_change = request.include_mocks is None
    # Jest ends a test on any rejection that nobody handles, so that its opposite cannot be written.
    has_repro = not (request.framework is WebFramework.JEST and written.level == "promise")
    proof, found = prove_error(
        writer.write,
        chosen,
        trial,
        may_change=may_change,
        has_repro=has_repro,
        reason=writer.red_reason,
        has_earlier_steps=writer.material.has_earlier_steps,
    )
    return proof, writer.write(request.polarity, found)


def _told(trial: Trial, progress: Progress) -> Trial:
    rounds = itertools.count(1)

    def told(tests: Sequence[WrittenTest]) -> Mapping[str, TrialResult]:
        progress(f"running it, round {next(rounds)}")
        return trial(tests)

    return told
