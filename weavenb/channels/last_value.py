"""One value, replaced by each write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from weavenb.channels.base import Channel, subscriber_names

__all__ = ["LastValue"]


class LastValue(Channel):
    """Keeps the last write; two nodes may not write it in one step."""

    def __init__(self, subscribers: Iterable[str] = ()) -> None:
        self.subscribers = subscriber_names(subscribers)

    def fold(self, old: Any, writes: Sequence[Any]) -> Any:
        """The write. A second one in the same step is refused, whoever asks."""
        del old
        if len(writes) > 1:
            message = f"it takes one write a step and got {len(writes)}"
            raise ValueError(message)
        return writes[0]

    @property
    def takes_many(self) -> bool:
        return False
