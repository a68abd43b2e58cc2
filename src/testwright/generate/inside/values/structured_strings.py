"""Strings with a structure that code looks for (JSON, URLs, dates, ...), chosen by the words around a parameter."""

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from testwright.generate.inside.safe_access import interleave


@dataclass(frozen=True)
class Topic:
    signs: frozenset[str]  # words in names, imports, docstrings and calls that make the topic likely
    examples: tuple[str, ...]


def _topic(signs: str, *examples: str) -> Topic:
    return Topic(frozenset(signs.split()), examples)


TOPICS = {
    "json": _topic(
        "json jsonable loads payload",
        '{"key": "value"}',
        "[1, 2, 3]",
        '{"a": {"b": [true, null, 1.5]}}',
        "{}",
        '{"key": ',
        "null",
    ),
    "yaml": _topic("yaml yml", "key: value", "- one\n- two\n", "a:\n  b: 1\n"),
    "csv": _topic("csv tsv delimiter", "name,age\nAda,36\n", 'a,"b, c",d', "a;b;c", "a\tb\n1\t2\n"),
    "ini": _topic("ini configparser cfg section", "[section]\nkey = value\n", "key=value\n# comment\n"),
    "toml": _topic("toml tomllib tomli", '[tool]\nname = "demo"\n', 'key = "value"\n'),
    "xml": _topic("xml etree elementtree lxml sax", '<root><item id="1">text</item></root>', "<a/>", "<a><b></a>"),
    "html": _topic(
        "html htmlparser markup tag tags bs4 markupsafe escape",
        "<p>Hello <b>world</b></p>",
        '<a href="https://example.com">link</a>',
        "<br/>",
        "a &amp; b",
        "1 < 2 & 3 > 2",
    ),
    "url": _topic(
        "url urls uri href link urllib urlparse urlsplit host domain scheme request http website netloc endpoint",
        "https://example.com/path?key=value#top",
        "http://example.com",
        "example.com",
        "ftp://user:pw@example.com:21/a/b",
        "mailto:ada@example.com",
        "http://127.0.0.1:8080/",
        "?a=1",
    ),
    "query": _topic(
        "query querystring qs params parse_qs urlencode", "a=1&b=2", "key=value", "a=1&a=2", "q=hello+world", "a"
    ),
    "email": _topic(
        "email mail address recipient sender", "ada@example.com", "Ada <ada@example.com>", "ada@", "not an email"
    ),
    "date": _topic(
        "date dates datetime day when timestamp since until birthday strptime isoformat time created expires calendar",
        "2020-01-02",
        "2020-01-02T03:04:05Z",
        "2020-01-02 03:04:05",
        "2020-02-30",
        "01/02/2020",
        "Thu, 02 Jan 2020 03:04:05 GMT",
        "2020-01-02T03:04:05.678+01:00",
        "20200102",
        "03:04:05",
        "12:30",
    ),
    "duration": _topic(
        "duration delta timedelta interval elapsed seconds timeout period", "1h30m", "PT1H", "10s", "2 days", "1:30"
    ),
    "version": _topic(
        "version versions release semver bump packaging specifier",
        "1.2.3",
        "1.2.3a4",
        "v2.0",
        "1.2b1",
        "1.0.0-rc.1+build.5",
    ),
    "uuid": _topic(
        "uuid guid", "12345678-1234-4234-8234-123456789012", "12345678123442348234123456789012", "not-a-uuid"
    ),
    "ip": _topic(
        "ip ipaddress ipv4 ipv6 cidr subnet", "127.0.0.1", "::1", "192.168.1.0/24", "256.1.1.1", "2001:db8::1"
    ),
    "docstring": _topic(
        "docstring docstrings rest google numpydoc epydoc sphinx",
        "Short description.\n\nLong description.\n",
        "Short.\n\n:param name: the name\n:type name: str\n:returns: int: the count\n:raises ValueError: if bad\n",
        "Short.\n\n:param str name: the name, defaults to x\n:param int? count: how many\n:yields: items\n",
        "Short.\n\nArgs:\n    name (str): the name\n    count (int, optional): how many. Defaults to 1.\n\n"
        "Returns:\n    bool: whether\n\nRaises:\n    ValueError: if bad\n",
        "Short.\n\nParameters\n----------\nname : str\n    the name\ncount : int, optional\n\n"
        "Returns\n-------\nbool\n    whether\n",
        "Short.\n\n@param name: the name\n@type name: str\n@return: the count\n@rtype: int\n",
    ),
    "python": _topic(
        "source ast code python statement imports import_line tokenize snippet module_source syntax",
        "x = 1\n",
        "def f(a, b=1):\n    return a + b\n",
        "import os\nfrom sys import path\n",
        "1 + 2",
        "class A:\n    pass\n",
        "x = (",
    ),
    "command": _topic(
        "command cmd shell argv shlex script args cli option options flag flags subcommand",
        "ls -l",
        "git commit -m 'a message'",
        "--name=value",
        "-v",
        "echo hello",
        "--flag",
    ),
    "assignment": _topic(
        "pair pairs assignment env environ setting settings item items kv", "key=value", "key:value", "key", "a=1,b=2"
    ),
    "header": _topic(
        "header headers mime content_type accept cookie",
        "Content-Type: text/html; charset=utf-8",
        "text/html",
        "a=b; c=d",
        "X: 1\r\nY: 2\r\n",
    ),
    "path": _topic(
        "path paths file filename filepath dir directory folder fname basename pathlib glob extension suffix",
        "data.txt",
        "folder/data.txt",
        "archive.tar.gz",
        ".hidden",
        "no_extension",
    ),
    "identifier": _topic(
        "name names identifier key keys attr attribute field symbol variable camel snake case slug dotted module",
        "name",
        "snake_case_name",
        "camelCaseName",
        "PascalCase",
        "kebab-case",
        "HTTPServer",
        "_private",
        "a.b.c",
        "class",
        "name2",
    ),
    "number": _topic(
        "number numeric num amount price value digits currency money roman decimal",
        "42",
        "3.14",
        "-1",
        "1,234.5",
        "1e3",
        "0x1F",
        "IV",
        "$5",
    ),
    "color": _topic("color colour rgb hex hexcolor palette", "#ff0000", "red", "#fff", "rgb(1, 2, 3)", "ff0000"),
    "language": _topic("lang language locale country i18n gettext translation", "en", "en_US", "de-DE", "fr", "xx"),
    "encoding": _topic("encoding charset codec errors decode encode", "utf-8", "ascii", "latin-1", "unknown-encoding"),
    "mode": _topic("mode modes", "r", "w", "rb", "a"),
    "text": _topic(
        "text string content body message msg line lines sentence paragraph document title word words s input data",
        "Hello, World!",
        "one two three",
        "first line\nsecond line\n",
        "  padded  ",
        "tab\there",
        "ümlaut café",
        "a",
        "",
        "UPPER lower",
    ),
    "template": _topic(
        "template format fmt placeholder jinja render pattern",
        "Hello {name}",
        "%s is %d",
        "{{ name }}",
        "$name",
        "{0}-{1}",
    ),
    "regex": _topic("regex regexp pattern re match", r"\d+", "[a-z]+", "(a|b)c", "["),
    "base64": _topic("base64 b64 encoded token", "aGVsbG8=", "not base64!"),
    "hex": _topic("hex hexdigest hash checksum digest md5 sha sha1 sha256", "deadbeef", "00ff", "xyz"),
    "markdown": _topic("markdown md rst restructuredtext", "# Title\n\nSome *text*.\n", "- one\n- two\n"),
    "phone": _topic("phone telephone mobile", "+1 555 0100", "555-0100"),
    "card": _topic("card credit isbn iban luhn checksum", "4111111111111111", "978-3-16-148410-0"),
    "size": _topic("size bytes filesize memory kb mb humanize", "10MB", "1.5 GiB", "512"),
}

ABILITY_TOPICS = {
    "json": "json", "yaml": "yaml", "url": "url", "query": "query", "html": "html", "xml": "xml",
    "uuid": "uuid", "ip": "ip", "python": "python", "command": "command", "date text": "date",
    "version": "version", "base64": "base64", "hex": "hex", "path": "path", "digits": "number",
    "pattern": "regex", "lines": "csv", "name": "identifier",
}  # fmt: skip
"""What is known from the callee that the string is passed to."""

GENERAL = ("text", "identifier", "number", "assignment", "path")
"""Topics whose signs are words that stand everywhere."""

DATE_FORMATS = ("%Y-%m-%d", "%H:%M", "%d.%m.%Y %H:%M:%S")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words_in(*names: str) -> set[str]:
    """The lower-case words of names in any case style, and the names themselves."""
    words = {name.lower() for name in names}
    for name in names:
        words.update(word.lower() for word in WORD.findall(name))
    return words


@dataclass(frozen=True)
class StructuredStrings:
    """Structured strings for one parameter, best first in each list."""

    likely: list[str]  # what callees ask for, and what the parameter's own name says
    possible: list[str]  # what the names of its function and module say
    rest: list[str]  # what stands in docstrings and imports


def examples(
    abilities: Iterable[str], name: str, named: AbstractSet[str], around: AbstractSet[str]
) -> StructuredStrings:
    """Strings of the topics that the words around a parameter make likely."""
    own = words_in(name)
    certain = [ABILITY_TOPICS[each] for each in abilities if each in ABILITY_TOPICS]
    meant = _topics(own, certain)
    possible = [topic for topic in _topics(named, [*certain, *meant]) if topic not in GENERAL]
    rest = _topics(named | around, [*certain, *meant, *possible])
    return StructuredStrings(
        *(
            interleave(*(TOPICS[topic].examples for topic in each))
            for each in ([*certain, *meant], possible[:3], rest[:5])
        )
    )


def _topics(words: AbstractSet[str], known: list[str]) -> list[str]:
    """The topics that the words are signs of, those with most signs first, apart from those known already."""
    found = [topic for topic, each in TOPICS.items() if each.signs & words and topic not in known]
    return sorted(found, key=lambda topic: (topic in GENERAL, -len(TOPICS[topic].signs & words)))
