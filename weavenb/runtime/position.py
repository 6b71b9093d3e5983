"""Where a run stands: a checkpoint, and how far the step that starts there has come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from weavenb.model.records import RESERVED
from weavenb.model.tasks import Failed, Finished, Outcome, Paused, Question, Route, Send, Task, Write, node_of
from weavenb.model.texts import error_text

if TYPE_CHECKING:
    from weavenb.savers.contract import CheckpointTuple

__all__ = [
    "Done",
    "Position",
    "error_value",
    "position_of",
    "route_from",
    "route_value",
]


@dataclass(slots=True)
class Done:
    """A task of the open step that has finished."""

    task: Task
    writes: tuple[Write, ...]
    """Empty when they are already folded into the values."""
    route: Route


@dataclass(slots=True)
class Position:
    """One checkpoint and its open step. The loop moves it forward; nothing else changes it."""

    id: str | None
    """None before a thread's first checkpoint, and always without a saver."""
    step: int
    values: dict[str, Any]
    """The persisted state, joins included."""
    tasks: tuple[Task, ...]
    """The step's tasks, in the order their writes apply."""
    nodes: tuple[str, ...]
    """Who produced the checkpoint."""
    source: str = "loop"
    branch: str | None = None
    run_id: str | None = None
    def_hash: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """The caller's own."""
    breakpoints: Mapping[str, Any] = field(default_factory=dict)
    """``before`` and ``after`` of the run that made the checkpoint."""
    done: dict[str, Done] = field(default_factory=dict)
    carried: list[Done] = field(default_factory=list)
    """Finished in this step before an edit: their writes are in the values, their routes still count."""
    questions: dict[str, tuple[Question, ...]] = field(default_factory=dict)
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    errors: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    attempts: dict[str, int] = field(default_factory=dict)

    @property
    def started(self) -> bool:
        """Whether any task of the step has run or been answered."""
        return bool(self.done or self.questions or self.errors or self.answers)

    def unfinished(self) -> list[Task]:
        """Tasks still to end, in order."""
        done = self.done
        return [task for task in self.tasks if task.id not in done] if done else [*self.tasks]

    def open_question(self, task: Task) -> Question | None:
        """The question that keeps `task` from running, if there is one."""
        answers = self.answers.get(task.id, {})
        for question in self.questions.get(task.id, ()):
            if question.id not in answers:
                return question
        return None

    def open_questions(self) -> dict[str, tuple[Task, Question]]:
        """All open questions by id, in task order."""
        found = ((task, self.open_question(task)) for task in self.unfinished())
        return {question.id: (task, question) for task, question in found if question is not None}

    def take(self, outcome: Outcome) -> None:
        """Note how a task ended."""
        task = outcome.task
        self.attempts[task.id] = outcome.span.attempt
        match outcome:
            case Finished(writes=writes, route=route):
                self.done[task.id] = Done(task, writes, route)
                self.errors.pop(task.id, None)
            case Failed(error=error):
                self.done.pop(task.id, None)
                self.errors[task.id] = {**error_value(outcome, error), "exception": error}
            case Paused(questions=questions):
                self.questions[task.id] = questions
                self.errors.pop(task.id, None)

    def forward(self, **changed: Any) -> Position:
        """The position at a child checkpoint whose step is not started."""
        kept: dict[str, Any] = {
            "id": self.id,
            "step": self.step,
            "values": self.values,
            "tasks": self.tasks,
            "nodes": self.nodes,
            "source": self.source,
            "branch": self.branch,
            "run_id": self.run_id,
            "def_hash": self.def_hash,
            "metadata": self.metadata,
            "breakpoints": self.breakpoints,
        }
        kept.update(changed)
        return Position(**kept)


def error_value(outcome: Failed, error: Exception) -> dict[str, Any]:
    """What is kept of a failure."""
    return {
        "type": type(error).__name__,
        "message": error_text(error),
        "traceback": outcome.traceback,
        "attempt": outcome.span.attempt,
    }


def route_value(route: Route) -> dict[str, Any]:
    """A route as plain data."""
    targets = [{"send": t.node, "update": dict(t.update)} if isinstance(t, Send) else t for t in route.targets]
    return {"targets": targets, "replaces": route.replaces_edges}


def route_from(value: Mapping[str, Any]) -> Route:
    """The route that `route_value` described."""
    targets = [Send(t["send"], t["update"]) if isinstance(t, Mapping) else t for t in value.get("targets", ())]
    return Route(tuple(targets), replaces_edges=bool(value.get("replaces")))


def position_of(found: CheckpointTuple, *, live: bool) -> Position:
    """The position at a stored checkpoint; with `live`, what its open step has already done counts."""
    checkpoint, metadata = found.checkpoint, dict(found.metadata)
    known = {"source", "step", "run_id", "branch", "__run__"}
    position = Position(
        id=checkpoint["id"],
        step=int(metadata.get("step", -1)),
        values=dict(checkpoint["channel_values"]),
        tasks=tuple([Task.from_mapping(entry) for entry in checkpoint.get("next", ())]),
        nodes=tuple(checkpoint.get("produced_by", ())),
        source=str(metadata.get("source", "loop")),
        branch=metadata.get("branch"),
        run_id=metadata.get("run_id"),
        def_hash=str(checkpoint.get("def_hash") or ""),
        metadata={key: value for key, value in metadata.items() if key not in known},
        breakpoints=metadata.get("__run__") or {},
    )
    _take_pending(position, found.pending_writes, live=live)
    return position


def _take_pending(position: Position, pending: Iterable[tuple[str, str, Any]], *, live: bool) -> None:
    """Sort what is kept beside a checkpoint by whose it is. A later reserved value replaces an earlier one."""
    by_id = {task.id: task for task in position.tasks}
    writes: dict[str, list[Write]] = {}
    held: dict[str, dict[str, Any]] = {name: {} for name in RESERVED}
    for task_id, channel, value in pending:
        if channel in held:
            held[channel][task_id] = value
        else:
            writes.setdefault(task_id, []).append(Write(channel, value))
    routes = {task_id: route_from(value) for task_id, value in held["__route__"].items() if value is not None}
    # Of a carried task only its id is left.
    position.carried = [
        Done(Task(task_id, node_of(task_id)), (), route) for task_id, route in routes.items() if task_id not in by_id
    ]
    asked = {task_id: value for task_id, value in held["__interrupt__"].items() if value and task_id in by_id}
    position.questions = {key: tuple([Question(q["id"], q["value"]) for q in value]) for key, value in asked.items()}
    position.answers = {key: dict(value) for key, value in held["__answer__"].items() if value and key in by_id}
    if not live:
        _as_its_run_left_it(position)
        return
    position.done = {
        task.id: Done(task, tuple(writes.get(task.id, ())), routes[task.id])
        for task in position.tasks
        if task.id in routes
    }
    failed = {key: value for key, value in held["__error__"].items() if value is not None and key in by_id}
    # A task that failed and then came to a question is only asking.
    asking = {task.id for task, _ in position.open_questions().values()}
    position.errors = {key: value for key, value in failed.items() if key not in position.done and key not in asking}
    position.attempts = {key: int(value.get("attempt", 1)) for key, value in failed.items()}
    for task_id, questions in position.questions.items():
        position.attempts[task_id] = max(position.attempts.get(task_id, 0), len(questions))


def _as_its_run_left_it(position: Position) -> None:
    """Keep the questions with the answers that led to them; the last question of a task was open then."""
    for task_id, questions in position.questions.items():
        given = position.answers.get(task_id, {})
        before_last = {q.id: given[q.id] for q in questions[:-1] if q.id in given}
        position.answers[task_id] = before_last
    position.answers = {key: value for key, value in position.answers.items() if value}
