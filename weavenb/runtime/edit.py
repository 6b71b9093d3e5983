"""Editing state: an ``update`` checkpoint, and what runs next after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from weavenb.errors import AmbiguousUpdate
from weavenb.model.ids import new_id
from weavenb.model.records import Change, PendingWrite, StepCommit
from weavenb.model.tasks import NO_ROUTE, Task
from weavenb.model.topology import END, START
from weavenb.runtime.close import opening_commit, with_joins
from weavenb.runtime.fold import Folded, Unfit, Written, fold, with_initial
from weavenb.runtime.parts import asked_again, carried_writes, input_writes, planned, routes_after
from weavenb.runtime.plan import Plan, renewed
from weavenb.runtime.position import Done, Position
from weavenb.runtime.requests import Run
from weavenb.serde import encode

if TYPE_CHECKING:
    from weavenb.definition.definition import Definition

__all__ = ["begin_update", "edited"]


def begin_update(
    definition: Definition,
    run: Run,
    at: Position,
    values: Mapping[str, Any],
    *,
    as_node: str | None = None,
    task_id: str | None = None,
    is_head: bool,
) -> tuple[Position, StepCommit]:
    """The position and the commit of an edit after `at`.

    Raises:
        AmbiguousUpdate: it could stand for several nodes or tasks. Nothing is written.
    """
    if as_node is not None and as_node not in {START, END}:
        definition.check_node(as_node, "as_node of the update")
    named = _named_task(at, as_node, task_id)
    if named is not None:
        after, changes, carried = _supplied(definition, run, at, values, named)
    elif as_node == END:
        after, changes, carried = _ended(definition, run, at, values)
    elif at.started and (as_node is None or any(d.task.node == as_node for d in (*at.done.values(), *at.carried))):
        after, changes, carried = edited(definition, run, at, values, as_node or START, keep_ids=is_head)
    elif as_node is None and at.carried:
        # An edit within a step that is still open: there is no last node yet.
        after, changes, carried = edited(definition, run, at, values, START, keep_ids=is_head)
    else:
        after, changes, carried = _written_by(definition, run, at, values, as_node or _last_node(at))
    return after, opening_commit(run, at.id, after, changes, carried)


def _named_task(at: Position, as_node: str | None, task_id: str | None) -> Task | None:
    """The unfinished task whose result the update supplies, if it names one."""
    waiting = at.unfinished()
    if task_id is not None:
        found = [task for task in waiting if task.id == task_id]
        if not found:
            known = [task.id for task in waiting] or ["no task, since none is waiting"]
            raise AmbiguousUpdate(known, "task_id")
        if as_node not in {None, found[0].node}:
            raise AmbiguousUpdate((found[0].node, str(as_node)))
        return found[0]
    found = [task for task in waiting if task.node == as_node]
    if len(found) > 1:
        raise AmbiguousUpdate((task.id for task in found), "task_id")
    return found[0] if found else None


def _last_node(at: Position) -> str:
    if len(at.nodes) == 1:
        return at.nodes[0]
    if not at.nodes:
        raise AmbiguousUpdate(("the node that wrote last is not known",))
    raise AmbiguousUpdate(at.nodes)


def _fold(definition: Definition, run: Run, at: Position, written: list[Written]) -> Folded:
    try:
        return fold(definition, at.values, written, encoded=run.saved)
    except Unfit as problem:
        raise problem.error from problem


def _finished_writes(at: Position) -> list[Written]:
    done = [at.done[task.id] for task in at.tasks if task.id in at.done]
    return [(d.task.node, d.task.id, d.writes) for d in done]


def _both(definition: Definition, run: Run, at: Position, values: Mapping[str, Any], who: str) -> Folded:
    """Finished siblings' writes first, then the edit on top of them."""
    first = _fold(definition, run, at, _finished_writes(at))
    edit = input_writes(definition, run, values, who if who != START else "update")
    then = _fold(definition, run, at.forward(values=first.values), [(who, who, edit)])
    touched = {change.channel for change in then.changes}
    merged = [change for change in first.changes if change.channel not in touched]
    for change in then.changes:
        before = next((c for c in first.changes if c.channel == change.channel), None)
        # Two changes of one channel become one whole value: a checkpoint says each change once.
        merged.append(change if before is None else _whole(change, then.values))
    return Folded(then.values, tuple(merged), ())


def _whole(change: Change, values: Mapping[str, Any]) -> Change:
    if change.op == "set":
        return change
    value = values[change.channel]
    return Change(change.channel, "set", value, encode(value), change.nodes)


def edited(
    definition: Definition, run: Run, at: Position, values: Mapping[str, Any], who: str, *, keep_ids: bool
) -> tuple[Position, tuple[Change, ...], tuple[PendingWrite, ...]]:
    """An ordinary edit of an open step: what is finished is folded in, what is unfinished stays pending."""
    folded = _both(definition, run, at, values, who)
    waiting = at.unfinished()
    record_id = new_id()
    tasks = {task.id: task for task in waiting}
    if not keep_ids:
        tasks = renewed(waiting, at.step + 2, record_id[-8:])
    after = at.forward(
        id=record_id,
        step=at.step + 1,
        values=folded.values,
        tasks=tuple(tasks.values()),
        source="update",
        run_id=run.id,
        branch=run.branch,
        def_hash=run.def_hash,
        carried=[*at.carried, *(_led(done) for done in _in_order(at))],
    )
    carried = carried_writes(after.carried)
    for old_id, task in tasks.items():
        carried += _pause_along(at, after, old_id, task)
    return after, folded.changes, tuple(carried)


def _in_order(at: Position) -> list[Done]:
    return [at.done[task.id] for task in at.tasks if task.id in at.done]


def _led(done: Done) -> Done:
    return Done(done.task, (), done.route)


def _pause_along(at: Position, after: Position, old_id: str, task: Task) -> list[PendingWrite]:
    """A pause survives the edit."""
    asked = at.questions.get(old_id)
    return asked_again(after, task, asked, at.answers.get(old_id, {})) if asked else []


def _supplied(
    definition: Definition, run: Run, at: Position, values: Mapping[str, Any], task: Task
) -> tuple[Position, tuple[Change, ...], tuple[PendingWrite, ...]]:
    """The update is the result of an unfinished task: the task is done, and the step closes if it was the last."""
    folded = _both(definition, run, at, values, task.node)
    route = routes_after(definition, task.node, folded.values, run)
    ended = [*at.carried, *(_led(done) for done in _in_order(at)), Done(task, (), route)]
    waiting = [other for other in at.unfinished() if other.id != task.id]
    record_id = new_id()
    step = at.step + 1
    if waiting:
        after = at.forward(
            id=record_id,
            step=step,
            values=folded.values,
            tasks=tuple(waiting),
            source="update",
            nodes=(task.node,),
            run_id=run.id,
            branch=run.branch,
            def_hash=run.def_hash,
            carried=ended,
        )
        carried = carried_writes(after.carried)
        for other in waiting:
            carried += _pause_along(at, after, other.id, other)
        return after, folded.changes, tuple(carried)
    following = planned(
        definition,
        [(d.task.node, d.route) for d in ended],
        folded.values,
        tuple(change.channel for change in folded.changes),
        step=step + 1,
        suffix=record_id[-8:],
    )
    return _closed(run, at, folded, following, record_id=record_id, nodes=(task.node,))


def _closed(
    run: Run, at: Position, folded: Folded, following: Plan, *, record_id: str, nodes: tuple[str, ...]
) -> tuple[Position, tuple[Change, ...], tuple[PendingWrite, ...]]:
    values, changes = with_joins(folded.values, folded.changes, following)
    after = at.forward(
        id=record_id,
        step=at.step + 1,
        values=values,
        tasks=following.tasks,
        source="update",
        nodes=nodes,
        run_id=run.id,
        branch=run.branch,
        def_hash=run.def_hash,
    )
    return after, changes, ()


def _written_by(
    definition: Definition, run: Run, at: Position, values: Mapping[str, Any], node: str
) -> tuple[Position, tuple[Change, ...], tuple[PendingWrite, ...]]:
    """The update counts as a write of `node`, whose routes are decided again on the edited state."""
    folded = _both(definition, run, at, values, node)
    if at.id is None:
        whole = with_initial(definition, folded.values)
        added = tuple(Change(k, "set", v, encode(v), (node,)) for k, v in whole.items() if k not in folded.values)
        folded = Folded(whole, (*folded.changes, *added), ())
    route = (
        NO_ROUTE
        if node not in definition.nodes and node != START
        else routes_after(definition, node, folded.values, run)
    )
    record_id = new_id()
    decided = _decided_itself(definition, at, node)
    # Work that another node of the same step scheduled is none of this node's business.
    others = [t for t in at.unfinished() if decided or set(t.triggered_by) - {node}] if node in at.nodes else []
    following = planned(
        definition,
        [] if decided else [(node, route)],
        folded.values,
        tuple(change.channel for change in folded.changes),
        step=at.step + 2,
        suffix=record_id[-8:],
        kept=others,
    )
    return _closed(run, at, folded, following, record_id=record_id, nodes=(node,))


def _decided_itself(definition: Definition, at: Position, node: str) -> bool:
    """Whether what waits shows that `node` said where to go by what it returned: only running it could say it again."""
    if node not in at.nodes or definition.routers_from.get(node) or at.def_hash != definition.def_hash:
        return False
    ways = {edge.target for edge in definition.edges_from.get(node, ())}
    ways |= {join.target for join in definition.joins_from.get(node, ())}
    mine = [task for task in at.unfinished() if node in task.triggered_by]
    return any(task.input is not None or task.node not in ways for task in mine)


def _ended(
    definition: Definition, run: Run, at: Position, values: Mapping[str, Any]
) -> tuple[Position, tuple[Change, ...], tuple[PendingWrite, ...]]:
    """``as_node=END``: the edit is made and nothing is left to run."""
    folded = _both(definition, run, at, values, END)
    following = Plan((), {})
    return _closed(run, at, folded, following, record_id=new_id(), nodes=at.nodes)
