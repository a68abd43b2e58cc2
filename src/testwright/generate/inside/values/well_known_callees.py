"""What well-known functions and methods say about the values that are passed to them or that they belong to."""


def _by_callee(words: dict[str, str]) -> dict[str, str]:
    return {callee: word for word, callees in words.items() for callee in callees.split()}


FIRST_ARGUMENT = _by_callee(
    {
        "digits": "int float complex Decimal decimal.Decimal Fraction",
        "number": """
            round abs divmod pow math.ceil math.floor math.sqrt math.log math.log10 math.isnan
            math.isinf time.sleep datetime.fromtimestamp
        """,
        "whole": "chr range bin hex locale.setlocale",
        "character": "ord",
        "sized": "len",
        "numbers": "sum",
        "iterable": """
            min max sorted reversed enumerate list tuple set frozenset iter any all zip chain
            itertools.chain islice itertools.islice Counter deque
        """,
        "iterator": "next",
        "mapping": "dict OrderedDict urlencode",
        "object": "vars inspect.getmembers",
        "path": """
            open io.open codecs.open Path pathlib.Path PurePath os.stat os.listdir os.walk
            os.scandir os.mkdir os.makedirs os.remove os.unlink os.chdir os.fspath path.join
            path.exists path.isfile path.isdir path.basename path.dirname path.splitext path.abspath
            path.normpath path.expanduser path.realpath path.getsize path.split shutil.rmtree
            shutil.copy glob.glob
        """,
        "json": "json.loads",
        "file": "json.load",
        "json value": "json.dumps",
        "yaml": "yaml.safe_load yaml.load",
        "bytes": "pickle.loads b64encode base64.b64encode hashlib.md5 hashlib.sha1 hashlib.sha256 BytesIO io.BytesIO",
        "lines": "csv.reader csv.DictReader",
        "python": "ast.parse ast.literal_eval compile exec eval",
        "command": "shlex.split",
        "text": """
            shlex.quote quote re.escape StringIO io.StringIO textwrap.dedent dedent cleandoc
            inspect.cleandoc fnmatch fnmatch.fnmatch
        """,
        "url": "urlparse parse.urlparse urlsplit parse.urlsplit urlopen requests.get unquote parse.unquote",
        "query": "parse_qs parse.parse_qs parse_qsl parse.parse_qsl",
        "html": "html.escape html.unescape",
        "xml": "ET.fromstring etree.fromstring ElementTree.fromstring",
        "uuid": "UUID uuid.UUID",
        "date text": "datetime.strptime datetime.fromisoformat date.fromisoformat time.fromisoformat",
        "ip": "ip_address ipaddress.ip_address ip_network IPv4Address IPv6Address",
        "base64": "b64decode base64.b64decode",
        "form": "unicodedata.normalize",
        "pattern": "re.compile",
        "module name": "import_module importlib.import_module __import__",
        "format": "struct.unpack",
        "callable": """
            inspect.signature inspect.getsource callable functools.wraps wraps functools.partial
            iscoroutinefunction
        """,
        "class": "issubclass get_type_hints",
        "dataclass": "is_dataclass fields dataclasses.fields asdict dataclasses.asdict",
        "version": "StrictVersion LooseVersion Version version.parse version.Version",
        "hex": "bytes.fromhex fromhex",
    }
)
"""What a call says about its first argument; callees by the last two parts of their dotted name."""

SECOND_ARGUMENT = _by_callee({
    "iterable": "map filter reduce functools.reduce zip", "text": "unicodedata.normalize",
    "bytes": "struct.unpack", "pattern": "fnmatch.fnmatch", "path": "path.join", "number": "divmod pow",
    "whole": "round", "date format": "datetime.strptime", "class": "isinstance issubclass",
    "name": "hasattr getattr setattr",
})  # fmt: skip
"""The same for the second argument."""

CALLED = {"map": 1, "filter": 1, "reduce": 2, "functools.reduce": 2, "sorted": 1, "min": 1, "max": 1}
"""Functions whose first argument (or `key`) is called, and with how many arguments."""

SAME_VALUE_METHODS = frozenset({
    "strip", "lstrip", "rstrip", "lower", "upper", "replace", "copy", "casefold", "title", "capitalize",
    "expandtabs", "removeprefix", "removesuffix", "swapcase", "zfill", "ljust", "rjust", "center",
})  # fmt: skip
"""Their result is used as the object itself would be."""

PIECES_METHODS = frozenset({"split", "rsplit", "splitlines", "partition", "rpartition", "readlines"})
SAME_VALUE_CALLS = frozenset({
    "list", "tuple", "sorted", "reversed", "set", "iter", "str", "copy.copy", "copy.deepcopy",
    "deepcopy", "copy", "dict", "int", "float", "cast", "typing.cast", "frozenset", "bytes",
    "bytearray", "OrderedDict", "collections.OrderedDict",
})  # fmt: skip
"""`y = list(x)`: what is done with `y` says what is in `x`."""

PATTERN_FUNCTIONS = frozenset({"match", "search", "fullmatch", "findall", "finditer", "sub", "subn", "split"})
