"""A rewritten test is a draft for review, and only if it checks no less and really passes."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from testwright.generate.target_files import ModuleTarget
from testwright.model.case import Framework, TestCase
from testwright.model.failure_labels import FailureLabel
from testwright.model.outcome import Outcome
from testwright.model.proposal import Evidence, Proposal, ProposalId, ProposalKind, ProposalStatus
from testwright.model.result import Attempt, RunId, RunResult, SuiteResult, TestResult
from testwright.model.verdict import Verdict
from testwright.pipeline.generating.module_outcome import ModuleOutcome, NewFile, Status
from testwright.pipeline.generating.module_plan import Wish
from testwright.pipeline.healing.on_request.file_proposals import Rerun
from testwright.pipeline.improving.analysed_runs import analysed
from testwright.pipeline.improving.journey import plan_steps
from testwright.pipeline.improving.loop_report import LoopReport, LoopStep, Route
from testwright.pipeline.improving.rewritten_tests import (
    EngineRewriter,
    NoModel,
    NotRewritten,
    RewriteDrafter,
    RewriteRequest,
    SuiteRewriter,
    looser,
    modules_of,
)
from testwright.review.confined_root import ConfinedRoot
from testwright.review.review_queue import ReviewQueue
from testwright.store.project_store import Store, open_store

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
FILE = "tests/test_shop.py"
BEFORE = "import pytest\n\n\ndef test_pays(baskett):\n    assert baskett.total() == 5\n"
BETTER = "import pytest\n\n\ndef test_pays(baskett):\n    assert baskett.total() == 5\n    assert baskett.items\n"
WEAKER = BEFORE.replace("== 5", "> 0")


@dataclass(frozen=True)
class Scribe:
    """A rewriter that always writes the same."""

    text: str
    origin: str = "scribe/1"

    def rewrite(self, asked: RewriteRequest) -> bytes | NotRewritten:
        assert asked.source == BEFORE.encode()
        return self.text.encode()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / FILE).write_text(BEFORE)
    return tmp_path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / ".testwright" / "testwright.db") as opened:
        yield opened


def report_on(project: Path) -> LoopReport:
    stack = "E       fixture 'baskett' not found\n>       available fixtures: basket\n"
    case = TestCase(Framework.PYTEST, FILE, ("test_pays",))
    result = TestResult(case, (Attempt(Outcome.ERROR, message="fixture 'baskett' not found", stack=stack),))
    run = RunResult(RunId("run-1"), NOON, (SuiteResult(Framework.PYTEST, ".", (result,)),))
    return plan_steps(analysed(run, project), origins={})


def drafted(project: Path, store: Store, rewriter: SuiteRewriter, *, passes: bool = True) -> LoopStep:
    def rerun(file: str, content: bytes) -> Rerun:
        assert file == FILE
        return Rerun(passes, "1 of 1 passed" if passes else "test_pays: failed")

    with ConfinedRoot(project) as root:
        drafter = RewriteDrafter(root, ReviewQueue(root, store.proposals), {Route.REWRITE: rewriter}, rerun)
        [step] = drafter.drafted(report_on(project)).steps
    assert (project / FILE).read_text() == BEFORE
    return step


def test_a_better_test_waits_in_review_and_the_file_is_as_it_was(project: Path, store: Store) -> None:
    step = drafted(project, store, Scribe(BETTER))

    [draft] = store.proposals.list()
    assert (draft.kind, draft.status, draft.origin) == (ProposalKind.REWRITTEN_TEST, ProposalStatus.PENDING, "scribe/1")
    assert draft.content == BETTER.encode()
    assert draft.id == step.proposal
    assert "1 of 1 passed" in draft.evidence[1].summary


def test_a_weaker_test_is_refused_and_the_reason_is_given(project: Path, store: Store) -> None:
    step = drafted(project, store, Scribe(WEAKER))

    assert step.said.startswith("It was rewritten, and that was refused: A check is gone or is another one")
    assert store.proposals.list() == []


def test_a_test_that_does_not_pass_is_not_proposed(project: Path, store: Store) -> None:
    step = drafted(project, store, Scribe(BETTER), passes=False)

    assert step.said.startswith("It was rewritten, and does not pass: test_pays: failed.")
    assert store.proposals.list() == []


def test_text_that_is_not_python_is_refused(project: Path, store: Store) -> None:
    step = drafted(project, store, Scribe("def test_pays(:\n"))

    assert step.said.startswith("It could not be rewritten")
    assert store.proposals.list() == []


def test_without_a_model_it_says_so_and_what_a_person_should_do(project: Path, store: Store) -> None:
    step = drafted(project, store, NoModel())

    assert step.said.startswith("No model is configured that could rewrite the test: a person has to.")
    assert len(step.said) > len("No model is configured that could rewrite the test: a person has to. ")


def test_a_file_of_unknown_language_cannot_be_judged() -> None:
    assert looser(b"a", b"b", "tests/test.rb") == (
        "It is unknown whether it checks less: the language of the file is not known.",
    )


# --- the engine as the rewriter ---------------------------------------------------------------------------------------


def asked() -> RewriteRequest:
    case = TestCase(Framework.PYTEST, FILE)
    return RewriteRequest(case, BEFORE.encode(), "No module named 'shup'", Verdict(FailureLabel.TEST_BUG, 0.9))


def test_the_engine_generates_again_the_module_that_the_proposal_was_about(project: Path) -> None:
    (project / "shop.py").write_text("")
    proposal = Proposal(
        ProposalId("p1"), ProposalKind.NEW_TEST, "Tests for shop", FILE, None, b"", "", "engine", NOON,
        evidence=(Evidence("compile gate passed", source="shop.py"),),
    )  # fmt: skip
    seen: list[Path] = []

    def generate(target: ModuleTarget, wish: Wish) -> ModuleOutcome:
        seen.append(target.file)
        return ModuleOutcome("shop.py", Status.TESTED, suite=NewFile(project / FILE, BETTER, "Tests for shop"))

    engine = EngineRewriter(Wish(project), modules_of([proposal]), generate)

    assert engine.rewrite(asked()) == BETTER.encode()
    assert seen == [project / "shop.py"]


@pytest.mark.parametrize(
    ("modules", "why"),
    [({}, "it is not known which module it is about"), ({FILE: "gone.py"}, "gone.py is gone")],
)
def test_without_its_module_a_generated_test_is_left_to_a_person(
    project: Path, modules: dict[str, str], why: str
) -> None:
    answer = EngineRewriter(Wish(project), modules).rewrite(asked())

    assert isinstance(answer, NotRewritten)
    assert why in answer.why
