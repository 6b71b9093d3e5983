"""A committed step as rows: what one transaction adds to the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from weavenb.model.records import RESERVED, Change, PendingWrite, StateRecord
from weavenb.savers.book import Book, Entry
from weavenb.savers.columns import CHECKPOINT, VALUE
from weavenb.savers.tables import Row, Rows
from weavenb.serde import encode, encode_known
from weavenb.serde.hashing import appended, hash_of_value, merged, state_hash

__all__ = ["DEEPEST", "RESERVED_IDX", "RowWriter", "Take"]

Take = Callable[[], int]
"""The next store-wide number."""

DEEPEST: Final = 512
"""A value is built of at most so many rows."""

_GROWS: Final = {"append": "list", "merge": "dict"}
RESERVED_IDX: Final = {name: -1 - place for place, name in enumerate(sorted(RESERVED))}
"""Reserved channels hold one value a task, at a fixed position below zero."""


def _bytes_in(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


class RowWriter:
    """Collects the rows of one transaction for one thread and namespace; every row takes the next number."""

    __slots__ = ("_hashes", "book", "rows", "take", "value_seqs")

    def __init__(self, book: Book, take: Take) -> None:
        self.book = book
        self.take = take
        self.rows: Rows = {}
        self._hashes: dict[str, str] = {}
        """Of the values added, by channel."""
        self.value_seqs: dict[str, int] = {}
        """Of the checkpoint written last, for a book that takes these rows."""

    def add(self, table: str, row: Row) -> None:
        """Add a row of `table`, which begins with the number just taken."""
        if table in self.rows:
            self.rows[table].append(row)
        else:
            self.rows[table] = [row]

    def write(self, checkpoint: str | None, task: str, idx: int, write: tuple[str, Any, str]) -> None:
        """Add a write (channel, value, text) beside a checkpoint, unless a plain one is there already."""
        if idx >= 0 and (task, idx) in self.book.writes(checkpoint):
            return
        channel, value, text = write
        text = text or encode(value)
        self.add("writes", (
            self.take(), self.book.thread, self.book.namespace, checkpoint, task, idx, channel, text,
            type(value).__name__, None, _bytes_in(text),
        ))  # fmt: skip

    def writes(self, checkpoint: str | None, writes: Iterable[PendingWrite]) -> None:
        """Add writes beside a checkpoint, each at its place among the plain ones of its task."""
        places: dict[str, int] = {}
        for write in writes:
            idx = RESERVED_IDX.get(write.channel)
            if idx is None:
                idx = places.get(write.task_id, 0)
                places[write.task_id] = idx + 1
            self.write(checkpoint, write.task_id, idx, (write.channel, write.value, write.text))

    def value(self, checkpoint: str, channel: str, value: Any, text: str) -> tuple[int, int]:
        """Add a whole value; its number, and its size."""
        seq, book, size = self.take(), self.book, _bytes_in(text)
        self._hashes[channel] = digest = hash_of_value(value, text)
        self.add("channel_values", (
            seq, book.thread, book.namespace, checkpoint, channel, "set", None, 0, text, type(value).__name__,
            None, size, digest,
        ))  # fmt: skip
        return seq, size

    def grown(self, record: StateRecord, change: Change, base_seq: int | None) -> tuple[int, int, bool]:
        """Add what was appended or merged, or the whole value where a chain ends; number, size, whether whole."""
        book, channel = self.book, change.channel
        base = None if base_seq is None else book.value_row(base_seq)
        if base is None or base[VALUE.type] != _GROWS[change.op] or base[VALUE.depth] >= DEEPEST - 1:
            value = record.values[channel]
            return *self.value(record.id, channel, value, encode(value)), True
        text = change.text or encode(change.value)
        before: str = base[VALUE.hash]
        if change.op == "append":
            digest = appended(before, text)
        else:
            digest = merged(before, book.peek(channel, base[0]), change.value)
        self._hashes[channel] = digest
        seq, size = self.take(), _bytes_in(text)
        self.add("channel_values", (
            seq, book.thread, book.namespace, record.id, channel, change.op, base[0], base[VALUE.depth] + 1, text,
            base[VALUE.type], None, size, digest,
        ))  # fmt: skip
        return seq, size, False

    def values(self, record: StateRecord, parent: Entry | None) -> tuple[dict[str, int], int]:
        """Add the values a record brings; where each channel's value is then, and the state's size."""
        seqs = {} if parent is None else dict(parent.value_seqs)
        size: int = 0 if parent is None else parent[CHECKPOINT.state_bytes] or 0
        for change in record.changes:
            old = seqs.get(change.channel)
            if change.op == "remove":
                if old is not None:
                    size -= self.book.size(seqs.pop(change.channel))
                continue
            if change.op == "set":
                seq, added = self.value(record.id, change.channel, change.value, change.text or encode(change.value))
                whole = True
            else:
                seq, added, whole = self.grown(record, change, old)
            seqs[change.channel] = seq
            size += added if old is None or not whole else added - self.book.size(old)
        if len(seqs) != len(record.values) or seqs.keys() != record.values.keys():
            size += self._mend(record, seqs)
        return seqs, size

    def _mend(self, record: StateRecord, seqs: dict[str, int]) -> int:
        """Make `seqs` say what the record's values say: its parent may have been pruned meanwhile."""
        size = 0
        for channel in [name for name in seqs if name not in record.values]:
            size -= self.book.size(seqs.pop(channel))
        for channel, value in record.values.items():
            if channel not in seqs:
                seqs[channel], added = self.value(record.id, channel, value, encode(value))
                size += added
        return size

    def state(self, seqs: dict[str, int]) -> tuple[str, str]:
        """The hash of the state whose values are at these places, and the places as text."""
        self.value_seqs = seqs
        added = self._hashes
        if added.keys() == seqs.keys():
            hashes = added
        else:
            kept = {name: seq for name, seq in seqs.items() if name not in added}
            hashes = self.book.hashes(kept)
            hashes.update([(name, digest) for name, digest in added.items() if name in seqs])
        if not RESERVED.isdisjoint(hashes):
            hashes = {name: digest for name, digest in hashes.items() if name not in RESERVED}
        return state_hash(hashes), encode_known(seqs)
