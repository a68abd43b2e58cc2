"""Read a docstring as a set of promises, each with the line it stands on: reST, Google and numpy styles, and prose."""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

_Documentable = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

_GOOGLE = re.compile(
    r"(?P<name>args|arguments|params|parameters|keyword args|keyword arguments|other parameters|returns?|yields?|raises"
    r"|exceptions|examples?|usage|notes?|attributes|see also|warnings?|todo|references|methods|example usage):\s*$",
    re.IGNORECASE,
)
_UNDERLINE = re.compile(r"\s*(-{3,}|={3,})\s*$")
_FIELD = re.compile(r"[:@](?P<kind>[a-z]+)(?:[ \t]+(?P<head>[^:\n]*?))?\s*:(?:\s+(?P<rest>.*))?$")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')`]*\s+(?=[A-Z`\"'*(:])")
_PROMPT = ">>>"
_TYPED_ITEM = re.compile(r"(?P<type>[\w.\[\], |`~:]+?):\s+(?P<rest>.*)", re.DOTALL)
_EXCEPTION = re.compile(r"^[`~!:\w]*?(?P<name>[A-Za-z_][\w.]*)`*$")
_RETURN_FIELDS = frozenset({"return", "returns"})
_RAISE_FIELDS = frozenset({"raise", "raises", "except", "exception"})
_PARAM_FIELDS = frozenset({"param", "parameter", "arg", "argument", "keyword", "key"})


@dataclass(frozen=True)
class DocstringLine:
    number: int
    text: str

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip())


@dataclass(frozen=True)
class DocstringText:
    """A piece of a docstring, and the line of the file on which it begins."""

    text: str
    line: int


@dataclass(frozen=True)
class Raises:
    """An exception that is documented, by its name as written, and when it comes."""

    exception: str
    condition: DocstringText


@dataclass
class DocstringPromises:
    text: str = ""
    types: dict[str, DocstringText] = field(default_factory=dict)
    """By parameter, the text that says what type it has."""
    result_type: DocstringText | None = None
    returns: list[DocstringText] = field(default_factory=list)
    """Sentences on what is returned, from a section of their own."""
    raises: list[Raises] = field(default_factory=list)
    prose: list[DocstringText] = field(default_factory=list)  # sentences outside of all sections

    def everything(self) -> list[DocstringText]:
        return [*self.prose, *self.returns]


def docstring_lines(node: _Documentable | None) -> list[DocstringLine]:
    """The node's own docstring (not one that is inherited), without its indentation, by lines of the file."""
    if node is None or not node.body or not isinstance(node.body[0], ast.Expr):
        return []
    constant = node.body[0].value
    if not isinstance(constant, ast.Constant) or not isinstance(constant.value, str):
        return []
    last = constant.end_lineno or constant.lineno
    texts = constant.value.expandtabs().split("\n")
    margin = min((len(text) - len(text.lstrip()) for text in texts[1:] if text.strip()), default=0)
    shown = [texts[0].strip(), *(text[margin:].rstrip() for text in texts[1:])]
    return [DocstringLine(min(constant.lineno + at, last), text) for at, text in enumerate(shown)]


def read_docstring(node: _Documentable | None) -> DocstringPromises:
    lines = docstring_lines(node)
    found = DocstringPromises(text="\n".join(line.text for line in lines))
    prose: list[DocstringLine] = []
    at = 0
    while at < len(lines):
        at = _read_block(lines, at, found, prose)
    found.prose = sentences(prose)
    return found


def sentences(lines: list[DocstringLine]) -> list[DocstringText]:
    """The sentences of running text; examples and what is indented beneath a `::` are left out."""
    found: list[DocstringText] = []
    for paragraph in _paragraphs(lines):
        text, starts = "", []
        for line in paragraph:
            starts.append((len(text), line.number))
            text += line.text.strip() + " "
        begin = 0
        for end in [*(match.start() for match in _SENTENCE_END.finditer(text)), len(text)]:
            sentence = text[begin:end].strip()
            offset = begin + len(text[begin:end]) - len(text[begin:end].lstrip())
            if sentence:
                found.append(DocstringText(sentence, max(number for start, number in starts if start <= offset)))
            begin = end
    return found


def _paragraphs(lines: list[DocstringLine]) -> Iterator[list[DocstringLine]]:
    paragraph: list[DocstringLine] = []
    in_example, code_deeper_than = False, -1
    for line in [*lines, DocstringLine(0, "")]:
        if not line.text.strip():
            in_example = False
            if paragraph:
                code_deeper_than = paragraph[0].indent if paragraph[-1].text.rstrip().endswith("::") else -1
                yield paragraph
            paragraph = []
            continue
        if code_deeper_than >= 0 and line.indent > code_deeper_than:
            continue
        code_deeper_than = -1
        in_example = in_example or line.text.lstrip().startswith(_PROMPT)
        if not in_example:
            paragraph.append(line)


# --- blocks ---------------------------------------------------------------------------------------


def _read_block(lines: list[DocstringLine], at: int, found: DocstringPromises, prose: list[DocstringLine]) -> int:
    """Take what begins at this line into `found`, or the line into `prose`; gives where the rest begins."""
    line = lines[at]
    named = _GOOGLE.match(line.text)
    is_underlined = at + 1 < len(lines) and bool(_UNDERLINE.match(lines[at + 1].text))
    if is_underlined and line.text.strip():
        block = _until(lines, at + 2, lambda index: _is_heading(lines, index))
        _numpy_section(line.text.strip().lower(), block, found)
        return at + 2 + len(block)
    if named and at + 1 < len(lines):
        block = _until(lines, at + 1, lambda index: bool(lines[index].text) and lines[index].indent <= line.indent)
        if any(each.text for each in block):
            _google_section(named["name"].lower(), block, found)
            return at + 1 + len(block)
    matched = _FIELD.match(line.text)
    if matched:
        block = _until(lines, at + 1, lambda index: not lines[index].text or bool(_FIELD.match(lines[index].text)))
        _rest_field(matched, line, block, found)
        return at + 1 + len(block)
    prose.append(line)
    return at + 1


def _until(lines: list[DocstringLine], begin: int, stops: Callable[[int], bool]) -> list[DocstringLine]:
    end = begin
    while end < len(lines) and not stops(end):
        end += 1
    return lines[begin:end]


def _is_heading(lines: list[DocstringLine], index: int) -> bool:
    return index + 1 < len(lines) and bool(lines[index].text.strip() and _UNDERLINE.match(lines[index + 1].text))


def _google_section(name: str, block: list[DocstringLine], found: DocstringPromises) -> None:
    if name.startswith("return"):
        _returns(block, found)
    elif name in ("raises", "exceptions"):
        for head, description in _items(block):
            exception, _, condition = head.text.partition(":")
            _raises(exception, [DocstringLine(head.number, condition), *description], found)
    elif name.startswith(("arg", "param", "keyword", "other")):
        for head, _ in _items(block):
            typed = re.match(r"(?P<name>\*{0,2}\w+)\s*\((?P<type>[^()]*(?:\([^()]*\)[^()]*)*)\)\s*:", head.text)
            if typed:
                found.types[typed["name"].strip("*")] = DocstringText(typed["type"], head.number)


def _numpy_section(name: str, block: list[DocstringLine], found: DocstringPromises) -> None:
    if name == "returns":
        items = list(_items(block))
        if len(items) == 1:  # several returned things have types of their own, in a tuple that is not spelled out
            head, description = items[0]
            found.result_type = DocstringText(head.text.rpartition(" : ")[2], head.number)
            found.returns += sentences(description)
    elif name == "raises":
        for head, description in _items(block):
            _raises(head.text, description, found)
    elif name in ("parameters", "other parameters"):
        for head, _ in _items(block):
            names, colon, kind = head.text.partition(":")
            if colon:
                for each in names.split(","):
                    found.types[each.strip(" *")] = DocstringText(kind.strip(), head.number)


def _items(block: list[DocstringLine]) -> Iterator[tuple[DocstringLine, list[DocstringLine]]]:
    """A section's entries: a line at the section's own indentation, and what is indented beneath it."""
    margin = min((line.indent for line in block if line.text), default=0)
    head: DocstringLine | None = None
    description: list[DocstringLine] = []
    for line in block:
        if line.text and line.indent == margin:
            if head is not None:
                yield head, description
            head, description = DocstringLine(line.number, line.text.strip()), []
        elif head is not None:
            description.append(line)
    if head is not None:
        yield head, description


def _rest_field(
    matched: re.Match[str], line: DocstringLine, block: list[DocstringLine], found: DocstringPromises
) -> None:
    kind, head = matched["kind"], (matched["head"] or "").strip()
    body = [DocstringLine(line.number, matched["rest"] or ""), *block]
    text = " ".join(each.text.strip() for each in body).strip()
    if kind in _RETURN_FIELDS:
        found.returns += sentences(body)
    elif kind == "rtype":
        found.result_type = DocstringText(text, line.number)
    elif kind == "type":
        found.types[head] = DocstringText(text, line.number)
    elif kind in _PARAM_FIELDS:
        words = head.split()
        if len(words) > 1:
            found.types.setdefault(words[-1], DocstringText(" ".join(words[:-1]), line.number))
    elif kind in _RAISE_FIELDS:
        _raises(head, body, found)


def _returns(block: list[DocstringLine], found: DocstringPromises) -> None:
    said = [line for line in block if line.text]
    typed = _TYPED_ITEM.fullmatch(said[0].text.strip()) if said else None
    if typed and len(typed["type"].split()) <= 4:
        found.result_type = DocstringText(typed["type"], said[0].number)
        found.returns += sentences([DocstringLine(said[0].number, typed["rest"]), *said[1:]])
    else:
        found.returns += sentences(block)


def _raises(exception: str, description: list[DocstringLine], found: DocstringPromises) -> None:
    named = _EXCEPTION.match(exception.strip())
    if named is None:
        return
    text = " ".join(line.text.strip() for line in description).strip()
    number = next((line.number for line in description if line.text.strip()), 0)
    found.raises.append(
        Raises(named["name"], DocstringText(text, number or (description[0].number if description else 0)))
    )
