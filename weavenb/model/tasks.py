"""What a step is made of: tasks, what they wrote, and how each ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from weavenb.model.noun import noun

__all__ = [
    "NO_ROUTE",
    "Command",
    "Failed",
    "Finished",
    "Outcome",
    "Paused",
    "Question",
    "Route",
    "Send",
    "Span",
    "Task",
    "Write",
    "node_of",
]


@dataclass(frozen=True, slots=True)
class Send:
    """Run `node` once more in the next step, on `update` instead of the whole state."""

    node: str
    """Name of the node to run."""
    update: Mapping[str, Any] = field(default_factory=dict)
    """What the node gets as its state."""


@dataclass(frozen=True, slots=True)
class Command:
    """What a node returns to say where the run goes next, in place of its edges."""

    goto: str | Send | tuple[str | Send, ...] | list[str | Send] = ()
    """A node, a `Send`, or several; empty keeps the node's own edges."""
    update: Mapping[str, Any] | None = None
    """What the node writes."""


@noun
class Task:
    """One node to run in one step."""

    id: str
    """Unique in its thread: ``3.left.0.8f2c01aa`` is node ``left`` in step 3."""
    node: str
    """Name of the node to run."""
    path: str = ""
    """Empty when edges led here, ``send.<n>`` for the n-th `Send`."""
    triggered_by: tuple[str, ...] = ()
    """Nodes whose edges, routes or Sends scheduled it; ``__start__`` for the entry."""
    input: Mapping[str, Any] | None = None
    """A Send's argument; None means the task reads the state."""

    def to_mapping(self) -> dict[str, Any]:
        """The entry of a checkpoint's ``next``; ``input`` is only there for a Send."""
        found: dict[str, Any] = {
            "id": self.id,
            "node": self.node,
            "path": self.path,
            "triggered_by": list(self.triggered_by),
        }
        if self.input is not None:
            found["input"] = dict(self.input)
        return found

    @classmethod
    def from_mapping(cls, entry: Mapping[str, Any]) -> Self:
        """The task that `to_mapping` described."""
        triggered_by = tuple(entry.get("triggered_by", ()))
        return cls(entry["id"], entry["node"], entry.get("path", ""), triggered_by, entry.get("input"))


def node_of(task_id: str) -> str:
    """``left`` of ``3.left.0.8f2c01aa``; an id that is not built like this stands for itself."""
    # A node's name may hold dots, so the parts are counted from both ends.
    parts = task_id.split(".")
    return ".".join(parts[1:-2]) if len(parts) > 3 else task_id  # noqa: PLR2004 - the four parts


@noun
class Write:
    """One value for one channel, before the reducer."""

    channel: str
    value: Any
    text: str | None = None
    """The value as the codec wrote it, when a saver will need it."""


@noun
class Route:
    """Where a finished task leads by its own decision."""

    targets: tuple[str | Send, ...] = ()
    """Node names, ``__end__`` and Sends, as routers or `Command` gave them."""
    replaces_edges: bool = False
    """True when a Command or returned Sends take the place of the node's edges."""


NO_ROUTE = Route()


@dataclass(frozen=True, slots=True)
class Question:
    """One `interrupt` call of a task."""

    id: str
    """Stable while the task is re-run: the task's id and the call's number in it."""
    value: Any
    """What the node asked."""


@noun
class Span:
    """One attempt's place in time."""

    attempt: int = 1
    """Counts from 1 over all runs of the same task."""
    started_at: int = 0
    """Microseconds since 1970, UTC."""
    ended_at: int = 0
    """Microseconds since 1970, UTC."""


@noun
class Finished:
    """The node returned."""

    task: Task
    writes: tuple[Write, ...]
    route: Route
    span: Span
    events: tuple[Any, ...] = ()
    """Custom events that could not be sent while the node ran."""
    mutated: tuple[str, ...] = ()
    """Keys of its input the node changed in place (found with ``debug=True``)."""


@noun
class Failed:
    """The node, its router, or the saving of its result raised."""

    task: Task
    error: Exception
    traceback: str
    """As text, the node's own frames last."""
    span: Span
    events: tuple[Any, ...] = ()


@noun
class Paused:
    """The node asked a question that has no answer yet."""

    task: Task
    questions: tuple[Question, ...]
    """All the task asked so far, in order; those answered before are among them."""
    span: Span
    events: tuple[Any, ...] = ()


Outcome = Finished | Failed | Paused
