"""A hundred secrets pass through a recorded browser in every way there is: none is readable in anything we write."""

import json
import os
import zlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.async_api import Page

from tests.faces.cli.commands import call
from tests.journeys.planted_app import (
    BUTTONS,
    FIELDS,
    FIRST_BUTTONS,
    PLAIN_FIELDS,
    devtools_recording,
    dotenv,
    environment,
    har,
    planted_app,
)
from tests.journeys.planted_values import HARMLESS, SECRETS, bare, of, spellings
from testwright.faces.cli import analyze_command, generate_web_command, import_command, observe_command
from testwright.model.session import SessionSource
from testwright.observe.recording.record_options import RecordOptions
from testwright.pipeline.observing.journey import record_session
from testwright.settings import Settings
from testwright.store.sessions import SessionReader, list_sessions, open_session

pytestmark = pytest.mark.needs_chromium

SPELLED = [
    (secret.route, secret.place, [spelled.lower() for spelled in spellings(bare(secret.value))]) for secret in SECRETS
]
SETTINGS = Settings(secret_names=("matricule",), secret_variables=("MATRIX_LOGIN",))


async def use_the_shop(page: Page) -> None:
    await click(page, FIRST_BUTTONS)
    await page.reload()
    secrets = dict(of("field"))
    for name, markup in FIELDS.items():
        label = markup.removeprefix("<label>").partition(" <")[0]
        await page.get_by_label(label, exact=True).fill(secrets[name])
    for label, value in zip(PLAIN_FIELDS, HARMLESS["field"], strict=True):
        await page.get_by_label(label, exact=True).fill(value)
    await click(page, BUTTONS)


async def click(page: Page, names: Iterable[str]) -> None:
    for name in names:
        await page.locator(f"#do-{name}").click()
        await page.locator(f"#done-{name}").wait_for(state="attached")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Path:
    """With a recorded session and its baseline, and two sessions that were imported."""
    root = tmp_path_factory.mktemp("shop")
    (root / "testwright.toml").write_text("secret-names = ['matricule']\nsecret-variables = ['MATRIX_LOGIN']\n")
    (root / ".env").write_text(dotenv())
    with planted_app() as url:
        record_session(
            root,
            SETTINGS,
            url,
            RecordOptions(headless=True, chromium=Path(chromium)),
            drive=use_the_shop,
            env={**os.environ, **environment()},
        )
    call(analyze_command, "baseline", "save", "shop", "--project", root)
    for name, content in (("network.har", har()), ("buying.json", devtools_recording())):
        file = root.parent / name
        file.write_text(json.dumps(content))
        call(import_command, file, "--project", root)
    return root


@pytest.fixture(scope="module")
def recorded(project: Path) -> SessionReader:
    newest = list_sessions(project)
    return open_session(project, next(each.id for each in newest if each.source is SessionSource.LAUNCH))


@pytest.fixture(scope="module")
def written(project: Path) -> dict[str, bytes]:
    """Every file that was written, pages unpacked."""
    files = {}
    for path in sorted((project / ".testwright").rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            with suppress(zlib.error):
                content = zlib.decompress(content)
            files[str(path.relative_to(project))] = content
    return files


def leaked(content: bytes) -> list[tuple[str, str]]:
    """Where the secrets were planted that can be read in it, in any spelling."""
    lowered = content.lower()
    return [(route, place) for route, place, spelled in SPELLED if any(each in lowered for each in spelled)]


def test_a_hundred_secrets_are_planted() -> None:
    assert len({secret.value for secret in SECRETS}) >= 100


def test_no_secret_is_readable_in_any_file(written: dict[str, bytes]) -> None:
    leaks = {name: found for name, content in written.items() if (found := leaked(content))}

    assert leaks == {}


@pytest.mark.parametrize(
    "view",
    [
        ["timeline", "--since", "start", "--limit", "1000"],
        ["actions", "--full"],
        ["network", "--full"],
        ["console", "--full"],
        ["errors", "--full"],
        ["errors", "--bundle"],
        ["bundle", "--full"],
        ["dom"],
    ],
    ids=" ".join,
)
def test_no_view_shows_a_secret(
    project: Path, recorded: SessionReader, view: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    call(observe_command, *view, "--session", recorded.id, "--project", project, "--json")
    shown = capsys.readouterr().out

    assert len(shown) > 200
    assert leaked(shown.encode()) == []


@pytest.mark.parametrize("framework", ["playwright", "pytest", "vitest", "jest"])
def test_no_generated_test_holds_a_secret(
    project: Path, recorded: SessionReader, framework: str, capsys: pytest.CaptureFixture[str]
) -> None:
    contexts = [["error", "--error-id", error.error_id] for error in recorded.session().errors]
    if framework in ("playwright", "pytest"):
        contexts += [["interaction"], ["regression", "--baseline", "shop"]]
    for context in contexts:
        chosen = ["--framework", framework, "--session", recorded.id, "--project", project]
        call(generate_web_command, "--from", *context, *chosen, "--no-verify", "--output-format", "inline")
        test = capsys.readouterr().out

        assert "test" in test
        assert leaked(test.encode()) == []


def test_harmless_words_stay(written: dict[str, bytes]) -> None:
    everything = b"\n".join(written.values()).decode(errors="replace")
    lost = [(route, word) for route, words in HARMLESS.items() for word in words if word not in everything]

    assert lost == []
