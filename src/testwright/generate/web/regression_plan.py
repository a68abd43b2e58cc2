"""A plan held against a baseline: no new errors, the server's answers of the same shape, the page built as it was."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from urllib.parse import urlsplit

from testwright.generate.web.code_literals import regex_escaped
from testwright.generate.web.titles_and_slugs import interaction_slug
from testwright.generate.web.web_plan import AnswerShape, CheckKind, PageCheck, WebPlan
from testwright.model import session_baseline as known
from testwright.model.session_baseline import SessionBaseline

MOST_ELEMENTS = 25
MOST_PARTS = 60
_PLAIN_PATH = re.compile(r"\$(?:\.[A-Za-z_$][\w$]*|\[\])*")
_NEEDS_QUOTES = re.compile(r": | #|^[\s'\"]")


def plan_for_regression(plan: WebPlan, baseline: SessionBaseline, pattern: Callable[[str], str]) -> WebPlan:
    """The plan's steps, and what must be as in the baseline. `pattern` makes an expression of an error's message."""
    errors = tuple(dict.fromkeys(pattern(error.message) for page in baseline.pages for error in page.errors))
    return replace(
        plan,
        title=f"{plan.title}: as in {baseline.name}",
        slug=interaction_slug(plan.slice, "regression"),
        watches_errors=True,
        known_errors=errors,
        shapes=tuple(_shapes(plan, baseline)),
        steps=(*plan.steps[:-1], replace(plan.steps[-1], checks=(*plan.steps[-1].checks, *_structure(plan, baseline)))),
    )


def _shapes(plan: WebPlan, baseline: SessionBaseline) -> Iterator[AnswerShape]:
    """Of what these steps ask for, as far as it always looked the same."""
    asked = {(request.method, urlsplit(request.url).path) for request in plan.slice.requests if request.is_api}
    for api in baseline.apis:
        if api.shape is None or len(api.statuses) != 1 or not any(_is_of(api, *one) for one in asked):
            continue
        parts = [
            f"{field.path}: {field.types[0]}"
            for field in api.shape.fields
            if not field.optional and len(field.types) == 1 and _PLAIN_PATH.fullmatch(field.path)
        ]
        yield AnswerShape(api.method, re.sub(r"\{\w+\}", "*", api.path), api.statuses[0], tuple(parts[:MOST_PARTS]))


def _is_of(api: known.ApiShape, method: str, path: str) -> bool:
    return api.method == method and _same_path(api.path, path)


def _structure(plan: WebPlan, baseline: SessionBaseline) -> Iterator[PageCheck]:
    """The landmarks, headings and controls of the page on which the steps end."""
    last = next((one.url for one in reversed(plan.slice.navigations) if one.tab == plan.steps[-1].tab), "")
    path = urlsplit(last or plan.slice.start_url).path or "/"
    page = next((one for one in baseline.pages if _same_path(one.path, path)), None)
    if page is None or not page.elements:
        return
    named = list(dict.fromkeys(_line(one) for one in page.elements if one.name))[:MOST_ELEMENTS]
    if named:
        yield PageCheck(CheckKind.ARIA, value="\n".join(named), tab=plan.steps[-1].tab)


def _same_path(kept: str, path: str) -> bool:
    parts, others = kept.split("/"), path.split("/")
    return len(parts) == len(others) and all(
        part == other or part.startswith("{") for part, other in zip(parts, others, strict=True)
    )


def _line(element: known.ElementShape) -> str:
    """One element as an ARIA snapshot has it. Numbers stand as # in a baseline: any will do."""
    if "#" in element.name:
        name = "/" + regex_escaped(element.name, with_slash=True).replace("#", r"[\d.,:]+") + "/"
    else:
        name = json.dumps(element.name, ensure_ascii=False)
    line = f"{element.role} {name}"
    return "- '" + line.replace("'", "''") + "'" if _NEEDS_QUOTES.search(line) else f"- {line}"
