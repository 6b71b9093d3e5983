"""All books of a store: threads by id, namespaces within, tombstones and known definitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from weavenb.savers.book import Book, Entry, Fetch
from weavenb.savers.columns import EVENT
from weavenb.savers.tables import Rows

__all__ = ["Removal", "Shelf"]

_OF_A_STEP: Final = frozenset({"tasks", "channel_values", "checkpoints"})


@dataclass(slots=True)
class Removal:
    """What an operation takes away."""

    threads: set[str] = field(default_factory=set)
    """Gone with everything."""
    checkpoints: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """Ids by (thread, namespace); what lies beside them goes too."""
    rows: dict[str, set[int]] = field(default_factory=dict)
    """Numbers of single rows by table, those of the checkpoints above included."""
    heads: dict[tuple[str, str], str | None] = field(default_factory=dict)
    """New heads where the old one goes."""

    def __bool__(self) -> bool:
        return bool(self.threads or self.checkpoints or any(self.rows.values()))


class Shelf:
    """Books by thread and namespace. Its owner holds one lock around every call."""

    __slots__ = ("_fetch", "defs", "threads", "tombstones")

    def __init__(self, fetch: Fetch | None = None) -> None:
        self._fetch = fetch
        self.threads: dict[str, dict[str, Book]] = {}
        self.tombstones: dict[str, int] = {}
        """Thread to the number of its deletion."""
        self.defs: set[str] = set()

    def find(self, thread: str, namespace: str = "") -> Book | None:
        """The book, if anything was stored in it."""
        books = self.threads.get(thread)
        return None if books is None else books.get(namespace)

    def book(self, thread: str, namespace: str = "") -> Book:
        """The book, or an empty one that joins the shelf once rows are applied."""
        return self.find(thread, namespace) or Book(thread, namespace, self._fetch)

    def exists(self, thread: str) -> bool:
        """Whether a thread has a checkpoint."""
        return any(book.entries for book in self.threads.get(thread, {}).values())

    def books(self, thread: str | None = None) -> Iterator[Book]:
        """Those of a thread, or all."""
        for name, books in self.threads.items():
            if thread is None or name == thread:
                yield from books.values()

    def newest(self, books: list[Book]) -> Iterator[tuple[Book, Entry]]:
        """Checkpoints of several books, newest commit first."""
        if len(books) == 1:
            return ((books[0], entry) for entry in reversed(books[0].order))
        pairs = [(book, entry) for book in books for entry in book.order]
        pairs.sort(key=lambda pair: -pair[1].seq)
        return iter(pairs)

    def apply(self, rows: Rows, seqs: Mapping[int, Mapping[str, int]] | None = None) -> None:
        """Take rows of any tables; `seqs` spares reading ``value_seqs`` of checkpoints just written."""
        for row in rows.get("graph_defs", ()):
            self.defs.add(row[1])
        for row in rows.get("channel_values", ()):
            self._at(row[1], row[2]).add_value(row)
        for row in rows.get("checkpoints", ()):
            known = None if seqs is None else seqs.get(row[0])
            self._at(row[1], row[2]).add_checkpoint(row, known)
        for row in rows.get("writes", ()):
            self._at(row[1], row[2]).add_write(row)
        for row in rows.get("annotations", ()):
            self._at(row[1], row[2]).add_note(row)
        for row in rows.get("thread_events", ()):
            if row[EVENT.kind] == "deleted":
                self.threads.pop(row[1], None)
                self.tombstones[row[1]] = row[0]
                continue
            book = self._at(row[1], row[2])
            book.graph = row[EVENT.graph] or book.graph
            book.status = row[EVENT.status] or book.status
            if row[EVENT.kind] == "head":
                book.set_head(row[EVENT.head_seq], at=row[0])

    def take_step(self, book: Book, rows: Rows, seqs: Mapping[int, Mapping[str, int]]) -> None:
        """`apply` for a step of one book: most bring nothing but values and a checkpoint."""
        if rows.keys() <= _OF_A_STEP and book.entries:
            for row in rows.get("channel_values", ()):
                book.add_value(row)
            for row in rows.get("checkpoints", ()):
                book.add_checkpoint(row, seqs.get(row[0]))
        else:
            self.apply(rows, seqs)

    def _at(self, thread: str, namespace: str) -> Book:
        books = self.threads.get(thread)
        if books is None:
            books = self.threads[thread] = {}
        found = books.get(namespace)
        if found is None:
            found = books[namespace] = Book(thread, namespace, self._fetch)
        return found

    def remove(self, removal: Removal) -> None:
        """Forget what an operation takes away."""
        for thread in removal.threads:
            self.threads.pop(thread, None)
        for (thread, namespace), ids in removal.checkpoints.items():
            book = self.find(thread, namespace)
            if book is not None:
                book.remove(ids, (), ())
        values, writes = removal.rows.get("channel_values", ()), removal.rows.get("writes", ())
        touched = {thread for thread, _ in removal.checkpoints} if removal.checkpoints else set(self.threads)
        for thread in touched:
            for namespace, book in list(self.threads.get(thread, {}).items()):
                book.remove((), values, writes)
                if not book.entries:
                    del self.threads[thread][namespace]
        for (thread, namespace), head in removal.heads.items():
            book = self.find(thread, namespace)
            if book is not None:
                book.head = head

    def above(self, thread: str, namespace: str) -> int | None:
        """Number of the parent graph's checkpoint that a nested namespace runs under now."""
        if not namespace:
            return None
        book = self.find(thread, namespace.rpartition("/")[0])
        head = None if book is None else book.entry()
        return None if head is None else head.seq
