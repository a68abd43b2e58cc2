"""What a database complains of is told in plain words, and without secrets."""

import pytest

from testwright.model.errors import DiskFull, StoreLocked, StoreUnavailable, TestwrightError
from testwright.store.database_errors import explained


class ServerError(Exception):
    """As a PostgreSQL driver raises it."""

    def __init__(self, message: str, sqlstate: str | None = None) -> None:
        super().__init__(message)
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("55P03", StoreLocked),
        ("40P01", StoreLocked),
        ("53100", DiskFull),
        ("42501", StoreUnavailable),
        (None, StoreUnavailable),
    ],
)
def test_each_complaint_of_a_server_becomes_the_error_that_says_what_to_do(
    state: str | None, expected: type[TestwrightError]
) -> None:
    error = explained(ServerError("it went wrong", state), "postgresql://host/shop")

    assert type(error) is expected
    assert "postgresql://host/shop" in error.message
    assert error.next_step


def test_a_password_that_the_server_repeats_is_not_shown() -> None:
    error = explained(ServerError("bad option 's3cret-word'\nmore s3cret-word"), "host", secret="s3cret-word")

    assert error.message == "The store host cannot be used: bad option '***'."


def test_a_write_of_unknown_fate_is_told_as_such() -> None:
    assert "not known whether" in explained(ServerError("gone"), "host", unsure=True).message
    assert "not known whether" not in explained(ServerError("gone"), "host").message
