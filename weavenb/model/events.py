"""What a run tells while it goes on: a closed list. New facts become fields of these five, never a sixth event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from weavenb.model.tasks import Outcome, Task

__all__ = ["Committed", "Custom", "Planned", "RunEvent", "Stopped", "TaskEnded"]


class _AsMapping(Mapping[str, Any]):
    """Each event also reads as a mapping: its fields, and ``type``."""

    __slots__ = ()
    type: ClassVar[str]

    def __getitem__(self, key: str) -> Any:
        if key == "type":
            return self.type
        if key in self._names():
            return getattr(self, key)
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(("type", *self._names()))

    def __len__(self) -> int:
        return len(self._names()) + 1

    def _names(self) -> tuple[str, ...]:
        return tuple(f.name for f in fields(self))  # type: ignore[arg-type]  # each event is a dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Planned(_AsMapping):
    """A step is about to run."""

    type: ClassVar[str] = "planned"
    step: int
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TaskEnded(_AsMapping):
    """One task ended, its siblings may still run."""

    type: ClassVar[str] = "task_ended"
    step: int
    outcome: Outcome


@dataclass(frozen=True, slots=True, eq=False)
class Committed(_AsMapping):
    """A checkpoint was made."""

    type: ClassVar[str] = "committed"
    step: int
    checkpoint_id: str
    source: str
    changed: tuple[str, ...]
    next: tuple[str, ...]
    state: Mapping[str, Any]
    """The whole public state after it."""


@dataclass(frozen=True, slots=True, eq=False)
class Stopped(_AsMapping):
    """The run is over for now. Always the last event of a run that does not raise."""

    type: ClassVar[str] = "stopped"
    reason: str
    """``completed``, ``question``, ``breakpoint`` or ``stopped`` (on request)."""
    output: Any
    """What `invoke` would have returned."""


@dataclass(frozen=True, slots=True, eq=False)
class Custom(_AsMapping):
    """What a node emitted with ``runtime.emit``."""

    type: ClassVar[str] = "custom"
    node: str
    data: Any


RunEvent = Planned | TaskEnded | Committed | Stopped | Custom
