"""Closing a step: the finished tasks' writes become the next checkpoint. Pure but for guards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from weavenb.model.ids import micros_now, new_id
from weavenb.model.records import Change, PendingWrite, Source, StateRecord, StepCommit
from weavenb.model.tasks import Outcome
from weavenb.runtime.fold import fold
from weavenb.runtime.plan import JOINS, Plan, plan
from weavenb.runtime.position import Position
from weavenb.runtime.requests import Commit, Run
from weavenb.serde import encode

if TYPE_CHECKING:
    from weavenb.definition.definition import Definition

_NONE: Final[dict[str, list[str]]] = {}

__all__ = ["close_step", "opening_commit", "with_joins"]


def close_step(definition: Definition, run: Run, position: Position, last: tuple[Outcome, ...]) -> Commit:
    """The commit that ends the open step, all of whose tasks are finished.

    Raises:
        Unfit: writes do not fit together.
        GuardFailed: a guard raised.
    """
    done = [position.done[task.id] for task in position.tasks]
    folded = fold(definition, position.values, [(d.task.node, d.task.id, d.writes) for d in done], encoded=run.saved)
    ended = [(d.task.node, d.route) for d in ([*position.carried, *done] if position.carried else done)]
    changed = tuple(dict.fromkeys([w.channel for d in done for w in d.writes]))
    record_id = new_id() if run.saved else None
    step = position.step + 1
    suffix = record_id[-8:] if record_id else "0"
    following = plan(definition, ended, folded.values, changed, step=step + 1, suffix=suffix)
    values, changes = with_joins(folded.values, folded.changes, following)
    nodes = (done[0].task.node,) if len(done) == 1 else tuple(dict.fromkeys([d.task.node for d in done]))
    after = Position(
        record_id,
        step,
        values,
        following.tasks,
        nodes,
        "loop",
        run.branch,
        run.id,
        run.def_hash,
        position.metadata,
        position.breakpoints,
    )
    if record_id is None:
        return Commit(None, after, changed)
    commit = StepCommit(
        run.thread or "",
        run.namespace,
        run.id,
        position.id,
        record=_record_of(run, after, position.id, changes),
        outcomes=last,
        kept=folded.kept,
        started=run.start,
    )
    return Commit(commit, after, changed)


def opening_commit(
    run: Run,
    base: str | None,
    after: Position,
    changes: tuple[Change, ...] = (),
    carried: tuple[PendingWrite, ...] = (),
) -> StepCommit:
    """The commit of a checkpoint that the call itself makes, before any node runs; the run's start goes with it."""
    start, run.start = run.start, None
    record = _record_of(run, after, base, changes)
    return StepCommit(run.thread or "", run.namespace, run.id, base, record=record, carried=carried, started=start)


def _record_of(run: Run, after: Position, parent: str | None, changes: tuple[Change, ...]) -> StateRecord:
    """The record of the position a run has come to."""
    metadata: Mapping[str, Any] = run.metadata
    if run.before or run.after:
        metadata = {**metadata, "__run__": run.breakpoints}
    source: Source = after.source  # type: ignore[assignment]  # a position's source is one of the four
    return StateRecord(
        thread=run.thread or "",
        namespace=run.namespace,
        id=after.id or "",
        parent=parent,
        step=after.step,
        source=source,
        run_id=run.id,
        branch=after.branch,
        created_at=micros_now(),
        nodes=after.nodes,
        next=after.tasks,
        values=after.values,
        changes=changes,
        def_hash=run.def_hash,
        metadata=metadata,
    )


def with_joins(
    values: dict[str, Any], changes: tuple[Change, ...], following: Plan
) -> tuple[dict[str, Any], tuple[Change, ...]]:
    """The state with the arrivals of joins that still wait."""
    if values.get(JOINS, _NONE) == following.joins:
        return values, changes
    values = {**values, JOINS: following.joins}
    return values, (*changes, Change(JOINS, "set", following.joins, encode(following.joins)))
