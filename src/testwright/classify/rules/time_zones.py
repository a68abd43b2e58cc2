"""Two values that are moments, and apart as time zones are: by hours, or by a day."""

import re
from datetime import datetime, timedelta

_MOST_ZONES_APART = timedelta(hours=26)
_ZONES_STEP = timedelta(minutes=15)
_ISO = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)")
_ISO_DATE = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_DATE = re.compile(
    r"(?<!\d)\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)|(?<!\d)\d{1,2}[-/.]\d{1,2}[-/.]\d{4}(?!\d)"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d",
    re.IGNORECASE,
)
_TIME = re.compile(r"(?<!\d)\d{1,2}:\d\d(?!\d)")
_NUMBER = re.compile(r"\d{1,9}")
_MOST_HOURS, _MOST_DAY = 14, 31


def are_moments(one: str, other: str) -> bool:
    return all(_DATE.search(value) or _TIME.search(value) for value in (one[:200], other[:200]))


def are_zones_apart(one: str, other: str) -> bool:
    """Whether both are the same moment, seen from two time zones."""
    one, other = one[:200], other[:200]
    first, second = _ISO.search(one), _ISO.search(other)
    if first and second:
        return _moments_are_apart(f"{first[1]} {first[2]}", f"{second[1]} {second[2]}")
    dates = _ISO_DATE.findall(one)[:1] + _ISO_DATE.findall(other)[:1]
    if len(dates) == 2 and (first or second):
        return _moments_are_apart(*dates)
    if not are_moments(one, other):
        return False
    if _DATE.search(one) and _DATE.search(other):
        return _is_a_day_or_hours_off(one, other)
    # One shows a time alone: the minutes agree, the hours do not.
    times = [found[0] for value in (one, other) if (found := _TIME.search(value))]
    return len(times) == 2 and times[0][-2:] == times[1][-2:] and times[0] != times[1]


def _moments_are_apart(one: str, other: str) -> bool:
    try:
        apart = abs(datetime.fromisoformat(one) - datetime.fromisoformat(other))
    except ValueError:
        return False
    return timedelta(0) < apart <= _MOST_ZONES_APART and apart % _ZONES_STEP == timedelta(0)


def _is_a_day_or_hours_off(one: str, other: str) -> bool:
    """The same words around the numbers, and one number off: the day by one, or the hour."""
    if _NUMBER.sub("", one) != _NUMBER.sub("", other):
        return False
    pairs = [(first, second) for first, second in zip(_NUMBER.finditer(one), _NUMBER.finditer(other), strict=False)]
    off = [(first, abs(int(first[0]) - int(second[0]))) for first, second in pairs if int(first[0]) != int(second[0])]
    if len(off) != 1:
        return False
    number, by = off[0]
    is_hour = one[number.end() : number.end() + 1] == ":" and one[number.start() - 1 : number.start()] != ":"
    return by <= _MOST_HOURS if is_hour else by == 1 and int(number[0]) <= _MOST_DAY
