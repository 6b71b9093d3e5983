"""Which lane of the timeline a checkpoint lies in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from weavenb.history.source import CheckpointRow

__all__ = ["Lane", "Lanes"]


@dataclass(slots=True)
class Lane:
    """One branch of the thread, or one thread forked from it."""

    label: str
    """The branch's name, ``fork 1``, ``fork 2`` or the other thread's id; ``main`` for the trunk."""
    thread: str
    """Whose rows these are."""
    named: bool
    """Whether a user gave the label."""
    first: int
    """Index of its first row."""
    last: int
    """Index of its newest row."""
    count: int = 0
    """How many rows lie in it."""


class Lanes:
    """Grows row by row, in the order of commits; what was assigned once stays."""

    def __init__(self, thread: str) -> None:
        self.lanes: list[Lane] = []
        self.lane_of: list[int] = []
        self.parent_of: list[int] = []
        """Index of the parent's row, -1 when there is none in sight."""
        self._thread = thread
        self._at: dict[tuple[str, str, str], int] = {}
        self._continued: set[int] = set()
        self._unnamed = 0

    def index_of(self, thread: str, namespace: str, checkpoint: str) -> int | None:
        return self._at.get((thread, namespace, checkpoint))

    def add(self, rows: Iterable[CheckpointRow], known: list[CheckpointRow], origin: dict[str, str]) -> None:
        """Place `rows`, which come after `known`; `origin` says which thread a forked one came from."""
        for row in rows:
            index = len(known)
            known.append(row)
            parent = self._parent(row, origin)
            lane = self._lane(row, parent, known)
            self._at[row.thread, row.namespace, row.id] = index
            self.parent_of.append(parent)
            self.lane_of.append(lane)
            if lane == len(self.lanes):
                self.lanes.append(self._new(row, index, None if parent < 0 else known[parent]))
            self.lanes[lane].last = index
            self.lanes[lane].count += 1

    def _parent(self, row: CheckpointRow, origin: dict[str, str]) -> int:
        source = origin.get(row.thread)
        if source is not None:  # a copied row keeps its id: it hangs on the original
            original = self.index_of(source, row.namespace, row.id)
            if original is not None:
                return original
        if row.parent is None:
            return -1
        for thread in (row.thread, source):
            if thread is not None:
                found = self.index_of(thread, row.namespace, row.parent)
                if found is not None:
                    return found
        return -1

    def _lane(self, row: CheckpointRow, parent: int, known: list[CheckpointRow]) -> int:
        if parent < 0 or parent in self._continued:
            return len(self.lanes)
        above = known[parent]
        if above.thread != row.thread or above.branch != row.branch:
            return len(self.lanes)
        self._continued.add(parent)
        return self.lane_of[parent]

    def _new(self, row: CheckpointRow, index: int, parent: CheckpointRow | None) -> Lane:
        if row.thread != self._thread and (parent is None or parent.thread != row.thread):
            return Lane(self._unique(row.thread), row.thread, named=True, first=index, last=index)
        if row.branch is not None and (parent is None or parent.branch != row.branch):
            return Lane(self._unique(row.branch), row.thread, named=True, first=index, last=index)
        if not self.lanes:
            return Lane("main", row.thread, named=False, first=index, last=index)
        self._unnamed += 1
        return Lane(self._unique(f"fork {self._unnamed}"), row.thread, named=False, first=index, last=index)

    def _unique(self, label: str) -> str:
        taken = {lane.label for lane in self.lanes}
        number, found = 1, label
        while found in taken:
            number += 1
            found = f"{label} ({number})"
        return found
