"""One run cannot go on as asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from weavenb.errors.base import WeaveError, hint, short


class RunError(WeaveError):
    """A run cannot go on as asked: whoever runs the graph must act."""


class NodeFailed(RunError):
    """A node raised. The node's own exception is the cause; finished siblings are saved."""

    code = "node_error"
    fields = ("node", "step", "thread", "error_type", "error_message")

    def __init__(self, node: str, step: int, thread: str | None, error_type: str, error_message: str) -> None:
        super().__init__(node, step, thread, error_type, error_message)

    def __str__(self) -> str:
        node, step, thread, kind, message = self.args
        where = f"step {step}" + (f", thread {thread!r}" if thread is not None else "")
        text = f"Node {node!r} failed ({where}): {kind}: {message}"
        if thread is not None:
            text += "\nFix the cause and invoke the thread with None: only unfinished nodes run again."
        return text


class OutsideNode(RunError):
    """`interrupt` was called where no node runs."""

    code = "node_error"
    fields = ("problem",)

    def __init__(self, problem: str = "A question was asked by interrupt() outside a running node") -> None:
        super().__init__(problem)

    def __str__(self) -> str:
        return (
            f"{self.args[0]}. Call it in the node's own thread: threads that a node starts itself"
            " do not belong to the run."
        )


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
        who = ", ".join(f"{name} wrote {short(value)}" for name, value in writers.items())
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
            f"The run used its {limit} step{'' if limit == 1 else 's'} and {', '.join(waiting) or 'work'}"
            f" {'are' if len(waiting) > 1 else 'is'} still waiting."
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
        return f"There is no thread {thread!r} in this saver.{hint(found)} Invoke it with an input to begin it."


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
        listed = ", ".join(f"{key!r} ({short(value)})" for key, value in pending.items())
        return f"{len(pending)} questions are open: answer with a mapping of id to answer. Open: {listed}."


class NothingToResume(RunError):
    """No question is open and no breakpoint holds the thread, or the id answered is not open."""

    code = "nothing_to_resume"
    fields = ("thread", "problem")

    def __init__(self, thread: str, problem: str = "no question is open and no breakpoint holds it") -> None:
        super().__init__(thread, problem)

    def __str__(self) -> str:
        thread, problem = self.args
        return f"Thread {thread!r} cannot be resumed: {problem}. Unfinished work goes on with invoke(None)."


class MissingThread(RunError):
    """A saver is there but no thread id was given."""

    code = "missing_thread"
    fields = ("problem",)

    def __init__(self, problem: str = "No thread id was given") -> None:
        super().__init__(problem)

    def __str__(self) -> str:
        return f'{self.args[0]}: pass thread="..." or {{"configurable": {{"thread_id": "..."}}}}.'


class SerializationFailed(RunError):
    """A value that cannot be stored and read back as it is. Nothing of it was written."""

    code = "serialization_error"
    fields = ("channel", "node", "type", "path", "problem")

    def __init__(self, channel: str, node: str, type_name: str, path: str = "", problem: str = "") -> None:
        super().__init__(channel, node, type_name, path, problem)

    def __str__(self) -> str:
        channel, node, kind, path, problem = self.args
        at = f" at {path}" if path else ""
        why = problem or "it cannot be stored and read back unchanged"
        return (
            f"{_who(node)} gives {channel!r}{at} a value of type {kind}: {why}. Nothing of it was written."
            " Give plain data (numbers, text, lists, mappings, dates) in its place."
        )


class ValidationFailed(RunError):
    """A value does not fit the declared type of its key."""

    code = "validation_error"
    fields = ("node", "path", "problem")

    def __init__(self, node: str, path: str, problem: str) -> None:
        super().__init__(node, path, problem)

    def __str__(self) -> str:
        node, path, problem = self.args
        return f"{_who(node)} does not fit{' at ' + repr(path) if path else ''}: {problem}."


def _who(node: str) -> str:
    """The writer as a sentence begins with it."""
    return {"__start__": "The input", "update": "The update"}.get(node, f"Node {node!r}")
