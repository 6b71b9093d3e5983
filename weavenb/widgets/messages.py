"""What a session says to the page: plain JSON, built here, drawn there."""

from __future__ import annotations

from typing import Any, Final

from weavenb.draw.svg import draw
from weavenb.history.source import CheckpointRow, TaskRow
from weavenb.payload.columns import Block, LaneNote, RowNote, Tables, encode_rows
from weavenb.payload.shown import shown, shown_diff
from weavenb.session.failure import Failure
from weavenb.session.session import DebugSession, Details, workers

__all__ = ["details_message", "failure_json", "graph_message", "rows_block", "stale", "state_message"]

_LINEAGE: Final = 5_000
_THREADS: Final = 200


def graph_message(session: DebugSession) -> dict[str, Any]:
    """The picture, and the names of its nodes in the order of its groups ``n0``, ``n1``, ..."""
    topology = session.source.topology()
    if topology is None:
        return {"kind": "graph", "name": "history", "svg": None, "nodes": []}
    drawing = draw(topology, backend="builtin")
    nodes = [{"name": node.name, "kind": node.kind} for node in topology.nodes]
    return {"kind": "graph", "name": topology.name, "svg": drawing.svg, "nodes": nodes}


def rows_block(session: DebugSession, tables: Tables, start: int) -> Block:
    """The rows from index `start` on."""
    parents, lanes = session.parent_of, session.lane_of
    notes = [_note(row, parents[index], lanes[index]) for index, row in enumerate(session.rows[start:], start=start)]
    told = [LaneNote(lane.label, lane.thread, lane.named, lane.first, lane.count) for lane in session.lanes]
    return encode_rows(notes, start=start, lanes=told, head=session.head, tables=tables)


def _note(row: CheckpointRow, parent: int, lane: int) -> RowNote:
    return RowNote(
        seq=row.seq,
        parent=parent,
        step=row.step,
        created_at=row.created_at,
        duration_ms=row.duration_ms,
        nodes=workers(row),
        changed=row.changed,
        lane=lane,
        source=row.source,
        error=row.error,
        question=row.question,
        labelled=row.label is not None,
        open=bool(row.next),
    )


def state_message(session: DebugSession) -> dict[str, Any]:
    """What the header and the inbox show."""
    shown_threads = dict.fromkeys(lane.thread for lane in session.lanes)
    heads = [session.head_of(thread) for thread in shown_threads]
    return {
        "kind": "state",
        "thread": session.thread,
        "threads": [
            {"thread": row.thread, "status": row.status, "checkpoints": row.checkpoints}
            for row in session.threads[:_THREADS]
        ],
        "status": session.status,
        "statuses": {row.thread: row.status for row in session.threads if row.thread in shown_threads},
        "count": len(session),
        "head": session.head,
        "heads": [head for head in heads if head is not None],
        "selected": session.selected,
        "a": session.a,
        "b": session.b,
        "steerable": session.steer is not None,
        "questions": [
            {
                "row": one.row,
                "id": one.interrupt.id,
                "node": one.interrupt.node,
                "kind": one.interrupt.kind,
                "value": shown(one.interrupt.value),
            }
            for one in session.questions()
        ],
    }


def stale(session: DebugSession, opened: int) -> bool:
    """Whether the newest row came after `opened` rows were there and was made by other code than this session's."""
    return len(session) > opened and _by_other_code(session, session.rows[-1])


def _by_other_code(session: DebugSession, row: CheckpointRow) -> bool:
    own = getattr(session.source, "def_hash", None)
    return bool(own and row.def_hash and row.def_hash != own)


def details_message(session: DebugSession, index: int) -> dict[str, Any]:
    """All that the panel shows of one row."""
    found = session.details(index)
    if found is None:
        return {"kind": "details", "row": index, "gone": True}
    row, snapshot = found.row, found.snapshot
    roots = {change.path.split(".")[0].split("[")[0] for change in found.diff}
    by_parent = session.a is None
    return {
        "kind": "details",
        "row": index,
        "head": found.is_head,
        "step": row.step,
        "source": row.source,
        "nodes": list(workers(row)),
        "next": list(snapshot.next),
        "lane": session.lanes[session.lane_of[index]].label,
        "thread": row.thread,
        "duration": row.duration_ms,
        "label": row.label,
        "tags": list(row.tags),
        "against": _against(session, found),
        "diff": shown_diff(found.diff),
        "by": _by(row) if by_parent else None,
        "other_code": _by_other_code(session, row),
        "unchanged": [key for key in snapshot.values if key not in roots],
        "values": shown(snapshot.values),
        "tasks": [_task(task) for task in found.tasks],
        "questions": [
            {"id": one.id, "node": one.node, "kind": one.kind, "value": shown(one.value)} for one in snapshot.interrupts
        ],
        "error": _error(found),
        "states": _states(session, found, index),
    }


def failure_json(failure: Failure) -> dict[str, Any]:
    """An error as the page shows it, the user's frame first."""
    return {
        "code": failure.code,
        "message": failure.message,
        "where": failure.where,
        "line": failure.line,
        "traceback": failure.traceback,
    }


def _against(session: DebugSession, found: Details) -> dict[str, Any] | None:
    row = found.against
    if row is None:
        return None
    return {"step": row.step, "nodes": list(workers(row)), "source": row.source, "is_a": session.a is not None}


def _by(row: CheckpointRow) -> str:
    if row.source == "update" and row.nodes:
        return f"update, as {', '.join(row.nodes)}"
    return ", ".join(workers(row)) or row.source


def _task(task: TaskRow) -> dict[str, Any]:
    return {
        "node": task.node,
        "attempt": task.attempt,
        "status": task.status,
        "duration": task.duration_ms,
        "error": None if task.error_type is None else f"{task.error_type}: {task.error_message or ''}",
        "traceback": task.traceback,
    }


def _error(found: Details) -> dict[str, Any] | None:
    """The failure of the step that starts here."""
    failed = [task for task in found.tasks if task.status == "error" and task.checkpoint == found.row.id]
    if failed and found.row.error:
        last = failed[-1]
        return {
            "node": last.node,
            "text": f"{last.error_type or 'Error'}: {last.error_message or ''}",
            "traceback": last.traceback,
        }
    if found.snapshot.error:
        node = next((task.node for task in found.snapshot.tasks if task.status == "error"), "")
        return {"node": node, "text": found.snapshot.error, "traceback": None}
    return None


def _states(session: DebugSession, found: Details, index: int) -> dict[str, str]:
    """What is known of each node at this row, by name."""
    states: dict[str, str] = {}
    at, left = session.parent_of[index], _LINEAGE
    while at >= 0 and left:
        for node in workers(session.rows[at]):
            states.setdefault(node, "done")
        at, left = session.parent_of[at], left - 1
    for node in workers(found.row):
        states[node] = "current"
    looks = {"error": "failed", "interrupted": "waiting", "ok": "done"}
    for node in found.snapshot.next:
        states[node] = "pending"
    for task in found.snapshot.tasks:
        if task.node in found.snapshot.next:
            states[task.node] = looks.get(task.status, "pending")
    if found.row.error and found.snapshot.error is None:
        for row in found.tasks:
            if row.status == "error" and row.checkpoint == found.row.id:
                states[row.node] = "failed"
    return states
