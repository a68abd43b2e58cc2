"""The journey from a session to a web test: written, proven where the application can be reached, queued for review."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from testwright.generate.web.targets.web_targets import target_of
from testwright.generate.web.web_plan import Polarity, WrittenTest
from testwright.model.case import WebFramework
from testwright.model.session_baseline import SessionBaseline
from testwright.pipeline.observing.session_baselines import baseline_of
from testwright.pipeline.web.answer import WebTestAnswer, WebTestTools
from testwright.pipeline.web.output_folder import folder_for
from testwright.pipeline.web.proof import Proof, ProofVerdict
from testwright.pipeline.web.proven_test import proven
from testwright.pipeline.web.request import OutputFormat, TestContext, WebTestRequest
from testwright.pipeline.web.session_material import Material, gathered
from testwright.pipeline.web.web_test_writer import WebTestWriter
from testwright.store.sessions.baseline_files import load_baseline


def answer_web_test(request: WebTestRequest, tools: WebTestTools) -> WebTestAnswer:
    """Raises SessionNotFound, NoErrorContext, NoActionsCaptured and the like. Nothing in the project is touched."""
    request = replace(request, base_url=request.base_url or tools.base_url)
    material = gathered(request, tools.root)
    folder = folder_for(tools.root, target_of(request.framework).places, tools.folder)
    writer = WebTestWriter(tools.root, request, material, folder, _baseline(request, material, tools.root))
    tools.progress("writing the test")
    written = writer.write(request.polarity, writer.ingredients)
    proof, written = proven(writer, written, tools)
    answer = _answer(material, folder, written, proof)
    is_proposable = proof.verdict not in {ProofVerdict.NOT_REPRODUCED, ProofVerdict.NOT_GREEN}
    if request.output_format is OutputFormat.FILE and tools.propose is not None and is_proposable:
        return replace(answer, proposal=tools.propose(answer))
    return answer


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


def _baseline(request: WebTestRequest, material: Material, root: Path) -> SessionBaseline | None:
    """What a regression test is held against: the baseline that was named, or the session itself."""
    if request.context is not TestContext.REGRESSION:
        return None
    if request.baseline:
        return load_baseline(root, request.baseline)
    return baseline_of(material.reader, str(material.session.head.id))


def _answer(material: Material, folder: str, written: WrittenTest, proof: Proof) -> WebTestAnswer:
    return WebTestAnswer(
        written,
        proof,
        datetime.now(UTC),
        material.used,
        str(material.session.head.id),
        str(material.error.error_id) if material.error is not None else "",
        f"{folder}/{written.filename}".removeprefix("./"),
        notes=material.notes,
    )
