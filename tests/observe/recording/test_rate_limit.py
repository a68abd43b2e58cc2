"""Up to so many within a second is not too much."""

from testwright.observe.recording.rate_limit import RateLimit


def test_only_what_comes_after_the_limit_of_its_second_is_too_much() -> None:
    flood = RateLimit(2)

    assert [flood.is_too_much(now) for now in (0, 1, 999, 1_000, 1_001, 1_002, 5_000)] == [
        False,
        False,
        True,
        False,
        False,
        True,
        False,
    ]
