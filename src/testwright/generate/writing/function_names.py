"""Names of tests: `test_<target>_<behaviour>`, unique by meaning, and short enough to be read."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from testwright.generate.inside.generated_case import MESSAGES
from testwright.generate.writing.behaviour_words import brief_words, exact_words, is_vague, kind_words, outcome_words
from testwright.generate.writing.case_groups import FunctionPlan
from testwright.generate.writing.condition_words import condition_words
from testwright.generate.writing.draft import ARGS, KWARGS, CaseDraft, Hole
from testwright.generate.writing.expression_trees import chain, text_of
from testwright.generate.writing.name_words import joined, literal_kind, snake
from testwright.generate.writing.several_calls import SeveralCalls
from testwright.generate.writing.value_phrases import Phrase, opening_phrase, phrase, type_phrase

LONGEST_NAME = 70
ARGUMENTS = "arguments"  # stands for the names of what varies where there are too many of them
_MOST_INPUTS = 3
_WORDS_OF_A_MESSAGE = 4
_TELLING = 3  # phrases of this weight say why a case is there even when it has no sibling to differ from


def names_of(plans: Sequence[FunctionPlan | SeveralCalls]) -> list[str]:
    """One name for each plan, in their order; all different."""
    siblings: dict[str, list[FunctionPlan]] = {}
    for plan in plans:
        if isinstance(plan, FunctionPlan):
            siblings.setdefault(plan.first.unit, []).append(plan)
    families = {unit: _Family.of(members) for unit, members in siblings.items()}
    taken: set[str] = set()
    names = []
    for plan in plans:
        if isinstance(plan, SeveralCalls):
            name = _chosen_name(f"test_{plan.target}", iter(plan.behaviours), taken)
        else:
            name = _chosen_name(f"test_{plan.first.target}", _behaviours(plan, families[plan.first.unit]), taken)
        taken.add(name)
        names.append(name)
    return names


def _behaviours(plan: FunctionPlan, family: "_Family") -> Iterator[str]:
    return _table_names(plan, family) if len(plan.drafts) > 1 else _single_names(plan.first, family)


def _chosen_name(base: str, behaviours: Iterator[str], taken: set[str]) -> str:
    """The first free name that is not too long; a number at the end only when all words are used up."""
    tried = []
    for behaviour in behaviours:
        whole = f"{base}_{behaviour}"
        if len(whole) <= LONGEST_NAME and whole not in taken:
            return whole
        tried.append(whole)
    room = LONGEST_NAME - len("_99")
    fitting = [whole for whole in tried if len(whole) <= room]
    stem = fitting[0] if fitting else _shortened(tried[0], room)
    numbered = (f"{stem}_{number}" for number in count(2))
    return stem if stem not in taken else next(name for name in numbered if name not in taken)


_LOOSE_ENDS = ("a", "an", "and", "as", "at", "by", "for", "in", "is", "not", "of", "or", "the", "to", "when", "with")


def _shortened(name: str, most: int) -> str:
    """The name cut between words, without words at the end that lead to nothing."""
    if len(name) <= most:
        return name
    words = name[: most + 1].split("_")[:-1] or [name[:most]]
    while len(words) > 2 and words[-1] in _LOOSE_ENDS:
        words.pop()
    return "_".join(words)


@dataclass(frozen=True)
class _Family:
    """The cases of one unit, to see what is unusual about one of them."""

    size: int
    tables: Counter[str]
    outcomes: Counter[str]
    phrases: Counter[str]
    kinds: Counter[tuple[str, str]]
    given: Counter[str]
    subjects: Counter[str]  # how the objects of the cases were made

    @classmethod
    def of(cls, plans: Sequence[FunctionPlan]) -> "_Family":
        drafts = [draft for plan in plans for draft in plan.drafts]
        holes = [hole for draft in drafts for hole in draft.inputs]
        said_in = [dict.fromkeys(str(phrase(hole.node, hole.variable)) for hole in draft.inputs) for draft in drafts]
        phrases = Counter(said for each in said_in for said in each)
        outcomes = Counter(each for plan in plans for each in {outcome_words(draft) for draft in plan.drafts})
        kinds = Counter((hole.variable, literal_kind(hole.node)) for hole in holes)
        makers = [draft.subject.callee for draft in drafts if draft.subject is not None]
        subjects = Counter(text_of(callee) for callee in makers if chain(callee))
        given = Counter(each for draft in drafts for each in dict.fromkeys(hole.variable for hole in draft.inputs))
        tables = Counter(
            joined(_varying_names(plan), most=_MOST_INPUTS, instead=ARGUMENTS) for plan in plans if plan.varying
        )
        return cls(len(drafts), tables, outcomes, phrases, kinds, given, subjects)

    def is_unusual(self, hole: Hole) -> bool:
        """Whether other cases give this parameter values of another type."""
        count = self.kinds[hole.variable, literal_kind(hole.node)]
        return count * 3 <= self.given[hole.variable] and not isinstance(hole.node, ast.Call)


def _standing_out(draft: CaseDraft, family: _Family) -> list[Phrase]:
    """What is special about the case's inputs, the most unusual first."""
    ranked: list[tuple[float, int, int, Phrase]] = []
    # What is given to the unit itself says more about a case than what its object was built from;
    # what was called before says nothing.
    inputs = [hole for hole in draft.inputs if not hole.key.startswith("before")]
    blamed = set(re.findall(r"\w+", _message_of(draft).lower()))
    for index, hole in enumerate(sorted(inputs, key=lambda hole: not hole.key.startswith("action"))):
        said = phrase(hole.node, hole.variable)
        if family.is_unusual(hole):
            said = type_phrase(hole.node, hole.variable) or said
        if said is not None:
            # What the message of an error speaks of is what is wrong.
            is_blamed = snake(hole.variable) in blamed and hole.key.startswith("action")
            said = replace(said, weight=_TELLING) if is_blamed else said
            ranked.append((0 if is_blamed else family.phrases[str(said)], -said.weight, index, said))
    if len(family.subjects) > 1 and draft.subject is not None:
        maker = (chain(draft.subject.callee) or ("object",))[-1]
        made_by = Phrase("for" if maker.lstrip("_")[:1].isupper() else "from", snake(maker), 2)
        ranked.append((family.subjects[text_of(draft.subject.callee)], -2, -1, made_by))
    own = {hole.variable for hole in draft.inputs}
    for variable in family.given:
        if variable not in own and variable in draft.written.parameters:
            left_out = family.size - family.given[variable]
            said = Phrase("with", f"default_{snake(variable)}", 1)
            if draft.error is not None:  # it may have no default, and that may be the error
                said = Phrase("without", snake(variable), 1)
            ranked.append((left_out, -1, len(own), said))
    return [said for *_, said in sorted(ranked, key=lambda each: each[:3])]


def condition_of(draft: CaseDraft) -> str:
    """The branch condition that the case is about, in words; the label of what it proves tells whether it held."""
    label = next((each for each in draft.written.proves if each.endswith((" true", " false"))), "")
    known = frozenset(draft.written.parameters)
    return condition_words(draft.written.condition, holds=not label.endswith("false"), known=known)


def _single_names(draft: CaseDraft, family: _Family) -> Iterator[str]:
    outcome, condition, exact = outcome_words(draft), condition_of(draft), exact_words(draft)
    brief, phrases = brief_words(draft), _standing_out(draft, family)
    openings = [said for hole in draft.inputs if (said := opening_phrase(hole.node, hole.variable))]
    statements = list(dict.fromkeys(filter(None, (exact, outcome))))
    if condition:
        yield from (f"{statement}_when_{condition}" for statement in statements)
    if family.outcomes[outcome] == 1:
        phrases = [said for said in phrases if said.weight >= _TELLING or (is_vague(outcome) and not exact)]
        if not phrases and (exact or not is_vague(outcome)):
            yield statements[0]
    if is_vague(outcome) and not exact:
        phrases += openings
    for statement in statements:
        yield from _with_phrases(statement, phrases)
    if condition:
        yield from (f"{outcome}_when_{condition}_and_{said.words}" for said in phrases)
    yield from statements
    yield from (f"{outcome}_{said.link}_{said.short}" for said in phrases if said.short)
    if brief and brief != outcome:
        yield from _with_phrases(brief, phrases)
        yield brief
    yield from (f"{outcome}_saying_{words}" for words in filter(None, [_message_words(draft)]))
    yield from (f"{outcome}_{said}" for said in openings)


def _message_words(draft: CaseDraft) -> str:
    """How the message of an error begins."""
    words = re.findall(r"[a-z]+", _message_of(draft).lower())[:_WORDS_OF_A_MESSAGE]
    return "_".join(words)


def _message_of(draft: CaseDraft) -> str:
    return next((each.expected for each in draft.written.checks if each.relation in MESSAGES), "")


def _with_phrases(outcome: str, phrases: list[Phrase]) -> Iterator[str]:
    for said in phrases:
        yield f"{outcome}_{said}"
    for index, said in enumerate(phrases):
        for other in phrases[index + 1 :]:
            yield f"{outcome}_{said}_and_{other.words}"


def _table_names(plan: FunctionPlan, family: _Family) -> Iterator[str]:
    variables = _varying_names(plan)
    inputs = joined(variables, most=_MOST_INPUTS, instead=ARGUMENTS)
    behaviour = _table_behaviour(plan, inputs)
    shared = [f"{behaviour}_{said}" for said in _shared_phrases(plan, family)]
    # Where another table varies the same inputs, what is fixed in this one tells them apart.
    yield from shared if family.tables[inputs] > 1 else ()
    yield behaviour
    yield from shared
    if plan.first.error is None and inputs:
        yield f"{kind_words(plan.drafts)}_by_{inputs}"
    for few in (ARGUMENTS, *variables):
        yield _table_behaviour(plan, few)
        yield from (f"{_table_behaviour(plan, few)}_{said}" for said in _shared_phrases(plan, family))
        if plan.first.error is None:
            yield f"{kind_words(plan.drafts)}_by_{few}"
    if plan.first.error is not None:
        yield outcome_words(plan.first)
    conditions = dict.fromkeys(map(condition_of, plan.drafts))
    yield from (f"{behaviour}_when_{condition}" for condition in conditions if condition)


def _varying_names(plan: FunctionPlan) -> list[str]:
    """What varies among the inputs of a table, by name."""
    names = [
        ARGUMENTS if key in (ARGS, KWARGS) else snake(plan.first.holes[key].variable) for key in plan.varying_inputs
    ]
    return list(dict.fromkeys(names))


def _table_behaviour(plan: FunctionPlan, inputs: str) -> str:
    outcomes = list(dict.fromkeys(outcome_words(draft) for draft in plan.drafts))
    if not inputs:
        return outcomes[0]
    if plan.first.error is not None:
        return outcomes[0] if inputs == ARGUMENTS else f"{outcomes[0]}_for_invalid_{inputs}"
    if not any(key for key in plan.varying if key not in plan.varying_inputs) or (
        len(outcomes) == 1 and outcomes[0].endswith(("_true", "_false", "_none", "_zero"))
    ):
        statement = exact_words(plan.first) or outcomes[0]
        return statement if inputs == ARGUMENTS else f"{statement}_for_each_{inputs}"
    return f"by_{inputs}"


def _shared_phrases(plan: FunctionPlan, family: _Family) -> list[Phrase]:
    """What all rows have in common, and which parameters they give that others leave out."""
    shared = [hole for hole in plan.first.inputs if hole.key not in plan.varying]
    phrases = [
        said
        for hole in shared
        if (said := phrase(hole.node, hole.variable)) and family.given[hole.variable] < family.size
    ]
    given = list(dict.fromkeys(hole.variable for hole in plan.first.inputs))
    rare = [each for each in given if family.given[each] < family.size]
    return phrases + [Phrase("with", f"given_{snake(each)}", 1) for each in rare]
