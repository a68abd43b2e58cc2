"""The duration skill: what it reads, and what it refuses."""

from skills.duration.duration import seconds, words


def reads_hours_and_minutes():
    assert seconds("1h 30m") == 5400


def says_nothing_as_zero_seconds():
    assert words(0) == "0s"


def gives_back_what_it_was_given():
    for total in (1, 59, 60, 3661, 90061):
        assert seconds(words(total)) == total


def refuses_what_is_no_duration():
    for text in ("", "soon", "1h soon", "-5m"):
        try:
            seconds(text)
        except ValueError:
            continue
        raise AssertionError(f"{text!r} was taken for a duration")


CHECKS = [
    reads_hours_and_minutes,
    says_nothing_as_zero_seconds,
    gives_back_what_it_was_given,
    refuses_what_is_no_duration,
]


def run_tests():
    errors = []
    for check in CHECKS:
        try:
            check()
        except AssertionError as error:
            errors.append(f"{check.__name__}: {error}")
    return {"passed": len(CHECKS) - len(errors), "failed": len(errors), "errors": errors}
