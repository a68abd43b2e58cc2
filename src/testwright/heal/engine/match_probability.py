"""From evidence to a probability that the best candidate is the lost element.

A logistic model whose weights were set by hand from published survival rates, then pulled a little towards the data,
with sites left out in turn to see how it does on pages it does not know (`bench/healing_gate.py` does both again). Few
parameters and strong priors: a few hundred pairs are too few to learn more from, and models that did better on their
own data did worse on other sites.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType

# What each weight is pulled towards (what we believe before any data), and the weight.
_PRIORS_AND_WEIGHTS = {
    "own text alone": (2.0, 0.94),
    "same text": (1.0, 0.55),
    "caption alone": (2.5, 2.5),
    "address alone": (2.0, 1.73),
    "path alone": (1.0, 0.89),
    "given name alone": (2.0, 2.2),
    "classes alone": (1.0, 0.83),
    "same classes": (0.5, 0.04),
    "size alone": (0.7, 0.67),
    "same size": (0.5, 0.08),
    "neighbours": (1.5, 1.1),
    "location": (1.0, 1.13),
    "same landmarks": (0.5, 0.51),
    "elsewhere": (-2.5, -3.17),
    "tree says same": (1.5, 1.04),
    "tree is certain": (1.0, 1.01),
    "tree says other": (-3.0, -3.15),
    "tree says new": (-1.5, -1.61),
    "text changed": (-1.5, -1.07),
    "text contradicts": (-1.5, -1.33),
    "address contradicts": (-1.0, -1.29),
    "caption contradicts": (-2.5, -2.5),
    "kind contradicts": (-2.0, -1.79),
    "classes contradict": (-0.5, -0.12),
    "lead": (2.0, 1.45),
    "score": (4.0, 3.81),
}
PRIOR: Mapping[str, float] = MappingProxyType({name: prior for name, (prior, _) in _PRIORS_AND_WEIGHTS.items()})
WEIGHTS: Mapping[str, float] = MappingProxyType({name: weight for name, (_, weight) in _PRIORS_AND_WEIGHTS.items()})
BIAS = -3.66


def probability(numbers: Mapping[str, float], weights: Mapping[str, float] = WEIGHTS, bias: float = BIAS) -> float:
    total = bias + sum(weights[name] * value for name, value in numbers.items())
    return 1 / (1 + math.exp(-total))
