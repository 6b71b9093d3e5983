"""A committed step, told in rows."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any, Final

from weavenb.model.ids import micros_now
from weavenb.model.records import RunEnd, RunStart, StateRecord, StepCommit
from weavenb.model.tasks import Failed, Finished, Outcome, Paused
from weavenb.model.texts import error_text
from weavenb.savers.book import Book
from weavenb.savers.columns import CHECKPOINT, WRITE
from weavenb.savers.rows import RESERVED_IDX, RowWriter, Take
from weavenb.serde import decode, encode, encode_known

__all__ = ["step_rows"]

_NO_ERROR: Final[tuple[str | None, str | None, str | None]] = (None, None, None)


def step_rows(
    step: StepCommit,
    book: Book,
    take: Take,
    *,
    known_defs: Container[str] = (),
    moves_head: bool = True,
    above: int | None = None,
) -> tuple[RowWriter, int]:
    """The rows of one step in the order of their numbers, and the number the receipt names.

    Args:
        step: what was committed.
        book: of its thread and namespace, as it was before.
        take: gives the next store-wide number.
        known_defs: hashes of definitions the store has.
        moves_head: whether the record becomes the head.
        above: number of the parent graph's checkpoint that a nested one runs under.
    """
    out = RowWriter(book, take)
    if step.started is not None:
        _run_started(out, step, step.started, known_defs)
    fresh = not book.entries
    if fresh and step.record is not None:
        graph = None if step.started is None else step.started.graph
        _thread_event(out, "created", step.record.created_at, graph=graph, status="running")
    elif step.started is not None:
        _thread_event(out, "status", step.started.at, status="running")
    for outcome in step.outcomes:
        _task(out, step, outcome)
    _questions(out, step)
    out.writes(step.base, step.pending)
    out.writes(step.base, step.kept)
    seq = 0
    if step.record is not None:
        seq = _record(out, step.record, above)
        out.writes(step.record.id, step.carried)
        if not moves_head and book.head is not None:
            # What is stored last is the head, unless this is said.
            _thread_event(out, "head", step.record.created_at, head_seq=book.entries[book.head].seq)
    if step.ended is not None:
        _run_ended(out, step, step.ended)
    return out, seq or max([rows[-1][0] for rows in out.rows.values()], default=0)


def _record(out: RowWriter, record: StateRecord, above: int | None) -> int:
    book = out.book
    parent = None if record.parent is None else book.entries.get(record.parent)
    seqs, size = out.values(record, parent)
    tasks = [task.to_mapping() for task in record.next]
    sent = any(task.input is not None for task in record.next)
    metadata = encode(dict(record.metadata)) if record.metadata else "{}"
    state_hash, places = out.state(seqs)
    seq = out.take()
    out.add("checkpoints", (
        seq, book.thread, book.namespace, record.id, record.parent, above, None, record.run_id, record.step,
        record.source, record.branch, record.created_at, record.nodes, tuple([task.node for task in record.next]),
        encode(tasks) if sent else encode_known(tasks), tuple([change.channel for change in record.changes]),
        size, state_hash, places, record.def_hash, metadata,
    ))  # fmt: skip
    return seq


def _run_started(out: RowWriter, step: StepCommit, start: RunStart, known_defs: Container[str]) -> None:
    if start.def_hash not in known_defs:
        out.add("graph_defs", (out.take(), start.def_hash, start.graph, start.manifest, None, start.at))
    out.add("run_events", (
        out.take(), step.run_id, step.thread, start.graph, start.kind, "start",
        start.parent_run_id, start.checkpoint, start.def_hash, "running", None, None, None,
        encode(dict(start.metadata)), start.at,
    ))  # fmt: skip


def _run_ended(out: RowWriter, step: StepCommit, end: RunEnd) -> None:
    last = step.base if step.record is None else step.record.id
    out.add("run_events", (
        out.take(), step.run_id, step.thread, None, None, "end", None, last, None, end.status,
        end.error_type, end.error_message, end.n_steps, None, end.at,
    ))  # fmt: skip
    _thread_event(out, "status", end.at, status=end.status)


def _thread_event(
    out: RowWriter,
    kind: str,
    at: int,
    *,
    graph: str | None = None,
    head_seq: int | None = None,
    status: str | None = None,
) -> None:
    book = out.book
    out.add("thread_events", (
        out.take(), book.thread, book.namespace, kind, graph, head_seq, status, None, None, None, at,
    ))  # fmt: skip


def _task(out: RowWriter, step: StepCommit, outcome: Outcome) -> None:
    task, span = outcome.task, outcome.span
    error = _NO_ERROR
    status = "ok" if isinstance(outcome, Finished) else "interrupted"
    if isinstance(outcome, Failed):
        status = "error"
        error = (type(outcome.error).__name__, error_text(outcome.error), outcome.traceback)
    if step.record is not None:
        number: int | None = step.record.step
    else:
        base = out.book.entry(step.base) if step.base is not None else None
        number = None if base is None or base[CHECKPOINT.step] is None else base[CHECKPOINT.step] + 1
    out.add("tasks", (
        out.take(), task.id, step.run_id, out.book.thread, out.book.namespace,
        None if step.record is None else step.record.id, step.base, number, task.node, span.attempt,
        task.triggered_by, status, span.started_at, span.ended_at,
        (span.ended_at - span.started_at) / 1000, *error,
    ))  # fmt: skip


def _questions(out: RowWriter, step: StepCommit) -> None:
    """Facts about questions raised and answered for the first time in this commit."""
    for outcome in step.outcomes:
        if isinstance(outcome, Paused):
            task, at = outcome.task.id, outcome.span.ended_at
            known = {item["id"] for item in _kept(out.book, step.base, task, "__interrupt__") or ()}
            for question in outcome.questions:
                if question.id not in known:
                    _fact(out, step, task, ("raised", question.id, question.value, at))
    for write in step.pending:
        if write.channel == "__answer__":
            answered = _kept(out.book, step.base, write.task_id, "__answer__") or ()
            for id_, answer in write.value.items():
                if id_ not in answered:
                    _fact(out, step, write.task_id, ("answered", id_, answer, _moment(step)))


def _moment(step: StepCommit) -> int:
    return micros_now() if step.started is None else step.started.at


def _kept(book: Book, base: str | None, task: str, channel: str) -> Any:
    row = book.writes(base).get((task, RESERVED_IDX[channel]))
    return None if row is None else decode(row[WRITE.value])


def _fact(out: RowWriter, step: StepCommit, task: str, fact: tuple[str, str, Any, int]) -> None:
    event, id_, value, at = fact
    out.add("interrupt_events", (
        out.take(), id_, out.book.thread, out.book.namespace, step.base, task,
        _node(out.book, step, task), event, encode(value), at,
    ))  # fmt: skip


def _node(book: Book, step: StepCommit, task: str) -> str | None:
    for outcome in step.outcomes:
        if outcome.task.id == task:
            return outcome.task.node
    entry = None if step.base is None else book.entry(step.base)
    scheduled: Iterable[Mapping[str, Any]] = () if entry is None else entry.scheduled()
    return next((item["node"] for item in scheduled if item["id"] == task), None)
