"""One store per file and process: sequence, journal, writer and the lock that orders them."""

from __future__ import annotations

import threading
import uuid
import warnings
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path

import duckdb

from weavenb.errors import StorageTrouble, WeaveError
from weavenb.savers.duckdb.connect import lock_down, open_database, refused
from weavenb.savers.duckdb.drain import Drain, write_frames
from weavenb.savers.duckdb.journal import Frame, Journal, Removal
from weavenb.savers.duckdb.loading import LoadingShelf, Reader
from weavenb.savers.duckdb.recovery import Found, read_journal, set_aside
from weavenb.savers.duckdb.schema import Meta, prepare, read_meta
from weavenb.savers.tables import TABLES, Rows

__all__ = ["Damaged", "Store"]


class Damaged(WeaveError, UserWarning):
    """A crash left part of the journal unreadable; the rest was kept. ``args[0]`` is the whole sentence."""

    code = "journal_damaged"
    fields = ("problem", "files")

    def __str__(self) -> str:
        return str(self.args[0])


class Store:
    """What all savers of one file in one process share. `registry.acquire` gives it out."""

    def __init__(self, path: Path | None, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self.asked_read_only = read_only
        """False for a file that nobody may write, opened without saying so."""
        self.lock = threading.RLock()
        """Held while a head is checked, numbers are given out and a frame is appended."""
        self.seq = 0
        """The last number given to something that was appended."""
        self.damage: Damaged | None = None
        self.inherited = False
        """Whether this is a forked process's copy of its parent's store."""
        self._closed = False
        self._journal: Journal | None = None
        self._drain: Drain | None = None
        self._connection = open_database(path, read_only=read_only)
        try:
            self._begin()
            self.reader = Reader(self._connection.cursor())
            self.shelf = LoadingShelf(self.reader)
        except BaseException:
            self._connection.close()
            raise

    def _begin(self) -> None:
        if self.read_only and self.path is not None:
            self._begin_reading(self.path)
            return
        meta = prepare(self._connection, store_id=uuid.uuid4().hex)
        self.seq = meta.drained_seq
        if self.path is not None:
            found = self._recover(self.path, meta)
            self._journal = Journal(self.path, meta.store_id, first=found.next_number)
        self._drain = Drain(self._connection.cursor(), drained=self.seq, done=self._drained)

    def _begin_reading(self, path: Path) -> None:
        meta = read_meta(self._connection)
        found = read_journal(path, store_id=meta.store_id, drained=meta.drained_seq)
        self._tell(found, ())
        if found.frames:
            self._connection.close()
            self._connection = folded(path, found)
        self.seq = found.frames[-1].seq if found.frames else meta.drained_seq

    def _recover(self, path: Path, meta: Meta) -> Found:
        """Bring a crash's leftovers into the tables, set aside what is damaged, and only then go on."""
        found = read_journal(path, store_id=meta.store_id, drained=meta.drained_seq)
        kept = set_aside(found.damage) if found.damage else ()
        if found.frames:
            write_frames(self._connection, found.frames)
            self.seq = found.frames[-1].seq
        for segment in found.segments:
            segment.unlink(missing_ok=True)
        self._tell(found, kept)
        return found

    def _tell(self, found: Found, kept: tuple[Path, ...]) -> None:
        if found.damage is None:
            return
        names = tuple(path.name for path in kept)
        where = f" What could not be read is kept in {', '.join(names)}." if names else ""
        self.damage = Damaged(
            f"The journal of {str(self.path)!r} is damaged ({found.damage.problem} in {found.damage.segment.name} at"
            f" byte {found.damage.offset}). The {len(found.frames)} steps before it were recovered.{where}",
            names,
        )
        warnings.warn(self.damage, stacklevel=2)

    # Writing -------------------------------------------------------------------------------------------------

    def check(self, *, writing: bool = False) -> None:
        """Raise what stands against using the store."""
        if self._closed:
            raise StorageTrouble(f"The saver of {self.name!r} is closed. Open it again with DuckDBSaver(...).")
        if self.inherited:
            raise StorageTrouble(
                f"{self.name!r} was opened before this process was forked. Open another file here, or start"
                " the process by 'spawn'."
            )
        if not writing:
            return
        if self.read_only:
            raise StorageTrouble(f"{self.name!r} is open for reading only.")
        if self._drain is not None and self._drain.trouble is not None:
            raise self._drain.trouble
        if self._journal is not None and self._journal.trouble is not None:
            raise self._journal.trouble

    @property
    def name(self) -> str:
        """The path, or ``:memory:``."""
        return ":memory:" if self.path is None else str(self.path)

    def numbers(self) -> Callable[[], int]:
        """Gives the numbers of one transaction, one a call; unused ones are given again. Under `lock`."""
        self._taken = count(self.seq + 1)
        return partial(next, self._taken)

    def append(self, rows: Rows, *, removal: Removal | None = None) -> int:
        """Write a transaction numbered by `numbers` to the journal, and queue it for DuckDB. Under `lock`.

        Returns a position for `sync_to`. After it returns, the transaction is history.
        """
        last = max([of_table[-1][0] for of_table in rows.values() if of_table], default=self.seq)
        if last == self.seq:
            # A removal without a row takes a number too: what is drained is told by number.
            last += 1
        drain = self._drain
        if drain is None:
            self.check(writing=True)
            raise StorageTrouble(f"{self.name!r} cannot be written.")
        frame = Frame(self.seq, last, rows, removal)
        position = 0 if self._journal is None else self._journal.append(frame)
        self.seq = frame.seq
        drain.add(frame)
        return position

    def sync_soon(self) -> None:
        """Have the disk get everything appended so far, without waiting for it."""
        if self._journal is not None:
            self._journal.sync_soon()

    def sync_to(self, position: int | None = None) -> None:
        """Return when the disk has everything up to `position`, or all of it."""
        if self._journal is not None:
            self._journal.sync_to(position)
            if position is None:
                self._journal.check_present()

    def drain(self) -> None:
        """Return when DuckDB has everything appended so far."""
        self.check()
        if self._drain is not None:
            self._drain.until(self.seq)

    def _drained(self, seq: int) -> None:
        # Whoever holds the lock may be waiting for this thread; segments can go after the next drain as well.
        if self.lock.acquire(blocking=False):
            try:
                if self._journal is not None:
                    self._journal.drained(seq, idle=seq >= self.seq)
                self.shelf.make_room(seq)
            finally:
                self.lock.release()

    # Reading -------------------------------------------------------------------------------------------------

    def make_room(self) -> None:
        """Let go of values that DuckDB has too, when they have become many. Under `lock`."""
        self.shelf.make_room(self.seq if self._drain is None else self._drain.drained)

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A cursor of its own for the caller, on tables that hold everything appended so far."""
        self.drain()
        return self._connection.cursor()

    # Ending --------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Drain, fold DuckDB's log into the file, and let go of it. The registry calls this for the last saver."""
        with self.lock:
            if self._closed:
                return
            self._closed = True
        if self.inherited:
            return
        try:
            if self._drain is not None:
                self._drain.close()
        finally:
            if self._journal is not None:
                if self._drain is not None:
                    self._journal.drained(self._drain.drained, idle=True)
                self._journal.close()
            self._connection.close()


def folded(path: Path, found: Found) -> duckdb.DuckDBPyConnection:
    """A copy in memory of a file that may not be written, with the journal's transactions in it."""
    connection = duckdb.connect(":memory:")
    try:
        prepare(connection, store_id="")
        quoted = str(path).replace("'", "''")
        connection.execute(f"attach '{quoted}' as kept (read_only)").fetchall()
        for table in TABLES:
            connection.execute(f"insert into {table} by name from kept.{table}").fetchall()
        connection.execute("detach kept").fetchall()
        write_frames(connection, found.frames)
        lock_down(connection)
    except duckdb.Error as error:
        connection.close()
        raise refused(str(path), error, read_only=True) from error
    return connection
