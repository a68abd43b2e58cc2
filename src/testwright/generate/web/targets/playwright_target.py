"""Playwright, in TypeScript."""

from testwright.generate.web.browser.typescript_writer import write_typescript
from testwright.generate.web.targets.web_target import TestPlaces, WebTarget, WrittenFrom
from testwright.generate.web.web_plan import Polarity, WebPlan, WrittenTest
from testwright.model.case import WebFramework


def _write(plan: WebPlan, polarity: Polarity, _: WrittenFrom) -> WrittenTest:
    return write_typescript(plan, polarity)


PLAYWRIGHT = WebTarget(
    WebFramework.PLAYWRIGHT,
    "Playwright",
    TestPlaces(
        tests=r".+\.(?:spec|test)\.[cm]?[jt]sx?",
        config=r"playwright\.config\.[cm]?[jt]s",
        config_folder=r"""testDir\s*:\s*['"`]([^'"`]{1,200})['"`]""",
    ),
    _write,
)
