"""When an edge is taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from weavenb.channels.naming import name_of, value_text
from weavenb.errors import InvalidGraph

__all__ = ["Guard", "make_guard"]

_ABSENT: Final = object()


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition on the state: values that keys must have, or a function."""

    label: str
    """Short, for drawings: ``category = billing``."""
    equals: Mapping[str, Any] | None = None
    """A key that was never written equals nothing."""
    test: Callable[[Mapping[str, Any]], Any] | None = field(default=None, repr=False)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys it is known to read."""
        return tuple(self.equals or ())

    def __call__(self, state: Mapping[str, Any]) -> bool:
        if self.test is not None:
            return bool(self.test(state))
        return all(bool(state.get(key, _ABSENT) == value) for key, value in (self.equals or {}).items())


def make_guard(when: Any, where: str) -> Guard:
    """A guard from what `when=` was given.

    Raises:
        InvalidGraph: if it is neither a mapping nor a function.
    """
    if isinstance(when, Guard):
        return when
    if isinstance(when, Mapping):
        if not when:
            raise InvalidGraph(f"The guard of {where} is empty: leave when= out for an edge that is always taken.")
        wrong = [key for key in when if not isinstance(key, str)]
        if wrong:
            raise InvalidGraph(f"The guard of {where} has the key {value_text(wrong[0])}: keys of the state are texts.")
        return Guard(", ".join([f"{key} = {_value(value)}" for key, value in when.items()]), equals=dict(when))
    if callable(when):
        return Guard(name_of(when), test=when)
    raise InvalidGraph(
        f"The guard of {where} is {value_text(when)}: give when= a mapping of keys to values, or a function."
    )


def _value(value: Any) -> str:
    return value if isinstance(value, str) and value else value_text(value)
