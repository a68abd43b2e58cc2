"""What the browser's context is given before the first page: how it is set up, and what it had stored."""

from collections.abc import Iterator

from testwright.generate.web.browser.playwright_language import PlaywrightLanguage
from testwright.generate.web.code_literals import json_literal, text, typed
from testwright.generate.web.web_plan import WebPlan
from testwright.model.selector import DEFAULT_TEST_ID_ATTRIBUTE


def context_options(plan: WebPlan, language: PlaywrightLanguage) -> Iterator[str]:
    around, dialect = plan.surroundings, language.dialect
    test_id = plan.slice.head.test_id_attribute or DEFAULT_TEST_ID_ATTRIBUTE
    viewport = dict(zip(("width", "height"), around.viewport or (), strict=False))
    options = {
        "baseURL": "BASE_URL",
        "viewport": json_literal(viewport, dialect) if viewport else "",
        "locale": text(around.locale, dialect) if around.locale else "",
        "timezoneId": text(around.timezone, dialect) if around.timezone else "",
        "colorScheme": text(around.color_scheme, dialect) if around.color_scheme == "dark" else "",
        "deviceScaleFactor": f"{around.scale:g}" if around.scale != 1 else "",
        "hasTouch": json_literal(True, dialect) if around.touch else "",
        "serviceWorkers": text("block", dialect) if plan.mocks else "",
    }
    if language.has_test_id_option and test_id != DEFAULT_TEST_ID_ATTRIBUTE:
        options["testIdAttribute"] = text(test_id, dialect)
    yield from (language.option(name, value) for name, value in options.items() if value)
    yield from _storage_state(plan, language)


def _storage_state(plan: WebPlan, language: PlaywrightLanguage) -> Iterator[str]:
    dialect = language.dialect
    cookies = [
        language.record(
            {
                "name": text(cookie.name, dialect),
                "value": typed(cookie.value, dialect),
                "domain": language.hostname,
                "path": text(cookie.path, dialect),
                "expires": "-1",
                "httpOnly": json_literal(cookie.http_only, dialect),
                "secure": json_literal(cookie.secure, dialect),
                "sameSite": text(cookie.same_site or "Lax", dialect),
            }
        )
        for cookie in plan.state.cookies
    ]
    entries = [
        language.record({"name": text(name, dialect), "value": typed(value, dialect)})
        for name, value in plan.own_storage.local.items()
    ]
    if cookies or entries:
        yield from language.storage_state(cookies, entries)
