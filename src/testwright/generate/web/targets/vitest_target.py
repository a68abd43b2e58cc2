"""Vitest: unit tests that need no browser."""

from testwright.generate.web.targets.web_target import TestPlaces, WebTarget, WrittenFrom
from testwright.generate.web.unit.runner_calls import VITEST as CALLS
from testwright.generate.web.unit.unit_writer import write_unit_test
from testwright.generate.web.web_plan import Polarity, WebPlan, WrittenTest
from testwright.model.case import WebFramework


def _write(plan: WebPlan, polarity: Polarity, given: WrittenFrom) -> WrittenTest:
    return write_unit_test(plan, CALLS, given.sources, polarity, given.pages, given.folder)


VITEST = WebTarget(
    WebFramework.VITEST,
    "Vitest",
    TestPlaces(tests=r".+\.test\.[cm]?[jt]sx?"),
    _write,
    is_unit=True,
)
