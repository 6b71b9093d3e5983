"""Several writes of one key, folded one after the other."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from weavenb.channels.base import MISSING, Channel, Growth, subscriber_names
from weavenb.channels.growing import apart, list_growth
from weavenb.channels.naming import name_of, parameters_fit, value_text
from weavenb.serde.isolate import isolate

__all__ = ["Reducer"]

Fold = Callable[[Any, Any], Any]

# Their results are new objects: what they are given stays as it was.
_PURE: Final[tuple[Any, ...]] = (
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow),
    *(operator.or_, operator.and_, operator.xor, operator.concat, max, min),
)


class Reducer(Channel):
    """Folds `fn(current, write)` over the writes of a step.

    Without `initial` the first write to an empty key becomes its value directly. ``"list"`` starts empty and is
    extended by each write, ``"map"`` starts empty and takes in the entries of each write.
    """

    def __init__(
        self, fn: Fold | Literal["list", "map"], initial: Any = MISSING, subscribers: Iterable[str] = ()
    ) -> None:
        if not callable(fn) and fn not in ("list", "map"):
            message = f'a reducer is a function of two arguments, "list" or "map", not {value_text(fn)}'
            raise ValueError(message)
        if callable(fn) and not parameters_fit(fn, 2):
            message = f"the reducer {name_of(fn)} must be a plain function of (current, write)"
            raise ValueError(message)
        self._kind = fn if isinstance(fn, str) else "function"
        self._fn: Any = fn
        self._name = fn if isinstance(fn, str) else name_of(fn)
        self._pure = any(fn is known for known in _PURE)
        first = {"list": list, "map": dict}.get(self._kind)
        self._initial = first() if first is not None and initial is MISSING else initial
        self.subscribers = subscriber_names(subscribers)

    def __repr__(self) -> str:
        return f"Reducer({self._name})"

    def initial(self) -> Any:
        return MISSING if self._initial is MISSING else isolate(self._initial)

    def fold(self, old: Any, writes: Sequence[Any]) -> Any:
        if self._kind == "list":
            return _extended([] if old is MISSING else old, writes)
        if self._kind == "map":
            return _merged({} if old is MISSING else old, writes)
        if old is MISSING:
            old = self.initial()
        if old is MISSING:
            if len(writes) == 1:
                return writes[0]
            old, writes = writes[0], writes[1:]
        # One pass, where folding would copy what there is once for each write.
        if self._fn is operator.add and _all_are(list, old, writes):
            return _extended(old, writes)
        if self._fn is operator.or_ and _all_are(dict, old, writes):
            return _merged(old, writes)
        return self._reduced(old, writes) if self._pure else apart(self._reduced, old, writes)

    def _reduced(self, old: Any, writes: Sequence[Any]) -> Any:
        try:
            return functools.reduce(self._fn, writes, old)
        except Exception as error:
            message = f"its reducer {self._name} raised {type(error).__name__}: {error}"
            raise ValueError(message) from error

    def growth(self, old: Any, writes: Sequence[Any], new: Any) -> Growth:
        if self._kind == "map" or (self._fn is operator.or_ and type(old) is dict):
            if type(old) is not dict or type(new) is not dict:
                return ("set", new)
            if len(writes) == 1 and type(writes[0]) is dict:
                return ("merge", writes[0])
            return ("merge", _merged({}, writes))
        if self._kind == "list" or self._fn is operator.add:
            if type(old) is not list or type(new) is not list:
                return ("set", new)
            if len(writes) == 1 and type(writes[0]) is list:
                return ("append", writes[0])
            return ("append", new[len(old) :])
        return list_growth(old, new)

    def describe(self) -> Mapping[str, Any]:
        told = {**super().describe(), "reducer": self._name}
        if self._initial is not MISSING:
            told["initial"] = value_text(self._initial)
        return told


def _all_are(kind: type, old: Any, writes: Sequence[Any]) -> bool:
    return type(old) is kind and all(type(write) is kind for write in writes)


def _extended(old: Any, writes: Sequence[Any]) -> list[Any]:
    new = [*_items(old, "value")]
    for write in writes:
        new += _items(write, "write")
    return new


def _items(value: Any, what: str) -> Iterable[Any]:
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        message = f"a list takes a list of new items, and the {what} is {type(value).__name__} {value_text(value)}"
        raise ValueError(message)  # noqa: TRY004 - channels refuse with ValueError, whatever is wrong
    return value


def _merged(old: Any, writes: Sequence[Any]) -> dict[Any, Any]:
    new: dict[Any, Any] = {}
    for what, part in [("value", old), *[("write", write) for write in writes]]:
        if not isinstance(part, Mapping):
            message = (
                f"a map takes a mapping of new entries, and the {what} is {type(part).__name__} {value_text(part)}"
            )
            raise ValueError(message)  # noqa: TRY004 - as above
        new.update(part)
    return new
