"""Two rules of the house: no module above 500 lines, and a reason beside every import inside a function.

A reason is a comment `# late: REASON`, on the import's own line or on the line directly above a block of imports.

    python scripts/check_house.py                     everything
    python scripts/check_house.py src/testwright/run  only these files and folders
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

MOST_LINES = 500
LATE = "# late: "
PLACES = ("src", "tests", "scripts", "bench")

ROOT = Path(__file__).resolve().parents[1]


def too_long(file: Path) -> Iterator[str]:
    lines = len(file.read_text(encoding="utf-8").splitlines())
    if lines > MOST_LINES:
        yield f"{shown(file)} has {lines} lines; {MOST_LINES} is the most: make it two modules"


def late_imports_without_reason(file: Path) -> Iterator[str]:
    source = file.read_text(encoding="utf-8")
    lines = source.splitlines()
    for block in blocks(ast.parse(source), lines):
        if has_reason(lines[block[0].lineno - 2]):
            continue
        for each in block:
            if not any(has_reason(line) for line in lines[each.lineno - 1 : each.end_lineno]):
                yield f"{shown(file)}:{each.lineno}: an import inside a function, without `{LATE}REASON`"


def blocks(tree: ast.Module, lines: list[str]) -> Iterator[list[ast.stmt]]:
    """The imports inside functions; those that only an empty line parts, as between two origins, are one block."""
    block: list[ast.stmt] = []
    for each in imports_in_functions(tree):
        if block and lines[block[-1].end_lineno or 0 : each.lineno - 1] not in ([], [""]):
            yield block
            block = []
        block.append(each)
    if block:
        yield block


def imports_in_functions(tree: ast.Module) -> list[ast.stmt]:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    found = {
        node.lineno: node
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    return [found[line] for line in sorted(found)]


def has_reason(line: str) -> bool:
    _, mark, reason = line.partition(LATE)
    return bool(mark and reason.strip())


def python_files(place: Path) -> list[Path]:
    found = [place] if place.is_file() else sorted(place.rglob("*.py"))
    return [file for file in found if "node_modules" not in file.parts]


def shown(file: Path) -> str:
    return str(file.relative_to(ROOT)) if file.is_relative_to(ROOT) else str(file)


def main(places: list[str]) -> int:
    found: list[str] = []
    for file in (file for place in places or PLACES for file in python_files((ROOT / place).resolve())):
        found += too_long(file)
        if file.is_relative_to(ROOT / "src"):
            found += late_imports_without_reason(file)
    sys.stdout.writelines(f"{line}\n" for line in found)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
