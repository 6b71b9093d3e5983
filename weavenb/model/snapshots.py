"""What a reader sees of one checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from weavenb.model.texts import short, state_text

__all__ = ["AttemptView", "Interrupt", "Snapshot", "TaskView"]


@dataclass(frozen=True, slots=True)
class Interrupt:
    """One question, or one breakpoint, that holds a run."""

    id: str
    """What `resume` takes to answer this one."""
    value: Any
    """What was asked."""
    node: str
    kind: Literal["question", "before", "after"] = "question"
    """``before`` and ``after`` are breakpoints."""

    def __repr__(self) -> str:
        """Byte-stable: no id."""
        if self.kind != "question":
            return f"Interrupt(node={self.node!r}, kind={self.kind!r})"
        return f"Interrupt(node={self.node!r}, value={short(self.value)})"


@dataclass(frozen=True, slots=True)
class AttemptView:
    """One attempt of a task."""

    number: int
    """Counts from 1."""
    status: str
    """``ok``, ``error`` or ``interrupted``."""
    error: str | None
    duration_ms: float = field(repr=False)


@dataclass(frozen=True, slots=True)
class TaskView:
    """One task of a checkpoint's step."""

    id: str
    node: str
    path: str
    status: Literal["pending", "ok", "error", "interrupted"]
    error: str | None = None
    interrupts: tuple[Interrupt, ...] = ()
    attempts: tuple[AttemptView, ...] = ()
    """Oldest first, where the reader asked for them; the frame ``tasks`` of a history has them all."""
    result: Mapping[str, Any] | None = None
    """What it wrote, before the reducers; None while unfinished."""
    triggered_by: tuple[str, ...] = ()
    input: Mapping[str, Any] | None = None
    """A Send's argument."""

    def __repr__(self) -> str:
        """Byte-stable: no id, no time."""
        failed = f", error={short(self.error)}" if self.error else ""
        asked = f", interrupts={len(self.interrupts)}" if self.interrupts else ""
        result = "" if self.result is None else f", result={state_text(self.result)}"
        return f"TaskView(node={self.node!r}, status={self.status!r}{failed}{asked}{result})"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state at one checkpoint. Reading it runs nothing."""

    values: dict[str, Any]
    """Public state; a key not yet written is absent."""
    next: tuple[str, ...]
    """Nodes still to run, in order."""
    config: dict[str, Any]
    """Pass it back to come back here."""
    parent_config: dict[str, Any] | None
    metadata: dict[str, Any]
    """``source``, ``step``, ``run_id``, ``branch`` and what the caller gave."""
    created_at: datetime | None
    tasks: tuple[TaskView, ...] = ()
    interrupts: tuple[Interrupt, ...] = ()
    """Open questions at a head; each question of that step at a checkpoint named by its id."""
    answered: tuple[Interrupt, ...] = ()
    error: str | None = None
    """Of the first failed task."""
    produced_by: tuple[str, ...] = ()
    children: Mapping[str, Any] = field(default_factory=dict)
    label: str | None = None
    tags: tuple[str, ...] = ()
    branch: str | None = None
    live: bool = False
    """True when the thread's head was read, with the results of finished siblings applied."""
    def_hash: str = ""

    def __repr__(self) -> str:
        """Byte-stable: no id, no time."""
        step = self.metadata.get("step")
        waiting = f", interrupts={len(self.interrupts)}" if self.interrupts else ""
        failed = f", error={self.error!r}" if self.error else ""
        return (
            f"Snapshot(step={step!r}, source={self.metadata.get('source')!r}, next={list(self.next)!r}"
            f"{waiting}{failed}, values={state_text(self.values)})"
        )
