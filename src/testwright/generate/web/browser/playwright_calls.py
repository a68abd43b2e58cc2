"""Steps and checks of a browser test in either language: the calls are Playwright's, and only spelled differently."""

from collections.abc import Iterator
from dataclasses import dataclass

from testwright.generate.web.code_literals import json_literal, text, typed
from testwright.generate.web.element_locator import by_attribute
from testwright.generate.web.request_urls import origin_of
from testwright.generate.web.web_plan import CheckKind, PageCheck, Polarity, WebFramework, WebPlan, WebStep, WrittenTest
from testwright.model.selector import Dialect, Selector
from testwright.model.session import ActionType, OriginStorage
from testwright.selectors.spelling import snake, spelled


@dataclass(frozen=True, slots=True)
class PlaywrightLanguage:
    """How a language says what both say."""

    dialect: Dialect
    call: str  # around a call: `await {};`
    remark: str  # before a comment
    loop: tuple[str, str]  # around what is done for each part of a list
    file: str  # an empty file of a name
    right_click: str


TYPESCRIPT = PlaywrightLanguage(
    Dialect.TYPESCRIPT,
    "await {};",
    "//",
    ("for (const part of {}) {{", "}"),
    "{{ name: {}, mimeType: 'application/octet-stream', buffer: Buffer.from('') }}",
    "{ button: 'right' }",
)
PYTHON = PlaywrightLanguage(
    Dialect.PYTHON,
    "{}",
    "#",
    ("for part in {}:", ""),
    '{{"name": {}, "mimeType": "application/octet-stream", "buffer": b""}}',
    'button="right"',
)
_ODD_NAMES = {"toHaveURL": "to_have_url", "not.toBeChecked": "not_to_be_checked"}
_CALLS = {
    ActionType.CLICK: "click",
    ActionType.DOUBLE_CLICK: "dblclick",
    ActionType.RIGHT_CLICK: "click",
    ActionType.CHECK: "check",
    ActionType.UNCHECK: "uncheck",
    ActionType.HOVER: "hover",
    ActionType.FILL: "fill",
    ActionType.PRESS: "press",
    ActionType.SELECT: "selectOption",
    ActionType.UPLOAD: "setInputFiles",
    ActionType.DRAG: "dragTo",
}
_MATCHERS = {
    CheckKind.VISIBLE: "toBeVisible",
    CheckKind.HIDDEN: "toBeHidden",
    CheckKind.TEXT: "toHaveText",
    CheckKind.VALUE: "toHaveValue",
    CheckKind.CHECKED: "toBeChecked",
    CheckKind.UNCHECKED: "not.toBeChecked",
    CheckKind.COUNT: "toHaveCount",
}


class PlaywrightWriter:
    """What the writers of both languages share."""

    speech: PlaywrightLanguage

    def __init__(self, plan: WebPlan, polarity: Polarity) -> None:
        self.plan, self.polarity = plan, polarity
        self.selectors: list[str] = []
        self._tabs = {step.tab: "page" for step in plan.steps[:1]}

    def written(self, framework: WebFramework, filename: str, content: str) -> WrittenTest:
        plan = self.plan
        return WrittenTest(
            framework,
            filename,
            content,
            tuple(dict.fromkeys(self.selectors)),
            notes=plan.notes,
            uses_mocks=bool(plan.mocks or plan.sockets),
            uses_state=not plan.state.is_empty,
            uses_clock=plan.clock is not None,
            confidence=plan.confidence,
        )

    def page_of(self, tab: int) -> str:
        """The variable of a tab; one that is not known yet gets its own."""
        return self._tabs.setdefault(tab, f"tab{tab}")

    @property
    def trigger(self) -> str:
        """The request that brought the error about: without it a guard could pass because nothing happened at all."""
        plan = self.plan
        awaited = next((step.awaits for step in reversed(plan.steps) if step.awaits), "")
        return awaited if plan.error is not None and plan.mocks else ""

    @property
    def own_storage(self) -> OriginStorage:
        """Of the app's own origin, wherever it runs now."""
        origin = origin_of(self.plan.slice.start_url)
        found = (one for one in self.plan.state.origins if one.origin == origin)
        return next(found, OriginStorage(origin))

    def done(self, call: str) -> str:
        return self.speech.call.format(call)

    def after_action(self) -> Iterator[str]:
        """What the played server is told of once a step is done."""
        end = ";" if self.speech is TYPESCRIPT else ""
        if self.plan.counts_steps:
            yield f"server.step(){end}"
        for number in range(1, len(self.plan.sockets) + 1):
            yield f"socket{number}.step(){end}"

    def act(self, step: WebStep, page: str) -> Iterator[str]:
        value = typed(step.value, self.speech.dialect)
        if step.target is None and step.type is ActionType.PRESS:
            yield self.done(f"{page}.keyboard.press({value})")
        elif step.target is None:
            calls = {"goto": f"goto({value})", "reload": "reload()", "back": f"{self._named('goBack')}()"}
            yield self.done(f"{page}.{calls[str(step.type)]}")
        else:
            if step.type is ActionType.UPLOAD:
                yield f"{self.speech.remark} TODO: what was in the files was not recorded."
            kind = ActionType(step.type)
            at = self.locator(step.target, page)
            yield self.done(f"{at}.{self._named(_CALLS[kind])}({self._given(step, kind, value, page)})")

    def _given(self, step: WebStep, kind: ActionType, value: str, page: str) -> str:
        """What the call of a step is given."""
        match kind:
            case ActionType.FILL | ActionType.PRESS:
                return value
            case ActionType.RIGHT_CLICK:
                return self.speech.right_click
            case ActionType.SELECT:
                chosen = [text(one, self.speech.dialect) for one in step.values]
                return chosen[0] if len(chosen) == 1 else f"[{', '.join(chosen)}]"
            case ActionType.UPLOAD:
                files = (self.speech.file.format(text(name, self.speech.dialect)) for name in step.values)
                return f"[{', '.join(files)}]"
            case ActionType.DRAG if step.onto is not None:
                return self.locator(step.onto, page)
        return ""

    def locator(self, selector: Selector, page: str) -> str:
        if self.speech is PYTHON:  # TypeScript has an option for the attribute of test ids
            selector = by_attribute(selector, self.plan.slice.head.test_id_attribute)
        written = spelled(selector, self.speech.dialect)
        self.selectors.append(written)
        return f"{page}.{written}"

    def check(self, check: PageCheck) -> Iterator[str]:
        page = self._tabs.get(check.tab, "page")
        dialect = self.speech.dialect
        if check.kind is CheckKind.URL:
            yield self._expected(page, "toHaveURL", self.address(check.value))
            return
        body = f"{page}.locator({text('body', dialect)})"
        at = self.locator(check.target, page) if check.target is not None else body
        if check.kind is CheckKind.ARIA:
            before, after = self.speech.loop
            yield before.format(json_literal(check.value.split("\n"), dialect, 2))
            yield "    "[: 2 if self.speech is TYPESCRIPT else 4] + self._expected(at, "toMatchAriaSnapshot", "part")
            if after:
                yield after
            return
        value = {
            CheckKind.TEXT: text(check.value, dialect),
            CheckKind.VALUE: text(check.value, dialect),
            CheckKind.COUNT: check.value,
        }.get(check.kind, "")
        yield self._expected(at, _MATCHERS[check.kind], value)

    def address(self, path: str) -> str:
        """An expression for any address with this path."""
        raise NotImplementedError

    def _expected(self, at: str, matcher: str, value: str) -> str:
        return self.done(f"expect({at}).{self._named(matcher)}({value})")

    def _named(self, name: str) -> str:
        """A call's name as the language spells it: `toBeVisible`, `to_be_visible`."""
        if self.speech is TYPESCRIPT:
            return name
        return _ODD_NAMES.get(name) or snake(name)
