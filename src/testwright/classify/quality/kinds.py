"""What kind of test it is, guessed from its framework and the folders it lies in."""

import re

from testwright.model.case import Framework, TestCase

_BY_WORD = {
    "browser": ("browser", "e2e", "endtoend", "ui", "playwright"),
    "api": ("api", "apis", "contract", "contracts", "rest", "graphql"),
    "accessibility": ("a11y", "accessibility", "axe"),
    "visual": ("visual", "golden", "goldens", "screenshot", "screenshots"),
    "performance": ("perf", "performance", "benchmark", "benchmarks", "load"),
    "integration": ("integration", "integrations", "functional", "system", "journeys"),
}
_TYPE_OF = {word: kind for kind, words in _BY_WORD.items() for word in words}
_WORDS = re.compile(r"[A-Za-z0-9]+")


def kind_of_test(case: TestCase) -> str:
    """browser, api, accessibility, visual, performance, integration, skill, widget or unit."""
    if case.framework is Framework.SKILL:
        return "skill"
    if case.framework is Framework.FLUTTER and "integration_test" in case.file:
        return "integration"
    words = [word.lower() for word in _WORDS.findall(case.file)]
    named = next((_TYPE_OF[word] for word in words if word in _TYPE_OF), None)
    if named is not None:
        return named
    if case.framework is Framework.PLAYWRIGHT:
        return "browser"
    return "widget" if case.framework is Framework.FLUTTER else "unit"
