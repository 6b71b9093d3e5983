"""What a saver shows of a stored checkpoint, and which ones a filter lets through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from weavenb.model.ids import from_micros
from weavenb.savers.book import Book, Entry
from weavenb.savers.columns import CHECKPOINT as C
from weavenb.savers.contract import CheckpointTuple, Config
from weavenb.savers.shelf import Shelf
from weavenb.serde import decode

__all__ = ["config_of", "listed", "make_tuple", "metadata_of", "where"]


def where(config: Config | None) -> tuple[str | None, str | None, str | None]:
    """Thread, namespace and checkpoint a config names, each None where it does not."""
    inner = (config or {}).get("configurable") or {}
    thread, checkpoint = inner.get("thread_id"), inner.get("checkpoint_id")
    return (
        None if thread is None else str(thread),
        None if inner.get("checkpoint_ns") is None else str(inner["checkpoint_ns"]),
        None if checkpoint is None else str(checkpoint),
    )


def config_of(book: Book, checkpoint: str) -> dict[str, Any]:
    """The mapping that names a checkpoint exactly."""
    return {
        "configurable": {
            "thread_id": book.thread,
            "checkpoint_ns": book.namespace,
            "checkpoint_id": checkpoint,
        }
    }


def metadata_of(book: Book, entry: Entry) -> dict[str, Any]:
    """The store's own facts, the caller's, and what was noted beside the checkpoint since."""
    found: dict[str, Any] = {
        "source": entry[C.source],
        "step": entry[C.step],
        "run_id": entry[C.run],
        "branch": entry[C.branch],
    }
    text = entry[C.metadata]
    if text and text != "{}":
        for name, value in decode(text).items():
            if found.get(name) is None:
                found[name] = value
    if book.note_rows(entry.id):
        found.update(book.notes(entry.id))
    return found


def make_tuple(book: Book, entry: Entry) -> CheckpointTuple:
    """The checkpoint with all its values, new objects each time."""
    parent = entry.parent
    checkpoint = {
        "v": 1,
        "id": entry.id,
        "ts": from_micros(entry[C.created_at]).isoformat(),
        "channel_values": book.values(entry),
        "channel_versions": dict(entry.value_seqs),
        "updated_channels": list(entry[C.changed] or ()),
        "next": entry.scheduled(),
        "def_hash": entry[C.def_hash],
        "produced_by": list(entry[C.nodes] or ()),
    }
    return CheckpointTuple(
        config_of(book, entry.id),
        checkpoint,
        metadata_of(book, entry),
        # A parent that was pruned can no longer be named.
        config_of(book, parent) if parent is not None and parent in book.entries else None,
        book.pending(entry.id),
    )


def _matches(book: Book, entry: Entry, filter: Mapping[str, Any]) -> bool:
    metadata = metadata_of(book, entry)
    for name, wanted in filter.items():
        if name == "tags":
            tags = {wanted} if isinstance(wanted, str) else set(wanted)
            if not tags <= set(metadata.get("tags") or ()):
                return False
        elif name not in metadata or metadata[name] != wanted:
            return False
    return True


def listed(
    shelf: Shelf,
    config: Config | None,
    *,
    limit: int | None,
    before: Config | None,
    filter: Mapping[str, Any] | None,
) -> Iterator[tuple[Book, Entry]]:
    """Newest commit first: those of a thread (and namespace, and checkpoint) or of the whole store."""
    thread, namespace, checkpoint = where(config)
    if thread is not None and namespace is None:
        namespace = ""
    books = [b for b in shelf.books(thread) if namespace is None or b.namespace == namespace]
    found: Iterable[tuple[Book, Entry]] = shelf.newest(books)
    if checkpoint is not None:
        found = (pair for pair in found if pair[1].id == checkpoint)
    if before is not None:
        bound = _bound(shelf, before, thread, namespace)
        found = () if bound is None else (pair for pair in found if pair[1].seq < bound)
    if filter:
        found = (pair for pair in found if _matches(*pair, filter))
    return islice(found, None if limit is None else max(limit, 0))


def _bound(shelf: Shelf, before: Config, thread: str | None, namespace: str | None) -> int | None:
    """The number before which to list; None when the checkpoint it names is not there."""
    own_thread, own_namespace, checkpoint = where(before)
    book = shelf.find(own_thread or thread or "", own_namespace or namespace or "")
    entry = None if book is None else book.entry(checkpoint)
    return None if entry is None else entry.seq
