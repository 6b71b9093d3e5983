"""The index of one thread and namespace: what is stored, by id and by number, and what its values are.

A book is filled with rows, whether they come from a commit or from a database. Values may be absent:
then `fetch` is asked for them. Its owner holds one lock around every call.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final

from weavenb.errors import RestoreFailed
from weavenb.savers.columns import CHECKPOINT as C
from weavenb.savers.columns import NOTE, VALUE, WRITE
from weavenb.savers.tables import Row
from weavenb.serde import decode, isolate

__all__ = ["Book", "Entry", "Fetch"]

Fetch = Callable[[Sequence[int]], Iterable[Row]]
"""Value rows with these numbers, and those they are built on where the source finds them at once."""

_BY_SEQ: Final = itemgetter(0)
_HASH: Final = VALUE.hash


class Entry:
    """One checkpoint: its row, read by name."""

    __slots__ = ("_seqs", "row")

    def __init__(self, row: Row, value_seqs: Mapping[str, int] | None = None) -> None:
        self.row = row
        self._seqs = value_seqs

    def __getitem__(self, column: int) -> Any:
        return self.row[column]

    @property
    def seq(self) -> int:
        """Its place in the store's order."""
        seq: int = self.row[0]
        return seq

    @property
    def id(self) -> str:
        """The checkpoint's id."""
        id_: str = self.row[C.id]
        return id_

    @property
    def parent(self) -> str | None:
        """The parent's id."""
        parent: str | None = self.row[C.parent]
        return parent

    @property
    def value_seqs(self) -> Mapping[str, int]:
        """Channel to number of its value row, in the order first written."""
        return decode(self.row[C.value_seqs]) if self._seqs is None else self._seqs

    def put_away(self) -> None:
        """Keep the text alone: of a long thread, only the newest checkpoint is built on."""
        self._seqs = None

    def scheduled(self) -> list[dict[str, Any]]:
        """Its ``next``, new objects each time."""
        text = self.row[C.next_tasks]
        return decode(text) if text else []


class Book:
    """See the module."""

    __slots__ = (
        "_cache", "_notes", "_values", "_writes", "entries", "fetch", "graph", "head", "held", "namespace",
        "order", "status", "thread",
    )  # fmt: skip

    def __init__(self, thread: str, namespace: str, fetch: Fetch | None = None) -> None:
        self.thread = thread
        self.namespace = namespace
        self.fetch = fetch
        self.head: str | None = None
        self.graph: str | None = None
        """Name of the graph that began it."""
        self.status: str | None = None
        """Of its last run."""
        self.entries: dict[str, Entry] = {}
        self.order: list[Entry] = []
        """In commit order."""
        self.held = 0
        """Bytes of the texts of values that are here."""
        self._values: dict[int, Row] = {}
        self._writes: dict[str | None, dict[tuple[str, int], Row]] = {}
        self._notes: dict[str, list[Row]] = {}
        self._cache: dict[str, tuple[int, Any]] = {}
        """Channel to one decoded value that grew: the next one is built on it."""

    # filling -----------------------------------------------------------------------------------------

    def add_value(self, row: Row) -> None:
        """Take a row of ``channel_values``."""
        self._values[row[0]] = row
        self.held += row[VALUE.nbytes]

    def add_checkpoint(self, row: Row, value_seqs: Mapping[str, int] | None = None) -> None:
        """Take a row of ``checkpoints``. The one stored last is the head, until a ``head`` event says otherwise."""
        id_ = row[C.id]
        self.entries[id_] = entry = Entry(row, value_seqs)
        order = self.order
        if order:
            newest = order[-1]
            if newest.row[0] > row[0]:
                insort(order, entry, key=_BY_SEQ)
                return
            newest.put_away()
        order.append(entry)
        self.head = id_

    def add_write(self, row: Row) -> None:
        """Take a row of ``writes``: the first stays, except in reserved channels, where the last does.

        A null ``__route__`` takes back what its task wrote, so that the next attempt's writes can stand there.
        """
        beside: Any = self._writes.setdefault(row[WRITE.checkpoint], {})
        key = (row[WRITE.task], row[WRITE.idx])
        if key not in beside:
            beside[key] = row
        elif key[1] < 0:
            del beside[key]
            beside[key] = row
        if row[WRITE.channel] == "__route__" and row[WRITE.value] == "null":
            for old in [k for k in beside if k[0] == key[0] and k[1] >= 0]:
                del beside[old]

    def add_note(self, row: Row) -> None:
        """Take a row of ``annotations``."""
        self._notes.setdefault(row[NOTE.checkpoint], []).append(row)

    def set_head(self, seq: int, *, at: int) -> None:
        """Make the checkpoint with this number the head, unless one was stored after `at`, when that was said."""
        if self.order and self.order[-1].seq > at:
            return
        for entry in reversed(self.order):
            if entry.seq == seq:
                self.head = entry.id
                return

    def remove(self, checkpoints: Iterable[str], values: Iterable[int], writes: Iterable[int]) -> None:
        """Forget checkpoints with what lies beside them, and values and writes by number."""
        gone = set(checkpoints)
        for id_ in gone:
            self.entries.pop(id_, None)
            self._writes.pop(id_, None)
            self._notes.pop(id_, None)
        self.order = [entry for entry in self.order if entry.id not in gone]
        for seq in values:
            row = self._values.pop(seq, None)
            if row is not None:
                self.held -= row[VALUE.nbytes]
        numbers = set(writes)
        if numbers:
            for beside in self._writes.values():
                for key in [key for key, row in beside.items() if row[0] in numbers]:
                    del beside[key]
        self._cache.clear()

    def let_go(self, upto: int) -> None:
        """Forget values up to this number, which `fetch` can bring back, but those the next step is built on."""
        near = [entry for entry in (self.entry(), *self.order[-1:]) if entry is not None]
        kept = {seq for entry in near for seq in entry.value_seqs.values()}
        self._values = {seq: row for seq, row in self._values.items() if seq > upto or seq in kept}
        self.held = sum([row[VALUE.nbytes] for row in self._values.values()])

    # reading -----------------------------------------------------------------------------------------

    def entry(self, checkpoint: str | None = None) -> Entry | None:
        """The checkpoint named, or the head."""
        key = self.head if checkpoint is None else checkpoint
        return None if key is None else self.entries.get(key)

    def lineage(self, entry: Entry) -> Iterator[Entry]:
        """It and its ancestors, newest first."""
        at: Entry | None = entry
        while at is not None:
            yield at
            at = self.entries.get(at.parent) if at.parent is not None else None

    def value_row(self, seq: int) -> Row:
        """The row of a value, fetched when it is not here."""
        row = self._values.get(seq)
        if row is None:
            self.load((seq,))
            row = self._values.get(seq)
        if row is None:
            raise RestoreFailed(
                f"Value {seq} of thread {self.thread!r} is missing from storage:"
                " the file is damaged or rows were removed by hand."
            )
        return row

    def load(self, seqs: Iterable[int]) -> None:
        """Fetch those of the value rows that are not here."""
        missing = [seq for seq in seqs if seq not in self._values]
        if missing and self.fetch is not None:
            for row in self.fetch(missing):
                self.add_value(row)

    def chain(self, seq: int) -> list[Row]:
        """The rows a value is built of, the whole one first."""
        rows = [self.value_row(seq)]
        while rows[-1][VALUE.op] != "set":
            rows.append(self.value_row(rows[-1][VALUE.base]))
        rows.reverse()
        return rows

    def size(self, seq: int) -> int:
        """Bytes of the texts a value is built of."""
        row = self.value_row(seq)
        if row[VALUE.op] == "set":
            size: int = row[VALUE.nbytes]
            return size
        return sum(row[VALUE.nbytes] for row in self.chain(seq))

    def peek(self, channel: str, seq: int, *, remember: bool = True) -> Any:
        """A value that the caller must not change nor keep."""
        row = self.value_row(seq)
        cached = self._cache.get(channel)
        above: list[Row] = []
        while True:
            if cached is not None and cached[0] == row[0]:
                value = cached[1] if remember or not above else isolate(cached[1])
                break
            if row[VALUE.op] == "set":
                value = decode(row[VALUE.value])
                break
            above.append(row)
            row = self.value_row(row[VALUE.base])
        for grown in reversed(above):
            added = decode(grown[VALUE.value])
            (value.extend if grown[VALUE.op] == "append" else value.update)(added)
        if remember:
            self._cache[channel] = (seq, value)
        return value

    def value(self, channel: str, seq: int, *, remember: bool = False) -> Any:
        """A value, new objects each time; with `remember` the next one is built on it."""
        row = self.value_row(seq)
        if row[VALUE.op] == "set":
            return decode(row[VALUE.value])
        return isolate(self.peek(channel, seq, remember=remember))

    def values(self, entry: Entry) -> dict[str, Any]:
        """The whole state at a checkpoint, new objects each time."""
        seqs = entry.value_seqs
        if self.fetch is not None:
            self.load(seqs.values())
        remember = entry.id == self.head
        return {name: self.value(name, seq, remember=remember) for name, seq in seqs.items()}

    def hashes(self, value_seqs: Mapping[str, int]) -> dict[str, str]:
        """The hash of each channel's value."""
        rows = self._values
        try:
            return {name: rows[seq][_HASH] for name, seq in value_seqs.items()}
        except KeyError:
            self.load(value_seqs.values())
        return {name: self.value_row(seq)[_HASH] for name, seq in value_seqs.items()}

    def writes(self, checkpoint: str | None) -> Mapping[tuple[str, int], Row]:
        """Rows kept beside a checkpoint, by (task id, position), in the order they were stored."""
        return self._writes.get(checkpoint, {})

    def pending(self, checkpoint: str) -> list[tuple[str, str, Any]]:
        """``(task_id, channel, value)`` kept beside a checkpoint."""
        return [
            (row[WRITE.task], row[WRITE.channel], decode(row[WRITE.value])) for row in self.writes(checkpoint).values()
        ]

    def note_rows(self, checkpoint: str) -> Sequence[Row]:
        """Annotation rows of a checkpoint, oldest first."""
        return self._notes.get(checkpoint, ())

    def notes(self, checkpoint: str) -> dict[str, Any]:
        """What was noted beside a checkpoint and still holds: ``label``, ``tags``, ``note``, ``bookmark``."""
        found: dict[str, Any] = {}
        tags: dict[str, None] = {}
        for row in self._notes.get(checkpoint, ()):
            kind, text, removed = row[NOTE.kind], row[NOTE.text], row[NOTE.removed]
            if kind == "tag":
                tags.pop(text, None) if removed else tags.setdefault(text)
            elif removed:
                found.pop(kind, None)
            else:
                found[kind] = True if kind == "bookmark" else text
        if tags:
            found["tags"] = list(tags)
        return found
