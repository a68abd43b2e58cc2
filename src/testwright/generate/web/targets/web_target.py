"""What is to be known about a target of web tests."""

from collections.abc import Callable
from dataclasses import dataclass

from testwright.generate.web.unit.source_access import ProjectSources
from testwright.generate.web.web_plan import Polarity, WebPlan, WrittenTest
from testwright.generate.web.web_plan_builder import PageOf
from testwright.model.case import WebFramework


@dataclass(frozen=True, slots=True)
class TestPlaces:
    """By what the folder is found that a project keeps such tests in. Patterns are for whole names of files."""

    __test__ = False  # pytest would take the class for a group of tests

    tests: str
    config: str = ""  # the framework's configuration; it decides, where there is one
    config_folder: str = ""  # a pattern to find in it: its group is the folder, from where the configuration lies
    mentions: str = ""  # tests that hold this word are nearer to what is meant than others


@dataclass(frozen=True, slots=True)
class WrittenFrom:
    """What a writer may need besides the plan."""

    sources: ProjectSources
    pages: PageOf
    folder: str  # that the test will lie in, from the project's root


@dataclass(frozen=True, slots=True)
class WebTarget:
    framework: WebFramework
    label: str  # for people
    places: TestPlaces
    write: Callable[[WebPlan, Polarity, WrittenFrom], WrittenTest]
    is_unit: bool = False  # has no browser: is written from an error only, and needs no running application
    says_guard_failed: bool = True  # whether a red check has words of ours; else it only prints the error
    allows_rejections: bool = True  # whether a test can pass though a promise was rejected that nothing waits for
