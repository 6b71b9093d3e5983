"""The timeline's questions, asked of rows that are in this process already."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Final

from weavenb.history.source import CheckpointRow, TaskRow, ThreadRow
from weavenb.model.records import RESERVED
from weavenb.savers.contract import HoldsRows
from weavenb.savers.tables import TABLES, Row

__all__ = ["held_checkpoints", "held_led_on", "held_tasks", "held_threads"]


def _cells(table: str, *columns: str) -> Callable[[Row], Any]:
    names = [name for name, _ in TABLES[table]]
    return itemgetter(*[names.index(column) for column in columns])


_POINT: Final = _cells(
    "checkpoints",
    *("seq", "checkpoint_ns", "checkpoint_id", "parent_checkpoint_id", "step", "source", "run_id", "branch"),
    *("nodes", "next", "changed", "created_at", "def_hash"),
)
_ATTEMPT: Final = _cells("tasks", "checkpoint_ns", "checkpoint_id", "input_checkpoint_id", "status", "duration_ms")
_TASK: Final = _cells(
    "tasks",
    *("task_id", "input_checkpoint_id", "node", "attempt", "status", "duration_ms"),
    *("error_type", "error_message", "traceback"),
)
_WRITE: Final = _cells("writes", "checkpoint_ns", "checkpoint_id", "channel")
_NOTE: Final = _cells("annotations", "checkpoint_ns", "checkpoint_id", "kind", "text", "removed")
_EVENT: Final = _cells(
    "thread_events", "thread_id", "checkpoint_ns", "status", "forked_from_thread", "forked_from_checkpoint"
)
_CHILD: Final = _cells("checkpoints", "checkpoint_ns", "parent_checkpoint_id", "source")
_HEAD: Final = _cells("checkpoints", "seq", "thread_id", "checkpoint_ns", "checkpoint_id", "next")


@dataclass(slots=True)
class _Beside:
    """What other tables say of one checkpoint."""

    made_ms: float | None = None
    """Longest attempt known to have made it."""
    open_ms: float | None = None
    """Longest attempt that started from it and was stored while its step was open."""
    error: bool = False
    question: bool = False
    label: str | None = None
    tags: dict[str, None] = field(default_factory=dict)


def held_checkpoints(saver: HoldsRows, thread: str, namespace: str, after: int) -> list[CheckpointRow]:
    """A thread's checkpoints in the order they were committed."""
    rows = saver.read_rows(("checkpoints", "tasks", "writes", "annotations"), thread)
    beside = _beside(rows["tasks"], rows["writes"], rows["annotations"], namespace)
    nothing = _Beside()
    found = []
    for row in rows["checkpoints"]:
        if row[0] <= after:
            continue
        seq, ns, id_, parent, step, source, run, branch, nodes, next_, changed, created_at, def_hash = _POINT(row)
        if ns != namespace:
            continue
        said = beside.get(id_, nothing)
        before = beside.get(parent, nothing).open_ms if source == "loop" else None
        found.append(
            CheckpointRow(
                seq=seq,
                thread=thread,
                namespace=namespace,
                id=id_,
                parent=parent,
                step=step,
                source=source,
                run_id=run or "",
                branch=branch,
                nodes=tuple(nodes or ()),
                next=tuple(next_ or ()),
                changed=tuple([key for key in changed or () if key not in RESERVED]),
                created_at=created_at,
                duration_ms=_longest(said.made_ms, before),
                error=said.error,
                question=said.question,
                def_hash=def_hash or "",
                label=said.label,
                tags=tuple(said.tags),
            )
        )
    return found


def held_threads(saver: HoldsRows) -> list[ThreadRow]:
    """All threads, the one that moved last first."""
    rows = saver.read_rows(("checkpoints", "thread_events"))
    counts: dict[str, int] = {}
    last: dict[str, tuple[int, str, Any]] = {}
    for row in rows["checkpoints"]:
        seq, thread, namespace, id_, next_ = _HEAD(row)
        if namespace == "":
            counts[thread] = counts.get(thread, 0) + 1
            last[thread] = (seq, id_, next_)
    facts: dict[str, list[str | None]] = {}
    for row in rows["thread_events"]:
        thread, namespace, *said = _EVENT(row)
        if not namespace:
            known = facts.setdefault(thread, [None, None, None])
            known[:] = [old if new is None else new for old, new in zip(known, said, strict=True)]
    newest = sorted(last, key=lambda thread: -last[thread][0])
    return [
        ThreadRow(thread, status or _status_at(saver, thread, *last[thread][1:]), counts[thread], forked, at)
        for thread in newest
        for status, forked, at in [facts.get(thread, (None, None, None))]
    ]


def held_tasks(saver: HoldsRows, thread: str, namespace: str, checkpoint: str, parent: str | None) -> list[TaskRow]:
    """Attempts of the step that made the checkpoint, and of the open one that starts there.

    `parent` is the checkpoint a loop checkpoint follows, None for others.
    """
    found = []
    for row in saver.read_rows(("tasks",), thread)["tasks"]:
        ns, made, started_from, _, _ = _ATTEMPT(row)
        if ns != namespace:
            continue
        stored_open = made is None and started_from is not None and started_from in {checkpoint, parent}
        if made == checkpoint or stored_open:
            id_, came_from, *rest = _TASK(row)
            found.append(TaskRow(id_, came_from or "", *rest))
    return found


def held_led_on(saver: HoldsRows, thread: str, namespace: str, checkpoint: str) -> bool:
    """Whether a step that started at the checkpoint made another."""
    wanted = (namespace, checkpoint, "loop")
    return any(_CHILD(row) == wanted for row in saver.read_rows(("checkpoints",), thread)["checkpoints"])


def _status_at(saver: HoldsRows, thread: str, checkpoint: str, next_: Any) -> str:
    """For a thread of which no run is known."""
    if not next_:
        return "completed"
    told = {
        channel
        for ns, at, channel in map(_WRITE, saver.read_rows(("writes",), thread)["writes"])
        if ns == "" and at == checkpoint
    }
    if "__error__" in told:
        return "failed"
    return "interrupted" if "__interrupt__" in told else "stopped"


def _beside(
    tasks: Iterable[Row], writes: Iterable[Row], notes: Iterable[Row], namespace: str
) -> dict[str | None, _Beside]:
    found: dict[str | None, _Beside] = {}
    for ns, made, started_from, status, duration in map(_ATTEMPT, tasks):
        if ns != namespace:
            continue
        start = found.setdefault(started_from, _Beside())
        start.error = start.error or status == "error"
        start.question = start.question or status == "interrupted"
        if made is None:
            start.open_ms = _longest(start.open_ms, duration)
        else:
            end = found.setdefault(made, _Beside())
            end.made_ms = _longest(end.made_ms, duration)
    for ns, at, channel in map(_WRITE, writes):
        if ns == namespace and channel in {"__error__", "__interrupt__"}:
            start = found.setdefault(at, _Beside())
            start.error = start.error or channel == "__error__"
            start.question = start.question or channel == "__interrupt__"
    for ns, at, kind, text, removed in map(_NOTE, notes):
        if ns == namespace:
            _note(found.setdefault(at, _Beside()), kind, text, removed=bool(removed))
    return found


def _note(beside: _Beside, kind: str, text: str, *, removed: bool) -> None:
    if kind == "label":
        beside.label = None if removed else text
    elif kind == "tag" and removed:
        beside.tags.pop(text, None)
    elif kind == "tag":
        beside.tags.setdefault(text)


def _longest(a: float | None, b: float | None) -> float | None:
    return b if a is None else a if b is None else max(a, b)
