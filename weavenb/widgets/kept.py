"""What a saved notebook keeps of the debugger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weavenb.draw.svg import draw
from weavenb.model.diff import Diff
from weavenb.model.refs import CheckpointRef
from weavenb.model.texts import short
from weavenb.payload.static import StaticStep, StaticView, static_html, static_text
from weavenb.session.session import DebugSession, workers

__all__ = ["kept_html", "kept_text"]

_STEPS: Final = 20


def kept_html(session: DebugSession) -> str:
    """The same bytes each run: no id, time, duration, address or path."""
    topology = session.source.topology()
    return static_html(_view(session, None if topology is None else draw(topology, backend="builtin").svg))


def kept_text(session: DebugSession) -> str:
    """Five lines, the same bytes each run."""
    return static_text(_view(session, None))


def _view(session: DebugSession, svg: str | None) -> StaticView:
    topology = session.source.topology()
    head = session.head
    live = session.source.snapshot(CheckpointRef(session.thread)) if head is not None else None
    diff = Diff() if head is None else session.compare_with_parent(head)
    return StaticView(
        graph="history" if topology is None else topology.name,
        thread=session.thread,
        status=session.status,
        checkpoints=len(session),
        lanes=tuple(lane.label for lane in session.lanes),
        steps=tuple(_step(session, index) for index in range(len(session) - 1, max(len(session) - 1 - _STEPS, -1), -1)),
        last=None if head is None else _step(session, head),
        diff=diff,
        next=() if live is None else live.next,
        questions=() if live is None else tuple(_asked(one.value) for one in live.interrupts),
        error=None if live is None else live.error,
        svg=svg,
        threads=tuple(row.thread for row in session.threads),
    )


def _asked(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and isinstance(value.get("question"), str):
        return str(value["question"])
    return short(value, 120)


def _step(session: DebugSession, index: int) -> StaticStep:
    row = session.rows[index]
    return StaticStep(
        row.step,
        session.lanes[session.lane_of[index]].label,
        workers(row),
        row.source,
        row.changed,
        error=row.error,
        question=row.question,
    )
