"""How often a campaign repeats its story: a few times in `make test`, in full in `make soak`."""

import os

import pytest

SOAKING = os.environ.get("TESTWRIGHT_SOAK", "0") != "0"

campaign = pytest.mark.campaign


def repetitions(*, full: int, usual: int) -> int:
    """`usual` is enough to meet every kind of event; `full` is what a promise about all of them rests on."""
    return full if SOAKING else usual
