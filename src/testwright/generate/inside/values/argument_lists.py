"""Argument lists from the candidates of each parameter: one at a time, all together, then in chosen mixtures."""

import random
from collections.abc import Iterator, Mapping, Sequence

from testwright.generate.inside.generated_case import Argument
from testwright.generate.inside.units import POSITIONAL, Parameter

ROUNDS_BEFORE_MIXING = 4
MOST_MIXTURES = 4000

Choice = dict[str, str]  # an expression for each parameter that is given; the others are left to their defaults


def assembled(parameters: Sequence[Parameter], choice: Mapping[str, str]) -> tuple[Argument, ...]:
    """The arguments of the call: required ones by position, optional ones by name where they have one."""
    arguments: list[Argument] = []
    rest = next((each.name for each in parameters if each.kind == "VAR_POSITIONAL"), None)
    by_position = True
    for each in parameters:
        if each.kind in POSITIONAL:
            if each.name not in choice:
                by_position = False  # from here on, arguments need names
            elif by_position and (not each.has_default or each.kind == "POSITIONAL_ONLY" or rest in choice):
                arguments.append(Argument(None, choice[each.name]))
            elif each.kind == "POSITIONAL_OR_KEYWORD":
                by_position = False
                arguments.append(Argument(each.name, choice[each.name]))
        elif each.kind == "VAR_POSITIONAL" and each.name in choice:
            if by_position:
                arguments.append(Argument("*", choice[each.name]))
        elif each.kind == "KEYWORD_ONLY" and each.name in choice:
            arguments.append(Argument(each.name, choice[each.name]))
        elif each.kind == "VAR_KEYWORD" and each.name in choice:
            arguments.append(Argument("**", choice[each.name]))
    # Python wants positional arguments and `*` in front.
    return tuple(sorted(arguments, key=lambda each: each.name not in (None, "*")))


def is_required(parameter: Parameter) -> bool:
    return not parameter.has_default and parameter.kind not in ("VAR_POSITIONAL", "VAR_KEYWORD")


def choices(parameters: Sequence[Parameter], ranked: Mapping[str, Sequence[str]], seed: str) -> Iterator[Choice]:
    """What to pass, most promising first, each choice once."""
    if not parameters:
        yield {}
        return
    seen: set[tuple[tuple[str, str], ...]] = set()
    for choice in _merged(_by_rounds(parameters, ranked), _mixtures(parameters, ranked, random.Random(seed))):
        key = tuple(choice.items())
        if key not in seen:
            seen.add(key)
            yield choice


def _base(parameters: Sequence[Parameter], ranked: Mapping[str, Sequence[str]], place: int = 0) -> Choice:
    required = [each for each in parameters if is_required(each)]
    return {each.name: ranked[each.name][place % len(ranked[each.name])] for each in required if ranked[each.name]}


def _by_rounds(parameters: Sequence[Parameter], ranked: Mapping[str, Sequence[str]]) -> Iterator[tuple[int, Choice]]:
    base = _base(parameters, ranked)
    yield 0, base
    given = {each.name: ranked[each.name][0] for each in parameters if ranked[each.name]}
    for round_number in range(max(len(each) for each in ranked.values())):
        for each in parameters:
            place = round_number + 1 if is_required(each) else round_number
            if place < len(ranked[each.name]):
                yield round_number, _ordered(parameters, {**base, each.name: ranked[each.name][place]})
        if len(base) > 1:
            # The same place for all: parameters of one type get equal values.
            yield round_number, _base(parameters, ranked, round_number + 1)
        if round_number == 1 and len(given) > len(base) + 1:
            yield round_number, given


def _ordered(parameters: Sequence[Parameter], choice: Choice) -> Choice:
    return {each.name: choice[each.name] for each in parameters if each.name in choice}


def _mixtures(
    parameters: Sequence[Parameter], ranked: Mapping[str, Sequence[str]], rng: random.Random
) -> Iterator[Choice]:
    """Mixtures of values, the front of each list more often than its end."""
    if len(parameters) < 2:
        return
    for _ in range(MOST_MIXTURES):
        choice: Choice = {}
        for each in parameters:
            values = ranked[each.name]
            if values and (is_required(each) or rng.random() < 0.5):
                choice[each.name] = values[int(len(values) * rng.random() ** 2.5)]
        yield choice


def _merged(rounds: Iterator[tuple[int, Choice]], mixtures: Iterator[Choice]) -> Iterator[Choice]:
    for number, choice in rounds:
        yield choice
        if number >= ROUNDS_BEFORE_MIXING:
            mixture = next(mixtures, None)
            if mixture is not None:
                yield mixture
    yield from mixtures
