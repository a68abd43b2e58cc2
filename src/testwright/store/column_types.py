"""Values that both databases must keep exactly: any text, lists, and moments."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, Dialect, Text
from sqlalchemy.dialects import postgresql
from sqlalchemy.types import TypeDecorator

from testwright.store.text_escapes import escaped_text, unescaped_text

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class AnyText(TypeDecorator[str]):
    """Text of any kind: names and output come from strangers, and nothing they write may be refused or changed."""

    # In PostgreSQL compared by code point, as SQLite does it: the same order on every machine.
    impl = Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002  SQLAlchemy's signature
        return None if value is None else escaped_text(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else unescaped_text(value)


class JsonText(TypeDecorator[list[Any]]):
    """A short list as JSON in ASCII, which carries every string; a JSON column would refuse NUL."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: list[Any] | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else json.dumps(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> list[Any] | None:  # noqa: ARG002
        if value is None:
            return None
        items: list[Any] = json.loads(value)
        return items


class Moment(TypeDecorator[datetime]):
    """A point in time as microseconds since 1970, which both databases keep and order alike."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        if value is None:
            return None
        aware = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
        return (aware - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else _EPOCH + value * _MICROSECOND
