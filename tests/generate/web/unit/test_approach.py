"""The stack decides what kind of unit test is honest, and where none is, the reason is told."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest

from testwright.generate.web.unit.approach import Approach, Level, approach_to
from testwright.generate.web.unit.source_access import ProjectConventions
from testwright.model.session import ActionType, ErrorSource

from .apps import APPS, CALL, HANDLER
from .recordings import Recording


@dataclass
class Files:
    """Sources that lie nowhere."""

    texts: Mapping[str, str]
    customs: ProjectConventions = field(default_factory=ProjectConventions)

    def find(self, name: str) -> str | None:
        return next((path for path in self.texts if name.endswith(path)), None)

    def read(self, path: str) -> str:
        return self.texts.get(path, "")


def _approach(app: Recording) -> Approach:
    return approach_to(app.plan(), Files(app.buggy))


def _of(
    source: str, piece: str = "HERE", *, does: tuple[ActionType, str] | None = (ActionType.CLICK, "#load")
) -> Approach:
    text = {"src/app.js": source}
    return _approach(replace(HANDLER, buggy=text, frames=(("src/app.js", piece),), does=does))


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
def test_each_app_gets_the_kind_of_test_that_its_stack_allows(app: Recording) -> None:
    assert _approach(app).level == app.level


@pytest.mark.parametrize(
    ("head", "call"),
    [
        pytest.param("()", "load()", id="nothing to give"),
        pytest.param("(root)", "load(document.body)", id="a root"),
        pytest.param("(amount = 1)", "load()", id="something that may be left out"),
        pytest.param("(event)", "load(new Event('click', { cancelable: true }))", id="an event"),
    ],
)
def test_arguments_are_given_where_they_are_known(head: str, call: str) -> None:
    found = _of(f"export function load{head} {{ HERE; }}")

    assert (found.level, found.call) == (Level.MODULE, call)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("export function load(items) { HERE; }", id="data"),
        pytest.param("export function load({ items }) { HERE; }", id="data, taken apart"),
        pytest.param("export function load(event) { event.target; HERE; }", id="an event that must know its target"),
        pytest.param("export function load(event) { other(event); HERE; }", id="an event that is handed on"),
    ],
)
def test_arguments_are_never_made_up(source: str) -> None:
    assert _of(source).level is Level.TODO


def test_a_callback_belongs_to_the_function_that_waits_for_it() -> None:
    returned = _of("export function load() { return ask().then((answer) => { HERE; }); }")
    floating = _of("export function load() { ask().then((answer) => { HERE; }); }")
    mapped = _of("export function load() { [1].map((one) => HERE); }")
    short = _of("export const load = () => ask().then((answer) => { HERE; });")
    later = _of("export function load() { setTimeout(() => { HERE; }, 10); }")

    assert [one.level.value for one in (returned, floating, mapped, short, later)] == [
        "module", "todo", "module", "module", "todo",
    ]  # fmt: skip


def test_the_request_that_the_code_makes_is_what_must_have_happened() -> None:
    assert _approach(CALL).trigger == "POST /api/profile"
    assert _approach(replace(CALL, requests=(("GET", "/api/other", 200, "{}"),))).trigger == ""


@pytest.mark.parametrize(
    ("app", "reason"),
    [
        pytest.param(replace(HANDLER, frames=()), "no stack", id="no stack"),
        pytest.param(
            replace(HANDLER, frames=(("bundle.min.js", ""),)), "bundle.min.js, which has no source map", id="minified"
        ),
        pytest.param(replace(HANDLER, source=ErrorSource.CRASH), "process died", id="a crash"),
        pytest.param(replace(HANDLER, does=(ActionType.DRAG, "#load")), "was drag", id="a drag"),
        pytest.param(replace(HANDLER, does=(ActionType.UPLOAD, "#load")), "was upload", id="an upload"),
    ],
)
def test_the_reason_is_told_where_no_test_is_honest(app: Recording, reason: str) -> None:
    found = _approach(app)

    assert found.level is Level.TODO
    assert reason in found.reason


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        pytest.param("button.onclick = () => { box.getBoundingClientRect(); HERE; };", "no layout", id="layout"),
        pytest.param("button.onclick = () => { location.assign('/x'); HERE; };", "no navigation", id="navigation"),
        pytest.param(
            "export function App() { return <b onClick={() => { HERE; }} />; }", "component", id="a component"
        ),
        pytest.param(
            "export function attach(b) { b.onclick = () => { HERE; }; }", "attaches the handler", id="nobody attaches"
        ),
        pytest.param("x;" * 2_000 + "\nHERE;", "not written in a way", id="squeezed"),
    ],
)
def test_code_that_a_unit_test_cannot_honestly_run_is_left_alone(source: str, reason: str) -> None:
    found = _of(source)

    assert found.level is Level.TODO
    assert reason in found.reason


def test_a_source_that_is_not_there_is_not_imported() -> None:
    found = approach_to(HANDLER.plan(), Files({}))

    assert found.level is Level.TODO
    assert "src/app.js, which is not in this project" in found.reason


def test_broken_and_foreign_sources_raise_nothing() -> None:
    for source in ("export function HERE(((", "\0\0HERE", "HERE" * 200_000, "<template>HERE</template>"):
        assert _of(source).level in Level
