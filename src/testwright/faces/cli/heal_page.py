"""Carry out `testwright heal analyze`, `repair` and `batch`: which selectors of test files are broken on a page."""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from testwright.faces.cli.standard_output import diff_lines, print_json, print_table
from testwright.faces.cli.user_name import user_name
from testwright.model.errors import UsageError
from testwright.model.untrusted_text import visible_line
from testwright.pipeline.healing.on_request.answer import FileAnswer, HealAnswer
from testwright.pipeline.healing.on_request.file_proposals import apply_sure, propose
from testwright.pipeline.healing.on_request.journey import Applier, HealTools, answer_heal
from testwright.pipeline.healing.on_request.page_opener import page_opener
from testwright.pipeline.healing.on_request.request import TestHealRequest, heal_request
from testwright.review.confined_root import ConfinedRoot
from testwright.review.file_diff import unified_diff
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


def show_heal_answer(answer: HealAnswer, *, with_diff: bool) -> None:
    for each in answer.files:
        if answer.is_batch:
            sys.stdout.write(f"\n{visible_line(each.file)}\n")
        _show_file(each, with_diff=with_diff)
    for name in answer.not_reached:
        sys.stdout.write(f"not reached in time: {visible_line(name)}\n")
    sys.stdout.write(f"{visible_line(answer.summary)}.\n")


def tell_progress(answer: FileAnswer, done: int, total: int) -> None:
    """One line for each file of a batch, where a person sees it and a program does not."""
    found = answer.summary
    line = answer.error.get("message") or f"{found['total_broken']} broken, {found['unhealed']} of them unhealed"
    sys.stderr.write(f"[{done}/{total}] {visible_line(answer.file)}: {visible_line(line)}\n")


def _show_file(answer: FileAnswer, *, with_diff: bool) -> None:
    say = sys.stdout.write
    if answer.error:
        say(f"  {visible_line(answer.error['message'])} [{answer.error['code']}]\n")
        return
    if answer.healed:
        print_table(
            ("line", "old", "new", "sure", "strategy", "why"),
            [
                (str(one.line or "-"), one.old, one.new, f"{one.confidence:.0%}", one.found_by, one.explanation)
                for one in answer.healed
            ],
        )
    for missed in answer.unhealed:
        where = f"line {missed.line}" if missed.line else "not in the file"
        say(f"unhealed, {where}: {visible_line(missed.old)}\n")
        say(f"  {visible_line(missed.explanation)} [{missed.reason}]\n")
        for guess in missed.suggestions:
            say(f"  perhaps {visible_line(guess.selector)}: {visible_line(guess.why)}\n")
    for selector in answer.not_reached:
        say(f"not reached in time: {visible_line(selector)}\n")
    for note in answer.notes:
        say(f"note: {visible_line(note)}\n")
    if with_diff and answer.after:
        diff = diff_lines(unified_diff(answer.before, answer.after, answer.file))
        say("".join(f"{line}\n" for line in ("", *diff, "")))
    if answer.proposal:
        done = "applied" if answer.applied else "waits for you: testwright review show"
        say(f"{done} {answer.proposal}\n")
