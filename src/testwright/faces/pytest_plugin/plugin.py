"""The options, and nothing else until one of them is given: pytest loads this in every session of the environment."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: "pytest.Parser") -> None:
    group = parser.getgroup("testwright", "Testwright")
    group.addoption(
        "--testwright", action="store_true", help="keep the results, and look for elements that browser tests have lost"
    )
    group.addoption("--no-auto-heal", action="store_true", help="with --testwright: keep the results only")


def pytest_configure(config: "pytest.Config") -> None:
    # A worker of pytest-xdist keeps nothing: the session that started it gets the results of all workers.
    if not config.getoption("testwright") or hasattr(config, "workerinput") or config.getoption("collectonly"):
        return
    # late: start-up of every pytest session of the environment
    from testwright.faces.pytest_plugin.healed_session import HealedSession

    config.pluginmanager.register(HealedSession.of(config), "testwright-session")
