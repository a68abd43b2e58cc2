"""What is not installed, or not where it is looked for: modules and fixtures."""

import re
from collections.abc import Iterator

from testwright.classify.advice import Advice
from testwright.classify.rules.phrase_matcher import any_of
from testwright.classify.rules.rule_finding import RuleFinding
from testwright.classify.word_lists import words
from testwright.model.failure import CodeOwner, FailureDetail, FailureLine
from testwright.model.failure_labels import FailureLabel as Label

_NO_MODULE = any_of(
    # Python
    r"No module named '?(?P<name>[\w.]{1,120})'?",
    # Node
    r"Cannot find (?:module|package) ['\"](?P<name>[^'\"]{1,200})['\"]",
    # Vite, esbuild
    r"Failed to resolve import \"(?P<name>[^\"]{1,200})\"",
    r"Could not resolve ['\"](?P<name>[^'\"]{1,200})['\"]",
)
_OWN = re.compile(r"^(?:[.~/\\]|@/|#|src/|app/|lib/|tests?\b)")
_FIXTURE = any_of(r"fixture '(?P<name>\w{1,80})' not found")
# Fixtures that come with well-known plugins: asked for and not there, the plugin is not installed.
_PLUGIN_FIXTURES = words(
    "admin_client aiohttp_client aiohttp_server anyio_backend app benchmark browser browser_context_args celery_app",
    "celery_worker class_mocker client context cov data_regression datadir db django_user_model docker_services driver",
    "event_loop faker freezer fs httpserver httpx_mock image_regression live_server mock_aioresponse mocker",
    "module_mocker no_cover page playwright postgresql qtbot redisdb requests_mock respx_mock rf selenium",
    "session_mocker settings shared_datadir snapshot testdir transactional_db unused_tcp_port",
)


def missing_findings(detail: FailureDetail) -> Iterator[RuleFinding]:
    for line in _NO_MODULE.all(detail.said):
        found = _NO_MODULE.search(line.text)
        if found is not None:
            yield _module_finding(found["name"], detail, line)
    for line in _FIXTURE.all(detail.said):
        fixture = _FIXTURE.search(line.text)
        known = fixture is not None and fixture["name"] in _PLUGIN_FIXTURES
        label, other = (Label.ENVIRONMENT, Label.TEST_BUG) if known else (Label.TEST_BUG, Label.ENVIRONMENT)
        yield RuleFinding(label, 0.85 if known else 0.6, "fixture_missing", "", line, Advice.INSTALL_PLUGIN, other)


def _module_finding(name: str, detail: FailureDetail, line: FailureLine) -> RuleFinding:
    if _is_own(name, detail):
        return RuleFinding(
            Label.TEST_BUG, 0.84, "own_module_missing", "test", line, Advice.FIX_IMPORT, Label.ENVIRONMENT
        )
    return RuleFinding(
        Label.ENVIRONMENT, 0.86, "package_missing", "environment", line, Advice.INSTALL_DEPENDENCIES, Label.TEST_BUG
    )


def _is_own(name: str, detail: FailureDetail) -> bool:
    """Whether it is the project's own module, not one that was to be installed."""
    if "node_modules" in name:
        return False
    if _OWN.match(name):
        # A relative path is the project's, unless only libraries are on the stack.
        owners = {frame.owner for frame in detail.frames} - {CodeOwner.RUNNER}
        return owners != {CodeOwner.LIBRARY}
    return _is_in_stack(re.split(r"[./]", name, maxsplit=1)[0], detail)


def _is_in_stack(top: str, detail: FailureDetail) -> bool:
    """Whether a folder or file of that name is on the project's own side of the stack."""
    named = re.compile(rf"(?:^|[/\\]){re.escape(top)}(?:[/\\]|\.)")
    return any(
        frame.owner in (CodeOwner.PRODUCT, CodeOwner.TEST) and named.search(frame.file) is not None
        for frame in detail.frames
    )
