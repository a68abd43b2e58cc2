"""Each framework that a web test can be asked for has a target of its own."""

import pytest

from testwright.generate.web.targets.web_targets import target_of
from testwright.model.case import Framework, WebFramework


@pytest.mark.parametrize("framework", WebFramework)
def test_every_framework_has_its_target(framework: WebFramework) -> None:
    assert target_of(framework).framework is framework


def test_no_two_targets_have_the_same_label() -> None:
    assert len({target_of(one).label for one in WebFramework}) == len(WebFramework)


def test_a_test_can_be_run_by_the_framework_of_the_same_name() -> None:
    assert {one.value for one in WebFramework} <= {one.value for one in Framework}
