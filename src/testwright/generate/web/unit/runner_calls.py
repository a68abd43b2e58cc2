"""What Vitest and Jest call differently. All else in a unit test is the same for both."""

from abc import ABC, abstractmethod
from collections.abc import Iterator

from testwright.generate.web.code_literals import text
from testwright.generate.web.unit.unit_helpers import STUB
from testwright.model.case import WebFramework
from testwright.model.selector import Dialect

_TS = Dialect.TYPESCRIPT
# Jest cannot replace the date alone by naming it: all else has to be named.
_TIMERS = (
    "hrtime", "nextTick", "performance", "queueMicrotask", "requestAnimationFrame", "cancelAnimationFrame",
    "requestIdleCallback", "cancelIdleCallback", "setImmediate", "clearImmediate", "setInterval", "clearInterval",
    "setTimeout", "clearTimeout",
)  # fmt: skip


class RunnerCalls(ABC):
    """Lines may hold types between ⟦ and ⟧. The writer keeps them or leaves them out."""

    framework: WebFramework
    environment: str  # the comment that asks for a page
    imports: tuple[str, ...] = ()
    module_imports: tuple[str, ...] = ()  # of an ES module that replaces something
    todo_imports: tuple[str, ...] = ()  # of a test that is still to be written
    mock_object: str
    loads_every_module: bool  # TypeScript and ES modules too, without a set-up of the project's
    resets_imports: bool  # whether modules loaded with `import()` are forgotten too
    known_bug: str  # what declares a test that is expected to fail
    stub: str  # what replaces a global
    helpers: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    take_rejections: tuple[str, ...] = ()
    on_rejection: tuple[str, ...] = ()  # before the check of a promise that nothing waits for
    takes_message: bool  # whether `expect` takes words of its own
    allows_rejections: bool  # whether a test can pass though a promise was rejected that nothing waits for

    @abstractmethod
    def set_clock(self, moment: str) -> Iterator[str]: ...

    @abstractmethod
    def give_back(self, *, has_clock: bool) -> Iterator[str]:
        """All that was replaced."""


class Vitest(RunnerCalls):
    framework = WebFramework.VITEST
    environment = "// @vitest-environment jsdom"
    imports = ("import { afterEach, beforeEach, expect, test, vi } from 'vitest';",)
    todo_imports = ("import { test } from 'vitest';",)
    mock_object = "vi"
    loads_every_module = True
    resets_imports = True
    known_bug = "test.fails"
    stub = "vi.stubGlobal"
    constants = ("const runners⟦: Record<string, any[]>⟧ = {};",)
    take_rejections = (
        "// Vitest would report these itself: for this test they are ours.",
        "for (const name of ['unhandledRejection', 'uncaughtException']) {",
        "  runners[name] = process.listeners(name⟦ as any⟧);",
        "  process.removeAllListeners(name);",
        "  process.on(name, onRejection);",
        "}",
    )
    takes_message = True
    allows_rejections = True

    def set_clock(self, moment: str) -> Iterator[str]:
        yield f"vi.setSystemTime(new Date({text(moment, _TS)}));"

    def give_back(self, *, has_clock: bool) -> Iterator[str]:
        yield "for (const [name, listeners] of Object.entries(runners)) {"
        yield "  process.removeListener(name, onRejection);"
        yield "  for (const one of listeners) process.on(name, one);"
        yield "}"
        yield "vi.unstubAllGlobals();"
        if has_clock:
            yield "vi.useRealTimers();"


class Jest(RunnerCalls):
    framework = WebFramework.JEST
    environment = "/** @jest-environment jsdom */"
    module_imports = ("import { jest } from '@jest/globals';",)
    mock_object = "jest"
    loads_every_module = False
    resets_imports = False
    known_bug = "test.failing"
    stub = "stub"
    helpers = (STUB,)
    on_rejection = ("// Jest itself fails a test in which a promise is rejected and nobody waits for it.",)
    takes_message = False
    allows_rejections = False

    def set_clock(self, moment: str) -> Iterator[str]:
        yield "jest.useFakeTimers({"
        yield f"  now: new Date({text(moment, _TS)}),"
        yield f"  doNotFake: [{', '.join(text(name, _TS) for name in _TIMERS)}],"
        yield "});"

    def give_back(self, *, has_clock: bool) -> Iterator[str]:
        if has_clock:
            yield "jest.useRealTimers();"
        yield "for (const [name, one] of Object.entries(before)) Object.defineProperty(globalThis, name, one);"


VITEST, JEST = Vitest(), Jest()
