"""Why a test is called flaky, broken or healthy, in sentences that name the commits and runs."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from testwright.classify.flakiness.outages import Outages
from testwright.classify.flakiness.steadiness import Flakiness, Steadiness
from testwright.model.history import Try

_NAMED = 3


def reasons_for(found: Flakiness, kept: Sequence[Try], outages: Outages, *, enough: int) -> tuple[str, ...]:
    return tuple(_reasons(found, kept, outages, enough))


def _reasons(found: Flakiness, kept: Sequence[Try], outages: Outages, enough: int) -> Iterator[str]:
    if found.verdict is Steadiness.INSUFFICIENT_DATA:
        yield f"Only {counted(found.tries, 'try', 'tries')} of it can be used; {enough} are needed for a verdict."
    if not found.failed:
        yield f"It passed in {'its only try' if found.tries == 1 else f'all {found.tries} tries'}."
        return
    if found.discordant:
        where = _named([run.name for run in found.discordant])
        times = counted(len(found.discordant), "time", "times")
        yield f"It both passed and failed on the same code, {times}: at {where}."
    if found.flips:
        yield f"It went from passing to failing or back {counted(found.flips, 'time', 'times')} in {len(kept)} tries."
    yield from _about_now(found, kept, outages)
    if found.left_out:
        worst = max(outage.share for outage in found.left_out)
        runs = _named([outage.run.id for outage in found.left_out])
        how_many = counted(len(found.left_out), "failure was", "failures were")
        yield f"{how_many} left out: up to {worst:.0%} of all tests failed in the same run ({runs})."


def _about_now(found: Flakiness, kept: Sequence[Try], outages: Outages) -> Iterator[str]:
    since = found.broken_since
    if since is not None and found.always_broken:
        yield f"It has been broken for as long as it is known, since {since.name} (run {since.id})."
    elif since is not None:
        yield f"It most probably broke at {since.name} (run {since.id}), and has not been seen to work since."
    elif len(outages.at_the_end) == 1 and found.failed_in[0] in outages.at_the_end:
        yield "The newest run looks like an outage: run the tests again to know how this one is now."
    elif found.verdict is Steadiness.HEALTHY and any(attempt.failed for attempt in kept):
        stretches = sum(failed for failed, _ in groupby(attempt.failed for attempt in kept))
        since_then = next(number for number, attempt in enumerate(reversed(kept)) if attempt.failed)
        breaks = counted(stretches, "break that was", "breaks that were")
        passes = counted(since_then, "try", "tries")
        yield f"Its failures look like {breaks} mended: it has passed in the {passes} since the last of them."


def counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _named(names: Sequence[str]) -> str:
    rest = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")
