"""From a stored checkpoint to what a reader sees of it. Runs nothing, raises for nothing that was stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from weavenb.channels.base import MISSING, Channel
from weavenb.model.ids import from_micros
from weavenb.model.records import RESERVED
from weavenb.model.snapshots import AttemptView, Interrupt, Snapshot, TaskView
from weavenb.model.tasks import node_of
from weavenb.savers.contract import CheckpointTuple

__all__ = ["ChannelOf", "has_answers", "snapshot", "task_entries"]

ChannelOf = Callable[[str], Channel]


def snapshot(
    tuple_: CheckpointTuple,
    *,
    live: bool,
    closed: bool = False,
    channel_of: ChannelOf | None = None,
    order: Mapping[str, int] | None = None,
    hidden: frozenset[str] = frozenset(),
    attempts: Mapping[str, Sequence[AttemptView]] | None = None,
) -> Snapshot:
    """The state at a checkpoint.

    Args:
        tuple_: as the saver gave it.
        live: whether this is a thread's head: finished siblings are applied then, and only open
            work and open questions are listed. Else it is the record as its run left it.
        closed: whether the step that starts here came to its end; what closed it was answered later.
        channel_of: how the keys fold; without it, finished siblings are not applied.
        order: place of each node in the definition; without it tasks stay as they were stored.
        hidden: keys that no reader sees.
        attempts: by task id, oldest first.
    """
    checkpoint, metadata = tuple_.checkpoint, tuple_.metadata
    step = _Step.of(tuple_, order)
    closed = closed or not step.unfinished
    values = dict(checkpoint.get("channel_values") or {})
    if live and channel_of is not None:
        _apply(values, step.finished, channel_of)
    unseen = RESERVED | hidden
    open_ = step.unfinished
    next_ = (open_ or step.scheduled) if live else step.scheduled
    return Snapshot(
        values={key: value for key, value in values.items() if key not in unseen},
        next=tuple([task.node for task in next_]),
        config=tuple_.config,
        parent_config=tuple_.parent_config,
        metadata={key: value for key, value in metadata.items() if key not in RESERVED},
        created_at=_moment(checkpoint.get("ts")),
        tasks=tuple([_task_view(task, unseen, attempts or {}, live=live, closed=closed) for task in step.tasks]),
        interrupts=tuple([q for task in step.tasks for q in (task.open if live else task.asked)]),
        answered=step.answered_then() if closed and not live else step.answered(),
        error=next((e for task in step.tasks if (e := task.error_seen(live=live))), None),
        produced_by=tuple(checkpoint.get("produced_by") or ()),
        label=metadata.get("label"),
        tags=tuple(metadata.get("tags") or ()),
        branch=metadata.get("branch"),
        live=live,
        def_hash=str(checkpoint.get("def_hash") or ""),
    )


@dataclass(slots=True)
class _Task:
    id: str
    node: str
    path: str = ""
    triggered_by: tuple[str, ...] = ()
    input: Mapping[str, Any] | None = None
    carried: bool = False
    """It finished before an edit; its writes are in the values already."""
    writes: list[tuple[str, Any]] = field(default_factory=list)
    finished: bool = False
    error: str | None = None
    asked: list[Interrupt] = field(default_factory=list)
    answers: Mapping[str, Any] = field(default_factory=dict)

    @property
    def open(self) -> list[Interrupt]:
        if self.finished:
            return []
        return [question for question in self.asked if question.id not in self.answers]

    @property
    def answered(self) -> list[Interrupt]:
        return [question for question in self.asked if question.id in self.answers]

    @property
    def status(self) -> Literal["pending", "ok", "error", "interrupted"]:
        if self.finished:
            return "ok"
        if self.open:
            return "interrupted"
        return "error" if self.error else "pending"

    def error_seen(self, *, live: bool) -> str | None:
        """At a live head, only what still has to be mended."""
        return None if live and self.status != "error" else self.error

    def take(self, channel: str, value: Any) -> None:
        if channel == "__route__":
            # Null takes back a result that was refused after it had been kept.
            self.finished = value is not None
        elif channel == "__error__":
            self.error = _error_text(value)
        elif channel == "__interrupt__":
            asked = value if isinstance(value, list | tuple) else [value]
            self.asked = [_question(each, self.node) for each in asked]
        elif channel == "__answer__":
            self.answers = value if isinstance(value, Mapping) else {}
        elif channel not in RESERVED:
            self.writes.append((channel, value))


@dataclass(frozen=True, slots=True)
class _Step:
    tasks: list[_Task]
    answered_late: frozenset[str] = frozenset()
    """Tasks that got their last answer after the step last stopped."""

    @classmethod
    def of(cls, tuple_: CheckpointTuple, order: Mapping[str, int] | None) -> _Step:
        tasks = {
            entry["id"]: _Task(
                entry["id"],
                entry["node"],
                str(entry.get("path") or ""),
                tuple(entry.get("triggered_by") or ()),
                entry.get("input"),
            )
            for entry in task_entries(tuple_.checkpoint)
        }
        late: set[str] = set()
        for task_id, channel, value in tuple_.pending_writes:
            if task_id not in tasks:
                tasks[task_id] = _Task(task_id, node_of(task_id), carried=True)
            tasks[task_id].take(channel, value)
            if channel == "__answer__":
                late.add(task_id)
            elif channel in {"__interrupt__", "__error__"}:
                late.clear()
        kept = [task for task in tasks.values() if not task.carried or task.finished]
        if order is not None:
            # Stable, so that the Sends of one node stay in their own order.
            kept.sort(key=lambda task: order.get(task.node, len(order)))
        return cls(kept, frozenset(late))

    @property
    def scheduled(self) -> list[_Task]:
        return [task for task in self.tasks if not task.carried]

    @property
    def unfinished(self) -> list[_Task]:
        return [task for task in self.scheduled if not task.finished]

    @property
    def finished(self) -> list[_Task]:
        return [task for task in self.scheduled if task.finished]

    def answered(self) -> tuple[Interrupt, ...]:
        return tuple([question for task in self.tasks for question in task.answered])

    def answered_then(self) -> tuple[Interrupt, ...]:
        """What was answered when the step last stopped, now that it is closed."""
        late = self.answered_late
        return tuple([q for task in self.tasks for q in (task.answered[:-1] if task.id in late else task.answered)])


def has_answers(tuple_: CheckpointTuple) -> bool:
    """Whether `closed` makes a difference to what a reader sees."""
    return any(channel == "__answer__" for _, channel, _ in tuple_.pending_writes)


def task_entries(checkpoint: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """``next`` of a checkpoint, whole entries also where only node names were stored."""
    entries: Iterable[Any] = checkpoint.get("next") or ()
    return [
        {"node": "", **entry, "id": str(entry.get("id", entry.get("node", index)))}
        if isinstance(entry, Mapping)
        else {"id": str(entry), "node": str(entry)}
        for index, entry in enumerate(entries)
    ]


def _apply(values: dict[str, Any], finished: Sequence[_Task], channel_of: ChannelOf) -> None:
    by_channel: dict[str, list[Any]] = {}
    for task in finished:
        for key, value in task.writes:
            by_channel.setdefault(key, []).append(value)
    for key, writes in by_channel.items():
        new = _folded(values.get(key, MISSING), writes, key, channel_of)
        if new is not MISSING:
            values[key] = new


def _folded(old: Any, writes: Sequence[Any], key: str, channel_of: ChannelOf) -> Any:
    """The value after these writes, or `old` where they do not fit: reading raises for no reducer."""
    try:
        channel = channel_of(key)
        if len(writes) > 1 and not channel.takes_many:
            return old
        return channel.fold(channel.initial() if old is MISSING else old, writes)
    except Exception:  # noqa: BLE001  a user's reducer may raise anything
        return old


def _task_view(
    task: _Task,
    unseen: frozenset[str],
    attempts: Mapping[str, Sequence[AttemptView]],
    *,
    live: bool,
    closed: bool,
) -> TaskView:
    result = {key: value for key, value in task.writes if key not in unseen}
    asked = closed and not live and bool(task.asked) and task.status == "pending"
    return TaskView(
        id=task.id,
        node=task.node,
        path=task.path,
        status="interrupted" if asked else task.status,
        error=task.error_seen(live=live),
        interrupts=tuple(task.open if live else task.asked),
        attempts=tuple(attempts.get(task.id, ())),
        result=result if task.finished else None,
        triggered_by=task.triggered_by,
        input=task.input,
    )


def _question(stored: Any, node: str) -> Interrupt:
    if isinstance(stored, Mapping) and "id" in stored:
        return Interrupt(str(stored["id"]), stored.get("value"), node)
    return Interrupt("", stored, node)


def _error_text(stored: Any) -> str:
    if not isinstance(stored, Mapping):
        return str(stored)
    kind, message = stored.get("type") or "Error", stored.get("message")
    return f"{kind}: {message}" if message else str(kind)


def _moment(stored: Any) -> datetime | None:
    if isinstance(stored, datetime):
        return stored
    if isinstance(stored, int) and not isinstance(stored, bool):
        return from_micros(stored)
    if isinstance(stored, str):
        try:
            moment = datetime.fromisoformat(stored)
        except ValueError:
            return None
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None
