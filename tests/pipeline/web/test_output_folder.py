"""A generated test lies where the project keeps such tests, and nowhere outside of it."""

from pathlib import Path

import pytest

from testwright.generate.web.targets.web_targets import target_of
from testwright.model.case import WebFramework
from testwright.pipeline.web.output_folder import folder_for

PLAYWRIGHT, PYTEST, VITEST = (
    target_of(one).places for one in (WebFramework.PLAYWRIGHT, WebFramework.PYTEST, WebFramework.VITEST)
)


def put(root: Path, path: str, text: str = "") -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_a_project_without_any_tests_gets_the_usual_folder(tmp_path: Path) -> None:
    assert [folder_for(tmp_path, target_of(one).places) for one in WebFramework] == ["tests"] * len(WebFramework)


@pytest.mark.parametrize("name", ["playwright.config.ts", "playwright.config.js", "playwright.config.mts"])
@pytest.mark.parametrize(("given", "folder"), [("e2e", "e2e"), ("./e2e/web", "e2e/web"), (".", "."), ("a/../b", "b")])
def test_the_folder_that_playwright_looks_in_is_taken(tmp_path: Path, name: str, given: str, folder: str) -> None:
    put(tmp_path, name, f"export default {{ testDir: '{given}' }};")

    assert folder_for(tmp_path, PLAYWRIGHT) == folder


def test_also_where_the_configuration_lies_deeper(tmp_path: Path) -> None:
    put(tmp_path, "web/playwright.config.ts", 'testDir: "specs"')

    assert folder_for(tmp_path, PLAYWRIGHT) == "web/specs"


def test_a_configuration_that_names_none_has_tests_beside_it(tmp_path: Path) -> None:
    put(tmp_path, "web/playwright.config.ts", "export default {};")

    assert folder_for(tmp_path, PLAYWRIGHT) == "web/tests"


@pytest.mark.parametrize("given", ["../../elsewhere", "/etc", "/"])
def test_a_configuration_that_leads_out_of_the_project_is_not_followed(tmp_path: Path, given: str) -> None:
    put(tmp_path, "playwright.config.ts", f"testDir: '{given}'")

    assert folder_for(tmp_path, PLAYWRIGHT) == "tests"


def test_without_a_configuration_it_lies_beside_the_specs_there_are(tmp_path: Path) -> None:
    put(tmp_path, "node_modules/some/a.spec.ts")
    put(tmp_path, "checks/cart.spec.ts")

    assert folder_for(tmp_path, PLAYWRIGHT) == "checks"


def test_in_python_it_lies_beside_tests_that_use_a_page(tmp_path: Path) -> None:
    put(tmp_path, "tests/test_sums.py", "def test_adds(): ...")
    put(tmp_path, "tests/web/test_cart.py", "from playwright.sync_api import Page")

    assert folder_for(tmp_path, PYTEST) == "tests/web"


def test_else_where_tests_are(tmp_path: Path) -> None:
    put(tmp_path, ".venv/lib/test_x.py", "from playwright.sync_api import Page")
    put(tmp_path, "checks/test_sums.py")

    assert folder_for(tmp_path, PYTEST) == "checks"


@pytest.mark.parametrize("framework", WebFramework)
def test_the_settings_win(tmp_path: Path, framework: WebFramework) -> None:
    put(tmp_path, "playwright.config.ts", "testDir: 'e2e'")

    assert folder_for(tmp_path, target_of(framework).places, "mine/web/") == "mine/web"


def test_unit_tests_lie_beside_unit_tests(tmp_path: Path) -> None:
    put(tmp_path, "e2e/cart.spec.ts")
    put(tmp_path, "unit/cart.test.ts")

    assert folder_for(tmp_path, VITEST) == "unit"


@pytest.mark.parametrize("name", ["myenv", "aenv"])
def test_an_environment_is_not_looked_into_whatever_its_name(tmp_path: Path, name: str) -> None:
    put(tmp_path, f"{name}/pyvenv.cfg", "home = /usr/bin")
    put(tmp_path, f"{name}/lib/test_x.py", "from playwright.sync_api import Page")
    put(tmp_path, "web/test_cart.py", "from playwright.sync_api import Page")

    assert folder_for(tmp_path, PYTEST) == "web"
