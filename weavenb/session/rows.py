"""The rows a debugger has seen, kept and topped up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weavenb.history.source import CheckpointRow, HistorySource, ThreadRow
from weavenb.session.lanes import Lanes

__all__ = ["Grown", "RowCache"]


@dataclass(frozen=True, slots=True)
class Grown:
    """What a refresh brought."""

    changed_from: int
    """Rows from this index on are new, or differ from what they were (a head that failed since)."""
    count: int
    """How many rows there are now."""
    new: int
    """How many of them were not there before."""
    reset: bool
    """Whether older rows changed place: forget what was sent before."""

    def __bool__(self) -> bool:
        return self.reset or self.count > self.changed_from


class RowCache:
    """The rows of a thread and of those forked from it, in the order of commits."""

    def __init__(self, source: HistorySource, thread: str) -> None:
        self.rows: list[CheckpointRow] = []
        self.lanes = Lanes(thread)
        self.threads: tuple[ThreadRow, ...] = ()
        self._source = source
        self._thread = thread
        self._seen: dict[str, int] = {}

    def refresh(self) -> Grown:
        """Read what was committed since; nothing is read twice."""
        self.threads = tuple(self._source.threads())
        family = self._family()
        before = len(self.rows)
        if self._shrunk(family):
            return self._restart(family)
        fresh, changed_from = self._fresh(family)
        if fresh and self.rows and fresh[0].seq < self.rows[-1].seq:
            return self._restart(family)
        self.lanes.add(fresh, self.rows, self._origin(family))
        return Grown(min(before, changed_from), len(self.rows), len(fresh), reset=False)

    def _restart(self, family: Sequence[ThreadRow]) -> Grown:
        self.rows, self.lanes, self._seen = [], Lanes(self._thread), {}
        fresh, _ = self._fresh(family)
        self.lanes.add(fresh, self.rows, self._origin(family))
        return Grown(0, len(self.rows), len(self.rows), reset=True)

    def _family(self) -> list[ThreadRow]:
        """The thread first, then those forked from it, directly or not, oldest first."""
        members = {self._thread}
        found: list[ThreadRow] = [row for row in self.threads if row.thread == self._thread]
        rest = [row for row in reversed(self.threads) if row.thread != self._thread]
        grew = True
        while grew:
            grew = False
            for row in rest:
                if row.thread not in members and row.forked_from_thread in members:
                    members.add(row.thread)
                    found.append(row)
                    grew = True
        return found

    def _shrunk(self, family: Sequence[ThreadRow]) -> bool:
        """Whether rows were deleted or pruned."""
        there = {row.thread: row.checkpoints for row in family}
        have: dict[str, int] = {}
        for lane in self.lanes.lanes:
            have[lane.thread] = have.get(lane.thread, 0) + lane.count
        return any(count > there.get(thread, 0) for thread, count in have.items())

    def _fresh(self, family: Sequence[ThreadRow]) -> tuple[list[CheckpointRow], int]:
        """The new rows, and the lowest index of a known one that changed.

        A checkpoint never changes, but what is known of the step that starts at a thread's newest
        one does: it failed, or it asks. So that one is read again.
        """
        found: list[CheckpointRow] = []
        changed_from = len(self.rows)
        for member in family:
            last = self._seen.get(member.thread, 0)
            new = list(self._source.rows(member.thread, after=max(last - 1, 0)))
            if last and new and new[0].seq == last:
                changed_from = min(changed_from, self._replace(new.pop(0)))
            if not new:
                continue
            if member.thread != self._thread and not last:
                new = self._own(member, new)
            self._seen[member.thread] = new[-1].seq
            found += new
        found.sort(key=lambda row: row.seq)
        return found, changed_from

    def _replace(self, row: CheckpointRow) -> int:
        index = self.lanes.index_of(row.thread, row.namespace, row.id)
        if index is None or self.rows[index] == row:
            return len(self.rows)
        self.rows[index] = row
        return index

    def _own(self, member: ThreadRow, rows: list[CheckpointRow]) -> list[CheckpointRow]:
        """A forked thread begins with copies: all but the one it was forked at are left out."""
        at = member.forked_from_checkpoint
        for index, row in enumerate(rows):
            if row.id == at:
                return rows[index:]
        return rows

    def _origin(self, family: Sequence[ThreadRow]) -> dict[str, str]:
        return {
            row.thread: row.forked_from_thread
            for row in family
            if row.forked_from_thread is not None and row.thread != self._thread
        }
