"""History over any saver: questions in SQL where it keeps tables, reading where it does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from weavenb.history import held, queries, reading
from weavenb.history.source import CheckpointRow, Tables, TaskRow, ThreadRow
from weavenb.model.refs import CheckpointRef
from weavenb.model.snapshots import Snapshot
from weavenb.model.topology import Topology
from weavenb.savers.contract import CheckpointTuple, HoldsRows, Saver
from weavenb.savers.view import ChannelOf, has_answers, snapshot

__all__ = ["SavedHistory"]

_PAGE: Final = 256


class SavedHistory:
    """A `HistorySource` over a saver. Without `channel_of` a live head shows stored values only."""

    def __init__(
        self,
        saver: Saver,
        topology: Topology | None = None,
        *,
        channel_of: ChannelOf | None = None,
        order: Mapping[str, int] | None = None,
        hidden: frozenset[str] = frozenset(),
    ) -> None:
        self.saver = saver
        self._topology = topology
        self._channel_of = channel_of
        self._order = order
        self._hidden = hidden

    def topology(self) -> Topology | None:
        return self._topology

    def tables(self) -> Tables | None:
        """The saver's tables, or None when it keeps none. The caller closes them."""
        if "read_tables" not in self.saver.capabilities:
            return None
        from weavenb.savers.duckdb import tables_of

        found: Tables = tables_of(self.saver)
        return found

    def threads(self) -> Sequence[ThreadRow]:
        if isinstance(self.saver, HoldsRows):
            return held.held_threads(self.saver)
        tables = self.tables()
        if tables is None:
            return reading.threads_of(self.saver.list())
        try:
            return queries.thread_rows(tables)
        finally:
            tables.close()

    def rows(self, thread: str, *, namespace: str = "", after: int = 0) -> Sequence[CheckpointRow]:
        if isinstance(self.saver, HoldsRows):
            return held.held_checkpoints(self.saver, thread, namespace, after)
        tables = self.tables()
        if tables is None:
            found = reading.rows_of(self._stored(thread, namespace))
            return [row for row in found if row.seq > after]
        try:
            return queries.checkpoint_rows(tables, thread, namespace, after)
        finally:
            tables.close()

    def head(self, thread: str, *, namespace: str = "") -> str | None:
        stored = self.saver.get_tuple(CheckpointRef(thread, namespace).to_config())
        return None if stored is None else str(stored.config["configurable"]["checkpoint_id"])

    def snapshot(self, ref: CheckpointRef) -> Snapshot | None:
        stored = self.saver.get_tuple(ref.to_config())
        return None if stored is None else self._seen(stored, live=ref.checkpoint is None)

    def tasks(self, ref: CheckpointRef) -> Sequence[TaskRow]:
        stored = self.saver.get_tuple(ref.to_config())
        if stored is None:
            return []
        # What came by the plain contract alone left no attempts.
        found = self._attempts(ref, stored)
        if found:
            return found
        parent = stored.parent_config
        return reading.task_rows_of(self.saver.get_tuple(parent) if parent else None, stored)

    def _attempts(self, ref: CheckpointRef, stored: CheckpointTuple) -> Sequence[TaskRow]:
        at = str(stored.config["configurable"]["checkpoint_id"])
        if isinstance(self.saver, HoldsRows):
            loop = stored.parent_config if stored.metadata.get("source") == "loop" else None
            parent = loop["configurable"]["checkpoint_id"] if loop else None
            return held.held_tasks(self.saver, ref.thread, ref.namespace, at, parent)
        tables = self.tables()
        if tables is None:
            return []
        try:
            return queries.task_rows(tables, ref.thread, ref.namespace, at)
        finally:
            tables.close()

    def snapshots(self, thread: str, *, namespace: str = "", limit: int | None = None) -> Iterator[Snapshot]:
        """Each checkpoint's record, newest commit first, read in pages."""
        for stored in self._stored(thread, namespace, limit):
            yield self._seen(stored, live=False)

    def _stored(self, thread: str, namespace: str, limit: int | None = None) -> Iterator[CheckpointTuple]:
        where = CheckpointRef(thread, namespace).to_config()
        before: Mapping[str, Any] | None = None
        left = limit
        while left is None or left > 0:
            size = _PAGE if left is None else min(left, _PAGE)
            page = list(self.saver.list(where, limit=size, before=before))
            yield from page
            if len(page) < size:
                return
            left = None if left is None else left - size
            before = page[-1].config

    def _seen(self, stored: CheckpointTuple, *, live: bool) -> Snapshot:
        return snapshot(
            stored,
            live=live,
            closed=not live and has_answers(stored) and self._led_on(stored),
            channel_of=self._channel_of,
            order=self._order,
            hidden=self._hidden,
        )

    def _led_on(self, stored: CheckpointTuple) -> bool:
        """Whether the step that starts at a checkpoint came to its end."""
        ref = CheckpointRef.parse(stored.config)
        at = str(ref.checkpoint)
        if isinstance(self.saver, HoldsRows):
            return held.held_led_on(self.saver, ref.thread, ref.namespace, at)
        tables = self.tables()
        if tables is None:
            return reading.led_on(self._stored(ref.thread, ref.namespace), at)
        try:
            return queries.led_on(tables, ref.thread, ref.namespace, at)
        finally:
            tables.close()
