"""One thread's history, live and read-only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, overload

from weavenb.errors import CheckpointNotFound, QueryFailed, Unsupported
from weavenb.history.diff import diff_values
from weavenb.history.frames import arrow_frame, checked_name, diffs_frame, frame_of, timeline_frame, values_frame
from weavenb.history.queries import frame_tasks
from weavenb.history.rendering import SHOWN, Line, count_text, html_table, text_table
from weavenb.history.saved import SavedHistory
from weavenb.history.source import CheckpointRow, HistorySource, KnowsKeys, ReadsInBulk, Tables
from weavenb.history.statements import bound
from weavenb.model.diff import Diff
from weavenb.model.refs import CheckpointRef
from weavenb.model.snapshots import Snapshot
from weavenb.savers.contract import Saver

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["History"]

_NEAR: Final = 256


class History:
    """The checkpoints of one thread, newest first. What was committed since is seen at the next look.

    Args:
        source: a saver, or anything that reads one.
        thread: which thread; an unknown one is empty.
        namespace: which graph of it; the outermost unless asked.
        lineage: only the head and what led to it, other branches left out.
    """

    def __init__(
        self, source: HistorySource | Saver, thread: str, namespace: str = "", *, lineage: bool = False
    ) -> None:
        self.source: HistorySource = SavedHistory(source) if isinstance(source, Saver) else source
        self.thread = thread
        self.namespace = namespace
        self.lineage = lineage

    def __len__(self) -> int:
        return len(self._rows())

    def __bool__(self) -> bool:
        return self._head() is not None

    @overload
    def __getitem__(self, index: int) -> Snapshot: ...
    @overload
    def __getitem__(self, index: slice) -> list[Snapshot]: ...
    def __getitem__(self, index: int | slice) -> Snapshot | list[Snapshot]:
        if isinstance(index, int) and 0 <= index < _NEAR and not self.lineage and isinstance(self.source, ReadsInBulk):
            # The newest ones are at hand without the whole list.
            for place, seen in enumerate(self._newest(index + 1)):
                if place == index:
                    return seen
        rows = self._rows()[::-1]
        if isinstance(index, slice):
            return [self._read(row.id) for row in rows[index]]
        if not -len(rows) <= index < len(rows):
            raise IndexError(_out_of_range(self._title(), index, len(rows)))
        return self._read(rows[index].id)

    def __iter__(self) -> Iterator[Snapshot]:
        """Newest first, read as they are asked for."""
        yield from self._snapshots(self._rows())

    def frame(self, name: str = "timeline", *, channels: Sequence[str] | None = None) -> pd.DataFrame:
        """``timeline``, ``tasks``, ``diffs`` or ``values``, oldest first.

        `channels` names the columns of ``values``: keys or paths, all keys unless given.

        Raises:
            QueryFailed: there is no such frame, or a path cannot be read.
            UnknownKey: a key of `channels` is neither declared nor in any checkpoint, and the state is closed or
                has a key of nearly that name.
        """
        name = checked_name(name)
        rows = self._rows()
        if name == "timeline":
            return timeline_frame(rows)
        if name == "tasks":
            return frame_of("tasks", self._tasks(rows))
        if name == "diffs":
            return diffs_frame(rows, self._snapshots(rows))
        knows = self.source if isinstance(self.source, KnowsKeys) else None
        closed = knows is not None and not knows.takes_any_key()
        return values_frame(rows, self._snapshots(rows), channels, knows.keys() if knows else (), closed=closed)

    def sql(self, query: str, **params: Any) -> pd.DataFrame:
        """Ask the saver's tables, all threads of them. ``:name`` takes a parameter; ``:thread`` is this thread.

        Raises:
            Unsupported: this saver keeps no tables.
            QueryFailed: the question is no single SELECT, or it failed.
        """
        if not isinstance(query, str):
            raise QueryFailed(f"A question is a text of SQL, not {type(query).__name__}.")
        tables = self._tables()
        if tables is None:
            raise Unsupported("sql", self._saver_name())
        try:
            return arrow_frame(tables.query(*bound(query, params, {"thread": self.thread})))
        finally:
            tables.close()

    def diff(self, a: object, b: object) -> Diff:
        """What differs from `a` to `b`: each a Snapshot, a config, a checkpoint's id, or an index as in ``h[0]``.

        Raises:
            CheckpointNotFound: one of them is not in this thread.
        """
        return diff_values(self._values(a), self._values(b))

    def __repr__(self) -> str:
        """The newest checkpoints, byte-stable: no id, no time."""
        return text_table(self._title(), *self._lines())

    def _repr_html_(self) -> str:
        return html_table(self._title(), *self._lines())

    # Inside --------------------------------------------------------------------------------------

    def _rows(self) -> Sequence[CheckpointRow]:
        rows = self.source.rows(self.thread, namespace=self.namespace)
        return _lineage(rows, self._head()) if self.lineage else rows

    def _head(self) -> str | None:
        return self.source.head(self.thread, namespace=self.namespace)

    def _find(self, checkpoint: str) -> Snapshot | None:
        return self.source.snapshot(CheckpointRef(self.thread, self.namespace, checkpoint))

    def _read(self, checkpoint: str) -> Snapshot:
        found = self._find(checkpoint)
        if found is None:  # removed since its row was read
            raise CheckpointNotFound(self.thread, checkpoint)
        return found

    def _tables(self) -> Tables | None:
        return self.source.tables() if isinstance(self.source, ReadsInBulk) else None

    def _newest(self, limit: int | None = None) -> Iterator[Snapshot]:
        if isinstance(self.source, ReadsInBulk):
            yield from self.source.snapshots(self.thread, namespace=self.namespace, limit=limit)

    def _snapshots(self, rows: Sequence[CheckpointRow]) -> Iterator[Snapshot]:
        if not isinstance(self.source, ReadsInBulk):
            for row in reversed(rows):
                yield self._read(row.id)
            return
        wanted = {row.id for row in rows}
        for seen in self._newest():
            if seen.config["configurable"]["checkpoint_id"] in wanted:
                yield seen

    def _tasks(self, rows: Sequence[CheckpointRow]) -> list[dict[str, Any]]:
        tables = self._tables()
        if tables is None:
            return _tasks_by_reading(self.source, rows)
        try:
            found = frame_tasks(tables, self.thread, self.namespace)
        finally:
            tables.close()
        kept = {row.id for row in rows}
        return [
            {**task, "checkpoint": task["checkpoint_id"], "input_checkpoint": task["input_checkpoint_id"]}
            for task in found
            if not self.lineage or (task["checkpoint_id"] or task["input_checkpoint_id"]) in kept
        ]

    def _values(self, which: object) -> Mapping[str, Any]:
        if isinstance(which, Snapshot):
            return which.values
        if isinstance(which, int):
            return self[which].values
        if isinstance(which, str):
            return self._read(which).values
        ref = CheckpointRef.parse(which)
        found = self.source.snapshot(ref)
        if found is None:
            raise CheckpointNotFound(ref.thread, ref.checkpoint or "(head)")
        return found.values

    def _lines(self) -> tuple[list[Line], int]:
        rows = self._rows()
        read: dict[str, Snapshot | None] = {}

        def seen(checkpoint: str) -> Snapshot | None:
            if checkpoint not in read:
                read[checkpoint] = self._find(checkpoint)
            return read[checkpoint]

        def line(row: CheckpointRow) -> Line:
            after = seen(row.id)
            before = seen(row.parent) if row.parent else None
            known = after is not None and (before is not None or row.parent is None)
            diff = diff_values(before.values if before else {}, after.values) if known and after else None
            return Line(row.step, row.source, row.nodes, row.next, diff, row.changed, _marks(row))

        return [line(row) for row in rows[-SHOWN:][::-1]], len(rows)

    def _title(self) -> str:
        inside = f", namespace={self.namespace!r}" if self.namespace else ""
        return f"History(thread={self.thread!r}{inside})"

    def _saver_name(self) -> str:
        return type(getattr(self.source, "saver", self.source)).__name__


def _out_of_range(title: str, index: int, count: int) -> str:
    if not count:
        return f"{title} has no checkpoints, so there is none at {index}."
    return f"{title} has {count_text(count)}, 0 (newest) to {count - 1} (oldest); there is none at {index}."


def _lineage(rows: Sequence[CheckpointRow], head: str | None) -> list[CheckpointRow]:
    by_id = {row.id: row for row in rows}
    line = []
    at = head
    while at is not None and at in by_id:
        # Taken out, so that damaged parents cannot lead in a circle.
        row = by_id.pop(at)
        line.append(row)
        at = row.parent
    return line[::-1]


def _marks(row: CheckpointRow) -> tuple[str, ...]:
    named = [f"branch {row.branch}"] if row.branch else []
    labelled = [f"label {row.label}"] if row.label else []
    tagged = [f"#{tag}" for tag in row.tags]
    error = ["error"] if row.error else []
    question = ["question"] if row.question else []
    return (*error, *question, *named, *labelled, *tagged)


def _tasks_by_reading(source: HistorySource, rows: Iterable[CheckpointRow]) -> list[dict[str, Any]]:
    found: dict[tuple[str, str, int], dict[str, Any]] = {}
    for row in rows:
        for task in source.tasks(CheckpointRef(row.thread, row.namespace, row.id)):
            key = (task.task_id, task.checkpoint, task.attempt)
            made = task.checkpoint == row.parent and task.status == "ok"
            found.setdefault(
                key,
                {
                    "seq": len(found) + 1,
                    "task_id": task.task_id,
                    "run_id": row.run_id or None,
                    "checkpoint": row.id if made else None,
                    "input_checkpoint": task.checkpoint,
                    "step": row.step if made else row.step + 1,
                    "node": task.node,
                    "attempt": task.attempt,
                    "triggered_by": [],
                    "status": task.status,
                    "duration_ms": task.duration_ms,
                    "error_type": task.error_type,
                    "error_message": task.error_message,
                    "traceback": task.traceback,
                },
            )
    return list(found.values())
