"""A request and its material as a test file for the framework that is asked for."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from testwright.generate.web.assertion_count import assertions_in
from testwright.generate.web.error_wording import GUARD_FAILED, error_pattern
from testwright.generate.web.regression_plan import plan_for_regression
from testwright.generate.web.step_checks import without_passing_checks
from testwright.generate.web.syntax_trees import language_of
from testwright.generate.web.targets.web_target import WebTarget, WrittenFrom
from testwright.generate.web.targets.web_targets import target_of
from testwright.generate.web.web_plan import ExpectedError, Polarity, WebPlan, WrittenTest
from testwright.generate.web.web_plan_builder import Ingredients, plan_for_actions, plan_for_error
from testwright.model.session import PageError
from testwright.model.session_baseline import SessionBaseline
from testwright.observe.recording.error_fingerprints import message_pattern
from testwright.pipeline.web.project_sources import FolderSources
from testwright.pipeline.web.request import TestContext, WebTestRequest
from testwright.pipeline.web.session_material import Material


@dataclass(frozen=True)
class WebTestWriter:
    """Writes the test of one request, as often as it takes to find out what it must hold."""

    root: Path
    request: WebTestRequest
    material: Material
    folder: str = "tests"  # where the test will lie, from the project's root
    baseline: SessionBaseline | None = None

    @property
    def target(self) -> WebTarget:
        return target_of(self.request.framework)

    @property
    def ingredients(self) -> Ingredients:
        """What to begin with."""
        asked = self.request.include_mocks
        asks_server = any(one.is_api for one in self.material.piece.requests) or bool(self.material.piece.sockets)
        return Ingredients(mocks=asks_server if asked is None else asked)

    @property
    def red_reason(self) -> str:
        """An expression for what a guard says when it is red for the recorded error."""
        error = self.material.error
        if self.target.says_guard_failed or error is None:
            return re.escape(GUARD_FAILED)
        return error_pattern(_expected(error))

    def write(self, polarity: Polarity, ingredients: Ingredients) -> WrittenTest:
        plan = self._plan(polarity, ingredients)
        noted = replace(plan, notes=(*self.material.notes, *plan.notes))
        return _counted(self._written(noted, polarity))

    def plainer(self) -> WrittenTest:
        """The same steps, with nothing checked that another run may show differently."""
        plan = self._plan(Polarity.GUARD, self.ingredients)
        return _counted(self._written(without_passing_checks(plan), Polarity.GUARD))

    def _plan(self, polarity: Polarity, ingredients: Ingredients) -> WebPlan:
        material, base_url = self.material, self.request.base_url
        if material.error is not None:
            expected = _expected(material.error)
            piece = material.whole_piece if ingredients.whole else material.piece
            return plan_for_error(piece, expected, polarity, ingredients, base_url=base_url)
        if self.request.context is TestContext.REGRESSION:
            plan = plan_for_actions(material.piece, material.reader.page, ingredients, base_url=base_url)
            assert self.baseline is not None
            return plan_for_regression(plan, self.baseline, message_pattern)
        return plan_for_actions(material.piece, material.reader.page, ingredients, base_url=base_url)

    def _written(self, plan: WebPlan, polarity: Polarity) -> WrittenTest:
        given = WrittenFrom(FolderSources(self.root), self.material.reader.page, self.folder)
        return self.target.write(plan, polarity, given)


def _expected(error: PageError) -> ExpectedError:
    return ExpectedError(
        error.error_id, error.source, error.name, message_pattern(error.message), error.message.split("\n", 1)[0]
    )


def _counted(test: WrittenTest) -> WrittenTest:
    return replace(test, assertions=assertions_in(test.content, language_of(test.filename)))
