"""Judge every test of a project by its history: flaky, broken, healthy, or too little is known."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from testwright.classify.flakiness.flakiness_model import Belief, TryOutcome, believe
from testwright.classify.flakiness.flakiness_report import Flakiness, FlakinessReport, FlakinessVerdict
from testwright.classify.flakiness.outages import STILL_THERE, Outages, find_outages
from testwright.classify.sentence_parts import counted, first_few
from testwright.model.history import History, PastAttempt, PastRun

# --- Why a test is called flaky, broken or healthy, in sentences that name the commits and runs ---------------------

_NAMED = 3


def _reasons(found: Flakiness, kept: Sequence[PastAttempt], outages: Outages) -> Iterator[str]:
    if found.verdict is FlakinessVerdict.INSUFFICIENT_DATA:
        yield f"Only {counted(found.tries, 'try', 'tries')} of it can be used; {ENOUGH_TRIES} are needed for a verdict."
    if not found.failed:
        yield f"It passed in {'its only try' if found.tries == 1 else f'all {found.tries} tries'}."
        return
    if found.discordant:
        where = first_few([run.name for run in found.discordant], _NAMED)
        times = counted(len(found.discordant), "time", "times")
        yield f"It both passed and failed on the same code, {times}: at {where}."
    if found.flips:
        yield f"It went from passing to failing or back {counted(found.flips, 'time', 'times')} in {len(kept)} tries."
    yield from _about_now(found, kept, outages)
    if found.left_out:
        worst = max(outage.share for outage in found.left_out)
        runs = first_few([outage.run.id for outage in found.left_out], _NAMED)
        how_many = counted(len(found.left_out), "failure was", "failures were")
        yield f"{how_many} left out: up to {worst:.0%} of all tests failed in the same run ({runs})."


def _about_now(found: Flakiness, kept: Sequence[PastAttempt], outages: Outages) -> Iterator[str]:
    since = found.broken_since
    if since is not None and found.always_broken:
        yield f"It has been broken for as long as it is known, since {since.name} (run {since.id})."
    elif since is not None:
        yield f"It most probably broke at {since.name} (run {since.id}), and has not been seen to work since."
    elif len(outages.at_the_end) == 1 and found.failed_in[0] in outages.at_the_end:
        yield "The newest run looks like an outage: run the tests again to know how this one is now."
    elif found.verdict is FlakinessVerdict.HEALTHY and any(attempt.failed for attempt in kept):
        stretches = sum(failed for failed, _ in groupby(attempt.failed for attempt in kept))
        since_then = next(number for number, attempt in enumerate(reversed(kept)) if attempt.failed)
        breaks = counted(stretches, "break that was", "breaks that were")
        passes = counted(since_then, "try", "tries")
        yield f"Its failures look like {breaks} mended: it has passed in the {passes} since the last of them."


CONFIRMED_AT = 0.5
SUSPECTED_AT = 0.03
ENOUGH_TRIES = 10
_ORDER = list(FlakinessVerdict)


def judge_flakiness(histories: Iterable[History]) -> FlakinessReport:
    """A verdict for each test. Give all tests of the project: an outage shows only in what many of them did."""
    known = [history for history in histories if history.tries]
    outages = find_outages(known)
    tests = [_judged(history, outages) for history in known]
    tests.sort(key=lambda test: (_ORDER.index(test.verdict), -test.probability, -test.failed, test.test))
    runs = {attempt.run.id for history in known for attempt in history.tries}
    return FlakinessReport(tuple(tests), outages.found, len(runs))


def _judged(history: History, outages: Outages) -> Flakiness:
    kept = tuple(attempt for attempt in history.tries if attempt.run.id not in outages.ids) or history.tries
    belief = believe(_seen(kept))
    lately = _until_now(history.tries, kept, outages)
    now = belief if lately is kept else believe(_seen(lately))
    since = None if now.turned_bad is None else lately[now.turned_bad]
    failed = sum(attempt.failed for attempt in history.tries)
    found = Flakiness(
        test=history.test,
        verdict=_verdict(belief, kept, is_broken=since is not None),
        probability=belief.flaky,
        rate=belief.rate,
        low=belief.low,
        high=belief.high,
        bad_now=now.bad_now,
        broken_since=since.run if since else None,
        always_broken=since is lately[0],
        tries=len(kept),
        passed=len(history.tries) - failed,
        failed=failed,
    )
    if failed:
        found = _with_evidence(found, history.tries, kept, outages)
    return replace(found, reasons=tuple(_reasons(found, kept, outages)))


def _with_evidence(
    found: Flakiness, tries: Sequence[PastAttempt], kept: Sequence[PastAttempt], outages: Outages
) -> Flakiness:
    failed_in = {attempt.run.id: None for attempt in reversed(tries) if attempt.failed}
    return replace(
        found,
        discordant=tuple(_discordant(kept)),
        flips=sum(before.failed != after.failed for before, after in pairwise(kept)),
        left_out=tuple(outage for outage in outages.found if outage.run.id in failed_in and kept is not tries),
        failed_in=tuple(failed_in),
    )


def _verdict(belief: Belief, tries: Sequence[PastAttempt], *, is_broken: bool) -> FlakinessVerdict:
    if len(tries) < ENOUGH_TRIES:
        return FlakinessVerdict.INSUFFICIENT_DATA
    if all(attempt.failed for attempt in tries):
        return FlakinessVerdict.BROKEN  # it was never seen to pass: its probability is what it was before we looked
    if belief.flaky >= CONFIRMED_AT:
        return FlakinessVerdict.CONFIRMED
    if belief.flaky >= SUSPECTED_AT:
        return FlakinessVerdict.SUSPECTED
    return FlakinessVerdict.BROKEN if is_broken else FlakinessVerdict.HEALTHY


def _seen(tries: Sequence[PastAttempt]) -> list[TryOutcome]:
    codes = [attempt.run.code for attempt in tries]
    changed = [True, *(before != after for before, after in pairwise(codes))]
    return [TryOutcome(is_new, attempt.failed) for is_new, attempt in zip(changed, tries, strict=True)]


def _until_now(
    tries: tuple[PastAttempt, ...], kept: tuple[PastAttempt, ...], outages: Outages
) -> tuple[PastAttempt, ...]:
    """The tries that tell how a test is now: those the verdict rests on, and an "outage" that does not end."""
    if len(outages.at_the_end) < STILL_THERE or kept is tries:
        return kept
    still_there = [attempt for attempt in tries if attempt.run.id in outages.at_the_end]
    return (*kept, *still_there) if any(attempt.failed for attempt in still_there) else kept


def _discordant(tries: Sequence[PastAttempt]) -> Iterator[PastRun]:
    """The first run of each stretch on one code that both passed and failed."""
    for _, group in groupby(tries, key=lambda attempt: attempt.run.code):
        same = list(group)
        if len({attempt.failed for attempt in same}) > 1:
            yield same[0].run
