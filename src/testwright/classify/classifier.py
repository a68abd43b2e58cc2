"""From findings to one verdict, with the second-best answer and how sure it is."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from testwright.classify.advice import Advice, advised
from testwright.classify.failure_text.failure_parser import parse_failure_text
from testwright.classify.rules.broken_code import code_findings
from testwright.classify.rules.elements import element_findings
from testwright.classify.rules.failed_checks import check_findings
from testwright.classify.rules.machine import machine_findings
from testwright.classify.rules.missing_dependencies import missing_findings
from testwright.classify.rules.mock_failures import mock_findings
from testwright.classify.rules.navigation import navigation_findings
from testwright.classify.rules.rule_finding import RuleFinding
from testwright.classify.rules.shown_page import page_findings
from testwright.classify.rules.timeouts import timeout_findings
from testwright.model.failure import FailureDetail
from testwright.model.failure_labels import FailureLabel as Label
from testwright.model.verdict import Quote, Verdict

UNCERTAIN_BELOW = 0.4  # less than this is not an answer
_QUOTED = 3
_MORE, _MOST_MORE, _CLOSE, _DISPUTED = 0.02, 2, 0.03, 0.1
_SPECIFIC = 0.6
_MOST_QUOTE = 300
_RULES = (
    page_findings,
    machine_findings,
    missing_findings,
    navigation_findings,
    element_findings,
    mock_findings,
    code_findings,
    check_findings,
    timeout_findings,
)


@dataclass(frozen=True, slots=True)
class FailureContext:
    """What else is known about a failure, besides its text. None: not known."""

    is_found_now: bool | None = None  # whether the selector finds something on the page as it is now
    passed_on_retry: bool | None = None
    failed_with_it: int = 0  # tests of the run that failed with the same words
    tests_of_run: int = 0
    touched_by_change: bool | None = None  # whether the last change touched the test, or anything in its stack
    page_trouble: str = ""  # login_page, error_page, ...


def classify_text(text: str, framework: str = "", context: FailureContext | None = None) -> Verdict:
    return classify(parse_failure_text(text, framework), context)


def classify(detail: FailureDetail, context: FailureContext | None = None) -> Verdict:
    context = context or FailureContext()
    findings = _specific(_known_better(list(_findings(detail, context)), context))
    if not findings:
        return advised(Verdict(Label.UNKNOWN, 0.3, symptom="no_reason", recommended_action="look"), detail, Advice.LOOK)
    scores = _scores(findings)
    label = max(scores, key=lambda each: (scores[each], each is not Label.UNKNOWN))
    confidence = _confidence(label, scores)
    best = max((each for each in findings if each.label is label), key=lambda each: each.weight)
    if confidence < UNCERTAIN_BELOW:
        return advised(
            Verdict(Label.UNKNOWN, confidence, label, best.symptom, evidence=_quotes([best])), detail, Advice.LOOK
        )
    verdict = Verdict(
        label,
        confidence,
        _second(label, scores, best),
        best.symptom,
        best.cause,
        _quotes(sorted((each for each in findings if each.label is label), key=lambda each: -each.weight)),
        is_consequence=best.is_consequence,
    )
    return advised(verdict, detail, best.advice)


def _findings(detail: FailureDetail, context: FailureContext) -> Iterator[RuleFinding]:
    if detail.is_empty:
        return
    for rule in _RULES:
        yield from rule(detail)
    yield from _from_context(context)


def _from_context(context: FailureContext) -> Iterator[RuleFinding]:
    if context.page_trouble == "error_page":
        yield RuleFinding(
            Label.REAL_BUG, 0.92, "error_page", "product", advice=Advice.READ_SERVER_LOG, second=Label.ENVIRONMENT
        )
    if context.page_trouble == "login_page":
        yield RuleFinding(Label.URL_MISMATCH, 0.7, "login_page", advice=Advice.SIGN_IN_FIRST, second=Label.ENVIRONMENT)
    if context.is_found_now:
        yield RuleFinding(
            Label.TIMING_FLAKY, 0.8, "found_now", "timing", advice=Advice.WAIT_FOR_STATE, second=Label.SELECTOR_BROKEN
        )
    if context.passed_on_retry:
        yield RuleFinding(Label.TIMING_FLAKY, 0.75, "passed_on_retry", "timing", advice=Advice.WAIT_FOR_STATE)
    if context.tests_of_run >= 5 and context.failed_with_it > max(2, 0.2 * context.tests_of_run):
        yield RuleFinding(Label.ENVIRONMENT, 0.9, "many_at_once", "environment", advice=Advice.LOOK_AT_MACHINE)


def _known_better(findings: list[RuleFinding], context: FailureContext) -> list[RuleFinding]:
    """Whether the selector finds something now settles what a step that found nothing leaves open."""
    if context.is_found_now:
        return [each for each in findings if each.symptom != "not_found"]
    if context.is_found_now is False and not any(each.symptom == "not_found" for each in findings):
        return [
            *findings,
            RuleFinding(Label.SELECTOR_BROKEN, 0.9, "not_found", advice=Advice.HEAL, second=Label.REAL_BUG),
        ]
    return findings


def _specific(findings: list[RuleFinding]) -> list[RuleFinding]:
    """Without the fallbacks, where something says more than that a check said no."""
    surest = max((each.weight for each in findings if not each.is_fallback), default=0.0)
    return findings if surest < _SPECIFIC else [each for each in findings if not each.is_fallback]


def _scores(findings: Iterable[RuleFinding]) -> dict[Label, float]:
    """The strongest finding of each label; a second and a third for the same label add a little."""
    weights: dict[Label, list[float]] = {}
    for each in findings:
        weights.setdefault(each.label, []).append(each.weight)
    return {label: max(held) + _MORE * min(len(held) - 1, _MOST_MORE) for label, held in weights.items()}


def _confidence(label: Label, scores: dict[Label, float]) -> float:
    """What speaks for it, less something where another answer is nearly as strong."""
    rival = max((value for other, value in scores.items() if other is not label), default=0.0)
    disputed = scores[label] - rival < _CLOSE
    return min(0.99, scores[label]) - (_DISPUTED if disputed else 0.0)


def _second(label: Label, scores: dict[Label, float], best: RuleFinding) -> Label | None:
    rivals = {other: value for other, value in scores.items() if other is not label}
    strongest = max(rivals, key=lambda other: rivals[other], default=None)
    if strongest is not None and rivals[strongest] >= 0.6:
        return strongest
    return best.second or strongest


def _quotes(findings: Iterable[RuleFinding]) -> tuple[Quote, ...]:
    quotes: dict[int, Quote] = {}
    for each in findings:
        if each.line is not None and each.line.text and each.line.start not in quotes:
            quotes[each.line.start] = Quote(each.line.text[:_MOST_QUOTE], each.line.start, each.symptom)
    return tuple(list(quotes.values())[:_QUOTED])
