"""Steps and checks of a plan as calls of Playwright, in either language."""

from collections.abc import Iterator

from testwright.generate.web.browser.playwright_language import PlaywrightLanguage
from testwright.generate.web.code_literals import address_of, json_literal, text, typed
from testwright.generate.web.element_locator import by_attribute
from testwright.generate.web.web_plan import CheckKind, PageCheck, WebPlan, WebStep
from testwright.model.selector import Selector
from testwright.model.session import ActionType
from testwright.selectors.spelling import spelled

_CALLS = {
    ActionType.CLICK: "click", ActionType.DOUBLE_CLICK: "dblclick", ActionType.RIGHT_CLICK: "click",
    ActionType.CHECK: "check", ActionType.UNCHECK: "uncheck", ActionType.HOVER: "hover",
    ActionType.FILL: "fill", ActionType.PRESS: "press", ActionType.SELECT: "selectOption",
    ActionType.UPLOAD: "setInputFiles", ActionType.DRAG: "dragTo",
}  # fmt: skip
_MATCHERS = {
    CheckKind.VISIBLE: "toBeVisible", CheckKind.HIDDEN: "toBeHidden", CheckKind.TEXT: "toHaveText",
    CheckKind.VALUE: "toHaveValue", CheckKind.CHECKED: "toBeChecked",
    CheckKind.UNCHECKED: "not.toBeChecked", CheckKind.COUNT: "toHaveCount",
}  # fmt: skip


class PlaywrightCalls:
    """The calls of one test. It knows which variable holds which tab, and keeps every selector it wrote."""

    def __init__(self, plan: WebPlan, language: PlaywrightLanguage) -> None:
        self.selectors: list[str] = []
        self._language, self._dialect = language, language.dialect
        self._test_id = plan.slice.head.test_id_attribute
        self._tabs = {step.tab: "page" for step in plan.steps[:1]}

    def page_of(self, tab: int) -> str:
        """The variable of a tab; one that is not known yet gets its own."""
        return self._tabs.setdefault(tab, f"tab{tab}")

    def act(self, step: WebStep, page: str) -> Iterator[str]:
        language, value = self._language, typed(step.value, self._dialect)
        if step.target is None and step.type is ActionType.PRESS:
            yield language.call(f"{page}.keyboard.press({value})")
        elif step.target is None:
            calls = {"goto": f"goto({value})", "reload": "reload()", "back": f"{language.name('goBack')}()"}
            yield language.call(f"{page}.{calls[str(step.type)]}")
        else:
            if step.type is ActionType.UPLOAD:
                yield f"{language.remark} TODO: what was in the files was not recorded."
            kind = ActionType(step.type)
            at = self._locator(step.target, page)
            yield language.call(f"{at}.{language.name(_CALLS[kind])}({self._given(step, kind, value, page)})")

    def _given(self, step: WebStep, kind: ActionType, value: str, page: str) -> str:
        """What the call of a step is given."""
        match kind:
            case ActionType.FILL | ActionType.PRESS:
                return value
            case ActionType.RIGHT_CLICK:
                return self._language.right_click
            case ActionType.SELECT:
                chosen = [text(one, self._dialect) for one in step.values]
                return chosen[0] if len(chosen) == 1 else f"[{', '.join(chosen)}]"
            case ActionType.UPLOAD:
                files = (self._language.file_literal.format(text(name, self._dialect)) for name in step.values)
                return f"[{', '.join(files)}]"
            case ActionType.DRAG if step.onto is not None:
                return self._locator(step.onto, page)
        return ""

    def _locator(self, selector: Selector, page: str) -> str:
        if not self._language.has_test_id_option:
            selector = by_attribute(selector, self._test_id)
        written = spelled(selector, self._dialect)
        self.selectors.append(written)
        return f"{page}.{written}"

    def check(self, check: PageCheck) -> Iterator[str]:
        page = self._tabs.get(check.tab, "page")
        if check.kind is CheckKind.URL:
            yield self._expected(page, "toHaveURL", self._language.address(address_of(check.value)))
            return
        body = f"{page}.locator({text('body', self._dialect)})"
        at = self._locator(check.target, page) if check.target is not None else body
        if check.kind is CheckKind.ARIA:
            before, after = self._language.loop
            yield before.format(json_literal(check.value.split("\n"), self._dialect, 2))
            yield self._language.indent + self._expected(at, "toMatchAriaSnapshot", "part")
            if after:
                yield after
            return
        value = {
            CheckKind.TEXT: text(check.value, self._dialect),
            CheckKind.VALUE: text(check.value, self._dialect),
            CheckKind.COUNT: check.value,
        }.get(check.kind, "")
        yield self._expected(at, _MATCHERS[check.kind], value)

    def _expected(self, at: str, matcher: str, value: str) -> str:
        return self._language.call(f"expect({at}).{self._language.name(matcher)}({value})")
