"""Running jobs for the sync driver: inline, on an executor, or on the process's one background loop."""

from __future__ import annotations

import asyncio
import contextvars
import queue
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

from weavenb.model.ids import micros_now
from weavenb.model.tasks import Failed, Outcome, Span
from weavenb.runtime.work import Job, arun_job, run_job

__all__ = ["Crew", "background_loop", "default_executor", "failed_outside", "lives_here"]

_lock = threading.Lock()
_shared: dict[str, Any] = {}


def background_loop() -> asyncio.AbstractEventLoop:
    """The one loop on which sync calls run async nodes. Started when first needed."""
    with _lock:
        loop = _shared.get("loop")
        if loop is None or loop.is_closed():
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="weavenb-async", daemon=True).start()
            _shared["loop"] = loop
    return loop


def default_executor() -> Executor:
    """The threads that nodes of one step share, started when first needed."""
    with _lock:
        pool = _shared.get("threads")
        if pool is None:
            # Wide, since a node mostly waits; a step with more nodes than this queues.
            pool = _shared["threads"] = ThreadPoolExecutor(32, thread_name_prefix="weavenb-node")
    return pool


def forget_after_fork() -> None:
    """A forked process has none of its parent's threads."""
    _shared.clear()


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
    """The jobs of one step, as they run. `inbox` gets outcomes and ``(node, data)`` of emitted events."""

    def __init__(self, executor: Executor | None, emit: Callable[[str, Any], None] | None = None) -> None:
        self.executor = executor
        self.inbox: queue.SimpleQueue[Outcome | tuple[str, Any]] = queue.SimpleQueue()
        self.watched = emit is not None

    def start(self, jobs: tuple[Job, ...]) -> None:
        """Start them all; returns at once."""
        for job in jobs:
            future = self._submit(job)
            future.add_done_callback(lambda done, job=job: self.inbox.put(_outcome(job, done)))  # type: ignore[misc]  # mypy cannot type a default argument of a lambda

    def run_inline(self, job: Job) -> Outcome:
        """One job in this thread, so that a breakpoint in the node works."""
        if job.is_async:
            return _outcome(job, self._submit(job))
        return run_job(job, self._emit)

    def _emit(self, node: str, data: Any) -> None:
        if self.watched:
            self.inbox.put((node, data))

    def _submit(self, job: Job) -> Future[Outcome]:
        if job.is_async:
            return asyncio.run_coroutine_threadsafe(arun_job(job, self._emit), background_loop())
        executor = self.executor or default_executor()
        try:
            if lives_here(executor):
                return executor.submit(contextvars.copy_context().run, run_job, job, self._emit)
            return executor.submit(run_job, job)
        except Exception as error:  # noqa: BLE001 - told as the task's failure
            failed: Future[Outcome] = Future()
            failed.set_exception(error)
            return failed


def _outcome(job: Job, future: Future[Outcome]) -> Outcome:
    try:
        return future.result()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - a broken pool or a value that does not pickle is the task's failure
        return failed_outside(job, error)
