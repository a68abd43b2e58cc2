"""What is not about the application is left out, and counted; what is stays."""

import pytest

from testwright.model.errors import UsageError
from testwright.observe.noise_rules import NoiseRules


@pytest.mark.parametrize(
    "url",
    [
        "chrome-extension://abcdef/content.js",
        "https://www.google-analytics.com/g/collect?v=2",
        "https://www.googletagmanager.com/gtm.js?id=GTM-1",
        "https://o123.ingest.us.sentry.io/api/1/envelope/",
        "https://www.facebook.com/tr/?id=1",
        "https://api-js.mixpanel.com/track/",
        "http://localhost:5173/@vite/client",
        "http://localhost:3000/__webpack_hmr",
        "http://localhost:3000/sockjs-node/info?t=1",
        "http://localhost:3000/main.4f2a.hot-update.json",
        "http://localhost:3000/app.js.map",
        "http://localhost:3000/favicon.ico",
    ],
)
def test_requests_of_others_are_noise(url: str) -> None:
    rules = NoiseRules()

    assert rules.drops_request(url)
    assert sum(rules.counts.values()) == 1
    assert rules.told()


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:3000/api/segment",
        "https://shop.example/analytics/report",
        "https://notmixpanel.com/",
        "https://app.example/api/map",
        "https://app.example/collect",
        "https://www.facebook.com/translate",
        "not an address at all",
        "http://[bad/",
    ],
)
def test_requests_of_the_app_stay(url: str) -> None:
    rules = NoiseRules()

    assert not rules.drops_request(url)
    assert not rules.counts


def test_sockets_of_development_servers_are_noise_and_others_are_not() -> None:
    rules = NoiseRules()

    assert rules.drops_socket("ws://localhost:5173/?token=abcDEF123_-x")
    assert rules.drops_socket("ws://localhost:3000/_next/webpack-hmr")
    assert not rules.drops_socket("ws://localhost:3000/ws")
    assert not rules.drops_socket("wss://chat.example/?token=abcDEF123_-x")


def test_lines_of_development_tools_are_noise_and_others_are_not() -> None:
    rules = NoiseRules()

    assert rules.drops_console("%cDownload the React DevTools for a better development experience")
    assert rules.drops_console("[vite] connected.")
    assert rules.drops_console("Failed to load resource", "http://localhost/favicon.ico")
    assert not rules.drops_console("the react dev tools are great", "http://localhost/app.js")


def test_errors_of_extensions_and_of_resize_observers_are_noise() -> None:
    rules = NoiseRules()

    assert rules.drops_error("ResizeObserver loop completed with undelivered notifications.")
    assert rules.drops_error("TypeError: x", "chrome-extension://abc/inject.js")
    assert not rules.drops_error("TypeError: x", "http://localhost:5173/@vite/client")
    assert not rules.drops_error("ResizeObserver is not defined", "http://app/app.js")


def test_rules_of_the_user_are_added() -> None:
    rules = NoiseRules(requests=["/health", "*://*/poll?*"], console=["tick", "/^beat \\d+$/"], errors=["/NOPE/i"])

    assert rules.drops_request("http://app/health")
    assert rules.drops_request("http://app/api/poll?since=1")
    assert not rules.drops_request("http://app/api/poll")
    assert rules.drops_console("tick 1")
    assert rules.drops_console("beat 12")
    assert not rules.drops_console("a beat 12")
    assert rules.drops_error("nope")
    assert rules.counts["console: tick"] == 1


def test_without_the_defaults_only_the_users_rules_count() -> None:
    assert not NoiseRules(defaults=False).drops_request("http://app/favicon.ico")


def test_a_rule_that_is_no_expression_is_refused() -> None:
    with pytest.raises(UsageError, match="no regular expression"):
        NoiseRules(console=["/(/"])
