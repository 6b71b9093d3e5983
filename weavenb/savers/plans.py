"""Operations on whole threads, worked out on books: rows to add, or what to take away."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from weavenb.errors import CheckpointNotFound, DeltaDependency, ThreadExists, ThreadNotFound, nearest
from weavenb.model.ids import micros_now
from weavenb.model.refs import CheckpointRef
from weavenb.savers.book import Book, Entry
from weavenb.savers.columns import CHECKPOINT, NOTE, TASK, VALUE, WRITE
from weavenb.savers.rows import RESERVED_IDX, Take
from weavenb.savers.shelf import Removal, Shelf
from weavenb.savers.tables import Row, Rows
from weavenb.serde import decode, encode

__all__ = ["copy_plan", "fork_plan", "nearest_kept", "prune_plan", "runs_plan"]


class _Copy:
    """Rows of books under another thread's name and new numbers. Chains stay chains, within the copy."""

    def __init__(self, to: str, take: Take) -> None:
        self.to = to
        self.take = take
        self.rows: Rows = {}
        self.seqs: dict[int, int] = {}
        """Old number to new, of values and checkpoints."""

    def add(self, table: str, row: Row, changed: Mapping[int, object] | None = None) -> int:
        """Add a row with other cells in the columns of `changed`."""
        seq = self.take()
        new = [seq, self.to, *row[2:]]
        for column, cell in (changed or {}).items():
            new[column] = cell
        self.rows.setdefault(table, []).append(new)
        return seq

    def event(self, namespace: str, kind: str, cells: Sequence[object] = (None,) * 6) -> None:
        row: Row = [self.take(), self.to, namespace, kind, *cells, micros_now()]
        self.rows.setdefault("thread_events", []).append(row)

    def values(self, book: Book, entry: Entry) -> dict[str, int]:
        """Copy the values of a checkpoint that were not copied yet."""
        book.load(entry.value_seqs.values())
        for seq in sorted(entry.value_seqs.values()):
            if seq in self.seqs:
                continue
            for row in book.chain(seq):
                old: int = row[0]
                if old not in self.seqs:
                    base = row[VALUE.base]
                    self.seqs[old] = self.add("channel_values", row, base and {VALUE.base: self.seqs[base]})
        return {name: self.seqs[seq] for name, seq in entry.value_seqs.items()}

    def checkpoint(self, book: Book, entry: Entry) -> None:
        seqs = self.values(book, entry)
        self.seqs[entry.seq] = self.add(
            "checkpoints",
            entry.row,
            {
                CHECKPOINT.above: self.seqs.get(entry[CHECKPOINT.above]),
                CHECKPOINT.copied_from: entry.seq,
                CHECKPOINT.value_seqs: encode(seqs),
            },
        )

    def beside(self, book: Book, entry: Entry, *, carried_only: bool = False) -> None:
        """Copy the writes and notes of a checkpoint."""
        waiting = {task["id"] for task in entry.scheduled()} if carried_only else ()
        for row in book.writes(entry.id).values():
            if row[WRITE.task] not in waiting:
                self.add("writes", row)
        for row in book.note_rows(entry.id):
            if not carried_only or row[NOTE.kind] != "bookmark":
                self.add("annotations", row)

    def head(self, book: Book, entry: Entry) -> None:
        self.event(book.namespace, "head", (None, self.seqs[entry.seq], *[None] * 4))

    def open_questions(self, book: Book, entry: Entry) -> None:
        """Raise anew, in the copy, what still waits for an answer."""
        writes = book.writes(entry.id)
        for task in entry.scheduled():
            id_ = task["id"]
            asked = writes.get((id_, RESERVED_IDX["__interrupt__"]))
            route = writes.get((id_, RESERVED_IDX["__route__"]))
            if asked is None or (route is not None and route[WRITE.value] != "null"):
                continue
            answer = writes.get((id_, RESERVED_IDX["__answer__"]))
            known = {} if answer is None else decode(answer[WRITE.value])
            for question in decode(asked[WRITE.value]):
                if question["id"] not in known:
                    row: Row = [
                        self.take(), question["id"], self.to, book.namespace, entry.id, id_,
                        task["node"], "raised", encode(question["value"]), micros_now(),
                    ]  # fmt: skip
                    self.rows.setdefault("interrupt_events", []).append(row)


def _order(books: Iterable[Book]) -> list[tuple[Book, Entry]]:
    pairs = [(book, entry) for book in books for entry in book.order]
    pairs.sort(key=lambda pair: pair[1].seq)
    return pairs


def copy_plan(shelf: Shelf, from_id: str, to_id: str, take: Take) -> Rows:
    """Rows of a whole thread's copy; none when there is no such thread.

    Raises:
        ThreadExists: if the target has history.
    """
    if not shelf.exists(from_id):
        return {}
    if shelf.exists(to_id):
        raise ThreadExists(to_id)
    copy = _Copy(to_id, take)
    books = list(shelf.books(from_id))
    for book in books:
        copy.event(book.namespace, "created", (book.graph, None, book.status, from_id, None, None))
    for book, entry in _order(books):
        copy.checkpoint(book, entry)
        copy.beside(book, entry)
    for book in books:
        head = book.entry()
        if head is not None:
            copy.head(book, head)
            copy.open_questions(book, head)
    return copy.rows


def fork_plan(shelf: Shelf, ref: CheckpointRef, new: str, take: Take) -> tuple[Rows, str]:
    """Rows of a checkpoint and its ancestors in a new thread, and the checkpoint's id.

    Nested checkpoints made under the ancestors come along, those of the checkpoint's own step do not.

    Raises:
        ThreadNotFound, CheckpointNotFound, ThreadExists.
    """
    if not shelf.exists(ref.thread):
        raise ThreadNotFound(ref.thread, nearest(ref.thread, shelf.threads))
    book = shelf.book(ref.thread, ref.namespace)
    point = book.entry(ref.checkpoint)
    if point is None:
        raise CheckpointNotFound(ref.thread, ref.checkpoint or f"head of {ref.namespace!r}")
    if shelf.exists(new):
        raise ThreadExists(new)
    copy = _Copy(new, take)
    chosen = _family(shelf, book, point)
    for namespace in dict.fromkeys(own.namespace for own, _ in chosen):
        graph = shelf.book(ref.thread, namespace).graph
        copy.event(namespace, "created", (graph, None, None, ref.thread, point.id, None))
    heads: dict[str, tuple[Book, Entry]] = {}
    for own, entry in chosen:
        copy.checkpoint(own, entry)
        copy.beside(own, entry, carried_only=entry is point)
        heads[own.namespace] = (own, entry)
    heads[book.namespace] = (book, point)
    for own, entry in heads.values():
        copy.head(own, entry)
    return copy.rows, point.id


def _family(shelf: Shelf, book: Book, point: Entry) -> list[tuple[Book, Entry]]:
    """A checkpoint, its ancestors and what ran nested under these, in commit order."""
    chosen = [(book, entry) for entry in book.lineage(point)]
    under = {entry.seq for _, entry in chosen} - {point.seq}
    prefix = f"{book.namespace}/" if book.namespace else ""
    nested = [
        pair
        for pair in _order(shelf.books(book.thread))
        if pair[0].namespace != book.namespace and pair[0].namespace.startswith(prefix)
    ]
    for own, entry in nested:  # commit order: a parent's checkpoint is older than what runs under it
        if entry[CHECKPOINT.above] in under:
            chosen.append((own, entry))
            under.add(entry.seq)
    chosen.sort(key=lambda pair: pair[1].seq)
    return chosen


def nearest_kept(book: Book, start: Entry | None, gone: Collection[str]) -> str | None:
    """The id of the newest ancestor that stays, else of the newest checkpoint that does."""
    if start is not None:
        for entry in book.lineage(start):
            if entry.id not in gone:
                return entry.id
    return next((entry.id for entry in reversed(book.order) if entry.id not in gone), None)


def _unreached(book: Book, gone: Collection[str]) -> set[int]:
    """Value rows that only the checkpoints in `gone` reach."""
    kept: set[int] = set()
    lost: set[int] = set()
    for entry in book.order:
        side = lost if entry.id in gone else kept
        for seq in entry.value_seqs.values():
            if seq not in side:
                side.update(row[0] for row in book.chain(seq))
    return lost - kept


def _take_away(removal: Removal, book: Book, gone: set[str]) -> None:
    removal.checkpoints[book.thread, book.namespace] = gone
    rows = removal.rows
    rows.setdefault("checkpoints", set()).update(book.entries[id_].seq for id_ in gone)
    rows.setdefault("channel_values", set()).update(_unreached(book, gone))
    for id_ in gone:
        writes = rows.setdefault("writes", set())
        writes.update(row[0] for row in book.writes(id_).values())
        notes = rows.setdefault("annotations", set())
        notes.update(row[0] for row in book.note_rows(id_))
    if book.head in gone:
        removal.heads[book.thread, book.namespace] = nearest_kept(book, book.entry(), gone)


def runs_plan(shelf: Shelf, run_ids: Collection[str], tasks: Iterable[Row] = ()) -> Removal:
    """What runs saved, copies made of it excepted; `tasks` are the stored attempts.

    Raises:
        DeltaDependency: if a kept checkpoint descends from it or has values of it.
    """
    removal = Removal()
    needed: list[str] = []
    whole: dict[str, bool] = {}
    for book in shelf.books():
        gone = {
            entry.id
            for entry in book.order
            if entry[CHECKPOINT.run] in run_ids and entry[CHECKPOINT.copied_from] is None
        }
        kept = [entry for entry in book.order if entry.id not in gone]
        whole[book.thread] = whole.get(book.thread, True) and not kept
        if gone:
            needed += [entry.parent for entry in kept if entry.parent in gone]
            _take_away(removal, book, gone)
    if needed:
        raise DeltaDependency(dict.fromkeys(needed))
    removal.threads = {t for t, all_ in whole.items() if all_ and shelf.exists(t)}
    _late_writes(shelf, removal, run_ids, list(tasks))
    return removal


def _late_writes(shelf: Shelf, removal: Removal, run_ids: Collection[str], tasks: Sequence[Row]) -> None:
    """Results these runs left beside checkpoints of others."""

    def made(*, own: bool) -> set[tuple[Any, ...]]:
        return {
            (row[TASK.thread], row[TASK.namespace], row[TASK.input], row[TASK.id])
            for row in tasks
            if (row[TASK.run] in run_ids) is own
        }

    for thread, namespace, checkpoint, task in made(own=True) - made(own=False):
        book = shelf.find(thread, namespace)
        rows = {} if book is None else book.writes(checkpoint)
        late = {row[0] for row in rows.values() if row[WRITE.task] == task}
        removal.rows.setdefault("writes", set()).update(late)


def prune_plan(
    shelf: Shelf,
    thread_ids: Sequence[str],
    *,
    strategy: str = "keep_latest",
    keep: int | None = None,
    older_than: Any = None,
    in_use: Collection[tuple[str, str, str]] = (),
) -> Removal:
    """What trimming takes away.

    Args:
        shelf: the store.
        thread_ids: threads to trim; unknown ones are no error.
        strategy: ``keep_latest`` trims each namespace, ``delete`` removes threads.
        keep: how many of the newest stay beside the head, it included; one when not given.
        older_than: a datetime, or a timedelta before now: only what is older goes.
        in_use: (thread, namespace, checkpoint) that runs in flight go on from.
    """
    if strategy not in {"keep_latest", "delete"}:
        raise ValueError(f"strategy is 'keep_latest' or 'delete', not {strategy!r}")
    if keep is not None and keep < 1:
        raise ValueError(f"keep is at least 1, not {keep!r}; strategy='delete' removes all")
    bound = _moment(older_than)
    removal = Removal()
    for thread in dict.fromkeys(thread_ids):
        books = list(shelf.books(thread))
        if strategy == "delete":
            newest = max((b.order[-1][CHECKPOINT.created_at] for b in books if b.order), default=0)
            if books and (bound is None or newest < bound):
                removal.threads.add(thread)
            continue
        for book in books:
            others = [entry.id for entry in reversed(book.order) if entry.id != book.head]
            stays = {book.head or "", *others[: (keep or 1) - 1]}
            stays.update(i for t, n, i in in_use if (t, n) == (thread, book.namespace))
            gone = {
                entry.id
                for entry in book.order
                if entry.id not in stays and (bound is None or entry[CHECKPOINT.created_at] < bound)
            }
            if gone:
                _take_away(removal, book, gone)
    return removal


def _moment(older_than: Any) -> int | None:
    if older_than is None:
        return None
    if isinstance(older_than, timedelta):
        return micros_now() - older_than // timedelta(microseconds=1)
    if isinstance(older_than, datetime):
        return int(older_than.timestamp() * 1_000_000)
    raise TypeError(f"older_than is a datetime or a timedelta, not {type(older_than).__name__}")
