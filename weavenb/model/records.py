"""One committed step, and the transaction that carries it to a saver."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from weavenb.model.noun import noun
from weavenb.model.tasks import Outcome, Task

__all__ = [
    "RESERVED",
    "Change",
    "PendingWrite",
    "Receipt",
    "RunEnd",
    "RunStart",
    "Source",
    "StateRecord",
    "StepCommit",
]

Source = Literal["input", "loop", "update", "fork"]

RESERVED = frozenset({"__error__", "__interrupt__", "__answer__", "__route__", "__join__", "__run__"})
"""Channels the engine keeps for itself; no node may write them and no frame shows them."""


@noun
class Change:
    """How one channel differs from the parent checkpoint."""

    channel: str
    op: Literal["set", "append", "merge", "remove"]
    """``append``: items were added to a list; ``merge``: entries were set in a mapping; ``remove``: it is gone."""
    value: Any
    """The whole value for ``set``, what was added for ``append`` and ``merge``."""
    text: str
    """`value` as the codec wrote it (empty for ``remove``)."""
    nodes: tuple[str, ...] = ()
    """Whose writes these are, in the order they were applied."""


@noun
class StateRecord:
    """One checkpoint, as it is committed. It never changes afterwards."""

    thread: str
    namespace: str
    id: str
    """UUIDv7, unique in its thread and namespace."""
    parent: str | None
    """The parent's id; None for a thread's first."""
    step: int
    """The parent's plus one; -1 for a first input."""
    source: Source
    run_id: str
    branch: str | None
    """The user's name for the branch, inherited; None on the trunk."""
    created_at: int
    """Microseconds since 1970, UTC."""
    nodes: tuple[str, ...]
    """Who produced it: nodes, or ``__start__`` for an input."""
    next: tuple[Task, ...]
    """What runs next, in the order its writes will be applied."""
    values: Mapping[str, Any]
    """The whole persisted state, channel to value, in the order the channels were first written."""
    changes: tuple[Change, ...]
    """What differs from the parent."""
    def_hash: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """What the caller gave, and nothing else."""


@noun
class PendingWrite:
    """A write kept beside a checkpoint until its step closes (reserved channels included)."""

    task_id: str
    channel: str
    value: Any
    text: str
    """`value` as the codec wrote it."""


@noun
class RunStart:
    """A call that may write history begins."""

    kind: Literal["invoke", "resume", "replay", "update", "fork"]
    parent_run_id: str | None
    """The run whose checkpoint it goes on from."""
    checkpoint: str | None
    """The checkpoint it goes on from."""
    graph: str
    def_hash: str
    manifest: str
    """The definition as JSON text; stored once per `def_hash`."""
    metadata: Mapping[str, Any]
    at: int


@noun
class RunEnd:
    """That call ends."""

    status: Literal["completed", "interrupted", "failed", "stopped"]
    error_type: str | None
    error_message: str | None
    n_steps: int
    at: int


@noun
class StepCommit:
    """All that becomes true at once: one frame in a journal, one transaction in a database."""

    thread: str
    namespace: str
    run_id: str
    base: str | None
    """The checkpoint whose tasks these outcomes belong to; None before a thread's first."""
    record: StateRecord | None = None
    """The new checkpoint; None when only task results are saved."""
    outcomes: tuple[Outcome, ...] = ()
    """Attempts that ended and are not yet stored, in the order they ended."""
    pending: tuple[PendingWrite, ...] = ()
    """To be kept beside `base`: results, questions, answers, errors of a step that stays open."""
    carried: tuple[PendingWrite, ...] = ()
    """To be kept beside `record`: what an edit takes along from the open step."""
    kept: tuple[PendingWrite, ...] = ()
    """Writes of the finished step (of `base`'s tasks) that the record's changes do not already say."""
    started: RunStart | None = None
    ended: RunEnd | None = None


@noun
class Receipt:
    """What a saver answers to a commit."""

    seq: int
    """The store-wide number of the record (or of the last row when there was none)."""
