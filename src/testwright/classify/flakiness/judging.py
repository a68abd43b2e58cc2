"""Judge every test of a project by its history: flaky, broken, healthy, or too little is known."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from testwright.classify.flakiness.model import Belief, Seen, believe
from testwright.classify.flakiness.outages import STILL_THERE, Outages, find_outages
from testwright.classify.flakiness.reasons import reasons_for
from testwright.classify.flakiness.steadiness import Flakiness, FlakinessReport, Steadiness
from testwright.model.history import History, PastRun, Try

CONFIRMED_AT = 0.5
SUSPECTED_AT = 0.03
ENOUGH_TRIES = 10
_ORDER = list(Steadiness)


def judge(histories: Iterable[History]) -> FlakinessReport:
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
    return replace(found, reasons=reasons_for(found, kept, outages, enough=ENOUGH_TRIES))


def _with_evidence(found: Flakiness, tries: Sequence[Try], kept: Sequence[Try], outages: Outages) -> Flakiness:
    failed_in = {attempt.run.id: None for attempt in reversed(tries) if attempt.failed}
    return replace(
        found,
        discordant=tuple(_discordant(kept)),
        flips=sum(before.failed != after.failed for before, after in pairwise(kept)),
        left_out=tuple(outage for outage in outages.found if outage.run.id in failed_in and kept is not tries),
        failed_in=tuple(failed_in),
    )


def _verdict(belief: Belief, tries: Sequence[Try], *, is_broken: bool) -> Steadiness:
    if len(tries) < ENOUGH_TRIES:
        return Steadiness.INSUFFICIENT_DATA
    if all(attempt.failed for attempt in tries):
        return Steadiness.BROKEN  # it was never seen to pass: its probability is what it was before we looked
    if belief.flaky >= CONFIRMED_AT:
        return Steadiness.CONFIRMED
    if belief.flaky >= SUSPECTED_AT:
        return Steadiness.SUSPECTED
    return Steadiness.BROKEN if is_broken else Steadiness.HEALTHY


def _seen(tries: Sequence[Try]) -> list[Seen]:
    codes = [attempt.run.code for attempt in tries]
    changed = [True, *(before != after for before, after in pairwise(codes))]
    return [Seen(is_new, attempt.failed) for is_new, attempt in zip(changed, tries, strict=True)]


def _until_now(tries: tuple[Try, ...], kept: tuple[Try, ...], outages: Outages) -> tuple[Try, ...]:
    """The tries that tell how a test is now: those the verdict rests on, and an "outage" that does not end."""
    if len(outages.at_the_end) < STILL_THERE or kept is tries:
        return kept
    still_there = [attempt for attempt in tries if attempt.run.id in outages.at_the_end]
    return (*kept, *still_there) if any(attempt.failed for attempt in still_there) else kept


def _discordant(tries: Sequence[Try]) -> Iterator[PastRun]:
    """The first run of each stretch on one code that both passed and failed."""
    for _, group in groupby(tries, key=lambda attempt: attempt.run.code):
        same = list(group)
        if len({attempt.failed for attempt in same}) > 1:
            yield same[0].run
