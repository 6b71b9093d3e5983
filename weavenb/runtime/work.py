"""The one function that crosses to a worker, and its async twin. Failures and questions come back as values."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from weavenb.channels.naming import value_text
from weavenb.definition.edges import Router
from weavenb.model.ids import micros_now
from weavenb.model.tasks import NO_ROUTE, Command, Failed, Finished, Outcome, Paused, Route, Send, Span, Task, Write
from weavenb.runtime.context import Asked, Emit, Runtime, TaskContext, current
from weavenb.runtime.fold import LocalFold
from weavenb.serde import isolate

__all__ = ["Job", "arun_job", "read_return", "route_of", "run_job"]


@dataclass(slots=True)
class Job:
    """All that a worker needs for one attempt of one task. Nobody changes it; freezing it would cost each step."""

    task: Task
    fn: Any
    is_async: bool
    takes_runtime: bool
    state: dict[str, Any]
    """The node's own copy."""
    step: int
    attempt: int = 1
    answers: Mapping[str, Any] = field(default_factory=dict)
    routers: tuple[Router, ...] = ()
    fold: LocalFold | None = None
    """Applies the node's own writes for its routers; None when there are none."""
    thread: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    context: Any = None
    watch: bool = False
    """Look for keys of the input that the node changes in place."""


def run_job(job: Job, emit: Emit | None = None) -> Outcome:
    """One attempt of a sync node, routing included."""
    attempt = _Attempt(job, emit)
    token = current.set(attempt.context)
    try:
        returned = job.fn(job.state, attempt.runtime()) if job.takes_runtime else job.fn(job.state)
        if hasattr(returned, "__await__"):
            return attempt.failed(TypeError("a sync node returned an awaitable: declare it with `async def`"))
        writes, route = read_return(job, returned)
        return attempt.finished(writes, route)
    except Asked as stop:
        return attempt.paused(stop)
    except Exception as error:  # noqa: BLE001 - handed back as a value
        return attempt.failed(error)
    finally:
        current.reset(token)


async def arun_job(job: Job, emit: Emit | None = None) -> Outcome:
    """The same for an async node, on the loop of whoever awaits it."""
    attempt = _Attempt(job, emit)
    token = current.set(attempt.context)
    try:
        returned = await (job.fn(job.state, attempt.runtime()) if job.takes_runtime else job.fn(job.state))
        writes, route = read_return(job, returned)
        return attempt.finished(writes, route)
    except Asked as stop:
        return attempt.paused(stop)
    except Exception as error:  # noqa: BLE001 - handed back as a value
        return attempt.failed(error)
    finally:
        current.reset(token)


class _Attempt:
    """Notes the time of an attempt and words its end."""

    __slots__ = ("before", "context", "events", "job", "started")

    def __init__(self, job: Job, emit: Emit | None) -> None:
        self.job = job
        self.events: list[Any] = []
        self.context = TaskContext(job.task.id, job.answers, self._keep if emit is None else emit)
        self.before = isolate(job.state) if job.watch else None
        self.started = micros_now()

    def _keep(self, node: str, data: Any) -> None:
        self.events.append((node, data))

    def runtime(self) -> Runtime:
        job = self.job
        return Runtime(job.context, job.config, job.thread, job.step, job.attempt, job.task.node, self.context.emit)

    def span(self) -> Span:
        return Span(self.job.attempt, self.started, micros_now())

    def finished(self, writes: tuple[Write, ...], route: Route) -> Finished:
        before, job = self.before, self.job
        if before is None:
            span = Span(job.attempt, self.started, micros_now())
            return Finished(job.task, writes, route, span, tuple(self.events))
        state = job.state
        mutated = tuple(key for key in {**before, **state} if _differs(before.get(key, _GONE), state.get(key, _GONE)))
        return Finished(self.job.task, writes, route, self.span(), tuple(self.events), mutated)

    def failed(self, error: Exception) -> Failed:
        trace = error.__traceback__
        # The first frame is this room's own: the reader wants the node's.
        text = "".join(traceback.format_exception(type(error), error, trace.tb_next if trace else None))
        return Failed(self.job.task, error, text, self.span(), tuple(self.events))

    def paused(self, stop: Asked) -> Paused:
        asked = self.context.asked
        questions = tuple(asked[: asked.index(stop.question) + 1]) if stop.question in asked else (stop.question,)
        return Paused(self.job.task, questions, self.span(), tuple(self.events))


_GONE = object()


def _differs(before: Any, after: Any) -> bool:
    if before is after:
        return False
    try:
        return bool(before != after)
    except Exception:  # noqa: BLE001 - an array has no one answer, a stranger's comparison may raise anything
        return True


def read_return(job: Job, returned: Any) -> tuple[tuple[Write, ...], Route]:
    """What a node's return value writes, and where it leads by its own decision."""
    if type(returned) is dict:
        return _followed(job, returned)
    update: dict[str, Any] = {}
    goto: list[str | Send] = []
    replaces = False
    for part in (returned,) if not isinstance(returned, list | tuple) else returned:
        if part is None:
            continue
        if isinstance(part, Command):
            targets = part.goto if isinstance(part.goto, list | tuple) else (part.goto,)
            goto += targets
            replaces = replaces or bool(targets)
            part = part.update or {}  # noqa: PLW2901 - a command is its update from here on
        elif isinstance(part, Send):
            goto.append(part)
            replaces = True
            continue
        if type(part) is not dict and not isinstance(part, Mapping):
            message = (
                f"the node returned {type(part).__name__}; return a dict of the keys that change,"
                " a Command, a Send, a list of these, or None"
            )
            raise TypeError(message)
        for key, value in part.items():
            if key in update:
                message = f"the node returned the key {key!r} twice"
                raise TypeError(message)
            update[key] = value
    if replaces:
        return _writes(update), Route(tuple(_isolated(goto)), replaces_edges=True)
    return _followed(job, update)


def _followed(job: Job, update: dict[str, Any]) -> tuple[tuple[Write, ...], Route]:
    """The writes of a node that leaves the way to its edges and routers."""
    writes = _writes(update)
    if job.fold is None:
        return writes, NO_ROUTE
    return writes, route_of(job.routers, job.fold.state_after(writes))


def _writes(update: dict[str, Any]) -> tuple[Write, ...]:
    # A node may keep what it returned and change it later.
    return tuple([Write(key, isolate(value)) for key, value in update.items()])


def route_of(routers: tuple[Router, ...], state: Mapping[str, Any]) -> Route:
    """What the routers of one node say of the state after it, in the order they were declared."""
    targets: list[str | Send] = []
    for router in routers:
        targets += router.decide(isolate(state))
    return Route(tuple(_isolated(targets)))


def _isolated(targets: list[str | Send]) -> list[str | Send]:
    return [_isolated_send(t) if isinstance(t, Send) else _name_of_node(t) for t in targets]


def _isolated_send(send: Send) -> Send:
    given: object = send.update
    if not isinstance(given, Mapping):
        message = f"Send({send.node!r}, ...) takes a dict as the node's state, not {type(given).__name__}"
        raise TypeError(message)
    return Send(_name_of_node(send.node), isolate(given))


def _name_of_node(target: object) -> str:
    if not isinstance(target, str):
        message = f"a node is named by its text, not by {value_text(target)} of type {type(target).__name__}"
        raise TypeError(message)
    return target
