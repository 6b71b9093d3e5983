"""Steps as an engine commits them, in few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from weavenb.model.ids import micros_now, new_id
from weavenb.model.records import (
    Change,
    PendingWrite,
    RunEnd,
    RunStart,
    StateRecord,
    StepCommit,
)
from weavenb.model.tasks import Task
from weavenb.serde import encode

__all__ = ["appended", "change", "commit", "config", "ended", "record", "start", "write"]


def config(thread: str, checkpoint: str | None = None, namespace: str = "") -> dict[str, Any]:
    """The standard mapping."""
    inner = {"thread_id": thread, "checkpoint_ns": namespace}
    return {"configurable": inner if checkpoint is None else {**inner, "checkpoint_id": checkpoint}}


def change(channel: str, value: Any, op: Any = "set") -> Change:
    """A change with its text."""
    return Change(channel, op, value, "" if op == "remove" else encode(value))


def appended(channel: str, *items: Any) -> Change:
    """Items added to a list."""
    return change(channel, list(items), "append")


def write(task: str, channel: str, value: Any) -> PendingWrite:
    """A pending write with its text."""
    return PendingWrite(task, channel, value, encode(value))


def record(
    thread: str,
    parent: StateRecord | None,
    values: Mapping[str, Any],
    changes: Sequence[Change] | None = None,
    *,
    next: Sequence[str] = (),
    run: str = "run",
    namespace: str = "",
    metadata: Mapping[str, Any] | None = None,
) -> StateRecord:
    """A checkpoint after `parent`; without `changes` every value is set."""
    step = -1 if parent is None else parent.step + 1
    tasks = [Task(f"{step + 1}.{name}.0.t", name, "", ("a",)) for name in next]
    return StateRecord(
        thread, namespace, new_id(), None if parent is None else parent.id, step,
        "input" if parent is None else "loop", run, None, micros_now(), ("a",), tuple(tasks), values,
        tuple(changes if changes is not None else [change(k, v) for k, v in values.items()]),
        "def", metadata or {},
    )  # fmt: skip


def start(kind: Any = "invoke") -> RunStart:
    """A run begins."""
    return RunStart(kind, None, None, "graph", "def", "{}", {}, micros_now())


def commit(made: StateRecord, **more: Any) -> StepCommit:
    """The step that brings a record."""
    return StepCommit(made.thread, made.namespace, made.run_id, made.parent, made, **more)


def ended(status: Any = "completed") -> RunEnd:
    """A run ends."""
    return RunEnd(status, None, None, 1, micros_now())
