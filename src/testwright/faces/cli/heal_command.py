"""`testwright heal`: find where the lost elements of a test file went, against a page you name."""

import argparse
import getpass
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from testwright.faces.cli.common_options import add_json, add_project

if TYPE_CHECKING:
    from testwright.pipeline.healing.on_request.answer import HealAnswer
    from testwright.pipeline.healing.on_request.journey import Applier, HealTools
    from testwright.pipeline.healing.on_request.request import TestHealRequest
    from testwright.settings import Settings

DESCRIPTION = """\
Look at a page and say which selectors of a test file find nothing there, and which elements they mean now.
Nothing is written: --propose queues the change for `testwright review`.

`testwright run` heals by itself, from what it remembers of passing runs; this is for looking at one page on purpose.
"""

# Actions with a module of their own: heal_golden has configure_golden and execute_golden.
_OTHERS = {
    "match": "answer cases of lost elements, one JSON line each",
    "flutter": "where the lost widgets of Flutter tests went, from their machine report",
    "golden": "which golden screens of a Go program only moved or were restyled",
}
_PAGE_BYTES = 256 << 20


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    analyze = actions.add_parser("analyze", help="which selectors of a file are broken on a page")
    repair = actions.add_parser("repair", help="the same, with the change to the file as a diff")
    batch = actions.add_parser("batch", help="every test file of a folder: at most 20")
    for action in (analyze, repair):
        action.add_argument("file", metavar="FILE", help="a test file in TypeScript, JavaScript or Python")
    batch.add_argument("folder", metavar="DIR", help="a folder of the project")
    for action in (analyze, repair, batch):
        _add_page(action)
    for action in (analyze, repair):
        action.add_argument(
            "--selector", action="append", default=[], metavar="S", help="only this one; may be repeated, 50 at most"
        )
    for action in (repair, batch):
        action.add_argument("--propose", action="store_true", help="queue the change for `testwright review`")
        action.add_argument(
            "--auto-apply",
            action="store_true",
            help="write what is at least 90%% sure, if the tests pass with it; needs `pilot = true` in the settings",
        )
    for action in (analyze, repair, batch):
        action.add_argument(
            "--test-id-attribute", default="", metavar="NAME", help="default: what the Playwright settings say"
        )
        add_json(action)
        add_project(action)
    for name, summary in _OTHERS.items():
        getattr(_part(name), f"configure_{name}")(actions.add_parser(name, help=summary))


def _add_page(parser: argparse.ArgumentParser) -> None:
    page = parser.add_argument_group("the page, one of").add_mutually_exclusive_group(required=True)
    page.add_argument("--url", default="", metavar="URL", help="opened in a browser")
    page.add_argument("--html", type=Path, metavar="FILE", help="a saved page")
    page.add_argument("--trace", type=Path, metavar="ZIP", help="a Playwright trace: the page when the test failed")


def _part(name: str) -> Any:
    return import_module(f"testwright.faces.cli.heal_{name}")


def execute(options: argparse.Namespace) -> int:
    if options.action in _OTHERS:
        return int(getattr(_part(options.action), f"execute_{options.action}")(options))
    return _heal(options)


def _heal(options: argparse.Namespace) -> int:
    from testwright.faces.cli.heal_view import show_heal_answer, tell_progress
    from testwright.faces.cli.standard_output import print_json
    from testwright.model.errors import UsageError
    from testwright.pipeline.healing.on_request.journey import answer_heal
    from testwright.settings import load_settings

    if getattr(options, "auto_apply", False) and options.propose:
        raise UsageError("--propose and --auto-apply exclude each other.", next_step="Leave one of them out.")
    root = options.project.absolute()
    settings = load_settings(root)
    request = _request(options, root)
    with _tools(options, root, settings, request) as tools:
        is_batch = options.action == "batch"
        answer = answer_heal(request, tools, **({"progress": tell_progress} if is_batch else {}))
        if getattr(options, "propose", False):
            answer = _proposed(answer, root, settings)
    if options.json:
        print_json({"summary": answer.summary, "data": answer.shape()})
    else:
        show_heal_answer(answer, with_diff=options.action != "analyze")
    return _exit_code(answer)


def _request(options: argparse.Namespace, root: Path) -> "TestHealRequest":
    from testwright.pipeline.healing.on_request.request import heal_request

    is_batch = options.action == "batch"
    return heal_request(
        {
            "type": "test_heal",
            "action": options.action,
            **({"test_dir": _name(options.folder, root)} if is_batch else {"test_file": _name(options.file, root)}),
            "broken_selectors": getattr(options, "selector", []),
            "auto_apply": getattr(options, "auto_apply", False),
            "url": options.url,
            "html_file": str(options.html or ""),
            "trace_file": str(options.trace or ""),
        }
    )


def _name(given: str, root: Path) -> str:
    """A path as the project calls it. What is no path at all stays as it is, for the checks to refuse."""
    here = Path.cwd()
    if "\0" in given or not given or (here == root and not given.startswith("/")):
        return given
    return os.path.relpath(here / given, root)


@contextmanager
def _tools(
    options: argparse.Namespace, root: Path, settings: "Settings", request: "TestHealRequest"
) -> "Iterator[HealTools]":
    from testwright.pipeline.healing.on_request.journey import HealTools
    from testwright.pipeline.healing.on_request.page_opener import page_opener
    from testwright.run.external_programs import find_chromium
    from testwright.wiring import keeping, store_place

    with ExitStack() as closing:
        place = store_place(root, settings)
        memory: Any = lambda _: ()  # noqa: E731
        if isinstance(place, str) or place.exists():
            memory = closing.enter_context(keeping(root, settings).open()).fingerprints.of_selector
        yield HealTools(
            root,
            page_opener(_page_bytes, chromium=find_chromium(os.environ)),
            memory=memory,
            pilot=settings.pilot,
            apply=_applier(root, settings) if request.auto_apply else None,
            test_id_attribute=options.test_id_attribute,
        )


def _page_bytes(name: str) -> bytes:
    """A page may lie anywhere the user says: it is only read."""
    from testwright.review.confined_root import ConfinedRoot

    path = Path(name).absolute()
    real = path.resolve() if path.is_symlink() else path
    with ConfinedRoot(real.parent) as folder:
        return folder.read(real.name, limit=_PAGE_BYTES)


def _proposed(answer: "HealAnswer", root: Path, settings: "Settings") -> "HealAnswer":
    from dataclasses import replace

    from testwright.pipeline.healing.on_request.file_proposals import propose
    from testwright.review.confined_root import ConfinedRoot
    from testwright.wiring import open_review

    with open_review(root, settings) as queue, ConfinedRoot(root) as confined:
        return replace(answer, files=tuple(propose(each, confined, queue) for each in answer.files))


def _applier(root: Path, settings: "Settings") -> "Applier":
    from testwright.pipeline.healing.on_request.file_proposals import apply_sure
    from testwright.review.confined_root import ConfinedRoot
    from testwright.wiring import file_rerunner, open_review

    def apply(answer: Any) -> Any:
        with open_review(root, settings) as queue, ConfinedRoot(root) as confined:
            return apply_sure(answer, confined, queue, rerun=file_rerunner(root, settings), by=_who())

    return apply


def _who() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without a name, as in some containers
        return f"user {os.getuid()}"


def _exit_code(answer: "HealAnswer") -> int:
    """1 while something needs a person: a selector that is still broken, or a file that could not be read."""
    waits = answer.total["total_broken"] > answer.total["healed_auto"]
    return int(waits or any(each.error for each in answer.files))
