"""Books filled from the database: a thread when it is first used, its values when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from weavenb.savers.book import Book, Entry
from weavenb.savers.columns import VALUE
from weavenb.savers.shelf import Shelf
from weavenb.savers.tables import TABLES, Row, Rows

if TYPE_CHECKING:
    import duckdb

__all__ = ["HELD", "LoadAhead", "LoadingShelf", "Reader"]


def _columns(table: str) -> str:
    """Columns as rows hold them: times as microseconds."""
    return ", ".join(f"t.{name}" if kind != "TIMESTAMPTZ" else f"epoch_us(t.{name})" for name, kind in TABLES[table])


COLUMNS: Final = {table: _columns(table) for table in TABLES}
_AHEAD: Final = 64
HELD: Final = 64 * 1024 * 1024
"""Bytes of values that may stay in memory once DuckDB has them too."""
_INDEX: Final = ("checkpoints", "writes", "annotations")


class Reader:
    """Rows from a cursor of its own. Its owner holds one lock around every call."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self._cursor = cursor

    def rows(self, table: str, where: str = "", parameters: Sequence[object] = ()) -> list[Row]:
        """Rows of a table in the order of their numbers; `where` is ours, never a caller's."""
        text = f"select {COLUMNS[table]} from {table} t {where} order by t.seq"  # noqa: S608 - names from TABLES
        return list(self._cursor.execute(text, list(parameters)).fetchall())

    def pick(self, text: str, parameters: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """The whole result of a question of ours."""
        return self._cursor.execute(text, list(parameters)).fetchall()

    def index(self, thread: str | None) -> Rows:
        """What a book needs besides values, of one thread or of all."""
        where, given = ("", []) if thread is None else ("where t.thread_id = ?", [thread])
        found = {table: self.rows(table, where, given) for table in _INDEX}
        last = (
            f"select {COLUMNS['thread_events']} from thread_events t"  # noqa: S608 - names from TABLES
            f" where t.kind = 'head'{'' if thread is None else ' and t.thread_id = ?'}"
            " qualify row_number() over (partition by t.thread_id, t.checkpoint_ns order by t.seq desc) = 1"
        )
        found["thread_events"] = list(self._cursor.execute(last, given).fetchall())
        return found

    def values(self, seqs: Sequence[int]) -> Iterable[Row]:
        """Value rows, and what the grown ones are most likely built on."""
        found = {
            row[0]: row
            for row in self.rows("channel_values", "where t.seq in (select unnest(?::BIGINT[]))", [list(seqs)])
        }
        for row in [row for row in found.values() if row[VALUE.op] != "set" and row[VALUE.base] not in found]:
            # Without a fork between, the chain is the last rows of the channel; what is missing is asked for later.
            text = (
                f"select {COLUMNS['channel_values']} from channel_values t"  # noqa: S608 - names from TABLES
                " where t.thread_id = ? and t.checkpoint_ns = ? and t.channel = ? and t.seq < ?"
                " order by t.seq desc limit ?"
            )
            given = [row[1], row[2], row[VALUE.channel], row[0], row[VALUE.depth]]
            for older in self._cursor.execute(text, given).fetchall():
                found.setdefault(older[0], older)
        return found.values()

    def tombstones(self) -> dict[str, int]:
        """Thread to the number of its deletion."""
        rows = self.pick("select thread_id, max(seq) from thread_events where kind = 'deleted' group by thread_id")
        return dict(rows)  # type: ignore[arg-type]  # rows are tuples of any

    def definitions(self) -> set[str]:
        """Hashes of the definitions that are stored."""
        return {row[0] for row in self.pick("select distinct def_hash from graph_defs")}  # type: ignore[misc]  # rows are tuples of any

    def of_runs(self, runs: Collection[str], beside: Collection[tuple[str, str, str]]) -> dict[str, set[int]]:
        """Numbers of the rows that runs left, and of what lies beside checkpoints (thread, namespace, id)."""
        found: dict[str, set[int]] = {}
        for table in ("run_events", "tasks"):
            text = f"select seq from {table} where run_id in (select unnest(?::VARCHAR[]))"  # noqa: S608 - as above
            found[table] = {row[0] for row in self.pick(text, [list(runs)])} if runs else set()  # type: ignore[misc]  # rows are tuples of any
        for table, column in (("tasks", "input_checkpoint_id"), ("interrupt_events", "checkpoint_id")):
            if not beside:
                continue
            places = zip(*beside, strict=True)
            text = (
                f"select t.seq from {table} t join ("  # noqa: S608 - as above
                "select unnest(?::VARCHAR[]) as a, unnest(?::VARCHAR[]) as b, unnest(?::VARCHAR[]) as c) w"
                f" on t.thread_id = w.a and t.checkpoint_ns = w.b and t.{column} = w.c"
            )
            rows = self.pick(text, [list(place) for place in places])
            found.setdefault(table, set()).update(row[0] for row in rows)  # type: ignore[misc]  # rows are tuples of any
        return found


class LoadAhead:
    """Fetches the values of neighbouring checkpoints at once, more of them the further a list is read.

    A question for each would take milliseconds apiece; all of a long list would not fit in memory.
    """

    def __init__(self, pairs: Sequence[tuple[Book, Entry]], make_room: Callable[[], None]) -> None:
        self._pairs = pairs
        self._make_room = make_room
        """Called before more is loaded."""
        self._loaded = 0
        self._size = 1

    def reach(self, place: int) -> None:
        """Have the values of the checkpoint at this place of the list."""
        if place < self._loaded:
            return
        self._make_room()
        books: dict[int, tuple[Book, set[int]]] = {}
        for book, entry in self._pairs[place : place + self._size]:
            books.setdefault(id(book), (book, set()))[1].update(entry.value_seqs.values())
        for book, seqs in books.values():
            book.load(seqs)
        self._loaded = place + self._size
        self._size = min(2 * self._size, _AHEAD)


class LoadingShelf(Shelf):
    """A shelf that looks into the database for threads it has not met.

    What is not loaded was drained before: only a loaded thread is written to.
    """

    def __init__(self, reader: Reader) -> None:
        super().__init__(reader.values)
        self._reader = reader
        self._met: set[str] = set()
        self._all = False
        self.tombstones = reader.tombstones()
        self.defs = reader.definitions()

    def find(self, thread: str, namespace: str = "") -> Book | None:
        if thread not in self._met:
            self._meet(thread)
        return super().find(thread, namespace)

    def exists(self, thread: str) -> bool:
        self._meet(thread)
        return super().exists(thread)

    def books(self, thread: str | None = None) -> Iterator[Book]:
        if thread is None:
            self.meet_all()
        else:
            self._meet(thread)
        return super().books(thread)

    def make_room(self, drained: int) -> None:
        """Let go of values that can be read again, when they have become many.

        `drained` is the last number in DuckDB.
        """
        books = [book for of_thread in self.threads.values() for book in of_thread.values()]
        if sum([book.held for book in books]) > HELD:
            for book in books:
                book.let_go(drained)

    def meet_all(self) -> None:
        """Load every thread."""
        if self._all:
            return
        rows = self._reader.index(None)
        met = self._met
        self.apply({table: [row for row in of if row[1] not in met] for table, of in rows.items()})
        self._all = True

    def _meet(self, thread: str) -> None:
        if self._all or thread in self._met:
            return
        self.apply(self._reader.index(thread))
        self._met.add(thread)
