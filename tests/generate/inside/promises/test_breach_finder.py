"""The whole look for broken promises: it always ends, and finds the same each time."""

import json
import pickle
from collections.abc import Callable

from testwright.generate.inside.promises.breach_finder import FoundBreaches

LookAt = Callable[[str], FoundBreaches]

_SEVERAL = '''
def helper(n: int) -> int:
    """One more.

    >>> helper(1)
    3
    """
    return n + 1


def user(n: int) -> int:
    return helper(n) * 2


def _hidden(n: int) -> str:
    return None
'''


def test_a_breach_is_plain_data(look_at: LookAt) -> None:
    breaches = look_at(_SEVERAL).breaches

    assert pickle.loads(pickle.dumps(breaches)) == breaches
    assert [json.loads(json.dumps(each.to_json()))["unit"] for each in breaches] == ["helper", "_hidden"]


def test_a_breach_says_who_else_is_touched(look_at: LookAt) -> None:
    public, private = look_at(_SEVERAL).breaches

    assert public.related == ("user",)
    assert "user" in public.risk
    assert private.risk.startswith("Private")
    assert public.suggestion != private.suggestion


def test_hostile_code_ends_its_own_look_only(look_at: LookAt) -> None:
    source = '''
    import sys


    class Odd:
        """Odd."""

        def __eq__(self, other):
            raise RuntimeError("no")

        def __hash__(self):
            raise RuntimeError("no")

        def __repr__(self):
            raise RuntimeError("no")


    def leaves(n: int) -> str:
        """Raises ValueError if n is negative."""
        sys.exit(n)


    def odd(n: int) -> Odd:
        """Returns None if n is zero."""
        return Odd()


    def forever(n: int) -> int:
        """Never negative.

        >>> forever(1)
        2
        """
        while True:
            n += 1


    def wrong(n: int) -> int:
        """
        >>> wrong(1)
        5
        """
        return n
    '''
    units = [each.unit for each in look_at(source).breaches]

    assert "wrong" in units
    assert "forever" not in units
