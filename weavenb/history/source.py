"""All that a debugger may know of an engine."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from weavenb.model.refs import CheckpointRef
from weavenb.model.snapshots import Snapshot
from weavenb.model.topology import Topology

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["CheckpointRow", "HistorySource", "KnowsKeys", "ReadsInBulk", "Steerable", "Tables", "TaskRow", "ThreadRow"]


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """One thread, without its history."""

    thread: str
    status: str
    """``completed``, ``interrupted``, ``failed``, ``running`` or ``stopped``."""
    checkpoints: int
    forked_from_thread: str | None
    forked_from_checkpoint: str | None


@dataclass(frozen=True, slots=True)
class CheckpointRow:
    """One checkpoint as a timeline needs it: no values."""

    seq: int
    """Store-wide order of commits."""
    thread: str
    namespace: str
    id: str
    parent: str | None
    step: int
    source: str
    run_id: str
    branch: str | None
    nodes: tuple[str, ...]
    """Who produced it."""
    next: tuple[str, ...]
    changed: tuple[str, ...]
    """Channels that differ from the parent, reserved ones left out."""
    created_at: int
    """Microseconds since 1970, UTC."""
    duration_ms: float | None
    """Longest task of the step that produced it."""
    error: bool
    """Whether an attempt failed in the step that starts here."""
    question: bool
    """Whether a question was asked in the step that starts here."""
    def_hash: str
    label: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One attempt of one task."""

    task_id: str
    checkpoint: str
    """The checkpoint it started from."""
    node: str
    attempt: int
    status: str
    """``ok``, ``error`` or ``interrupted``."""
    duration_ms: float | None
    """None when the saver keeps no times."""
    error_type: str | None
    error_message: str | None
    traceback: str | None


@runtime_checkable
class HistorySource(Protocol):
    """Reads. Nothing here runs a node or writes."""

    def topology(self) -> Topology | None:
        """The graph, or None when only its history is known."""
        ...

    def threads(self) -> Sequence[ThreadRow]:
        """All threads, newest first."""
        ...

    def rows(self, thread: str, *, namespace: str = "", after: int = 0) -> Sequence[CheckpointRow]:
        """The thread's checkpoints with ``seq > after``, oldest commit first; empty for an unknown thread."""
        ...

    def head(self, thread: str, *, namespace: str = "") -> str | None:
        """Id of the thread's head."""
        ...

    def snapshot(self, ref: CheckpointRef) -> Snapshot | None:
        """The state at a checkpoint, or at the live head when `ref` names none."""
        ...

    def tasks(self, ref: CheckpointRef) -> Sequence[TaskRow]:
        """Attempts of the step that produced the checkpoint, and of the open step that starts there."""
        ...


class Tables(Protocol):
    """A saver's base tables, open for questions in SQL."""

    def query(self, sql: str, params: Mapping[str, Any] | None = None) -> pa.Table:
        """One SELECT, with ``:name`` for parameters."""
        ...

    def close(self) -> None:
        """Let go of what was opened for the questions."""
        ...


@runtime_checkable
class ReadsInBulk(Protocol):
    """What a source may offer beside, so that a frame of a long history is one question."""

    def tables(self) -> Tables | None:
        """The tables behind it, or None when there are none. The caller closes them."""
        ...

    def snapshots(self, thread: str, *, namespace: str = "", limit: int | None = None) -> Iterator[Snapshot]:
        """Each checkpoint's record, newest commit first, read in pages."""
        ...


@runtime_checkable
class KnowsKeys(Protocol):
    """What a source may offer beside: the keys that its graph declares, written or not."""

    def keys(self) -> Collection[str]:
        """Declared keys; those of an open state are among them only when declared."""
        ...

    def takes_any_key(self) -> bool:
        """Whether others may be written: the state is open."""
        ...


@runtime_checkable
class Steerable(Protocol):
    """Writes: each is one press of a button, and one line of code."""

    def update(
        self,
        ref: CheckpointRef,
        values: Mapping[str, Any],
        *,
        as_node: str | None,
        branch: str | None,
    ) -> CheckpointRef:
        """Make an ``update`` checkpoint after `ref`."""
        ...

    def replay(self, ref: CheckpointRef) -> CheckpointRef:
        """Run on from `ref`; returns the head it came to. Blocks until the run stops."""
        ...

    def fork(self, ref: CheckpointRef, thread: str) -> CheckpointRef:
        """Copy `ref` and what led to it into a new thread."""
        ...

    def resume(self, ref: CheckpointRef, answer: Any) -> CheckpointRef:
        """Answer what holds the run and run on; returns the head it came to."""
        ...
