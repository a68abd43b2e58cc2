"""Say what was seen of a run: the strongest claims about it that hold everywhere and that a person can read."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from testwright.generate.inside.case_run.case_files import read_files, text_or_bytes
from testwright.generate.inside.case_run.case_runner import CaseRun, run_case
from testwright.generate.inside.case_run.raised_errors import ErrorOrigin, text_of
from testwright.generate.inside.case_run.standard_streams import Silence
from testwright.generate.inside.case_run.value_snapshot import attributes_of, differ, snapshot
from testwright.generate.inside.descriptions.check_collector import CheckCollector, properties_of, readable
from testwright.generate.inside.descriptions.check_evaluator import holds, is_iterator, items_of, still_true
from testwright.generate.inside.generated_case import (
    ITEMS_TAKEN,
    SUBJECT,
    Case,
    CaseOutcome,
    Check,
    Observation,
    Relation,
    Use,
)
from testwright.generate.inside.namespace import Namespace
from testwright.generate.inside.safe_access import quietly

_LONGEST_MESSAGE = 120
_SHORTEST_PIECE = 4
# Where a part of a message changes from run to run, only the text around that part is kept.
_CHANGING = re.compile(r"<(?:[^<>]|<[^<>]*>)* at 0x[0-9a-fA-F]+>|0x[0-9a-fA-F]{6,}|/[^\s'\"]*/[^\s'\"]*")
__all__ = ["confirm", "describe", "still_true"]

_MOST_OF_SUBJECT = 8
_MOST_OF_ARGUMENT = 5
_MOST_OF_OTHERS = 3
_MOST_ERROR_ATTRIBUTES = 3


def describe(run: CaseRun, namespace: Namespace) -> Observation:
    """The observation; it is the same for the same case in every process."""
    if run.unusable:
        return Observation(CaseOutcome.UNUSABLE, reason=run.unusable)
    with Silence():
        try:
            return _described(run, namespace)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - looking at objects under test may raise anything
            reason = f"cannot be looked at: {type(error).__name__}: {text_of(error)}"
            return Observation(CaseOutcome.UNUSABLE, reason=reason)


def confirm(observation: Observation, case: Case, namespace: Namespace) -> Observation:
    """Run the case again and keep what is seen again; about a result that differs, what both have.

    Chance and the clock show in no other way. It costs a second run, so it is for cases worth keeping.
    """
    if observation.outcome is CaseOutcome.UNUSABLE:
        return observation
    again = run_case(case, namespace)
    if again.unusable or (again.error is None) is not (observation.outcome is CaseOutcome.RETURNED):
        return Observation(
            CaseOutcome.UNUSABLE, kind=observation.kind, reason=again.unusable or "another outcome each time"
        )
    with Silence():
        kept = [check for check in observation.checks if holds(check, again, namespace)]
        if len(kept) == len(observation.checks):
            return observation
        if not any(check.of == "result" for check in kept) and again.error is None and again.result is not None:
            kept[:0] = _shape_of_result(observation, again, namespace)
    if not kept or (again.error is not None and kept[0].relation is not Relation.RAISES):
        return Observation(CaseOutcome.UNUSABLE, kind=observation.kind, reason="something else each time")
    return Observation(observation.outcome, tuple(kept), observation.kind)


def _shape_of_result(observation: Observation, again: CaseRun, namespace: Namespace) -> list[Check]:
    """The type, and the size where the first result was written down whole and had the same."""
    checks = _tools(namespace).type_of("result", "{}", again.result)
    whole = next((each for each in observation.checks if each.path == "{}" and each.relation is Relation.EQUAL), None)
    if whole is not None and isinstance(again.result, str | bytes | list | tuple | dict | set):
        first = namespace.evaluate(whole.expected)
        if len(first) == len(again.result) > 0:
            checks.append(Check("result", "len({})", Relation.EQUAL, repr(len(first))))
    return checks


def _described(run: CaseRun, namespace: Namespace) -> Observation:
    tools = _tools(namespace)
    tools.begin_case(run.case.unit)
    # Everything that went in, to tell what came from there from what did not.
    case_text = "\n".join([argument.value for call in run.case.calls for argument in call.arguments])
    changes = _changes(run)  # before anything is looked at: looking runs code that may change things too
    if run.error is not None:
        return _raised(run, namespace, tools, case_text)
    about_result = _about_result(run, tools, case_text)
    others = [
        *_about_subject(run, changes, tools, case_text),
        *_about_arguments(run, changes, tools, case_text),
        *_about_output(run, tools, case_text),
        *_about_files(run, namespace, tools, case_text),
        *_about_module(namespace, tools, case_text, is_all=not about_result or run.result is None),
    ]
    if run.result is None and others and run.case.unit not in namespace.state.facts.returning:
        about_result = []
    checks = tuple([each for each in (*about_result, *others) if _is_sure(each, run, namespace)])
    if not checks:
        return Observation(CaseOutcome.UNUSABLE, reason="nothing that lasts can be said about it")
    return Observation(CaseOutcome.RETURNED, checks, _kind(run))


def _is_sure(check: Check, run: CaseRun, namespace: Namespace) -> bool:
    """Parts are evaluated again as the test would: an object may answer in another way than its attributes."""
    return check.path == "{}" or holds(check, run, namespace)


@dataclass(frozen=True, slots=True)
class _Changes:
    """What the action changed: names of the subject's attributes ("" for what it holds), positions of arguments."""

    of_subject: tuple[str, ...]
    of_arguments: tuple[int, ...]


def _changes(run: CaseRun) -> _Changes:
    subject, before = run.subject, run.subject_before
    of_subject: list[str] = []
    if subject is not None:
        if "" in before and differ(before[""], snapshot(subject)):
            of_subject.append("")
        for name, value in attributes_of(subject).items():
            if name not in before or differ(before[name], snapshot(value)):
                of_subject.append(name)
    of_arguments = [
        index for index, tokens in run.arguments_before.items() if differ(tokens, snapshot(run.arguments[index]))
    ]
    return _Changes(tuple(of_subject), tuple(of_arguments))


def _tools(namespace: Namespace) -> CheckCollector:
    tools = namespace.tools
    if not isinstance(tools, CheckCollector):
        tools = namespace.tools = CheckCollector(namespace)
    return tools


# --- an exception ----------------------------------------------------------------------------------


def _raised(run: CaseRun, namespace: Namespace, tools: CheckCollector, case_text: str) -> Observation:
    error, origin = run.error, run.origin
    assert error is not None
    assert origin is not None
    kind = f"raised {type(error).__name__} L{origin.line}"
    checks = error_checks(error, origin, namespace, tools.is_steady)
    if not checks:
        return Observation(CaseOutcome.UNUSABLE, kind=kind, reason="an exception of a class without a name")
    if isinstance(error, SystemExit):
        checks += tools.look("error", "{}.code", error.code, case_text, 1)
    elif type(error).__module__.partition(".")[0] == namespace.module.__name__.partition(".")[0]:
        attributes = [name for name, _ in readable(error, is_public=True)][:_MOST_ERROR_ATTRIBUTES]
        for name in attributes:
            checks += tools.whole("error", f"{{}}.{name}", getattr(error, name), case_text)
    return Observation(CaseOutcome.RAISED, (*checks, *_about_output(run, tools, case_text)), kind)


# --- a result --------------------------------------------------------------------------------------


def _about_result(run: CaseRun, tools: CheckCollector, case_text: str) -> list[Check]:
    if run.case.use is Use.SET:
        return []
    result = run.result
    if result is run.subject and result is not None:
        return [Check("result", "{}", Relation.IDENTICAL, SUBJECT)]
    if not is_iterator(result):
        return tools.look("result", "{}", result, case_text)
    checks = tools.type_of("result", "{}", result)
    items = items_of(run)
    if items is not None:
        path = "list({})" if len(items) <= ITEMS_TAKEN else f"list(itertools.islice({{}}, {ITEMS_TAKEN}))"
        checks = tools.whole("result", path, items[:ITEMS_TAKEN], case_text) or checks
    return checks


def _kind(run: CaseRun) -> str:
    result = run.result
    if result is None or result is True or result is False:
        return f"returned {result}"
    name = type(result).__name__
    if type(result) in (int, float):
        size = "zero" if result == 0 else "positive" if result > 0 else "negative" if result < 0 else "nan"
        return f"returned {name} {size}"
    if isinstance(result, str | bytes | list | tuple | dict | set | frozenset) and type(result).__len__ in _LENGTHS:
        return f"returned {name} {'some' if len(result) else 'empty'}"
    return f"returned {name}"


_LENGTHS = frozenset(kind.__len__ for kind in (str, bytes, list, tuple, dict, set, frozenset))


# --- what else it did ------------------------------------------------------------------------------


def _about_subject(run: CaseRun, changes: _Changes, tools: CheckCollector, case_text: str) -> list[Check]:
    """What the action changed in the object it was called on, by public attributes where they show it."""
    subject = run.subject
    now = attributes_of(subject) if changes.of_subject else {}
    checks: list[Check] = []
    for name in sorted(changes.of_subject, key=lambda name: name.startswith("_")):
        showing = _properties_that_show(type(subject), name) if name.startswith("_") else []
        if not name:
            checks += tools.look("subject", "{}", subject, case_text, _MOST_OF_ARGUMENT)
        elif showing:
            value = quietly(partial(getattr, subject, showing[0]), None)
            checks += tools.look("subject", f"{{}}.{showing[0]}", value, case_text, _MOST_OF_ARGUMENT)
        elif name.isidentifier() and name in now and not name.startswith("__"):
            seen = tools.look("subject", f"{{}}.{name}", now[name], case_text, _MOST_OF_ARGUMENT)
            # How a private thing is built inside is not for a test, where anything else shows the change.
            is_hidden = name.startswith("_") and any("[" not in check.path for check in (*checks, *seen))
            checks += [check for check in seen if not (is_hidden and "[" in check.path)]
    return list(dict.fromkeys(checks))[:_MOST_OF_SUBJECT]


def _properties_that_show(kind: type, attribute: str) -> list[str]:
    return [
        name
        for name, function in properties_of(kind).items()
        if attribute in getattr(getattr(function, "__code__", None), "co_names", ())
    ][:1]


def _about_arguments(run: CaseRun, changes: _Changes, tools: CheckCollector, case_text: str) -> list[Check]:
    checks: list[Check] = []
    for index in changes.of_arguments:
        name = run.case.action.arguments[index].name
        of = f"argument {name if name not in (None, '*', '**') else index}"
        checks += tools.look(of, "{}", run.arguments[index], case_text, _MOST_OF_ARGUMENT)
    return checks


def _about_output(run: CaseRun, tools: CheckCollector, case_text: str) -> list[Check]:
    checks: list[Check] = []
    for of, text in (("stdout", run.stdout), ("stderr", run.stderr)):
        if text and not text.startswith("usage: "):  # the words of argparse differ between versions of Python
            checks += tools.look(of, "{}", text, case_text, _MOST_OF_OTHERS)
    return checks


def _about_files(run: CaseRun, namespace: Namespace, tools: CheckCollector, case_text: str) -> list[Check]:
    folder = namespace.made_folder
    checks: list[Check] = []
    if folder is None:
        return checks
    for name, content in read_files(folder).items():
        if run.files_before.get(name) == content or not tools.is_steady(name):
            continue
        checks += tools.look(f"file {name}", "{}", text_or_bytes(content), case_text, _MOST_OF_OTHERS)
    return checks[:_MOST_OF_SUBJECT]


def _about_module(namespace: Namespace, tools: CheckCollector, case_text: str, *, is_all: bool) -> list[Check]:
    """Variables of the module that changed; private ones, mostly caches, only where little else is to be seen."""
    checks: list[Check] = []
    for changed in namespace.state.changed():
        if is_all or not changed.name.startswith("_"):
            checks += tools.look(f"module {changed.name}", "{}", changed.now, case_text, _MOST_OF_OTHERS)
    return checks[:_MOST_OF_SUBJECT]


def error_checks(
    error: BaseException, origin: ErrorOrigin, namespace: Namespace, is_steady: Callable[[str], bool]
) -> list[Check]:
    """That it is raised, and what it says; nothing where no class of it has a name."""
    for kind in type(error).__mro__:
        name = namespace.name_of(kind)
        if name is not None:
            break
    else:
        return []
    message = _reliable_message(error, origin, is_steady)
    if kind in (Exception, BaseException) and not message:
        return []
    checks = [Check("error", "{}", Relation.RAISES, name)]
    if message:
        checks.append(Check("error", "{}", _how_much(message, text_of(error)), message))
    return checks


def _reliable_message(error: BaseException, origin: ErrorOrigin, is_steady: Callable[[str], bool]) -> str:
    if isinstance(error, SystemExit):
        return ""
    text = text_of(error)
    if not origin.is_stated:
        # Python changes the words of its own errors between versions; a missing key it only quotes.
        is_plain_key = type(error) is KeyError and len(error.args) == 1 and type(error.args[0]) in (str, int)
        key = text.strip("'\"") if is_plain_key else ""
        return key if len(key) <= _LONGEST_MESSAGE and is_steady(key) else ""
    for word in origin.foreign:
        text = text.partition(word)[0]
    if not is_steady(text):
        pieces = _CHANGING.split(text)
        text = max(pieces, key=len)  # the first of the longest
        if len(text.strip()) < _SHORTEST_PIECE or not is_steady(text):
            return ""
    return _cut(text).strip()


def _how_much(message: str, text: str) -> Relation:
    if message == text:
        return Relation.MESSAGE_IS
    return Relation.MESSAGE_BEGINS if text.startswith(message) else Relation.MESSAGE_HAS


def _cut(text: str) -> str:
    if len(text) <= _LONGEST_MESSAGE:
        return text
    head = text[:_LONGEST_MESSAGE]
    at_word, _, _ = head.rpartition(" ")
    return at_word or head
