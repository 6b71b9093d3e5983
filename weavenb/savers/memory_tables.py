"""All rows a saver in memory holds, by thread, as the tables a database would have."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from operator import itemgetter
from typing import Final

from weavenb.model.ids import micros_now
from weavenb.savers.columns import INTERRUPT, TASK
from weavenb.savers.shelf import Removal
from weavenb.savers.tables import TABLES, Row, Rows

__all__ = ["MemoryTables"]

_THREAD: Final = {
    table: next((i for i, (name, _) in enumerate(columns) if name == "thread_id"), None)
    for table, columns in TABLES.items()
}
_RUN: Final = {
    table: next((i for i, (name, _) in enumerate(columns) if name == "run_id"), None)
    for table, columns in TABLES.items()
}

_BESIDE: Final = {
    "tasks": (TASK.thread, TASK.namespace, TASK.input),
    "interrupt_events": (INTERRUPT.thread, INTERRUPT.namespace, INTERRUPT.checkpoint),
}
"""Facts about the step of a checkpoint, which go with it: thread, namespace, checkpoint."""


class MemoryTables:
    """Rows by thread and table, in the order of their numbers."""

    __slots__ = ("_threads",)

    def __init__(self) -> None:
        self._threads: dict[object, Rows] = {}
        """Rows that belong to no thread stand under None."""

    def add(self, rows: Rows) -> None:
        """Take rows of one transaction: all of a table are of one thread."""
        for table, new in rows.items():
            place = _THREAD[table]
            thread = None if place is None else new[0][place]
            tables = self._threads.setdefault(thread, {})
            known = tables.get(table)
            if known is None:
                tables[table] = list(new)
            else:
                known.extend(new)

    def tombstone(self, thread: str, seq: int) -> Rows:
        """The row that says a thread was deleted."""
        row: Row = [seq, thread, None, "deleted", *[None] * 6, micros_now()]
        return {"thread_events": [row]}

    def head(self, thread: str, namespace: str, seq: int, head_seq: int) -> Rows:
        """The row that says which checkpoint is the head now."""
        row: Row = [seq, thread, namespace, "head", None, head_seq, *[None] * 4, micros_now()]
        return {"thread_events": [row]}

    def drop(self, thread: str) -> None:
        """Let go of all rows of a thread."""
        self._threads.pop(thread, None)

    def remove(self, removal: Removal, runs: Collection[str] = ()) -> None:
        """Let go of the rows an operation takes away, and of what these runs left in any table."""
        for thread in removal.threads:
            self.drop(thread)
        for tables in self._threads.values():
            for table, rows in tables.items():
                goes = _goes(table, removal, runs)
                if goes is not None:
                    rows[:] = [row for row in rows if not goes(row)]

    def table(self, name: str) -> Iterator[Row]:
        """Rows of one table, of all threads."""
        for tables in self._threads.values():
            yield from tables.get(name, ())

    def pick(self, tables: Collection[str], thread: str | None = None) -> Rows:
        """Rows of these tables, of one thread or of all, in the order of their numbers."""
        held = [self._threads.get(thread, {})] if thread is not None else list(self._threads.values())
        found: Rows = {}
        for name in tables:
            rows = [row for of_thread in held for row in of_thread.get(name, ())]
            found[name] = sorted(rows, key=itemgetter(0)) if len(held) > 1 else rows
        return found

    def rows(self, thread: str | None = None) -> Rows:
        """All rows, of one thread (with the definitions) or of all, in the order of their numbers."""
        found: Rows = {table: [] for table in TABLES}
        for name, tables in self._threads.items():
            if thread is None or name is None or name == thread:
                for table, rows in tables.items():
                    found[table].extend(rows)
        for rows in found.values():
            rows.sort(key=itemgetter(0))
        return found


def _goes(table: str, removal: Removal, runs: Collection[str]) -> Callable[[Row], bool] | None:
    """Whether a row of `table` is taken away; None when none can be."""
    numbers = removal.rows.get(table, ())
    run = _RUN[table] if runs and table != "checkpoints" else None
    beside = _BESIDE.get(table) if removal.checkpoints else None
    if not numbers and run is None and beside is None:
        return None

    def goes(row: Row) -> bool:
        if row[0] in numbers or (run is not None and row[run] in runs):
            return True
        if beside is None:
            return False
        thread, namespace, checkpoint = (row[place] for place in beside)
        return checkpoint in removal.checkpoints.get((thread, namespace), ())

    return goes
