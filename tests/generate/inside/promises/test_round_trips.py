"""A function that is said to undo another one does."""

from collections.abc import Callable

from testwright.generate.inside.promises.breach_finder import FoundBreaches

LookAt = Callable[[str], FoundBreaches]


_PAIR = '''
def escape(text: str) -> str:
    """Escape it."""
    return text.replace("%", "%25").replace("/", "%2F")


def unescape(text: str) -> str:
    """{said}"""
    return text.replace("%25", "%").replace("%2F", "/"){loses}
'''


def test_a_round_trip_that_loses_something_is_broken(look_at: LookAt) -> None:
    (breach,) = look_at(_PAIR.format(said="The inverse of escape.", loses='.replace(" ", "")')).breaches

    assert breach.unit == "unescape"
    assert breach.symptom == "does_not_undo_escape"
    assert breach.promise == "The inverse of escape."
    assert breach.related == ("escape",)
    assert "escape" in breach.case.action.arguments[0].value


def test_a_pair_without_a_stated_tie_promises_nothing(look_at: LookAt) -> None:
    assert look_at(_PAIR.format(said="Read it.", loses='.replace(" ", "")')).breaches == []


def test_a_pair_of_which_hardly_anything_comes_back_is_not_meant_so(look_at: LookAt) -> None:
    source = '''
    def encode(text: str) -> int:
        """How long it is."""
        return len(text)


    def decode(length: int) -> str:
        """The reverse of encode, as far as that goes."""
        return "x" * length
    '''
    assert look_at(source).breaches == []
