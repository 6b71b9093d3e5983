"""Running jobs for the sync driver: inline, on an executor, or on the process's one background loop."""

from __future__ import annotations

import asyncio
import contextvars
import os
import queue
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any

from weavenb.model.ids import micros_now
from weavenb.model.tasks import Failed, Outcome, Span
from weavenb.runtime.work import Job, arun_job, run_job

__all__ = ["Crew", "background_loop", "deeper", "default_executor", "failed_outside", "lives_here"]

_lock = threading.Lock()
_shared: dict[tuple[str, int, int], Any] = {}
"""By kind, depth and process: a forked one has none of its parent's threads."""
_depth: ContextVar[int] = ContextVar("weavenb_depth", default=0)
"""How many nodes, each run by another, this code runs in."""


def deeper() -> contextvars.Context:
    """The context for a node: the caller's, one level down."""
    context = contextvars.copy_context()
    context.run(_depth.set, _depth.get() + 1)
    return context


def background_loop() -> asyncio.AbstractEventLoop:
    """The loop on which sync calls run async nodes. Started when first needed.

    There is one, and one more for graphs that such a node itself calls: it blocks the loop it runs on meanwhile.
    """
    key = ("loop", _depth.get(), os.getpid())
    with _lock:
        loop = _shared.get(key)
        if loop is None or loop.is_closed():
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="weavenb-async", daemon=True).start()
            _shared[key] = loop
    return loop


def default_executor() -> Executor:
    """The threads that nodes of one step share, started when first needed.

    A graph called by a node has threads of its own: those of its caller may all be waiting for it.
    """
    key = ("threads", _depth.get(), os.getpid())
    with _lock:
        pool = _shared.get(key)
        if pool is None:
            # Wide, since a node mostly waits; a step with more nodes than this queues.
            pool = _shared[key] = ThreadPoolExecutor(32, thread_name_prefix="weavenb-node")
    return pool


def lives_here(executor: Executor) -> bool:
    """Whether work on `executor` can call back into this process while it runs."""
    return isinstance(executor, ThreadPoolExecutor)


def failed_outside(job: Job, error: BaseException) -> Failed:
    """The executor itself could not run the job."""
    moment = micros_now()
    text = "".join(traceback.format_exception(error))
    found = error if isinstance(error, Exception) else RuntimeError(f"the worker stopped: {error!r}")
    return Failed(job.task, found, text, Span(job.attempt, moment, moment))


class Crew:
    """The jobs of one step, as they run.

    `inbox` gets outcomes, ``(node, data)`` of emitted events, and what ends the whole run.
    """

    def __init__(self, executor: Executor | None, emit: Callable[[str, Any], None] | None = None) -> None:
        self.executor = executor
        self.inbox: queue.SimpleQueue[Outcome | tuple[str, Any] | BaseException] = queue.SimpleQueue()
        self.watched = emit is not None

    def start(self, jobs: tuple[Job, ...]) -> None:
        """Start them all; returns at once."""
        for job in jobs:
            future = self._submit(job)
            future.add_done_callback(lambda done, job=job: self._ended(job, done))  # type: ignore[misc]  # mypy cannot type a default argument of a lambda

    def run_inline(self, job: Job) -> Outcome:
        """One job in this thread, so that a breakpoint in the node works."""
        if job.is_async:
            return _outcome(job, self._submit(job))
        return run_job(job, self._emit)

    def _ended(self, job: Job, future: Future[Outcome]) -> None:
        try:
            found: Outcome | BaseException = _outcome(job, future)
        except (KeyboardInterrupt, SystemExit) as stop:
            found = stop
        self.inbox.put(found)

    def _emit(self, node: str, data: Any) -> None:
        if self.watched:
            self.inbox.put((node, data))

    def _submit(self, job: Job) -> Future[Outcome]:
        if job.is_async:
            return deeper().run(asyncio.run_coroutine_threadsafe, arun_job(job, self._emit), background_loop())
        executor = self.executor or default_executor()
        try:
            if lives_here(executor):
                return executor.submit(deeper().run, run_job, job, self._emit)
            return executor.submit(run_job, job)
        except Exception as error:  # noqa: BLE001 - told as the task's failure
            failed: Future[Outcome] = Future()
            failed.set_exception(error)
            return failed


def _outcome(job: Job, future: Future[Outcome]) -> Outcome:
    try:
        return future.result()
    except (KeyboardInterrupt, SystemExit):
        raise  # it ends the run, as where the node runs in the caller's own thread
    except BaseException as error:  # noqa: BLE001 - a broken pool or a value that does not pickle is the task's failure
        return failed_outside(job, error)
