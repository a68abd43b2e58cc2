"""What `testwright heal` shows: a table of what was healed, and what was not and why."""

import sys

from testwright.faces.cli.diff_view import diff_lines
from testwright.faces.cli.standard_output import print_table
from testwright.model.untrusted_text import visible_line
from testwright.pipeline.healing.on_request.answer import FileAnswer, HealAnswer
from testwright.review.file_diff import unified_diff


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
