"""Moments that are one moment seen from two time zones."""

import pytest

from testwright.classify.rules.time_zones import are_moments, are_zones_apart


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('"2024-03-01T10:00:00Z"', '"2024-03-01T08:00:00Z"'),
        ("2024-03-01T00:30", "2024-02-29T23:00"),
        ("2024-03-01", "2024-02-29T23:00:00.000Z"),
        ('"09:30"', '"2024-03-01T07:30:00.000Z"'),
        ("3/1/2024", "3/2/2024"),
        ("{ due: 'March 1, 2024' }", "{ due: 'March 2, 2024' }"),
        ("1 Mar 2024 10:00", "1 Mar 2024 15:00"),
    ],
)
def test_hours_or_a_day_apart_is_a_matter_of_zones(one: str, other: str) -> None:
    assert are_zones_apart(one, other)
    assert are_zones_apart(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2024-03-01T10:00:00Z", "2024-03-01T10:01:00Z"),
        ("2024-03-01T10:00", "2024-03-09T10:00"),
        ("2024-03-01T10:00", "2024-99-01T10:00"),
        ("1.2.3", "1.2.4"),
        ("3", "4"),
        ("March 1, 2024", "April 1, 2024"),
        ("10:00", "10:01"),
        ("", ""),
    ],
)
def test_other_differences_are_not(one: str, other: str) -> None:
    assert not are_zones_apart(one, other)


def test_a_number_is_not_a_moment() -> None:
    assert are_moments("2024-03-01", "10:30")
    assert not are_moments("2024-03-01", "7")
