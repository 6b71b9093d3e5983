"""Ids and time. Both come from one place, so that a test can hold them still."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

import uuid_utils

__all__ = ["IdsAndTime", "from_micros", "micros_now", "new_id", "using"]


class IdsAndTime(Protocol):
    """Where new ids and the present moment come from."""

    def new_id(self) -> str:
        """An id never given before."""
        ...

    def micros(self) -> int:
        """Microseconds since 1970 in UTC."""
        ...


class _System:
    def new_id(self) -> str:
        return str(uuid_utils.uuid7())

    def micros(self) -> int:
        return time.time_ns() // 1000


_source: IdsAndTime = _System()
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def new_id() -> str:
    """A UUIDv7, or what the source in use gives."""
    return _source.new_id()


def micros_now() -> int:
    """The present moment in microseconds since 1970, UTC."""
    return _source.micros()


def from_micros(micros: int) -> datetime:
    """The aware datetime of a moment in microseconds, exact."""
    return _EPOCH + timedelta(microseconds=micros)


@contextmanager
def using(source: IdsAndTime) -> Iterator[None]:
    """Take ids and time from `source` within the block, in every thread of the process."""
    global _source  # noqa: PLW0603  one clock a process is the point
    before = _source
    _source = source
    try:
        yield
    finally:
        _source = before
