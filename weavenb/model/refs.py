"""Where a checkpoint is: parsed once from whatever the caller holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from weavenb.errors import MissingThread
from weavenb.model.texts import short
from weavenb.serde import is_unicode

__all__ = ["CheckpointRef", "Config"]

Config = str | Mapping[str, Any] | object
"""A thread id, ``{"configurable": {...}}``, or anything with a ``config`` attribute (a Snapshot, an Output)."""


@dataclass(frozen=True, slots=True)
class CheckpointRef:
    """One thread, or one point of it."""

    thread: str
    """The thread's id."""
    namespace: str = ""
    """Empty for the graph itself, ``child`` or ``child:<task id>`` for a nested one, deeper ones joined by ``/``."""
    checkpoint: str | None = None
    """A checkpoint's id, or None for the thread's head."""

    @classmethod
    def parse(cls, config: Config | None = None, *, thread: str | None = None) -> CheckpointRef:
        """Read what a caller gave.

        Raises:
            MissingThread: if no thread id is in it.
        """
        if thread is not None:
            if config is not None:
                message = "Both config and thread were given, where one is enough"
                raise MissingThread(message)
            return cls(_thread_id(thread))
        if config is None:
            raise MissingThread
        if isinstance(config, cls):
            return config
        if isinstance(config, str):
            return cls(_thread_id(config))
        # A Snapshot, or an Output: a mapping of the state that also knows its config.
        config = getattr(config, "config", config)
        where = config.get("configurable") if isinstance(config, Mapping) else None
        if not isinstance(where, Mapping) or where.get("thread_id") is None:
            message = f"No thread id is in {short(config, 120)}, given as {type(config).__name__}"
            raise MissingThread(message)
        checkpoint = where.get("checkpoint_id")
        return cls(
            _thread_id(where["thread_id"]),
            str(where.get("checkpoint_ns") or ""),
            None if checkpoint is None else str(checkpoint),
        )

    def at(self, checkpoint: str | None) -> CheckpointRef:
        """The same thread and namespace at another checkpoint."""
        return replace(self, checkpoint=checkpoint)

    def to_config(self) -> dict[str, dict[str, str]]:
        """The standard mapping, plain enough to be kept as JSON."""
        where = {"thread_id": self.thread, "checkpoint_ns": self.namespace}
        if self.checkpoint is not None:
            where["checkpoint_id"] = self.checkpoint
        return {"configurable": where}


def _thread_id(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        message = f"A thread id is a text, not {type(value).__name__} {short(value, 60)}"
        raise MissingThread(message)
    text = str(value)
    if not text:
        message = "The thread id is empty"
        raise MissingThread(message)
    if not is_unicode(text):
        message = f"The thread id {short(text, 60)} holds a lone surrogate, half a letter that nothing can store"
        raise MissingThread(message)
    return text
