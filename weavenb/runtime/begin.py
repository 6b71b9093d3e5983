"""Where a call begins: an input, a replay, an answer, or just going on. Reads a saver, writes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from weavenb.errors import CheckpointNotFound, ThreadNotFound, nearest
from weavenb.model.ids import new_id
from weavenb.model.records import Change, PendingWrite
from weavenb.model.refs import CheckpointRef
from weavenb.model.topology import START
from weavenb.runtime.close import opening_commit, with_joins
from weavenb.runtime.edit import edited
from weavenb.runtime.fold import Unfit, fold, with_initial
from weavenb.runtime.parts import asked_again, carried_writes, input_writes, planned, routes_after
from weavenb.runtime.plan import renewed
from weavenb.runtime.position import Position, position_of
from weavenb.runtime.requests import Commit, Run, Save
from weavenb.serde import encode

if TYPE_CHECKING:
    from weavenb.definition.definition import Definition
    from weavenb.savers.contract import CheckpointTuple, Saver

__all__ = [
    "Begin",
    "Found",
    "begin_fresh",
    "begin_input",
    "begin_invoke",
    "begin_replay",
    "fork_with_answers",
    "going_on",
    "look_up",
]


@dataclass(slots=True)
class Begin:
    """A position to run from, and what the call makes true first."""

    position: Position
    opening: Commit | Save | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a reference points at."""

    ref: CheckpointRef
    head: CheckpointTuple | None
    target: CheckpointTuple | None
    """The checkpoint named, or the head."""

    @property
    def head_id(self) -> str | None:
        """Id of the thread's head."""
        return None if self.head is None else str(self.head.checkpoint["id"])

    @property
    def is_head(self) -> bool:
        """Whether the target is the head, by its id or because none was named."""
        return self.target is not None and self.head is not None and self.target.checkpoint["id"] == self.head_id

    def existing(self, saver: Saver) -> CheckpointTuple:
        """The target.

        Raises:
            ThreadNotFound: the thread has no checkpoint.
            CheckpointNotFound: the thread does not have this one.
        """
        if self.target is not None:
            return self.target
        if self.ref.checkpoint is not None:
            raise CheckpointNotFound(self.ref.thread, self.ref.checkpoint)
        raise ThreadNotFound(self.ref.thread, _nearest_thread(saver, self.ref.thread))


def _nearest_thread(saver: Saver, thread: str) -> str | None:
    known: dict[str, None] = {}
    # Enough to catch a typing error, never a walk through a large store.
    for found in saver.list(None, limit=200):
        known[found.config["configurable"]["thread_id"]] = None
    return nearest(thread, known)


def look_up(saver: Saver, ref: CheckpointRef) -> Found:
    """Read the head, and the checkpoint if one is named."""
    head = saver.get_tuple(ref.at(None).to_config())
    if ref.checkpoint is None or (head is not None and head.checkpoint["id"] == ref.checkpoint):
        return Found(ref, head, head)
    return Found(ref, head, saver.get_tuple(ref.to_config()))


def begin_fresh(definition: Definition, run: Run, given: Mapping[str, Any] | None) -> Begin:
    """A run without a saver, from nothing."""
    nothing = Position(None, -2, {}, (), ())
    return begin_input(definition, run, nothing, given or {})


def begin_invoke(
    definition: Definition, run: Run, found: Found, saver: Saver, given: Mapping[str, Any] | None
) -> Begin:
    """The table of what an input does at a thread, a head or a checkpoint."""
    if found.target is None and (given is None or found.ref.checkpoint is not None):
        found.existing(saver)
    if found.target is None:
        return begin_input(definition, run, Position(None, -2, {}, (), ()), given or {})
    at = position_of(found.target, live=found.is_head)
    named = found.ref.checkpoint is not None
    run.branch = at.branch
    if not at.tasks:
        if given is None or (named and not given):
            return Begin(at)
        return begin_input(definition, run, at, given)
    if given:
        if not found.is_head:
            # What was asked at an older checkpoint was asked of the state before this edit.
            at.questions, at.answers = {}, {}
        return _merged(definition, run, at, given, is_head=found.is_head)
    return begin_replay(run, found, saver) if named else going_on(run, at)


def begin_replay(run: Run, found: Found, saver: Saver) -> Begin:
    """Run on from a checkpoint; an edit or a fork that nothing has started on yet simply goes on.

    Raises:
        ThreadNotFound: the thread has no checkpoint.
        CheckpointNotFound: the thread does not have this one.
    """
    target = found.existing(saver)
    at = position_of(target, live=found.is_head)
    run.branch = at.branch
    if not at.tasks or (found.is_head and at.source in {"update", "fork"} and not at.started):
        return going_on(run, at)
    return fork_position(run, position_of(target, live=False))


def begin_input(definition: Definition, run: Run, at: Position, given: Mapping[str, Any]) -> Begin:
    """A new turn: the input becomes a checkpoint that schedules the entry nodes."""
    writes = input_writes(definition, run, given, START)
    first = at.id is None and not at.values
    written = [(START, START, writes)]
    try:
        folded = fold(definition, at.values, written, encoded=run.saved)
    except Unfit as problem:
        raise problem.error from problem
    values, changes = folded.values, folded.changes
    if first:
        whole = with_initial(definition, values)
        added = {key: value for key, value in whole.items() if key not in values}
        values = whole
        if run.saved:
            changes += tuple(Change(key, "set", value, encode(value), (START,)) for key, value in added.items())
    record_id = new_id() if run.saved else None
    route = routes_after(definition, START, values, run)
    changed = tuple(given)
    step = at.step + 1
    following = planned(
        definition, [(START, route)], values, changed, step=step + 1, suffix=record_id[-8:] if record_id else "0"
    )
    values, changes = with_joins(values, changes, following)
    after = at.forward(
        id=record_id,
        step=step,
        values=values,
        tasks=following.tasks,
        nodes=(START,),
        source="input",
        run_id=run.id,
        branch=run.branch,
        def_hash=run.def_hash,
    )
    return _begun(run, at, after, changes)


def _begun(run: Run, at: Position, after: Position, changes: tuple[Change, ...]) -> Begin:
    commit = opening_commit(run, at.id, after, changes) if run.saved else None
    return Begin(after, Commit(commit, after, tuple(c.channel for c in changes)))


def _merged(definition: Definition, run: Run, at: Position, given: Mapping[str, Any], *, is_head: bool) -> Begin:
    """New input for a step that is still open: an ``update`` child, whose unfinished work then goes on."""
    run.go_on(at)
    after, changes, carried = edited(definition, run, at, given, START, keep_ids=is_head)
    commit = opening_commit(run, at.id, after, changes, carried)
    opening = Commit(commit, after, tuple(c.channel for c in changes))
    return Begin(after, opening)


def going_on(run: Run, at: Position, opening: Save | None = None) -> Begin:
    """From where an earlier run stopped, as it would have gone on."""
    run.go_on(at)
    return Begin(at, opening)


def fork_position(run: Run, at: Position) -> Begin:
    """A replay: a ``fork`` child of `at` with the same tasks under new ids, so that all is asked and run again."""
    record_id = new_id()
    step = at.step + 1
    tasks = renewed(at.tasks, step + 1, record_id[-8:])
    after = at.forward(
        id=record_id,
        step=step,
        tasks=tuple(tasks.values()),
        source="fork",
        run_id=run.id,
        carried=list(at.carried),
        def_hash=run.def_hash,
    )
    commit = opening_commit(run, at.id, after, carried=tuple(carried_writes(after.carried)))
    return Begin(after, Commit(commit, after, ()))


def fork_with_answers(run: Run, at: Position, answers: Mapping[str, Mapping[str, Any]]) -> Begin:
    """A ``fork`` child of a stopped checkpoint whose questions get other answers; `answers` by old task id."""
    begin = fork_position(run, at)
    after, opening = begin.position, begin.opening
    new = dict(zip([t.id for t in at.tasks], after.tasks, strict=True))
    kept: list[PendingWrite] = list(carried_writes(after.carried))
    for old_id, questions in at.questions.items():
        given = {**at.answers.get(old_id, {}), **answers.get(old_id, {})}
        kept += asked_again(after, new[old_id], questions, given)
    if isinstance(opening, Commit) and opening.commit is not None:
        begin.opening = Commit(replace(opening.commit, carried=tuple(kept)), after, ())
    return begin
