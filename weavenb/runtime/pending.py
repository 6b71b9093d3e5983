"""What is kept beside a checkpoint while its step is open."""

from __future__ import annotations

from typing import Any

from weavenb.model.records import PendingWrite
from weavenb.model.tasks import Failed, Finished, Outcome, Paused
from weavenb.runtime.position import error_value, route_value
from weavenb.serde import encode

__all__ = ["pending", "reserved"]


def pending(outcome: Outcome) -> list[PendingWrite]:
    """What is kept beside the checkpoint of an open step for one ended task."""
    task_id = outcome.task.id
    match outcome:
        case Finished(writes=writes, route=route):
            kept = [PendingWrite(task_id, w.channel, w.value, w.text or "") for w in writes]
            kept.append(reserved(task_id, "__route__", route_value(route)))
        case Paused(questions=questions):
            kept = [reserved(task_id, "__interrupt__", [{"id": q.id, "value": q.value} for q in questions])]
        case Failed(error=error):
            kept = [reserved(task_id, "__error__", error_value(outcome, error))]
            # A result that was saved and then refused no longer counts.
            kept.append(reserved(task_id, "__route__", None))
    return kept


def reserved(task_id: str, channel: str, value: Any) -> PendingWrite:
    """A write to one of the channels the engine keeps for itself."""
    return PendingWrite(task_id, channel, value, encode(value))
