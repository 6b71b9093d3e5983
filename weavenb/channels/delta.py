"""A value that a function builds from all writes of a step at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from weavenb.channels.base import MISSING, Channel, Growth, subscriber_names
from weavenb.channels.growing import apart, list_growth
from weavenb.channels.naming import name_of, parameters_fit, value_text
from weavenb.serde.isolate import isolate

__all__ = ["DeltaChannel"]


class DeltaChannel(Channel):
    """Calls `fn(value, writes)` once a step, for histories that grow.

    `prepare` is given each write before it is saved, and may be given it again: preparing a prepared write must
    change nothing.
    """

    def __init__(
        self,
        fn: Callable[[Any, list[Any]], Any] | Any,
        initial: Any = MISSING,
        prepare: Callable[[Any], Any] | None = None,
        subscribers: Iterable[str] = (),
    ) -> None:
        if not callable(fn):
            message = f"a delta channel takes a function of the value and the step's writes, not {value_text(fn)}"
            raise ValueError(message)  # noqa: TRY004 - channels refuse with ValueError, whatever is wrong
        if not parameters_fit(fn, 2):
            message = f"the function {name_of(fn)} of a delta channel must be a plain function of (value, writes)"
            raise ValueError(message)
        self._fn = fn
        self._initial = initial
        self._prepare = prepare
        self.subscribers = subscriber_names(subscribers)

    def __repr__(self) -> str:
        return f"DeltaChannel({name_of(self._fn)})"

    def initial(self) -> Any:
        return MISSING if self._initial is MISSING else isolate(self._initial)

    def prepare(self, write: Any) -> Any:
        if self._prepare is None:
            return write
        try:
            return self._prepare(isolate(write))
        except Exception as error:
            message = f"its prepare function {name_of(self._prepare)} raised {type(error).__name__}: {error}"
            raise ValueError(message) from error

    def fold(self, old: Any, writes: Sequence[Any]) -> Any:
        """As every channel; an empty key without `initial` gives `fn` None to start from."""
        if old is MISSING:
            old = self.initial()
        if old is MISSING:
            old = None
        return apart(self._called, old, [self.prepare(write) for write in writes])

    def _called(self, old: Any, writes: Sequence[Any]) -> Any:
        try:
            return self._fn(old, list(writes))
        except Exception as error:
            message = f"its function {name_of(self._fn)} raised {type(error).__name__}: {error}"
            raise ValueError(message) from error

    def growth(self, old: Any, writes: Sequence[Any], new: Any) -> Growth:
        del writes
        return list_growth(old, new)

    def describe(self) -> Mapping[str, Any]:
        told = {**super().describe(), "reducer": name_of(self._fn)}
        if self._initial is not MISSING:
            told["initial"] = value_text(self._initial)
        if self._prepare is not None:
            told["prepare"] = name_of(self._prepare)
        return told
