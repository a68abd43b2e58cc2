"""What happens in a browser but is not about the application: extensions, analytics, the tools of its developers."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from testwright.model.errors import UsageError
from testwright.model.untrusted_text import visible_line

_EXTENSIONS = ("chrome-extension:", "moz-extension:", "safari-extension:", "safari-web-extension:", "extension:")

# Hosts of measuring and advertising; their subdomains belong to them.
_MEASURING = """
google-analytics.com analytics.google.com googletagmanager.com googletagservices.com doubleclick.net
googlesyndication.com googleadservices.com adservice.google.com segment.io segment.com hotjar.com hotjar.io
mixpanel.com mxpnl.com amplitude.com plausible.io clarity.ms connect.facebook.net fullstory.com
heapanalytics.com heap.io matomo.cloud posthog.com nr-data.net newrelic.com browser-intake-datadoghq.com
browser-intake-datadoghq.eu logrocket.com logrocket.io lr-ingest.io lr-in-prod.com bat.bing.com snap.licdn.com
ads.linkedin.com analytics.tiktok.com cloudflareinsights.com mc.yandex.ru quantserve.com scorecardresearch.com
criteo.com criteo.net usefathom.com simpleanalyticscdn.com umami.is statcounter.com rudderlabs.com
browser.sentry-cdn.com bugsnag.com rollbar.com adsrvr.org taboola.com outbrain.com
"""
_ANALYTICS_HOSTS = frozenset(_MEASURING.split())
_ANALYTICS = re.compile(
    r"//[^/]*\bingest\.(?:[a-z]{2}\.)?sentry\.io/|//(?:[^/]+\.)?facebook\.com/tr[/?]"
    r"|//[^/]+/(?:_vercel/(?:insights|speed-insights)|cdn-cgi/rum|cdn-cgi/beacon)\b"
)
_DEV_TOOLS = re.compile(
    r"//[^/]+/(?:@vite/|@react-refresh|__vite_ping|__webpack_hmr|_next/webpack-hmr|__nextjs|sockjs-node|ng-cli-ws"
    r"|browser-sync/|livereload|__esbuild|_stcore/health|\.well-known/appspecific/)"
    r"|\.hot-update\.m?js(?:on)?(?:$|\?)"
)
_SOURCE_MAP = re.compile(r"\.map(?:$|\?)")
_FAVICON = re.compile(r"//[^/]+/(?:favicon\.ico|apple-touch-icon[^/]*\.png)(?:$|\?)")
_DEV_SOCKET = re.compile(
    r"^wss?://(?:(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]+)?/?\?token=[\w-]{12}$"
    r"|[^/]+/(?:__vite_hmr|_next/webpack-hmr|__webpack_hmr|sockjs-node|ng-cli-ws|livereload|browser-sync|hmr\b))"
)
_DEV_CONSOLE = re.compile(
    r"Download the (?:React|Vue|Apollo) Dev ?[Tt]ools|\[HMR\]|\[vite\]|\[webpack-dev-server\]|\[WDS\]|\[Fast Refresh\]"
    r"|You are running (?:a development build of )?Vue\b|Angular is running in development mode|\[LiveReload\]"
    r"|DevTools failed to load source map|\[rollup-plugin|\[esbuild\]|\[Turbopack HMR\]"
)
_HARMLESS_ERRORS = re.compile(r"ResizeObserver loop (?:limit exceeded|completed with undelivered notifications)")

_READ = 4_000  # characters of a text that rules look at


class NoiseRules:
    """Says what is left out of a session, and counts it by rule."""

    def __init__(
        self,
        *,
        requests: Iterable[str] = (),
        console: Iterable[str] = (),
        errors: Iterable[str] = (),
        defaults: bool = True,
    ) -> None:
        """`requests`: parts of addresses, or globs; `console`, `errors`: parts of texts, or /regular expressions/."""
        self.counts: Counter[str] = Counter()
        self._defaults = defaults
        self._requests = [(f"requests: {rule}", _address_rule(rule)) for rule in requests]
        self._console = [(f"console: {rule}", _text_rule(rule)) for rule in console]
        self._errors = [(f"errors: {rule}", _text_rule(rule)) for rule in errors]

    def drops_request(self, url: str) -> bool:
        return self._counted(self._known_address(url) or _first(self._requests, url))

    def drops_socket(self, url: str) -> bool:
        known = self._known_address(url)
        if not known and self._defaults and _DEV_SOCKET.match(url):
            known = "development tools"
        return self._counted(known or _first(self._requests, url))

    def drops_console(self, text: str, url: str = "") -> bool:
        """`url`: of the script that wrote the line, or of what could not be loaded."""
        known = self._known_address(url) if url else ""
        if not known and self._defaults and _DEV_CONSOLE.search(text, 0, _READ):
            known = "development tools"
        return self._counted(known or _first(self._console, text))

    def drops_error(self, message: str, url: str = "") -> bool:
        """`url`: of the script in which it happened."""
        known = self._known_script(url) if url else ""
        if not known and self._defaults and _HARMLESS_ERRORS.search(message, 0, _READ):
            known = "ResizeObserver"
        return self._counted(known or _first(self._errors, message))

    def told(self) -> tuple[str, ...]:
        """What was left out, in words."""
        return tuple(f"left out as noise: {count} × {rule}" for rule, count in sorted(self.counts.items()))

    def _counted(self, rule: str) -> bool:
        if rule:
            self.counts[rule] += 1
        return bool(rule)

    def _known_script(self, url: str) -> str:
        known = self._known_address(url)
        return known if known in {"browser extensions", "analytics"} else ""

    def _known_address(self, url: str) -> str:
        if not self._defaults:
            return ""
        if url.startswith(_EXTENSIONS):
            return "browser extensions"
        if _is_measuring(url):
            return "analytics"
        if _DEV_TOOLS.search(url):
            return "development tools"
        if _SOURCE_MAP.search(url):
            return "source maps"
        return "favicon" if _FAVICON.search(url) else ""


def _is_measuring(url: str) -> bool:
    labels = host_in(url).split(".")
    return any(".".join(labels[start:]) in _ANALYTICS_HOSTS for start in range(len(labels) - 1)) or bool(
        _ANALYTICS.search(url)
    )


def host_in(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:  # an address that only a browser understands
        return ""


def _first(rules: Iterable[tuple[str, Callable[[str], bool]]], text: str) -> str:
    return next((name for name, matches in rules if matches(text[:_READ])), "")


def _address_rule(rule: str) -> Callable[[str], bool]:
    if "*" not in rule and "?" not in rule:
        return lambda url: rule in url
    parts = (".*" if part.startswith("*") else re.escape(part) for part in re.split(r"(\*+)", rule))
    # A `?` begins a query far more often than it stands for one character: it is taken as it is.
    glob = re.compile("".join(parts), re.DOTALL)
    return lambda url: glob.fullmatch(url) is not None


def _text_rule(rule: str) -> Callable[[str], bool]:
    written = re.fullmatch(r"/(.+)/(i?)", rule, re.DOTALL)
    if not written:
        return lambda text: rule in text
    try:
        expression = re.compile(written[1], re.IGNORECASE if written[2] else 0)
    except re.error as error:
        raise UsageError(
            f"The noise rule {visible_line(rule, limit=100)!r} is no regular expression: {error}.",
            next_step="Mend it, or write the text itself, without slashes.",
        ) from error
    return lambda text: expression.search(text) is not None
