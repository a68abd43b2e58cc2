"""The file itself: valid in its language, true to the project's customs, and closed to what strangers wrote."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from testwright.generate.web.syntax_trees import root_of, walk
from testwright.generate.web.unit.import_style import NEEDS_FLAG
from testwright.generate.web.unit.runner_calls import JEST, VITEST, RunnerCalls
from testwright.generate.web.unit.unit_writer import write_unit_test
from testwright.generate.web.web_plan import (
    Polarity,
    WebPlan,
    WrittenTest,
)
from testwright.model.session import ActionType, Cookie, OriginStorage, Secret, StorageState
from testwright.pipeline.web.project_sources import FolderSources

from .apps import APPS, CALL, FORM, HANDLER, PROMISE, SOCKET, as_commonjs
from .recordings import APP, Recording

HOSTILE = "'); process.exit(1); //\u2028</script>${1}`\n\\"


def _project(root: Path, app: Recording, files: Mapping[str, str]) -> FolderSources:
    for file, text in {**app.buggy, **files}.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text)
    return FolderSources(root)


def _written(
    root: Path,
    app: Recording,
    runner: RunnerCalls = VITEST,
    plan: WebPlan | None = None,
    files: Mapping[str, str] = MappingProxyType({}),
) -> WrittenTest:
    return write_unit_test(plan or app.plan(), runner, _project(root, app, files), Polarity.GUARD, app.pages)


def _has_errors(test: WrittenTest) -> bool:
    language = "typescript" if test.filename.endswith(".ts") else "javascript"
    return root_of(test.content, language).has_error


def _calls(test: WrittenTest) -> int:
    return sum(node.type == "call_expression" for node in walk(root_of(test.content, "javascript")))


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
def test_every_file_is_valid_with_types_and_without(app: Recording, tmp_path: Path) -> None:
    plain = _written(tmp_path / "js", app)
    typed = _written(tmp_path / "ts", app, files={"tsconfig.json": "{}"})

    assert plain.filename.endswith(".test.js")
    assert typed.filename.endswith(".test.ts")
    assert not _has_errors(plain)
    assert not _has_errors(typed)
    assert "⟦" not in plain.content + typed.content
    assert plain.assertions == typed.assertions >= 2


def test_what_strangers_wrote_stays_text(tmp_path: Path) -> None:
    app = replace(
        CALL,
        html=f'<button id="load">{HOSTILE}</button><p id="out" title="{HOSTILE}"></p>',
        requests=(("POST", "/api/profile", 200, HOSTILE),),
        local={HOSTILE: HOSTILE},
    )
    plan = app.plan()
    plan = replace(plan, title=f"x{HOSTILE} does not throw y{HOSTILE}", notes=(HOSTILE,))

    test = _written(tmp_path, app, plan=plan)
    usual = _written(tmp_path, CALL)

    assert not _has_errors(test)
    assert _calls(test) == _calls(usual)
    assert test.assertions == usual.assertions
    assert "\u2028" not in test.content
    assert all(ord(one) >= 0x20 or one == "\n" for one in test.content)


def test_secrets_come_from_the_environment(tmp_path: Path) -> None:
    state = StorageState(
        cookies=(Cookie("sid", Secret("SID")), Cookie("closed", Secret("CLOSED"), http_only=True)),
        origins=(OriginStorage(APP, {"token": Secret("TOKEN"), "theme": "dark"}, {"step": "2"}),),
    )

    test = _written(tmp_path, CALL, plan=replace(CALL.plan(), state=state))

    assert test.uses_state
    assert "localStorage.setItem('token', process.env.TOKEN ?? 'placeholder');" in test.content
    assert "localStorage.setItem('theme', 'dark');" in test.content
    assert "sessionStorage.setItem('step', '2');" in test.content
    assert "document.cookie = 'sid=' + (process.env.SID ?? 'placeholder');" in test.content
    assert "CLOSED" not in test.content


def test_what_was_typed_comes_from_the_actions_and_not_from_the_page(tmp_path: Path) -> None:
    test = _written(tmp_path, FORM)

    assert "typed by somebody" not in test.content
    assert """target = find('[name="email"]');""" in test.content
    assert "target.value = 'ann@example.com';" in test.content
    assert "option.selected = ['pro'].includes(option.value);" in test.content
    assert test.selectors == ('[name="email"]', '[name="plan"]', "body > form > button")


def test_a_function_finds_the_fields_as_they_were_left(tmp_path: Path) -> None:
    app = replace(CALL, html=f"{CALL.html}<input id='who'>", before=((ActionType.FILL, "#who", "Zoë"),))

    assert "find('#who').value = 'Zoë';" in _written(tmp_path, app).content


def test_a_file_says_where_it_comes_from_and_what_it_uses(tmp_path: Path) -> None:
    test = _written(tmp_path, CALL)

    assert test.filename == "error-load-typeerror.test.js"
    assert test.content.startswith("// @vitest-environment jsdom\n")
    assert "error err_1767268800813_a1b2c3d4." in test.content
    assert "// The error's stack leads to src/app.js:4 loadProfile." in test.content
    assert "await import('../src/app.js')" in test.content
    assert (test.uses_mocks, test.uses_state, test.level) == (True, True, "module")


def test_what_is_imported_depends_on_where_the_test_will_lie(tmp_path: Path) -> None:
    files = {"web/spec/other.spec.js": "import { test } from 'vitest';", "e2e/a.test.ts": "from '@playwright/test';"}
    sources = _project(tmp_path, CALL, files)

    test = write_unit_test(CALL.plan(), VITEST, sources, Polarity.GUARD, CALL.pages, "web/spec/unit")
    at_the_root = write_unit_test(CALL.plan(), VITEST, sources, Polarity.GUARD, CALL.pages, "")

    assert test.filename == "error-load-typeerror.spec.js"
    assert "import('../../../src/app.js')" in test.content
    assert "import('./src/app.js')" in at_the_root.content


def test_an_error_without_a_usable_stack_becomes_a_todo_with_what_was_recorded(tmp_path: Path) -> None:
    app = replace(CALL, frames=(("bundle.min.js", ""),))

    for runner in (VITEST, JEST):
        test = _written(tmp_path, app, runner)

        assert (test.level, test.assertions, test.selectors) == ("todo", 0, ())
        assert "test.todo(" in test.content
        assert "has no source map" in test.content
        assert "import(" not in test.content
        assert "require(" not in test.content
        assert "const PAGE = [" in test.content
        assert "const RECORDED = [" in test.content
        assert "has no source map" in test.notes[-1]
        assert not _has_errors(test)


def test_an_action_whose_page_was_not_kept_becomes_a_todo(tmp_path: Path) -> None:
    test = write_unit_test(HANDLER.plan(), VITEST, _project(tmp_path, HANDLER, {}))

    assert test.level == "todo"
    assert "was not kept" in test.notes[-1]


def test_what_is_about_no_error_becomes_a_todo(tmp_path: Path) -> None:
    plan = replace(CALL.plan(), error=None)

    test = _written(tmp_path, CALL, plan=plan)

    assert test.level == "todo"
    assert "needs an error" in test.notes[-1]


@pytest.mark.parametrize(
    ("files", "ending", "loads"),
    [
        pytest.param(
            {"package.json": '{"type": "module"}'}, ".test.js", "await import('../src/app.js')", id="ES modules"
        ),
        pytest.param(
            {"babel.config.js": "presets: ['@babel/preset-env']"},
            ".test.js",
            "await import('../src/app.js')",
            id="Babel",
        ),
        pytest.param(
            {"jest.config.js": "preset: 'ts-jest'", "tsconfig.json": "{}"},
            ".test.ts",
            "await import('../src/app.js')",
            id="ts-jest",
        ),
    ],
)
def test_jest_loads_es_modules_as_the_project_is_set_up(
    files: dict[str, str], ending: str, loads: str, tmp_path: Path
) -> None:
    test = _written(tmp_path, CALL, JEST, files=files)

    assert test.filename.endswith(ending)
    assert test.content.startswith("/** @jest-environment jsdom */\n")
    assert loads in test.content
    assert (NEEDS_FLAG in test.notes) == ("package.json" in files)


def test_jest_loads_nodes_own_modules_with_require(tmp_path: Path) -> None:
    test = _written(tmp_path, as_commonjs(CALL), JEST)

    assert "const { loadProfile } = require('../src/app.js');" in test.content


def test_jest_without_a_set_up_for_es_modules_gets_a_todo(tmp_path: Path) -> None:
    test = _written(tmp_path, CALL, JEST)

    assert test.level == "todo"
    assert "src/app.js is an ES module" in test.notes[-1]


def test_jest_without_a_set_up_for_typescript_gets_a_todo(tmp_path: Path) -> None:
    app = replace(CALL, buggy={"src/app.ts": CALL.buggy["src/app.js"]}, frames=(("src/app.ts", "name : 'you'"),))

    test = _written(tmp_path, app, JEST)

    assert test.level == "todo"
    assert "TypeScript" in test.notes[-1]


def test_typescript_is_imported_without_its_ending(tmp_path: Path) -> None:
    app = replace(CALL, buggy={"src/app.ts": CALL.buggy["src/app.js"]}, frames=(("src/app.ts", "name : 'you'"),))

    test = _written(tmp_path, app)

    assert test.filename.endswith(".test.ts")
    assert "await import('../src/app')" in test.content


def test_the_same_recording_gives_the_same_bytes(tmp_path: Path) -> None:
    for app in (PROMISE, SOCKET):
        assert _written(tmp_path, app).content == _written(tmp_path, app).content
