"""Jest: unit tests that need no browser."""

from testwright.generate.web.targets.web_target import TestPlaces, WebTarget, WrittenFrom
from testwright.generate.web.unit.runner_calls import JEST as CALLS
from testwright.generate.web.unit.unit_writer import write_unit_test
from testwright.generate.web.web_plan import Polarity, WebPlan, WrittenTest
from testwright.model.case import WebFramework


def _write(plan: WebPlan, polarity: Polarity, given: WrittenFrom) -> WrittenTest:
    return write_unit_test(plan, CALLS, given.sources, polarity, given.pages, given.folder)


JEST = WebTarget(
    WebFramework.JEST,
    "Jest",
    TestPlaces(tests=r".+\.test\.[cm]?[jt]sx?"),
    _write,
    is_unit=True,
    says_guard_failed=False,  # its checks take no words of their own
    allows_rejections=False,
)
