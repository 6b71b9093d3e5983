"""The writer: takes what the journal already holds and puts it into DuckDB, many transactions in one."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

import duckdb

from weavenb.errors import StorageTrouble
from weavenb.model.ids import from_micros
from weavenb.savers.duckdb.journal import Frame, Removal
from weavenb.savers.tables import TABLES, Row, Rows

__all__ = ["Drain", "write_frames"]

PAUSE: Final = 1.0
"""Seconds between two drains while steps keep coming: a batch costs a tenth a row of what single commits do."""
IDLE: Final = 2.0
"""Seconds without a step after which DuckDB folds its own log into the file."""
TIMES: Final = {
    table: [i for i, (_, kind) in enumerate(columns) if kind == "TIMESTAMPTZ"] for table, columns in TABLES.items()
}
OF_THREAD: Final = [table for table, columns in TABLES.items() if any(name == "thread_id" for name, _ in columns)]
MOVE: Final = "update store_meta set drained_seq = ?"


class Drain:
    """One thread owning one cursor. Whatever it cannot write stays queued, and in the journal."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, *, drained: int, done: Callable[[int], None]) -> None:
        self._cursor = cursor
        self._done = done
        self._queue: list[_Batch] = []
        self._filling: _Batch | None = None
        """The last of the queue, while more can be put into it."""
        self._queueing = threading.Lock()
        self._news = threading.Event()
        self._state = threading.Condition()
        self._asked = False
        self._closing = False
        self._checkpointed = True
        self.drained = drained
        """The last sequence number that is in DuckDB."""
        self.trouble: StorageTrouble | None = None
        """Why the last drain failed, until one succeeds."""
        self._thread = threading.Thread(target=self._work, name="weavenb-drain", daemon=True)
        self._thread.start()

    def add(self, frame: Frame) -> None:
        """Queue a transaction; called under the store's lock, so that the queue is in order."""
        with self._queueing:
            batch = self._filling
            if batch is None or frame.removal:
                batch = _Batch(frame.removal)
                self._queue.append(batch)
                self._filling = None if frame.removal else batch
            batch.take(frame)
        if not self._news.is_set():
            self._news.set()

    def until(self, seq: int) -> None:
        """Return when everything up to `seq` is in DuckDB.

        Raises:
            StorageTrouble: if DuckDB refuses it; the next call tries again.
        """
        if self.drained >= seq:
            return
        with self._state:
            self.trouble = None
            self._ask()
            while self.drained < seq and self.trouble is None and not self._closing:
                self._state.wait()
            if self.drained < seq:
                raise self.trouble or StorageTrouble("The saver was closed while it was writing.")

    def close(self) -> None:
        """Drain all and stop. Raises what the last drain raised."""
        with self._state:
            self._closing = True
            self._ask()
        self._thread.join()
        self._cursor.close()
        if self.trouble is not None and self._queue:
            raise self.trouble

    def _ask(self) -> None:
        self._asked = True
        self._news.set()
        self._state.notify_all()

    def _work(self) -> None:
        while True:
            fresh = self._news.wait(None if self._checkpointed else IDLE)
            if not fresh:
                self._checkpoint()
                continue
            with self._state:
                if not self._asked:
                    self._state.wait(PAUSE)
                self._asked = False
                closing = self._closing
                self._news.clear()
            self._drain()
            if closing:
                self._checkpoint()
                return

    def _drain(self) -> None:
        # Appends go on meanwhile: take what is there now and leave the rest for the next round.
        with self._queueing:
            batches = self._queue[:]
            self._filling = None
        if not batches:
            return
        try:
            write_frames(self._cursor, batches)
        except (duckdb.Error, TypeError, ValueError) as error:
            self._fail(error)
            return
        with self._state:
            del self._queue[: len(batches)]
            self.drained = batches[-1].seq
            self.trouble = None
            self._checkpointed = False
            self._state.notify_all()
        self._done(self.drained)

    def _fail(self, error: Exception) -> None:
        steps = sum(batch.count for batch in self._queue)
        trouble = StorageTrouble(
            f"DuckDB refused {steps} steps ({type(error).__name__}: {error}). They are kept in the journal"
            " beside the file, and written when the cause is gone."
        )
        trouble.__cause__ = error
        with self._state:
            self.trouble = trouble
            self._state.notify_all()

    def _checkpoint(self) -> None:
        try:
            self._cursor.execute("checkpoint").fetchall()
        except duckdb.Error:
            # A reader's transaction is open. Nothing is lost without it: the next idle moment tries again.
            time.sleep(PAUSE if not self._closing else 0)
            return
        self._checkpointed = True


class _Batch:
    """Transactions that follow each other, their rows by table as DuckDB takes them. A removal stands alone."""

    __slots__ = ("count", "removal", "rows", "seq")

    def __init__(self, removal: Removal | None) -> None:
        self.removal = removal
        self.rows: Rows = {}
        self.count = 0
        self.seq = 0

    def take(self, frame: Frame) -> None:
        known = self.rows
        for table, rows in frame.rows.items():
            if table in known:
                known[table] += rows
            else:
                known[table] = rows.copy()
        self.seq = frame.seq
        self.count += 1


def write_frames(cursor: duckdb.DuckDBPyConnection, frames: Sequence[Frame | _Batch]) -> None:
    """Put transactions into the tables in one transaction that also moves ``drained_seq``."""
    cursor.execute("begin").fetchall()
    try:
        rows: dict[str, list[Row]] = {}
        for frame in frames:
            if frame.removal:
                _append(cursor, rows)
                rows = {}
                _remove(cursor, frame.removal, below=frame.seq)
            for table, added in frame.rows.items():
                rows.setdefault(table, []).extend(added)
        _append(cursor, rows)
        cursor.execute(MOVE, [frames[-1].seq]).fetchall()
        cursor.execute("commit").fetchall()
    except BaseException:
        with contextlib.suppress(duckdb.TransactionException):
            # A commit that failed has ended its transaction already.
            cursor.execute("rollback").fetchall()
        raise


def _append(cursor: duckdb.DuckDBPyConnection, rows: dict[str, list[Row]]) -> None:
    for table, added in rows.items():
        if not added:
            continue
        times = TIMES[table]
        appender = cursor.appender(table)
        appender.append_rows([_timed(row, times) for row in added] if times else added)
        appender.flush()


def _timed(row: Row, times: list[int]) -> Row:
    copy = list(row)
    for at in times:
        cell = copy[at]
        if isinstance(cell, int):
            copy[at] = from_micros(cell)
    return copy


def _remove(cursor: duckdb.DuckDBPyConnection, removal: Removal, *, below: int) -> None:
    for thread in removal.threads:
        for table in OF_THREAD:
            cursor.execute(f"delete from {table} where thread_id = ? and seq < ?", [thread, below]).fetchall()  # noqa: S608 - names from TABLES
    for table, seqs in removal.rows.items():
        if table not in TABLES:
            raise ValueError(f"there is no table {table!r}")
        cursor.execute(
            f"delete from {table} where seq in (select unnest(?::BIGINT[]))",  # noqa: S608 - as above
            [seqs],
        ).fetchall()
