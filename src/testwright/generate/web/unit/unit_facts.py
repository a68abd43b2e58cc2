"""All that the text of one unit test depends on."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from testwright.generate.web.request_urls import origin_of
from testwright.generate.web.unit.approach import Approach, Level, document_of
from testwright.generate.web.unit.import_style import ImportStyle
from testwright.generate.web.unit.mounted_page import MountedPage
from testwright.generate.web.unit.runner_calls import RunnerCalls
from testwright.generate.web.unit.unit_helpers import in_language
from testwright.generate.web.web_plan import ExpectedError, Polarity, WebPlan, storage_of
from testwright.model.session import OriginStorage, StorageState


@dataclass(frozen=True, slots=True)
class UnitTestFacts:
    """One test file, before it is written."""

    plan: WebPlan
    runner: RunnerCalls
    polarity: Polarity
    approach: Approach
    stage: MountedPage
    loading: ImportStyle
    folder: str  # that the file will lie in

    @property
    def error(self) -> ExpectedError:
        assert self.plan.error is not None  # without an error the only approach is a todo
        return self.plan.error

    @property
    def mounts(self) -> bool:
        needed = (
            self.approach.level is not Level.MODULE or self.approach.touches_page or "document" in self.approach.call
        )
        return bool(self.stage.fragment.lines) and needed

    @property
    def selectors(self) -> tuple[str, ...]:
        if self.acts:
            return tuple(dict.fromkeys(act.selector for act in self.stage.acts))
        return tuple(dict.fromkeys(act.selector for act in self.stage.filled if self.mounts))

    @property
    def acts(self) -> bool:
        return self.approach.acts and self.approach.level is not Level.MODULE

    @property
    def must_be_heard(self) -> bool:
        """Somebody must have listened. Where a request must have been made, that says more."""
        return self.acts and self.approach.must_be_heard and not self.trigger

    @property
    def trigger(self) -> str:
        return self.approach.trigger if self.plan.mocks else ""

    @property
    def order_matters(self) -> bool:
        """Answers came in another order than they were asked for."""
        return any(answer.waits_for for mock in self.plan.mocks for answer in mock.answers)

    @property
    def uses_xhr(self) -> bool:
        return bool(self.plan.mocks) and any(one.resource == "xhr" for one in self.plan.slice.requests)

    @property
    def own_storage(self) -> OriginStorage:
        """Of the app's own origin."""
        return storage_of(self.state, origin_of(self.plan.slice.start_url), self.plan.origin)

    @property
    def state(self) -> StorageState:
        """What the document found in which the error happened: not always the first one."""
        if self.plan.state.is_empty and not self.plan.slice.state.is_empty:
            return self.plan.state  # it is to be left out
        loaded = document_of(self.plan)
        return loaded.state if loaded is not None else self.plan.state

    @property
    def address(self) -> str:
        """Where that document was, below the origin that the environment has."""
        error, loaded = self.plan.slice.error, document_of(self.plan)
        url = loaded.url if loaded is not None else self.plan.slice.start_url
        parts = urlsplit(error.frame_url if error is not None and error.frames else url)
        return "/" + parts.path.lstrip("/") + (f"?{parts.query}" if parts.query else "")

    @property
    def uses_state(self) -> bool:
        kept = self.own_storage
        has_cookies = any(not cookie.http_only for cookie in self.state.cookies)
        return has_cookies or bool(kept.local or kept.session)

    def type_name(self, name: str) -> str:
        """Empty where the file has no types."""
        return name if self.loading.is_typed else ""

    def typed(self, line: str) -> str:
        return in_language(line, typed=self.loading.is_typed)
