"""Work off the kernel's shell: one thread, one job at a time.

A widget's callback runs in the kernel's main thread on some kernels, in a second thread at the same
time as a cell on others. So a callback only enqueues.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

__all__ = ["Worker"]

Job = Callable[[], None]


class Worker:
    """Runs jobs in the order they came; each takes care of its own errors.

    The thread starts with the first job and ends when there was nothing to do for `idle` seconds.
    """

    def __init__(self, name: str, *, idle: float = 30.0) -> None:
        self._name = name
        self._idle = idle
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._running = False

    def submit(self, job: Job) -> None:
        """Enqueue; returns at once."""
        with self._lock:
            self._jobs.put(job)
            if not self._running:
                self._running = True
                threading.Thread(target=self._run, name=self._name, daemon=True).start()

    def _run(self) -> None:
        while True:
            try:
                job = self._jobs.get(timeout=self._idle)
            except queue.Empty:
                with self._lock:
                    if self._jobs.empty():
                        self._running = False
                        return
                continue
            job()
