"""One test, and the name it is known by in every run."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

TestId = NewType("TestId", str)


class Framework(StrEnum):
    PYTEST = "pytest"
    PLAYWRIGHT = "playwright"
    VITEST = "vitest"
    JEST = "jest"
    NODE = "node"
    SKILL = "skill"
    # Results of these are read, not run, by us.
    FLUTTER = "flutter"
    GO = "go"
    JUNIT = "junit"


# The frameworks we can run, in the order they run in: the quick ones first.
RUNNABLE = (Framework.PYTEST, Framework.SKILL, Framework.NODE, Framework.VITEST, Framework.JEST, Framework.PLAYWRIGHT)


class WebFramework(StrEnum):
    """What a test of a browser session can be written for."""

    PLAYWRIGHT = "playwright"  # in TypeScript
    PYTEST = "pytest"  # Playwright in Python
    VITEST = "vitest"
    JEST = "jest"


class _Named:
    """Room for a name beside the fields: it is asked for many times over, and made once."""

    __slots__ = ("_id",)

    _id: TestId


@dataclass(frozen=True, slots=True)
class TestCase(_Named):
    """A test as its framework names it. A case with no title stands for a whole file that would not load."""

    __test__ = False  # pytest would take the class for a group of tests

    framework: Framework
    file: str  # from the project's root, with forward slashes
    title: tuple[str, ...] = ()  # outermost group first
    variant: str = ""  # a Playwright project (browser), or a repetition
    occurrence: int = 1  # tells apart tests that share all of the above
    line: int | None = None
    native_id: str = ""  # what the runner itself calls it; how to ask for it again

    @property
    def name(self) -> str:
        return " › ".join(self.title) or self.file

    @property
    def id(self) -> TestId:
        """Stable between runs; holds no line number, so that editing above a test does not rename it."""
        try:
            return self._id
        except AttributeError:
            object.__setattr__(self, "_id", self._made_id())  # nothing that can be seen changes
            return self._id

    def _made_id(self) -> TestId:
        separator = "::" if self.framework is Framework.PYTEST else " › "
        title = f"::{separator.join(self.title)}" if self.title else ""
        variant = f" [{self.variant}]" if self.variant else ""
        occurrence = f" #{self.occurrence}" if self.occurrence > 1 else ""
        return TestId(f"{self.framework}:{self.file}{title}{variant}{occurrence}")
