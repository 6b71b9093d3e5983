"""The same rows from a saver that keeps no tables: by reading its checkpoints one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from weavenb.history.source import CheckpointRow, TaskRow, ThreadRow
from weavenb.model.records import RESERVED
from weavenb.model.snapshots import Snapshot, TaskView
from weavenb.savers.contract import CheckpointTuple
from weavenb.savers.view import snapshot

__all__ = ["led_on", "rows_of", "task_rows_of", "threads_of"]


def rows_of(newest_first: Iterable[CheckpointTuple]) -> list[CheckpointRow]:
    """Oldest first; ``seq`` counts from 1 in this listing, since the saver gives no number."""
    # Only what a row needs is kept of each, so that a long history with large values fits.
    found = [_row(stored) for stored in newest_first]
    found.reverse()
    return [_numbered(row, seq) for seq, row in enumerate(found, start=1)]


def threads_of(newest_first: Iterable[CheckpointTuple]) -> list[ThreadRow]:
    """All threads, the one that moved last first."""
    heads: dict[str, Snapshot] = {}
    counts: dict[str, int] = {}
    for stored in newest_first:
        where = stored.config["configurable"]
        if where.get("checkpoint_ns"):
            continue
        thread = where["thread_id"]
        counts[thread] = counts.get(thread, 0) + 1
        if thread not in heads:
            heads[thread] = snapshot(stored, live=True)
    return [ThreadRow(t, _status(heads[t]), counts[t], None, None) for t in heads]


def task_rows_of(made_by: CheckpointTuple | None, stored: CheckpointTuple) -> Sequence[TaskRow]:
    """What the pending writes of a checkpoint and of its parent tell of attempts."""
    rows: list[TaskRow] = []
    if made_by is not None:
        rows += _attempts(snapshot(made_by, live=False))
    seen = snapshot(stored, live=True)
    if any(task.status != "ok" for task in seen.tasks):
        rows += _attempts(seen)
    return rows


def led_on(newest_first: Iterable[CheckpointTuple], checkpoint: str) -> bool:
    """Whether a step that started at the checkpoint made another."""
    for stored in newest_first:
        if stored.config["configurable"]["checkpoint_id"] == checkpoint:
            return False
        parent = (stored.parent_config or {}).get("configurable", {}).get("checkpoint_id")
        if parent == checkpoint and stored.metadata.get("source") == "loop":
            return True
    return False


def _attempts(seen: Snapshot) -> list[TaskRow]:
    where = seen.config["configurable"]["checkpoint_id"]
    return [
        TaskRow(task.id, where, task.node, 1, task.status, None, *_error(task), None)
        for task in seen.tasks
        if task.status != "pending"
    ]


def _error(task: TaskView) -> tuple[str | None, str | None]:
    if task.error is None:
        return None, None
    kind, _, message = task.error.partition(": ")
    return kind, message


def _status(head: Snapshot) -> str:
    if head.error:
        return "failed"
    if head.interrupts:
        return "interrupted"
    return "stopped" if head.next else "completed"


def _row(stored: CheckpointTuple) -> CheckpointRow:
    seen = snapshot(stored, live=False)
    where = stored.config["configurable"]
    changed = stored.checkpoint.get("updated_channels")
    marks = {channel for _, channel, _ in stored.pending_writes}
    parent = stored.parent_config
    return CheckpointRow(
        seq=0,
        thread=where["thread_id"],
        namespace=where.get("checkpoint_ns") or "",
        id=where["checkpoint_id"],
        parent=parent["configurable"]["checkpoint_id"] if parent else None,
        step=int(seen.metadata.get("step") or 0),
        source=str(seen.metadata.get("source") or ""),
        run_id=str(seen.metadata.get("run_id") or ""),
        branch=seen.branch,
        nodes=seen.produced_by,
        next=seen.next,
        changed=tuple([k for k in (seen.values if changed is None else changed) if k not in RESERVED]),
        created_at=_micros(seen.created_at),
        duration_ms=None,
        error="__error__" in marks,
        question="__interrupt__" in marks,
        def_hash=seen.def_hash,
        label=seen.label,
        tags=seen.tags,
    )


def _numbered(row: CheckpointRow, seq: int) -> CheckpointRow:
    return replace(row, seq=seq)


def _micros(moment: datetime | None) -> int:
    if moment is None:
        return 0
    whole = int(moment.replace(microsecond=0).timestamp())
    return whole * 1_000_000 + moment.microsecond
