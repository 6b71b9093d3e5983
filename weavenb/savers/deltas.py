"""What a channel was built of, for those who store what was written and fold it on reading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weavenb.savers.book import Book, Entry
from weavenb.savers.columns import VALUE
from weavenb.serde import decode

__all__ = ["delta_history"]


def delta_history(book: Book, entry: Entry | None, keys: Sequence[str]) -> dict[str, dict[str, Any]]:
    """For each key that has a value there: its last whole value, and what was added since, oldest first."""
    found: dict[str, dict[str, Any]] = {}
    if entry is None:
        return found
    for key in keys:
        seq = entry.value_seqs.get(key)
        if seq is not None:
            seed, *grown = [decode(row[VALUE.value]) for row in book.chain(seq)]
            found[key] = {"seed": seed, "writes": grown}
    return found
