"""A clock that moves by itself and ids that count, so that two runs of a test see the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from threading import Lock

from weavenb.model.ids import using

__all__ = ["Fixed", "fixed"]

_START = 1_767_225_600_000_000  # 2026-01-01T00:00:00Z


class Fixed:
    """Ids and moments in a fixed order. `moment` may be set; each reading moves it on by `tick`."""

    def __init__(self, start: int = _START, tick: int = 1_000) -> None:
        self.moment = start
        """Microseconds since 1970, UTC."""
        self.tick = tick
        self._numbers = count(1)
        self._lock = Lock()

    def new_id(self) -> str:
        """A valid UUIDv7 whose last digits count from 1."""
        with self._lock:
            return f"019b7000-0000-7000-8000-{next(self._numbers):012x}"

    def micros(self) -> int:
        """The present moment, which then moves on."""
        with self._lock:
            now = self.moment
            self.moment += self.tick
            return now


@contextmanager
def fixed(start: int = _START, tick: int = 1_000) -> Iterator[Fixed]:
    """Within the block, new ids count and the clock moves by `tick` microseconds a reading."""
    source = Fixed(start, tick)
    with using(source):
        yield source
