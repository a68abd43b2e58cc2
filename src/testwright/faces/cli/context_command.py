"""`testwright context`: what is known about a target before a test for it is written."""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from testwright.faces.cli.common_options import add_json, add_project, whole_number
from testwright.faces.cli.progress_view import progress_bar
from testwright.faces.cli.standard_output import print_json
from testwright.model.errors import ExitCode
from testwright.model.state_folder import cache_folder
from testwright.model.untrusted_text import visible, visible_line
from testwright.repo.code_target import parse_code_target
from testwright.repo.context_builder import MAX_INPUT_TOKENS, ContextPack, as_json, build_context_pack
from testwright.repo.layout import find_repo_root
from testwright.run.project_interpreter import project_python
from testwright.store.private_files import prepare_folder

DESCRIPTION = """\
Read a Python file in its repository, without running any of it, and say how a test imports it, what it
uses, which methods are related to it and which tests there are already. `--json` prints the ContextPack
that test generation works from.
"""
_SHOWN = 8


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="PATH[::NAME]", help="a Python file, or a class, function or method in it")
    parser.add_argument(
        "--python", type=Path, metavar="PATH", help="the project's interpreter, or its environment's folder"
    )
    parser.add_argument(
        "--max-tokens",
        type=whole_number,
        default=MAX_INPUT_TOKENS,
        metavar="N",
        help=f"leave out what does not fit into N tokens (default: {MAX_INPUT_TOKENS})",
    )
    parser.add_argument(
        "--define", action="append", default=[], metavar="NAME", help="also define this name; may be repeated"
    )
    add_json(parser)
    add_project(parser)


def execute(options: argparse.Namespace) -> int:
    target = parse_code_target(options.target, folder=options.project)
    cache = cache_folder(options.project.resolve())
    prepare_folder(cache)
    folder = target.module_file.parent
    python = project_python(folder, os.environ, given=options.python, stop_at=find_repo_root(target.module_file))
    with progress_bar("Reading the repository") as progress:
        pack = build_context_pack(
            target,
            python=python,
            cache=cache,
            max_input_tokens=options.max_tokens,
            missing_symbols=tuple(options.define),
            progress=progress,
        )
    if options.json:
        print_json(as_json(pack))
    else:
        for line in _summary(pack):
            sys.stdout.write(visible(line) + "\n")
    return ExitCode.OK


def _summary(pack: ContextPack) -> Iterator[str]:
    found, properties = pack.import_map, pack.property_context
    yield str(pack.target)
    yield from (f"  {line}" for line in pack.focal.signature.splitlines()[:_SHOWN])
    yield ""
    yield "Import"
    yield from (f"  {line}" for line in found.target_import.splitlines())
    if found.note:
        yield f"  {found.note}"
    yield from (f"  from {root}" for root in found.sys_path_roots)
    yield "  A bootstrap in the tests' conftest.py is needed." if found.needs_bootstrap else "  No bootstrap is needed."
    yield from _section("Uses", [f"{item.kind} {item.name}" for item in pack.resolved_defs])
    related = [f"{item.qualname} ({item.level}, {item.relation})" for item in properties.ranked_methods]
    yield from _section("Related methods", related)
    tests = [f"{bundle.file.name}::{bundle.test_name.replace('.', '::')}" for bundle in properties.test_bundles]
    yield from _section("Tests", tests)


def _section(title: str, lines: list[str]) -> Iterator[str]:
    if not lines:
        return
    yield ""
    yield title
    yield from (f"  {visible_line(line)}" for line in lines[:_SHOWN])
    if len(lines) > _SHOWN:
        yield f"  and {len(lines) - _SHOWN} more"
