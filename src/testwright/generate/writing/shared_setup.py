"""What several tests of a file share: objects that are long to build, and classes made on the spot."""

import ast
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from keyword import iskeyword

from testwright.generate.inside.generated_case import TMP_PATH
from testwright.generate.writing.case_groups import FunctionPlan
from testwright.generate.writing.draft import CaseDraft
from testwright.generate.writing.expression_trees import chain, literal_of, text_of, uses
from testwright.generate.writing.import_book import ImportBook
from testwright.generate.writing.variables import Variables

_FEWEST_USES = 3
_LONG = 72  # from so many characters on, an expression takes more than a line


def fixtures_of(plans: Iterable[object]) -> dict[str, str]:
    """Names of fixtures for the objects that several tests build in the same, long way; by `subject_text`."""
    subjects: Counter[str] = Counter()
    words: dict[str, str] = {}
    for plan in plans:
        if isinstance(plan, FunctionPlan) and can_be_a_fixture(plan):
            text = subject_text(plan.first)
            subjects[text] += 1
            words.setdefault(text, plan.first.subject_words)
    variables = Variables()
    shared = [text for text, count in subjects.items() if count >= _FEWEST_USES and len(text) > _LONG]
    return {text: variables.take(words[text]) for text in shared}


def subject_text(draft: CaseDraft) -> str:
    """How the subject is built; empty when there is none."""
    if draft.subject is None:
        return ""
    values = [f"{slot.prefix}{draft.holes[slot.key].text}" for slot in draft.subject.slots]
    return f"{text_of(draft.subject.callee)}({', '.join(values)})"


def can_be_a_fixture(plan: FunctionPlan) -> bool:
    """Whether the object of the test is built from nothing but what stands in the file."""
    draft = plan.first
    if draft.subject is None or draft.setup or any(key.startswith("subject") for key in plan.varying):
        return False
    return not any(uses(draft.holes[slot.key].node, TMP_PATH) for slot in draft.subject.slots)


@dataclass(frozen=True)
class MadeClass:
    """A class that expressions make by calling `type`, and how it is written as a class."""

    name: str
    expression: str
    definition: str


def made_classes(drafts: Iterable[CaseDraft], book: ImportBook, taken: Collection[str]) -> list[MadeClass]:
    """The classes that the drafts make on the spot, one for each name."""
    found: dict[str, MadeClass] = {}
    for draft in drafts:
        callees = [planned.callee for planned in (draft.subject, draft.action) if planned is not None]
        expressions = [*callees, *(hole.node for hole in draft.holes.values())]
        for node in (node for expression in expressions for node in ast.walk(expression)):
            made = _made_class(node, draft, book) if isinstance(node, ast.Call) else None
            if made is not None and made.name not in taken:
                found.setdefault(made.name, made)
    return list(found.values())


def _made_class(node: ast.Call, draft: CaseDraft, book: ImportBook) -> MadeClass | None:
    """`type("Concrete", (Base,), {"area": lambda self: 1})` as a class with a method; None where it is none."""
    if chain(node.func) != ("type",) or len(node.args) != 3 or node.keywords:
        return None
    name, bases, members = literal_of(node.args[0]), node.args[1], node.args[2]
    if not (isinstance(name, str) and isinstance(bases, ast.Tuple) and isinstance(members, ast.Dict)):
        return None
    if not name.isidentifier() or iskeyword(name) or name.startswith("Test"):  # pytest would collect it
        return None
    bases = book.rewritten(bases, draft.written.imports)
    members = book.rewritten(members, draft.written.imports)
    body: list[str] = []
    for key, value in zip(members.keys, members.values, strict=True):
        member = literal_of(key) if key is not None else None
        if not (isinstance(member, str) and member.isidentifier() and not iskeyword(member)):
            return None
        body.append(_member(member, value))
    opening = f"class {name}({', '.join(map(text_of, bases.elts))}):"
    return MadeClass(name, text_of(node), "\n".join([opening, "\n\n".join(body) or "    pass"]))


def _member(name: str, value: ast.expr) -> str:
    if isinstance(value, ast.Lambda):
        return f"    def {name}({text_of(value.args)}):\n        return {text_of(value.body)}"
    return f"    {name} = {text_of(value)}"
