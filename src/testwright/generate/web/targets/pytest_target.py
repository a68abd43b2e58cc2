"""Playwright in Python, for pytest."""

from testwright.generate.web.browser.python_writer import write_python
from testwright.generate.web.targets.web_target import TestPlaces, WebTarget, WrittenFrom
from testwright.generate.web.web_plan import Polarity, WebPlan, WrittenTest
from testwright.model.case import WebFramework


def _write(plan: WebPlan, polarity: Polarity, _: WrittenFrom) -> WrittenTest:
    return write_python(plan, polarity)


PYTEST = WebTarget(
    WebFramework.PYTEST,
    "Playwright (Python)",
    TestPlaces(tests=r"test_.+\.py|.+_test\.py", mentions="playwright"),
    _write,
)
