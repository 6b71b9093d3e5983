"""The run, without input or output: a generator that asks for what it needs done."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING, Any

from weavenb.errors import NodeFailed, RecursionLimit, SerializationFailed, UnknownKey, WeaveError
from weavenb.model.ids import micros_now
from weavenb.model.records import RESERVED, PendingWrite, StepCommit
from weavenb.model.tasks import Failed, Finished, Outcome, Paused, Route, Send, Span, Task
from weavenb.runtime.close import close_step
from weavenb.runtime.fold import LocalFold, Unfit, prepared, public, with_initial
from weavenb.runtime.pending import pending
from weavenb.runtime.plan import GuardFailed, check_route
from weavenb.runtime.position import Position
from weavenb.runtime.requests import Await, Commit, Execute, Halt, Request, Run, Save
from weavenb.runtime.work import Job
from weavenb.serde import Unencodable, encode, isolate

if TYPE_CHECKING:
    from weavenb.definition.definition import Definition

__all__ = ["steps"]

Loop = Generator[Request, Any, Halt]


def steps(definition: Definition, run: Run, position: Position, opening: Commit | Save | None = None) -> Loop:  # noqa: C901 - the order of these questions is the meaning of a run
    """Run from `position` until nothing is left, something holds it, or a task failed.

    `opening` is what the call itself makes true first: an input, a fork, an answer.
    """
    if opening is not None:
        yield opening
    warnings: list[str] = []
    taken = 0
    first = True
    while True:
        waiting = position.unfinished()
        if not waiting and not position.tasks:
            return Halt("completed", position, warnings=_told(definition, position, warnings), steps=taken)
        ready = waiting
        if position.questions:
            ready = [task for task in waiting if position.open_question(task) is None]
        if waiting and not ready:
            return _asked(position, warnings, taken)
        held = [] if (first and run.pass_first) or not run.before else [t.node for t in ready if t.node in run.before]
        if held:
            marks = tuple(("before", node) for node in dict.fromkeys(held))
            return Halt("breakpoint", position, breakpoints=marks, warnings=tuple(warnings), steps=taken)
        if taken >= run.limit:
            error = RecursionLimit(run.limit, tuple(task.node for task in waiting))
            return Halt("failed", position, error=error, warnings=tuple(warnings), steps=taken)
        first = False
        taken += 1
        closed = yield from _step(definition, run, position, ready, warnings)
        if closed is None:
            failed = _failure(run, position)
            if failed is not None:
                return Halt("failed", position, error=failed, warnings=tuple(warnings), steps=taken)
            return _asked(position, warnings, taken)
        position = closed
        if run.after and position.tasks and run.after.intersection(position.nodes):
            marks = tuple(("after", node) for node in position.nodes if node in run.after)
            return Halt("breakpoint", position, breakpoints=marks, warnings=tuple(warnings), steps=taken)


def _step(
    definition: Definition, run: Run, position: Position, ready: list[Task], warnings: list[str]
) -> Generator[Request, Any, Position | None]:
    """Run the ready tasks of one step; the position after it, or None when it stays open."""
    outcome: Outcome | None = None
    if ready:
        outcome = yield Execute(position.step + 1, _jobs(definition, run, position, ready))
    left = len(ready)
    while outcome is not None:
        left -= 1
        outcome = _settled(definition, run, outcome)
        position.take(outcome)
        if isinstance(outcome, Finished) and outcome.mutated:
            keys = ", ".join(map(repr, outcome.mutated))
            warnings.append(f"Node {outcome.task.node!r} changed {keys} of its input in place; the change was dropped.")
        if left:
            if run.saved:
                yield Save(_task_commit(run, position, (outcome,)))
            outcome = yield Await()
            continue
        break
    last: tuple[Outcome, ...] = () if outcome is None else (outcome,)
    if not position.unfinished():
        try:
            commit = close_step(definition, run, position, last)
        except (Unfit, GuardFailed) as problem:
            last = _reopened(position, problem, last)
        else:
            yield commit
            run.start = None
            return commit.position
    if run.saved and last:
        yield Save(_task_commit(run, position, last))
        run.start = None
    return None


def _jobs(definition: Definition, run: Run, position: Position, ready: Iterable[Task]) -> tuple[Job, ...]:
    whole = with_initial(definition, public(position.values))
    jobs = []
    for task in ready:
        node = definition.nodes[task.node]
        seen = whole if task.input is None else task.input
        if node.input_keys is not None and task.input is None:
            seen = {key: whole[key] for key in node.input_keys if key in whole}
        routers = definition.routers_from.get(task.node, ())
        jobs.append(
            Job(
                task,
                node.fn,
                node.is_async,
                node.takes_runtime,
                isolate(seen if type(seen) is dict else dict(seen)),
                position.step + 1,
                position.attempts.get(task.id, 0) + 1,
                position.answers.get(task.id, {}),
                routers,
                LocalFold(whole, definition.channels) if routers else None,
                run.thread,
                run.config,
                run.context,
                run.watch,
            )
        )
    return tuple(jobs)


def _settled(definition: Definition, run: Run, outcome: Outcome) -> Outcome:
    """The outcome, or a failure when what the node gave cannot be taken or stored."""
    if not isinstance(outcome, Finished):
        return _checked_question(run, outcome) if isinstance(outcome, Paused) else outcome
    node = outcome.task.node
    try:
        for write in outcome.writes:
            if write.channel not in definition.channels:
                _check_key(definition, node, write.channel)
        if outcome.route.targets:
            check_route(definition, node, outcome.route)
            if run.saved:
                _check_sends(node, outcome.route)
        if not run.saved and not definition.preparing:
            return outcome
        writes = tuple([prepared(definition, write, node, encoded=run.saved) for write in outcome.writes])
    except WeaveError as error:
        return Failed(outcome.task, error, "", outcome.span, outcome.events)
    return Finished(outcome.task, writes, outcome.route, outcome.span, outcome.events, outcome.mutated)


def _check_key(definition: Definition, node: str, channel: str) -> None:
    if channel in RESERVED:
        raise UnknownKey(str(channel), None, f"Node {node!r} writes a name the engine keeps for itself: it")
    definition.check_key(channel, f"What node {node!r} returned")


def _checked_question(run: Run, outcome: Paused) -> Outcome:
    if not run.saved:
        return outcome
    for question in outcome.questions:
        try:
            encode(question.value)
        except Unencodable as problem:
            node = outcome.task.node
            error = SerializationFailed("interrupt()", node, problem.type_name, problem.path, problem.problem)
            return Failed(outcome.task, error, "", outcome.span, outcome.events)
    return outcome


def _check_sends(node: str, route: Route) -> None:
    for target in route.targets:
        if isinstance(target, Send):
            try:
                encode(dict(target.update))
            except Unencodable as problem:
                channel = f"Send to {target.node}"
                raise SerializationFailed(channel, node, problem.type_name, problem.path, problem.problem) from problem


def _reopened(position: Position, problem: Unfit | GuardFailed, last: tuple[Outcome, ...]) -> tuple[Outcome, ...]:
    """Turn the tasks whose results do not fit into failed ones; the others stay finished."""
    if isinstance(problem, Unfit):
        guilty = [task for task in position.tasks if task.id in problem.tasks]
    else:
        guilty = [task for task in position.tasks if task.node == problem.node]
    if not guilty:
        # Its writer finished before an edit: nobody is left to run again, so the last one carries it.
        guilty = [outcome.task for outcome in last] or list(position.tasks[-1:])
    spans = {outcome.task.id: outcome.span for outcome in last}
    named = {task.id for task in guilty}
    found = [outcome for outcome in last if outcome.task.id not in named]
    for task in guilty:
        span = spans.get(task.id)
        if span is None:
            span = _now(position.attempts.get(task.id, 1))
        failed = Failed(task, problem.error, "", span)
        position.take(failed)
        found.append(failed)
    return tuple(found)


def _now(attempt: int) -> Span:
    moment = micros_now()
    return Span(attempt, moment, moment)


def _task_commit(run: Run, position: Position, outcomes: tuple[Outcome, ...]) -> StepCommit:
    kept: list[PendingWrite] = []
    for outcome in outcomes:
        kept += pending(outcome)
    start, run.start = run.start, None
    return StepCommit(
        run.thread or "", run.namespace, run.id, position.id, outcomes=outcomes, pending=tuple(kept), started=start
    )


def _failure(run: Run, position: Position) -> Exception | None:
    for task in position.tasks:
        found = position.errors.get(task.id)
        if found is None:
            continue
        error = found.get("exception")
        if isinstance(error, WeaveError):
            return error
        failed = NodeFailed(task.node, position.step + 1, run.thread, found["type"], found["message"])
        failed.__cause__ = error
        return failed
    return None


def _asked(position: Position, warnings: list[str], taken: int) -> Halt:
    held = tuple(position.open_questions().values())
    return Halt("question", position, held=held, warnings=tuple(warnings), steps=taken)


def _told(definition: Definition, position: Position, warnings: list[str]) -> tuple[str, ...]:
    stalled = []
    joins = {join.key: join for join in definition.joins}
    for key, arrived in dict(position.values.get("__join__", {})).items():
        join = joins.get(key)
        if join is not None:
            missing = [name for name in join.sources if name not in arrived]
            stalled.append(
                f"The join into {join.target!r} never fired: {', '.join(arrived)} arrived,"
                f" {', '.join(missing)} never ran."
            )
    return (*warnings, *stalled)
