"""The two drivers of the one loop: they do what it asks and tell what happened."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Generator, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, assert_never

from weavenb.model.events import Committed, Custom, Planned, RunEvent, TaskEnded
from weavenb.model.records import StepCommit
from weavenb.model.tasks import Outcome
from weavenb.runtime.crew import Crew, deeper, default_executor, failed_outside, lives_here
from weavenb.runtime.fold import public
from weavenb.runtime.requests import Await, Commit, Execute, Halt, Save
from weavenb.runtime.work import Job, arun_job, run_job
from weavenb.serde import isolate

if TYPE_CHECKING:
    from weavenb.runtime.ledger import Ledger
    from weavenb.runtime.loop import Loop

__all__ = ["Hands", "adrive", "drive"]


@dataclass(slots=True)
class Hands:
    """What a driver acts with."""

    ledger: Ledger | None
    executor: Executor | None
    observed: bool
    """Whether anybody looks at the events."""
    halt: Halt | None = None
    """Set when the loop has ended."""
    step: int = -1
    ended: Outcome | None = None
    """A task that ended and was not told of yet: that comes when it is stored."""


def drive(loop: Loop, hands: Hands) -> Iterator[RunEvent]:
    """Run the loop to its end in this thread; the end is in ``hands.halt``."""
    crew = Crew(hands.executor, _ignore if hands.observed else None)
    answer: Outcome | None = None
    while True:
        try:
            request = loop.send(answer)
        except StopIteration as end:
            hands.halt = end.value
            yield from _news(hands)
            return
        answer = None
        match request:
            case Execute():
                jobs = request.jobs
                hands.step = request.step
                if hands.observed:
                    yield Planned(request.step, tuple(job.task for job in jobs))
                if len(jobs) == 1 and hands.executor is None and not hands.observed:
                    answer = crew.run_inline(jobs[0])
                else:
                    crew.start(jobs)
                    answer = yield from _next(crew, hands)
            case Await():
                yield from _news(hands)
                answer = yield from _next(crew, hands)
            case Save():
                _store(hands.ledger, request.commit)
                yield from _news(hands, request.commit)
            case Commit():
                _store(hands.ledger, request.commit)
                if hands.observed:
                    yield from _news(hands, request.commit)
                    yield _committed(request)
            case _:
                assert_never(request)


def _next(crew: Crew, hands: Hands) -> Generator[RunEvent, None, Outcome]:
    while True:
        found = crew.inbox.get()
        if isinstance(found, tuple):
            yield Custom(*found)
            continue
        if isinstance(found, BaseException):
            raise found
        if hands.observed:
            yield from (Custom(*event) for event in found.events)
            hands.ended = found
        return found


def _news(hands: Hands, commit: StepCommit | None = None) -> Iterator[RunEvent]:
    """The end of a task, as it was stored: whoever stops listening then has lost nothing."""
    ended, hands.ended = hands.ended, None
    if ended is not None:
        stored = commit.outcomes if commit is not None else ()
        yield TaskEnded(hands.step, next((each for each in stored if each.task.id == ended.task.id), ended))


async def adrive(loop: Loop, hands: Hands) -> AsyncIterator[RunEvent]:  # noqa: C901, PLR0912 - an async generator cannot hand on to another
    """The same on the caller's own event loop; sync nodes go to the executor."""
    team = _Team(hands)
    answer: Outcome | None = None
    try:
        while True:
            try:
                request = loop.send(answer)
            except StopIteration as end:
                hands.halt = end.value
                for event in _news(hands):
                    yield event
                return
            answer = None
            match request:
                case Execute():
                    hands.step = request.step
                    if hands.observed:
                        yield Planned(request.step, tuple(job.task for job in request.jobs))
                    team.start(request.jobs)
                case Await():
                    for event in _news(hands):
                        yield event
                case Save():
                    await _astore(hands.ledger, request.commit)
                    for event in _news(hands, request.commit):
                        yield event
                    continue
                case Commit():
                    await _astore(hands.ledger, request.commit)
                    for event in _news(hands, request.commit):
                        yield event
                    if hands.observed:
                        yield _committed(request)
                    continue
                case _:
                    assert_never(request)
            while answer is None:
                found = await team.inbox.get()
                if isinstance(found, tuple):
                    yield Custom(*found)
                    continue
                if isinstance(found, BaseException):
                    raise found
                answer = found
                if hands.observed:
                    for custom in found.events:
                        yield Custom(*custom)
                    hands.ended = found
    finally:
        team.cancel()


class _Team:
    """The jobs of one step on an event loop."""

    def __init__(self, hands: Hands) -> None:
        self.hands = hands
        self.loop = asyncio.get_running_loop()
        self.inbox: asyncio.Queue[Outcome | tuple[str, Any] | BaseException] = asyncio.Queue()
        self.running: set[asyncio.Task[Any]] = set()
        self.stopped = False

    def start(self, jobs: tuple[Job, ...]) -> None:
        for job in jobs:
            task = self.loop.create_task(self._run(job))
            self.running.add(task)
            task.add_done_callback(lambda done, job=job: self._ended(job, done))  # type: ignore[misc]  # mypy cannot type a default argument of a lambda

    def _ended(self, job: Job, task: asyncio.Task[None]) -> None:
        """What `_run` could not tell ends the task or the run too: nobody waits for an answer that never comes."""
        self.running.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, KeyboardInterrupt | SystemExit):
            self.inbox.put_nowait(error)
        elif error is not None:
            self.inbox.put_nowait(failed_outside(job, error))

    async def _run(self, job: Job) -> None:
        try:
            if job.is_async:
                outcome = await arun_job(job, self._emit)
            else:
                executor = self.hands.executor or default_executor()
                if lives_here(executor):
                    outcome = await self.loop.run_in_executor(executor, deeper().run, run_job, job, self._emit)
                else:
                    outcome = await self.loop.run_in_executor(executor, run_job, job)
        except asyncio.CancelledError as error:
            if self.stopped:
                raise
            # The node's own doing: something it awaited was cancelled.
            outcome = failed_outside(job, error)
        except Exception as error:  # noqa: BLE001 - a broken pool is told as the task's failure
            outcome = failed_outside(job, error)
        self.inbox.put_nowait(outcome)

    def _emit(self, node: str, data: Any) -> None:
        if self.hands.observed:
            self.loop.call_soon_threadsafe(self.inbox.put_nowait, (node, data))

    def cancel(self) -> None:
        self.stopped = True
        for task in self.running:
            task.cancel()


def _ignore(node: str, data: Any) -> None:
    """Stands for an observer; the crew only asks whether there is one."""


def _committed(request: Commit) -> Committed:
    at = request.position
    return Committed(
        at.step,
        at.id or "",
        at.source,
        request.changed,
        tuple(t.node for t in at.tasks),
        isolate(public(at.values)),
    )


def _store(ledger: Ledger | None, commit: StepCommit | None) -> None:
    if ledger is not None and commit is not None:
        ledger.store(commit)


async def _astore(ledger: Ledger | None, commit: StepCommit | None) -> None:
    if ledger is None or commit is None:
        return
    if ledger.quick:
        ledger.store(commit)
    else:
        await asyncio.to_thread(ledger.store, commit)
