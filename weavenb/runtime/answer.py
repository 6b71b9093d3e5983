"""Answering what holds a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from weavenb.errors import AmbiguousResume, NothingToResume
from weavenb.model.records import StepCommit
from weavenb.model.tasks import Question, Task
from weavenb.runtime.begin import Begin, Found, fork_with_answers, going_on
from weavenb.runtime.parts import answer_write, isolated
from weavenb.runtime.position import Position, position_of
from weavenb.runtime.requests import Run, Save

if TYPE_CHECKING:
    from weavenb.savers.contract import Saver

__all__ = ["begin_resume"]


def begin_resume(run: Run, found: Found, saver: Saver, answer: Any) -> Begin:
    """Give `answer` to the open question, or the answers of a mapping to several by id.

    At a checkpoint that has been answered before, the new answer starts a branch of its own.

    Raises:
        NothingToResume: no question is open, nor does a breakpoint hold the thread.
        AmbiguousResume: several are open and it is not said which is meant. Nothing is written.
    """
    target = found.existing(saver)
    at = position_of(target, live=found.is_head)
    run.branch = at.branch
    if found.is_head:
        open_ = at.open_questions()
        if open_:
            return _answered(run, at, _by_task(run, open_, answer))
        # Named by its id, a question that was answered to no good end can be answered otherwise.
        then = position_of(target, live=False)
        asked = _asked_there(then) if found.ref.checkpoint is not None and at.tasks else {}
        if asked:
            return fork_with_answers(run, then, _by_task(run, asked, answer))
        if not at.tasks or answer is not None:
            raise NothingToResume(found.ref.thread, _why_not(at))
        return going_on(run, at)
    open_ = _asked_there(at)
    if not open_:
        raise NothingToResume(found.ref.thread, "no question was asked at this checkpoint")
    return fork_with_answers(run, at, _by_task(run, open_, answer))


def _why_not(at: Position) -> str:
    if not at.tasks:
        return "its run is finished, no question is open"
    return "no question is open, so there is nothing this could answer"


def _asked_there(at: Position) -> dict[str, tuple[Task, Question]]:
    """The question each paused task of an older checkpoint stopped at, by id."""
    by_id = {task.id: task for task in at.tasks}
    return {asked[-1].id: (by_id[task_id], asked[-1]) for task_id, asked in at.questions.items() if asked}


def _by_task(run: Run, open_: Mapping[str, tuple[Task, Question]], answer: Any) -> dict[str, dict[str, Any]]:
    if isinstance(answer, Mapping) and answer and set(answer) <= set(open_):
        given = dict(answer)
    elif len(open_) == 1:
        given = {next(iter(open_)): answer}
    else:
        strangers = [key for key in answer if key not in open_] if isinstance(answer, Mapping) else []
        if strangers and len(strangers) < len(answer):
            message = f"{strangers[0]!r} is not an open question"
            raise NothingToResume(run.thread or "", message)
        raise AmbiguousResume({key: question.value for key, (_, question) in open_.items()})
    found: dict[str, dict[str, Any]] = {}
    for key, value in given.items():
        task, _ = open_[key]
        found.setdefault(task.id, {})[key] = isolated("resume()", value, task.node)
    return found


def _answered(run: Run, at: Position, given: Mapping[str, dict[str, Any]]) -> Begin:
    kept = []
    by_id = {task.id: task for task in at.tasks}
    for task_id, answers in given.items():
        at.answers[task_id] = {**at.answers.get(task_id, {}), **answers}
        kept.append(answer_write(by_id[task_id], at.answers[task_id]))
    commit = StepCommit(run.thread or "", run.namespace, run.id, at.id, pending=tuple(kept), started=run.start)
    run.start = None
    return going_on(run, at, Save(commit))
