"""What a channel is: a stateless fold. The value lives in the checkpoint, never here."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, Self

__all__ = ["MISSING", "Channel", "Growth", "Missing", "subscriber_names"]


class Missing:
    """The value of a key that was never written."""

    _one: ClassVar[Any] = None

    def __new__(cls) -> Self:
        """Always the same object, also after pickling."""
        if Missing._one is None:
            Missing._one = super().__new__(cls)
        one: Self = Missing._one
        return one

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING: Final = Missing()

Growth = tuple[str, Any]
"""``("set", whole value)``, ``("append", list of new items)`` or ``("merge", mapping of new entries)``."""


class Channel(ABC):
    """Folds the writes of one step into the next value of one key."""

    subscribers: tuple[str, ...] = ()
    """Nodes to schedule when the key is written."""

    def __repr__(self) -> str:
        """Byte-stable: no address."""
        told = f"subscribers={list(self.subscribers)!r}" if self.subscribers else ""
        return f"{type(self).__name__}({told})"

    @abstractmethod
    def fold(self, old: Any, writes: Sequence[Any]) -> Any:
        """The value after a step with `writes` (at least one), in the order they apply. Never mutates `old`.

        `old` is `MISSING` before the first write.

        Raises:
            ValueError: if the writes do not fit; its text says why.
        """

    def initial(self) -> Any:
        """The value at the start of a thread, or `MISSING`."""
        return MISSING

    @property
    def takes_many(self) -> bool:
        """Whether several nodes may write the key in one step."""
        return True

    def prepare(self, write: Any) -> Any:
        """The write as it is to be saved. Preparing a prepared write changes nothing."""
        return write

    @property
    def prepares(self) -> bool:
        """Whether `prepare` does anything."""
        return type(self).prepare is not Channel.prepare

    def growth(self, old: Any, writes: Sequence[Any], new: Any) -> Growth:
        """How `new` differs from `old`, for storage: what was added where that says it all, else the whole."""
        del old, writes
        return ("set", new)

    def describe(self) -> Mapping[str, Any]:
        """Name and settings, JSON-safe and stable between processes, for the definition's manifest."""
        return {"channel": type(self).__name__, "subscribers": list(self.subscribers)}


def subscriber_names(subscribers: Iterable[str]) -> tuple[str, ...]:
    """One name alone is taken as one subscriber, not as its letters."""
    return (subscribers,) if isinstance(subscribers, str) else tuple(subscribers)
