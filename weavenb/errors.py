"""Every error weavenb raises.

::

    WeaveError
    ├── GraphError                    the definition, or a call that does not fit it
    │   ├── InvalidGraph              invalid_graph
    │   ├── UnknownNode               unknown_node
    │   ├── UnknownKey                unknown_key
    │   └── DefinitionMismatch        def_hash_mismatch
    ├── RunError                      one run: thread, step, node
    │   ├── NodeFailed                node_error
    │   ├── InvalidUpdate             invalid_update
    │   ├── RecursionLimit            recursion_limit
    │   ├── ThreadNotFound            thread_not_found
    │   ├── CheckpointNotFound        checkpoint_not_found
    │   ├── AmbiguousUpdate           ambiguous_state_update
    │   ├── AmbiguousResume           ambiguous_resume
    │   ├── NothingToResume           nothing_to_resume
    │   ├── MissingThread             missing_thread
    │   ├── SerializationFailed       serialization_error
    │   └── ValidationFailed          validation_error
    └── StoreError                    where history is kept
        ├── StorageTrouble            storage_error
        ├── StorageLocked             storage_locked
        ├── OpenedDifferently         storage_open_differently
        ├── Unsupported               unsupported
        ├── ConcurrentUpdate          concurrent_update
        ├── ThreadDeleted             thread_deleted
        ├── ThreadExists              thread_exists
        ├── DeltaDependency           delta_dependency
        ├── RestoreFailed             restore_failed
        └── QueryFailed               query_error

Each class keeps its facts in ``args`` (so it pickles), its ``code`` is what programs compare, its text says what
happened and what to do, and ``details`` gives the facts by name.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

__all__ = [
    "AmbiguousResume",
    "AmbiguousUpdate",
    "CheckpointNotFound",
    "ConcurrentUpdate",
    "DefinitionMismatch",
    "DeltaDependency",
    "GraphError",
    "InvalidGraph",
    "InvalidUpdate",
    "MissingThread",
    "NodeFailed",
    "NothingToResume",
    "OpenedDifferently",
    "QueryFailed",
    "RecursionLimit",
    "RestoreFailed",
    "RunError",
    "SerializationFailed",
    "StorageLocked",
    "StorageTrouble",
    "StoreError",
    "ThreadDeleted",
    "ThreadExists",
    "ThreadNotFound",
    "UnknownKey",
    "UnknownNode",
    "Unsupported",
    "ValidationFailed",
    "WeaveError",
    "nearest",
]


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name closest in spelling, or None when none is close."""
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return found[0] if found else None


class WeaveError(Exception):
    """The root: catch it to catch all that weavenb raises on purpose."""

    code: ClassVar[str] = "error"
    fields: ClassVar[tuple[str, ...]] = ()
    """Names of the facts in ``args``, in order."""

    @property
    def details(self) -> dict[str, Any]:
        """The facts by name."""
        return dict(zip(self.fields, self.args, strict=False))


class GraphError(WeaveError):
    """The definition, or what was asked of it, is wrong: the author of the graph must act."""


class RunError(WeaveError):
    """A run cannot go on as asked: whoever runs the graph must act."""


class StoreError(WeaveError):
    """History could not be read or written: whoever owns the storage must act."""


def _hint(found: str | None) -> str:
    return f" Did you mean {found!r}?" if found else ""


class InvalidGraph(GraphError):
    """A rule of the definition is broken; ``args[0]`` is the whole sentence."""

    code = "invalid_graph"
    fields = ("problem",)

    def __str__(self) -> str:
        return str(self.args[0])


class UnknownNode(GraphError):
    """A node is named that the graph does not have."""

    code = "unknown_node"
    fields = ("name", "nearest", "where")

    def __init__(self, name: str, nearest: str | None = None, where: str = "the graph") -> None:
        super().__init__(name, nearest, where)

    def __str__(self) -> str:
        name, found, where = self.args
        return f"There is no node {name!r} ({where}).{_hint(found)}"


class UnknownKey(GraphError):
    """A key is written, edited or asked for that a closed state does not declare."""

    code = "unknown_key"
    fields = ("name", "nearest", "where")

    def __init__(self, name: str, nearest: str | None = None, where: str = "the state") -> None:
        super().__init__(name, nearest, where)

    def __str__(self) -> str:
        name, found, where = self.args
        return (
            f"{where} has the key {name!r}, which the state does not declare.{_hint(found)}"
            " Declare it in the state's class, or fix the spelling."
        )


class DefinitionMismatch(GraphError):
    """The checkpoint was made by a definition that the present one cannot continue."""

    code = "def_hash_mismatch"
    fields = ("stored", "current", "diff", "recovery")

    def __init__(
        self, stored: str, current: str, diff: tuple[str, ...] = (), recovery: str = ""
    ) -> None:
        super().__init__(stored, current, diff, recovery)

    def __str__(self) -> str:
        stored, current, diff, recovery = self.args
        what = "; ".join(diff) or "the definition changed"
        way = (
            recovery
            or "Bring the missing nodes back, or update the state and fork from an earlier checkpoint."
        )
        return f"This checkpoint was made by definition {stored!r}, the graph is {current!r}: {what}. {way}"


class NodeFailed(RunError):
    """A node raised. The node's own exception is the cause; finished siblings are saved."""

    code = "node_error"
    fields = ("node", "step", "thread", "error_type", "error_message")

    def __init__(
        self, node: str, step: int, thread: str | None, error_type: str, error_message: str
    ) -> None:
        super().__init__(node, step, thread, error_type, error_message)

    def __str__(self) -> str:
        node, step, thread, kind, message = self.args
        where = f"step {step}" + (f", thread {thread!r}" if thread is not None else "")
        text = f"Node {node!r} failed ({where}): {kind}: {message}"
        if thread is not None:
            text += (
                "\nFix the cause and invoke the thread with None: only unfinished nodes run again."
            )
        return text


class InvalidUpdate(RunError):
    """Writes that a channel cannot take, such as two plain writes of one key in a step."""

    code = "invalid_update"
    fields = ("channel", "writers", "problem")

    def __init__(self, channel: str, writers: Mapping[str, Any], problem: str = "") -> None:
        super().__init__(channel, dict(writers), problem)

    @property
    def details(self) -> dict[str, Any]:
        """Channel, writers, problem; and the channel's own name with its writers, as peers give it."""
        channel, writers, problem = self.args
        return {"channel": channel, "writers": writers, "problem": problem, channel: writers}

    def __str__(self) -> str:
        channel, writers, problem = self.args
        if problem:
            return f"Key {channel!r} cannot take this write: {problem}"
        who = ", ".join(f"{name} wrote {_short(value)}" for name, value in writers.items())
        return (
            f"Key {channel!r} takes one write a step, but {who}."
            f" Give it a reducer (Annotated[..., operator.add] or Reducer(...)), or write it in one node only."
        )


class RecursionLimit(RunError):
    """The call used up its supersteps."""

    code = "recursion_limit"
    fields = ("limit", "next")

    def __init__(self, limit: int, next_nodes: tuple[str, ...] = ()) -> None:
        super().__init__(limit, next_nodes)

    def __str__(self) -> str:
        limit, waiting = self.args
        return (
            f"The run used its {limit} steps and {', '.join(waiting) or 'work'} is still waiting."
            " Invoke the thread with None to go on for as many again, or pass a larger recursion_limit."
        )


class ThreadNotFound(RunError):
    """Something was asked of a thread that has no checkpoint."""

    code = "thread_not_found"
    fields = ("thread", "nearest")

    def __init__(self, thread: str, nearest: str | None = None) -> None:
        super().__init__(thread, nearest)

    def __str__(self) -> str:
        thread, found = self.args
        return f"There is no thread {thread!r} in this saver.{_hint(found)} Invoke it with an input to begin it."


class CheckpointNotFound(RunError):
    """The thread exists, the checkpoint does not."""

    code = "checkpoint_not_found"
    fields = ("thread", "checkpoint")

    def __init__(self, thread: str, checkpoint: str) -> None:
        super().__init__(thread, checkpoint)

    def __str__(self) -> str:
        thread, checkpoint = self.args
        return f"Thread {thread!r} has no checkpoint {checkpoint!r}. app.history({thread!r}) lists those it has."


class AmbiguousUpdate(RunError):
    """It is not clear whose write an update stands for. Nothing was written."""

    code = "ambiguous_state_update"
    fields = ("candidates", "parameter")

    def __init__(self, candidates: Iterable[str], parameter: str = "as_node") -> None:
        super().__init__(tuple(candidates), parameter)

    def __str__(self) -> str:
        candidates, parameter = self.args
        return f"The update could stand for {', '.join(candidates)}: say which with {parameter}=. Nothing was written."


class AmbiguousResume(RunError):
    """Several questions are open and the answer does not say which it is for."""

    code = "ambiguous_resume"
    fields = ("pending",)

    def __init__(self, pending: Mapping[str, Any]) -> None:
        super().__init__(dict(pending))

    def __str__(self) -> str:
        (pending,) = self.args
        listed = ", ".join(f"{key!r} ({_short(value)})" for key, value in pending.items())
        return f"{len(pending)} questions are open: answer with a mapping of id to answer. Open: {listed}."


class NothingToResume(RunError):
    """No question is open and no breakpoint holds the thread, or the id answered is not open."""

    code = "nothing_to_resume"
    fields = ("thread", "problem")

    def __init__(
        self, thread: str, problem: str = "no question is open and no breakpoint holds it"
    ) -> None:
        super().__init__(thread, problem)

    def __str__(self) -> str:
        thread, problem = self.args
        return f"Thread {thread!r} cannot be resumed: {problem}. invoke(None) continues unfinished work."


class MissingThread(RunError):
    """A saver is there but no thread id was given."""

    code = "missing_thread"
    fields = ("problem",)

    def __init__(self, problem: str = "no thread id was given") -> None:
        super().__init__(problem)

    def __str__(self) -> str:
        return f'{self.args[0]}: pass thread="..." or {{"configurable": {{"thread_id": "..."}}}}.'


class SerializationFailed(RunError):
    """A value that cannot be stored and read back as it is. Nothing of it was written."""

    code = "serialization_error"
    fields = ("channel", "node", "type", "path", "problem")

    def __init__(
        self, channel: str, node: str, type_name: str, path: str = "", problem: str = ""
    ) -> None:
        super().__init__(channel, node, type_name, path, problem)

    def __str__(self) -> str:
        channel, node, kind, path, problem = self.args
        at = f" at {path}" if path else ""
        why = problem or "which cannot be stored and read back unchanged"
        return (
            f"Node {node!r} wrote a {kind} to {channel!r}{at}, {why}."
            " Write plain data (numbers, text, lists, mappings, dates) in its place."
        )


class ValidationFailed(RunError):
    """A value does not fit the declared type of its key."""

    code = "validation_error"
    fields = ("node", "path", "problem")

    def __init__(self, node: str, path: str, problem: str) -> None:
        super().__init__(node, path, problem)

    def __str__(self) -> str:
        node, path, problem = self.args
        return f"{node!r} gave {path!r} a value that does not fit: {problem}"


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
        return (
            f"Thread {self.args[0]!r} already has history: choose another name, or delete it first."
        )


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
        return f"{problem}{_hint(found)}"


def _short(value: object, limit: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"
