"""Read the stack of an error as V8 writes it, and tell the application's own frames from those of libraries."""

import re
from urllib.parse import urlsplit

from testwright.model.session import ScriptFrame

MOST_FRAMES = 50
_NAMED = re.compile(r"([A-Z]\w{0,60}(?:Error|Exception)|Error): (.+)", re.DOTALL)
_READ = 64_000  # characters of a stack that are looked at
_FRAME = re.compile(r"\s*at (?:async )?(?P<what>\S.*)")
_PLACE = re.compile(r"(?P<url>.+?):(?P<line>[0-9]{1,9}):(?P<column>[0-9]{1,9})")
_EVAL_ORIGIN = re.compile(r"\((?P<place>[^()\s]+:[0-9]{1,9}:[0-9]{1,9})\)")
_OTHER_BROWSERS = re.compile(r"(?P<function>[^@\s]{0,200})@(?P<place>\S+:[0-9]{1,9}:[0-9]{1,9})")
_LIBRARY_FILE = re.compile(
    r"(?:^|/)(?:vendors?|polyfills?|runtime|jquery|react|react-dom|vue|angular|zone|lodash|bootstrap|chunk-vendors)"
    r"(?:[.\-~@][^/]*)?\.m?js(?:[?#].*)?$"
)
_LIBRARY_PATH = re.compile(
    r"/node_modules/|^node_modules/|/bower_components/|webpack/(?:bootstrap|runtime|universalModuleDefinition)"
    r"|\(webpack\)|/@vite/|/\.vite/deps/|/@react-refresh|^webpack-internal:///\(webpack\)"
)


def parsed_stack(stack: str, page_url: str = "") -> tuple[ScriptFrame, ...]:
    """The frames of a stack's text, innermost first. `page_url` tells whose scripts are the application's."""
    frames: list[ScriptFrame] = []
    for line in stack[:_READ].splitlines():
        frame = _frame_of(line, page_url)
        if frame is not None:
            frames.append(frame)
            if len(frames) == MOST_FRAMES:
                break
    return tuple(frames)


def only_frame(url: str, line: int, column: int, page_url: str) -> tuple[ScriptFrame, ...]:
    """The stack of an error of which only one place is known."""
    if not url:
        return ()
    return (ScriptFrame(function="", url=url, line=line, column=column, is_app=is_app_script(url, page_url)),)


def name_and_message(line: str) -> tuple[str, str]:
    """What a line of the console says of an error, without the stack that may follow."""
    said = line.partition("\n    at ")[0]
    named = _NAMED.match(said)
    return (named[1], named[2]) if named else ("", said)


def is_app_script(url: str, page_url: str, source_file: str = "") -> bool:
    """Whether a script, or the source it was made from, is the application's: not a library's, not from elsewhere."""
    if source_file:
        return not _LIBRARY_PATH.search(source_file) and is_same_site(url, page_url)
    return is_same_site(url, page_url) and not _LIBRARY_PATH.search(url) and not _LIBRARY_FILE.search(url)


def is_same_site(url: str, page_url: str) -> bool:
    """Whether two addresses are of one host, or of two within one domain; without `page_url` nothing is strange."""
    try:
        host, page_host = urlsplit(url).hostname or "", urlsplit(page_url).hostname or ""
    except ValueError:  # an address that only a browser understands
        return False
    if not host:
        return False
    if not page_host or host == page_host:
        return True
    is_name = not re.fullmatch(r"[0-9.]+|.*:.*", host)
    return is_name and len(host.split(".")) > 1 and host.split(".")[-2:] == page_host.split(".")[-2:]


def _frame_of(line: str, page_url: str) -> ScriptFrame | None:
    if match := _FRAME.match(line):
        what = match["what"].rstrip()
        if what.endswith(")") and " (" in what:
            function, _, rest = what.partition(" (")
            return _framed(function, rest[:-1], page_url)
        if _PLACE.fullmatch(what):
            return _framed("", what, page_url)
        return _framed(what if what != "<anonymous>" else "", "", page_url)
    if match := _OTHER_BROWSERS.fullmatch(line.strip()):
        return _framed(match["function"], match["place"], page_url)
    return None


def _framed(function: str, where: str, page_url: str) -> ScriptFrame:
    if where.startswith("eval at "):
        origin = _EVAL_ORIGIN.search(where)
        where = origin["place"] if origin else ""
    place = _PLACE.fullmatch(where)
    name = function.partition(" [as ")[0].removeprefix("async ")
    if place is None or place["url"] in {"<anonymous>", "native"}:
        return ScriptFrame(function=name, url="", line=0, column=0, is_app=False)
    return ScriptFrame(
        function=name,
        url=place["url"],
        line=int(place["line"]),
        column=int(place["column"]),
        is_app=is_app_script(place["url"], page_url),
    )
