"""Every target of web tests, by the name that a person asks for it with."""

from testwright.generate.web.targets.jest_target import JEST
from testwright.generate.web.targets.playwright_target import PLAYWRIGHT
from testwright.generate.web.targets.pytest_target import PYTEST
from testwright.generate.web.targets.vitest_target import VITEST
from testwright.generate.web.targets.web_target import WebTarget
from testwright.model.case import WebFramework

_TARGETS = {target.framework: target for target in (PLAYWRIGHT, PYTEST, VITEST, JEST)}


def target_of(framework: WebFramework) -> WebTarget:
    return _TARGETS[framework]
