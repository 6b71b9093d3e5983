"""What a node may call while it runs: `interrupt`, and the `Runtime` it can take as a second argument."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from weavenb.errors import OutsideNode
from weavenb.model.tasks import Question

__all__ = ["Asked", "Runtime", "TaskContext", "current", "interrupt"]

Emit = Callable[[str, Any], None]


class Asked(BaseException):
    """Carries an unanswered question out of a node. Not an `Exception`, so that a node's own handlers let it pass."""

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.question = question


@dataclass(slots=True)
class TaskContext:
    """What one attempt of a task knows of itself; lives as long as the attempt."""

    task_id: str
    answers: Mapping[str, Any]
    """Answers so far, by question id."""
    emit: Emit
    asked: list[Question] = field(default_factory=list)
    """Every question this attempt has come to, answered ones included."""


current: ContextVar[TaskContext | None] = ContextVar("weavenb_task", default=None)


def interrupt(value: Any) -> Any:
    """Ask a human, and return the answer.

    Without an answer the run stops here and reports `value`; `resume` starts the node again from its top, and this
    call then returns the answer. Answers are matched to calls by their order, so a node should ask the same
    questions each time it runs. What the node did before the call is done again.
    """
    task = current.get()
    if task is None:
        raise OutsideNode
    question = Question(f"{task.task_id}.{len(task.asked)}", value)
    task.asked.append(question)
    if question.id in task.answers:
        return task.answers[question.id]
    raise Asked(question)


@dataclass(frozen=True, slots=True)
class Runtime:
    """The run as a node sees it."""

    context: Any
    """What the caller passed as ``context=``; never saved."""
    config: Mapping[str, Any]
    """The standard mapping of this thread; empty without a saver."""
    thread: str | None
    step: int
    attempt: int
    """Counts from 1."""
    node: str
    _emit: Emit

    def __repr__(self) -> str:
        """Byte-stable: no checkpoint's id, and not what the caller passed as context."""
        return f"Runtime(node={self.node!r}, thread={self.thread!r}, step={self.step}, attempt={self.attempt})"

    def emit(self, data: Any) -> None:
        """Send `data` to whoever streams the run, as a ``custom`` event. Nothing is saved by it."""
        self._emit(self.node, data)
