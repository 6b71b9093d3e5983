"""What both beginnings and edits are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from weavenb.errors import NodeFailed, SerializationFailed, UnknownKey, ValidationFailed, WeaveError
from weavenb.model.records import RESERVED, PendingWrite
from weavenb.model.tasks import NO_ROUTE, Question, Route, Task, Write
from weavenb.model.texts import error_text
from weavenb.model.topology import START
from weavenb.runtime.fold import prepared, public
from weavenb.runtime.pending import reserved
from weavenb.runtime.plan import GuardFailed, Plan, check_route, plan
from weavenb.runtime.position import Done, Position, route_value
from weavenb.runtime.requests import Run
from weavenb.runtime.work import route_of
from weavenb.serde import Unencodable, isolate

if TYPE_CHECKING:
    from weavenb.definition.definition import Definition

__all__ = ["answer_write", "asked_again", "carried_writes", "input_writes", "isolated", "planned", "routes_after"]


def isolated(channel: str, value: Any, who: str) -> Any:
    """The caller's own value, as `isolate` copies it.

    Raises:
        SerializationFailed: it cannot be copied.
    """
    try:
        return isolate(value)
    except Unencodable as problem:
        raise SerializationFailed(channel, who, problem.type_name, problem.path, problem.problem) from problem


def input_writes(definition: Definition, run: Run, given: Mapping[str, Any], who: str) -> tuple[Write, ...]:
    """The caller's values as writes of `who`, isolated, and encoded when they will be stored."""
    if not isinstance(given, Mapping):
        raise ValidationFailed(who, "", f"a mapping of keys to values is needed, not {type(given).__name__}")
    taken = dict(given)
    if who == START and definition.input_keys is not None:
        taken = {key: value for key, value in taken.items() if key in definition.input_keys}
    where = "The input" if who == START else "The update"
    for key in taken:
        if key in RESERVED:
            raise UnknownKey(str(key), None, f"{where} uses a name the engine keeps for itself and")
        definition.check_key(key, where)
    writes = [Write(key, isolated(key, value, who)) for key, value in taken.items()]
    return tuple([prepared(definition, write, who, encoded=run.saved) for write in writes])


def routes_after(definition: Definition, node: str, values: Mapping[str, Any], run: Run) -> Route:
    """What the routers of `node` decide on `values`.

    Raises:
        NodeFailed: a router raised; its own exception is the cause.
    """
    routers = definition.routers_from.get(node, ())
    if not routers:
        return NO_ROUTE
    try:
        route = route_of(routers, public(values))
        check_route(definition, node, route)
    except WeaveError:
        raise
    except Exception as error:
        raise NodeFailed(node, -1, run.thread, type(error).__name__, error_text(error)) from error
    return route


def planned(
    definition: Definition,
    ended: list[tuple[str, Route]],
    values: Mapping[str, Any],
    changed: tuple[str, ...],
    *,
    step: int,
    suffix: str,
    kept: Sequence[Task] = (),
) -> Plan:
    """`plan`, with a guard that raises told as the failure of its node."""
    try:
        return plan(definition, ended, values, changed, step=step, suffix=suffix, kept=kept)
    except GuardFailed as problem:
        error = problem.error
        raise NodeFailed(problem.node, -1, None, type(error).__name__, error_text(error)) from error


def answer_write(task: Task, answers: Mapping[str, Any]) -> PendingWrite:
    """Answers as they are kept.

    Raises:
        SerializationFailed: an answer cannot be stored.
    """
    try:
        return reserved(task.id, "__answer__", dict(answers))
    except Unencodable as problem:
        raise SerializationFailed("resume()", task.node, problem.type_name, problem.path, problem.problem) from problem


def carried_writes(carried: list[Done]) -> list[PendingWrite]:
    """What an edit takes along of tasks that had finished: only where they lead."""
    return [reserved(done.task.id, "__route__", route_value(done.route)) for done in carried]


def asked_again(
    after: Position, task: Task, questions: Sequence[Question], answers: Mapping[str, Any]
) -> list[PendingWrite]:
    """Take a pause along to `after`: the questions get ids of `task` there, and `answers` (by old id) stay theirs."""
    renamed = {q.id: Question(f"{task.id}.{n}", q.value) for n, q in enumerate(questions)}
    after.questions[task.id] = tuple(renamed.values())
    kept = [reserved(task.id, "__interrupt__", [{"id": q.id, "value": q.value} for q in renamed.values()])]
    given = {renamed[key].id: value for key, value in answers.items() if key in renamed}
    if given:
        after.answers[task.id] = given
        kept.append(answer_write(task, given))
    return kept
