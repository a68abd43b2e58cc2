"""Carry out `testwright heal analyze`, `repair` and `batch`: which selectors of test files are broken on a page."""

import argparse
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from testwright.faces.cli.heal_view import show_heal_answer, tell_progress
from testwright.faces.cli.standard_output import print_json
from testwright.faces.cli.user_name import user_name
from testwright.model.errors import UsageError
from testwright.pipeline.healing.on_request.answer import HealAnswer
from testwright.pipeline.healing.on_request.file_proposals import apply_sure, propose
from testwright.pipeline.healing.on_request.journey import Applier, HealTools, answer_heal
from testwright.pipeline.healing.on_request.page_opener import page_opener
from testwright.pipeline.healing.on_request.request import TestHealRequest, heal_request
from testwright.review.confined_root import ConfinedRoot
from testwright.run.external_programs import find_chromium
from testwright.settings import Settings, load_settings
from testwright.wiring import file_rerunner, keeping, open_review, store_place

_PAGE_BYTES = 256 << 20


def carry_out(options: argparse.Namespace) -> int:
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


def _request(options: argparse.Namespace, root: Path) -> TestHealRequest:
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
    """A path as the project calls it. What is not a path stays as it is, and the checks refuse it."""
    here = Path.cwd()
    if "\0" in given or not given or (here == root and not given.startswith("/")):
        return given
    return os.path.relpath(here / given, root)


@contextmanager
def _tools(
    options: argparse.Namespace, root: Path, settings: Settings, request: TestHealRequest
) -> Iterator[HealTools]:
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
    """A page may lie anywhere: it is only read."""
    path = Path(name).absolute()
    real = path.resolve() if path.is_symlink() else path
    with ConfinedRoot(real.parent) as folder:
        return folder.read(real.name, limit=_PAGE_BYTES)


def _proposed(answer: HealAnswer, root: Path, settings: Settings) -> HealAnswer:
    with open_review(root, settings) as queue, ConfinedRoot(root) as confined:
        return replace(answer, files=tuple(propose(each, confined, queue) for each in answer.files))


def _applier(root: Path, settings: Settings) -> Applier:
    def apply(answer: Any) -> Any:
        with open_review(root, settings) as queue, ConfinedRoot(root) as confined:
            return apply_sure(answer, confined, queue, rerun=file_rerunner(root, settings), by=user_name())

    return apply


def _exit_code(answer: HealAnswer) -> int:
    """1 while something needs a person: a selector that is still broken, or a file that could not be read."""
    waits = answer.total["total_broken"] > answer.total["healed_auto"]
    return int(waits or any(each.error for each in answer.files))
