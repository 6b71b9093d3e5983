"""History could not be read or written."""

from __future__ import annotations

from collections.abc import Iterable

from weavenb.errors.base import WeaveError, hint


class StoreError(WeaveError):
    """History could not be read or written: whoever owns the storage must act."""


class StorageTrouble(StoreError):
    """Storage failed, is closed or is damaged; ``args[0]`` is the whole sentence."""

    code = "storage_error"
    fields = ("problem",)

    def __str__(self) -> str:
        return str(self.args[0])


class StorageLocked(StoreError):
    """Another process has the file."""

    code = "storage_locked"
    fields = ("path", "pid")

    def __init__(self, path: str, pid: int | None) -> None:
        super().__init__(path, pid)

    def __str__(self) -> str:
        path, pid = self.args
        owner = f"process {pid}" if pid else "another process"
        return (
            f"{path!r} is open in {owner}. Shut that kernel down or call saver.close() there;"
            " to let several processes write, use PostgreSQL."
        )


class OpenedDifferently(StoreError):
    """The same file is already open in this process with other options."""

    code = "storage_open_differently"
    fields = ("path", "option", "here", "there")

    def __init__(self, path: str, option: str, here: object, there: object) -> None:
        super().__init__(path, option, here, there)

    def __str__(self) -> str:
        path, option, here, there = self.args
        return (
            f"{path!r} is already open in this process with {option}={there!r}, asked now with {option}={here!r}."
            " Close the first saver, or open it with the same options."
        )


class Unsupported(StoreError):
    """An optional operation this saver does not offer."""

    code = "unsupported"
    fields = ("operation", "saver")

    def __init__(self, operation: str, saver: str) -> None:
        super().__init__(operation, saver)

    def __str__(self) -> str:
        operation, saver = self.args
        return f"{saver} does not offer {operation}; what it offers is listed in its capabilities."


class ConcurrentUpdate(StoreError):
    """Another run moved the thread's head first. This run's steps stay as a branch."""

    code = "concurrent_update"
    fields = ("thread", "expected", "found")

    def __init__(self, thread: str, expected: str | None, found: str | None) -> None:
        super().__init__(thread, expected, found)

    def __str__(self) -> str:
        thread, _, _ = self.args
        return (
            f"Another run moved thread {thread!r} on while this one ran. Nothing is lost: this run's steps are kept"
            " as a branch. Invoke the thread again to go on from its head."
        )


class ThreadDeleted(StoreError):
    """The thread was deleted while this run was under way; the late write was refused."""

    code = "thread_deleted"
    fields = ("thread",)

    def __init__(self, thread: str) -> None:
        super().__init__(thread)

    def __str__(self) -> str:
        return f"Thread {self.args[0]!r} was deleted while this run was under way, so its step was not written."


class ThreadExists(StoreError):
    """A fork or copy was asked into a thread that already has history."""

    code = "thread_exists"
    fields = ("thread",)

    def __init__(self, thread: str) -> None:
        super().__init__(thread)

    def __str__(self) -> str:
        return f"Thread {self.args[0]!r} already has history: choose another name, or delete it first."


class DeltaDependency(StoreError):
    """A removal was refused since kept checkpoints are built on what would go."""

    code = "delta_dependency"
    fields = ("needed",)

    def __init__(self, needed: Iterable[str]) -> None:
        super().__init__(tuple(needed))

    def __str__(self) -> str:
        return f"Kept checkpoints are built on {', '.join(self.args[0])}: nothing was removed."


class RestoreFailed(StoreError):
    """A stored value cannot be brought back; ``args[0]`` is the whole sentence."""

    code = "restore_failed"
    fields = ("problem",)

    def __str__(self) -> str:
        return str(self.args[0])


class QueryFailed(StoreError):
    """A question in SQL that was refused or failed; ``args[0]`` is the whole sentence."""

    code = "query_error"
    fields = ("problem", "nearest")

    def __init__(self, problem: str, nearest: str | None = None) -> None:
        super().__init__(problem, nearest)

    def __str__(self) -> str:
        problem, found = self.args
        return f"{problem}{hint(found)}"
