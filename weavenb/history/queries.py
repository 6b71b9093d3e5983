"""The questions a timeline asks of the base tables. Listing never touches values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from weavenb.history.source import CheckpointRow, Tables, TaskRow, ThreadRow
from weavenb.model.records import RESERVED

__all__ = ["checkpoint_rows", "frame_tasks", "led_on", "task_rows", "thread_rows"]


# A task that ended while its step was open was stored before it was known which checkpoint the
# step would produce: it counts for the loop checkpoints that follow the one it started from.
_ROWS: Final = """
with points as (
    select * from checkpoints
    where thread_id = :thread and checkpoint_ns = :namespace
), attempts as (
    select * from tasks where thread_id = :thread and checkpoint_ns = :namespace
), made as (
    select checkpoint_id as id, max(duration_ms) as ms from attempts
    where checkpoint_id is not null group by all
), before as (
    select input_checkpoint_id as id, max(duration_ms) as ms from attempts
    where checkpoint_id is null group by all
), told as (
    select input_checkpoint_id as id, status = 'error' as error, status = 'interrupted' as question
    from attempts
    union all
    select checkpoint_id, channel = '__error__', channel = '__interrupt__' from writes
    where thread_id = :thread and checkpoint_ns = :namespace
        and channel in ('__error__', '__interrupt__')
), began as (
    select id, bool_or(error) as error, bool_or(question) as question from told group by all
), latest as (
    select checkpoint_id as id, kind, "text", removed, seq from annotations
    where thread_id = :thread and checkpoint_ns = :namespace
    qualify row_number() over (
        partition by checkpoint_id, kind, case when kind = 'label' then '' else "text" end
        order by seq desc
    ) = 1
), notes as (
    select id, any_value("text") filter (kind = 'label') as label,
        list("text" order by seq) filter (kind = 'tag') as tags
    from latest where not coalesce(removed, false) group by all
)
select p.seq, p.checkpoint_id, p.parent_checkpoint_id, p.step, p.source, p.run_id, p.branch,
    p.nodes, p.next, p.changed, epoch_us(p.created_at) as created_at, p.def_hash,
    case when p.source = 'loop' then greatest(made.ms, before.ms) else made.ms end as duration_ms,
    coalesce(began.error, false) as error, coalesce(began.question, false) as question,
    notes.label, notes.tags
from points p
left join made on made.id = p.checkpoint_id
left join before on before.id = p.parent_checkpoint_id
left join began on began.id = p.checkpoint_id
left join notes on notes.id = p.checkpoint_id
where p.seq > :after
order by p.seq
"""

_THREADS: Final = """
with points as (
    select thread_id, count(*) as n, max(seq) as last, arg_max(checkpoint_id, seq) as id,
        arg_max(len(next), seq) as waiting
    from checkpoints where checkpoint_ns = '' group by all
), facts as (
    select thread_id, arg_max(forked_from_thread, seq) as thread,
        arg_max(forked_from_checkpoint, seq) as forked_at, arg_max(status, seq) as status
    from thread_events where coalesce(checkpoint_ns, '') = '' group by all
), told as (
    select thread_id, checkpoint_id as id,
        bool_or(channel = '__error__') as error, bool_or(channel = '__interrupt__') as question
    from writes where checkpoint_ns = '' and channel in ('__error__', '__interrupt__') group by all
)
select p.thread_id, p.n, facts.thread as forked_from_thread, facts.forked_at as forked_from_checkpoint,
    case
        when facts.status is not null then facts.status
        when p.waiting = 0 then 'completed'
        when told.error then 'failed'
        when told.question then 'interrupted'
        else 'stopped'
    end as status
from points p
left join facts on facts.thread_id = p.thread_id
left join told on told.thread_id = p.thread_id and told.id = p.id
order by p.last desc
"""

_TASKS: Final = """
select t.* from tasks t
where t.thread_id = :thread and t.checkpoint_ns = :namespace and (
    t.checkpoint_id = :id
    or (t.checkpoint_id is null and t.input_checkpoint_id = :id)
    or (t.checkpoint_id is null and t.input_checkpoint_id = (
        select parent_checkpoint_id from checkpoints
        where thread_id = :thread and checkpoint_ns = :namespace and checkpoint_id = :id
            and source = 'loop'
    ))
)
order by t.seq
"""

_LED_ON: Final = """
select 1 as yes from checkpoints
where thread_id = :thread and checkpoint_ns = :namespace and parent_checkpoint_id = :id and source = 'loop' limit 1
"""

_ALL_TASKS: Final = """
select seq, task_id, run_id, checkpoint_id, input_checkpoint_id, step, node, attempt, triggered_by,
    status, started_at, ended_at, duration_ms, error_type, error_message, traceback
from tasks where thread_id = :thread and checkpoint_ns = :namespace order by seq
"""


def checkpoint_rows(tables: Tables, thread: str, namespace: str, after: int) -> list[CheckpointRow]:
    """A thread's checkpoints in the order they were committed."""
    found = _asked(tables, _ROWS, thread=thread, namespace=namespace, after=after)
    return [
        CheckpointRow(
            seq=row["seq"],
            thread=thread,
            namespace=namespace,
            id=row["checkpoint_id"],
            parent=row["parent_checkpoint_id"],
            step=row["step"],
            source=row["source"],
            run_id=row["run_id"] or "",
            branch=row["branch"],
            nodes=tuple(row["nodes"] or ()),
            next=tuple(row["next"] or ()),
            changed=tuple([key for key in row["changed"] or () if key not in RESERVED]),
            created_at=row["created_at"],
            duration_ms=row["duration_ms"],
            error=row["error"],
            question=row["question"],
            def_hash=row["def_hash"] or "",
            label=row["label"],
            tags=tuple(row["tags"] or ()),
        )
        for row in found
    ]


def thread_rows(tables: Tables) -> list[ThreadRow]:
    """All threads, the one that moved last first."""
    return [
        ThreadRow(
            row["thread_id"],
            row["status"],
            row["n"],
            row["forked_from_thread"],
            row["forked_from_checkpoint"],
        )
        for row in _asked(tables, _THREADS)
    ]


def task_rows(tables: Tables, thread: str, namespace: str, checkpoint: str) -> list[TaskRow]:
    """Attempts of the step that made the checkpoint, and of the open one that starts there."""
    found = _asked(tables, _TASKS, thread=thread, namespace=namespace, id=checkpoint)
    return [
        TaskRow(
            row["task_id"],
            row["input_checkpoint_id"] or "",
            row["node"],
            row["attempt"],
            row["status"],
            row["duration_ms"],
            row["error_type"],
            row["error_message"],
            row["traceback"],
        )
        for row in found
    ]


def led_on(tables: Tables, thread: str, namespace: str, checkpoint: str) -> bool:
    """Whether a step that started at the checkpoint made another."""
    return bool(_asked(tables, _LED_ON, thread=thread, namespace=namespace, id=checkpoint))


def frame_tasks(tables: Tables, thread: str, namespace: str) -> Sequence[Mapping[str, Any]]:
    """Every attempt of a thread, oldest first, with the columns of the base table."""
    return _asked(tables, _ALL_TASKS, thread=thread, namespace=namespace)


def _asked(tables: Tables, sql: str, **params: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tables.query(sql, params).to_pylist()
    return rows
