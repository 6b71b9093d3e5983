"""The saver of a DuckDB file."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast

from weavenb.errors import (
    CheckpointNotFound,
    ConcurrentUpdate,
    SerializationFailed,
    StorageTrouble,
    ThreadDeleted,
    ThreadNotFound,
    Unsupported,
)
from weavenb.model.ids import micros_now
from weavenb.model.records import Receipt, StepCommit
from weavenb.model.refs import CheckpointRef
from weavenb.savers.contract import CheckpointTuple, CommitsSteps, Config, Saver
from weavenb.savers.deltas import delta_history
from weavenb.savers.duckdb import registry
from weavenb.savers.duckdb.journal import Removal as Gone
from weavenb.savers.duckdb.loading import LoadAhead, LoadingShelf
from weavenb.savers.duckdb.tables import arrow_tables, sizes
from weavenb.savers.plans import copy_plan, fork_plan, prune_plan, runs_plan
from weavenb.savers.puts import note_rows, put_rows, put_write_rows
from weavenb.savers.shelf import Removal
from weavenb.savers.steps import step_rows
from weavenb.savers.tables import Row, Rows
from weavenb.savers.tuples import config_of, listed, make_tuple
from weavenb.serde import Unencodable

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from weavenb.savers.duckdb.store import Damaged, Store

__all__ = ["DuckDBSaver"]

_M = TypeVar("_M", bound=Callable[..., Any])


def _reading(method: _M) -> _M:
    @wraps(method)
    def call(self: DuckDBSaver, *args: Any, **kwargs: Any) -> Any:
        with self._store.lock:
            self._check()
            return method(self, *args, **kwargs)

    return cast("_M", call)


def _writing(method: _M) -> _M:
    """Under the lock; on disk when it returns."""

    @wraps(method)
    def call(self: DuckDBSaver, *args: Any, **kwargs: Any) -> Any:
        store = self._store
        with store.lock:
            self._check(writing=True)
            found = method(self, *args, **kwargs)
        store.sync_to()
        return found

    return cast("_M", call)


class DuckDBSaver(Saver, CommitsSteps):
    """Keeps checkpoints in a DuckDB file, or with ``":memory:"`` in a database that ends with the saver.

    All savers of one file in one process are one history. A second process is refused with `StorageLocked`.
    """

    capabilities: ClassVar[frozenset[str]] = frozenset(
        {"annotate", "commit_step", "fork_at", "put_checkpoint_with_writes", "read_tables"}
    )

    def __init__(
        self, path: str | os.PathLike[str] = ":memory:", *, shallow: bool = False, read_only: bool = False
    ) -> None:
        if shallow:
            raise Unsupported("shallow=True", type(self).__name__)
        self._store: Store = registry.acquire(path, read_only=read_only)
        self._closed = False
        self._forget = weakref.finalize(self, registry.forget, self._store)
        # At exit the stores close themselves, with everything drained.
        self._forget.atexit = False

    def __repr__(self) -> str:
        name = self._store.path.name if self._store.path else ":memory:"
        return f"DuckDBSaver({name!r}{', read_only=True' if self._store.asked_read_only else ''})"

    def __enter__(self) -> Self:
        return self

    def _check(self, *, writing: bool = False) -> None:
        if self._closed:
            raise StorageTrouble(f"This saver of {self._store.name!r} is closed. Open it again with DuckDBSaver(...).")
        self._store.check(writing=writing)

    @property
    def _shelf(self) -> LoadingShelf:
        return self._store.shelf

    @property
    def damage(self) -> Damaged | None:
        """What a crash left unreadable when the file was opened; None when all was well."""
        return self._store.damage

    def _commit(self, rows: Rows, seqs: Mapping[int, dict[str, int]] | None = None, removal: Gone | None = None) -> int:
        """Append, and only then let readers see it."""
        if not rows and not removal:
            return 0
        position = self._store.append(rows, removal=removal)
        self._shelf.apply(rows, seqs)
        return position

    # steps -------------------------------------------------------------------------------------------

    @_reading
    def sequence(self) -> int:
        return self._store.seq

    def commit_step(self, step: StepCommit, *, expected_head: str | None, run_started_seq: int, sync: bool) -> Receipt:
        store = self._store
        with store.lock:
            self._check(writing=True)
            thread, shelf = step.thread, self._shelf
            if run_started_seq < shelf.tombstones.get(thread, -1):
                raise ThreadDeleted(thread)
            book = shelf.book(thread, step.namespace)
            found = book.head
            moves = step.record is not None and found == expected_head
            above = shelf.above(thread, step.namespace)
            try:
                out, seq = step_rows(step, book, store.numbers(), known_defs=shelf.defs, moves_head=moves, above=above)
            except Unencodable as error:
                raise SerializationFailed("metadata", "", error.type_name, error.path, error.problem) from error
            position = 0
            if out.rows:
                position = store.append(out.rows)
                shelf.take_step(book, out.rows, {seq: out.value_seqs})
            last = store.seq
        if sync:
            store.sync_to(position)
        else:
            store.sync_soon()
        if step.record is not None and not moves:
            raise ConcurrentUpdate(thread, expected_head, found)
        return Receipt(seq or last)

    def flush(self) -> None:
        self._check()
        self._store.sync_to()

    # the plain contract ------------------------------------------------------------------------------

    @_writing
    def put(
        self,
        config: Config,
        checkpoint: Mapping[str, Any],
        metadata: Mapping[str, Any],
        versions: Mapping[str, Any],
    ) -> dict[str, Any]:
        return self._put(config, checkpoint, metadata, versions)

    def _put(
        self,
        config: Config,
        checkpoint: Mapping[str, Any],
        metadata: Mapping[str, Any],
        versions: Mapping[str, Any],
        beside: tuple[Sequence[tuple[str, Any]], str] | None = None,
    ) -> dict[str, Any]:
        ref = CheckpointRef.parse(config)
        shelf = self._shelf
        book = shelf.book(ref.thread, ref.namespace)
        parent = book.entry(ref.checkpoint)
        if ref.checkpoint is not None and parent is None:
            self._refuse_late(ref.thread)
        take = self._store.numbers()
        given = checkpoint.get("id")
        if given is not None and book.entry(str(given)) is not None:
            # Stored before; a checkpoint never changes.
            id_, rows, seqs = str(given), {}, None
        else:
            above = shelf.above(ref.thread, ref.namespace)
            out = put_rows(book, take, parent or ref.checkpoint, checkpoint, metadata, versions=versions, above=above)
            row = out.rows["checkpoints"][0]
            id_, rows, seqs = str(row[3]), out.rows, {cast("int", row[0]): out.value_seqs}
        if beside is not None:
            writes, task_id = beside
            rows = {**rows, **put_write_rows(book, take, id_, writes, task_id)}
        self._commit(rows, seqs)
        return config_of(book, id_)

    @_writing
    def put_writes(self, config: Config, writes: Sequence[tuple[str, Any]], task_id: str, path: str = "") -> None:
        del path  # the task's id says which of several it is
        ref = CheckpointRef.parse(config)
        book = self._shelf.book(ref.thread, ref.namespace)
        checkpoint = book.head if ref.checkpoint is None else ref.checkpoint
        if checkpoint is None or book.entry(checkpoint) is None:
            self._refuse_late(ref.thread)
        self._commit(put_write_rows(book, self._store.numbers(), checkpoint, writes, task_id))

    def _refuse_late(self, thread: str) -> None:
        if thread in self._shelf.tombstones:
            raise ThreadDeleted(thread)

    @_writing
    def put_checkpoint_with_writes(
        self,
        config: Config,
        checkpoint: Mapping[str, Any],
        metadata: Mapping[str, Any],
        versions: Mapping[str, Any],
        writes: Sequence[tuple[str, Any]],
        *,
        task_id: str,
        path: str = "",
    ) -> dict[str, Any]:
        del path
        return self._put(config, checkpoint, metadata, versions, (writes, task_id))

    @_reading
    def get_tuple(self, config: Config) -> CheckpointTuple | None:
        ref = CheckpointRef.parse(config)
        book = self._shelf.find(ref.thread, ref.namespace)
        entry = None if book is None else book.entry(ref.checkpoint)
        return None if book is None or entry is None else make_tuple(book, entry)

    def list(
        self,
        config: Config | None = None,
        *,
        limit: int | None = None,
        before: Config | None = None,
        filter: Mapping[str, Any] | None = None,
    ) -> Iterator[CheckpointTuple]:
        with self._store.lock:
            self._check()
            # Chosen now, so that what is added meanwhile does not shift the pages.
            pairs = [*listed(self._shelf, config, limit=limit, before=before, filter=filter)]

        def tuples() -> Iterator[CheckpointTuple]:
            ahead = LoadAhead(pairs, self._store.make_room)
            for place, (book, entry) in enumerate(pairs):
                with self._store.lock:
                    self._check()
                    ahead.reach(place)
                    if book.entries.get(entry.id) is not entry:
                        continue  # removed while the list was being read
                    found = make_tuple(book, entry)
                yield found

        return tuples()

    @_reading
    def get_delta_channel_history(self, config: Config, keys: Sequence[str], **opts: Any) -> dict[str, dict[str, Any]]:
        del opts
        ref = CheckpointRef.parse(config)
        book = self._shelf.book(ref.thread, ref.namespace)
        return delta_history(book, book.entry(ref.checkpoint), keys)

    @_reading
    def next_version(self, current: Any, key: str) -> Any:
        del key
        return 1 if current is None else int(current) + 1

    # whole threads -----------------------------------------------------------------------------------

    def delete_thread(self, thread_id: str) -> None:
        self._remove(lambda: Removal(threads={str(thread_id)}))

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        runs = {run_ids} if isinstance(run_ids, str) else set(run_ids)
        self._remove(lambda: runs_plan(self._shelf, runs, self._store.reader.rows("tasks")), runs)

    def prune(self, thread_ids: Sequence[str], **opts: Any) -> None:
        threads = [thread_ids] if isinstance(thread_ids, str) else list(thread_ids)
        self._remove(lambda: prune_plan(self._shelf, threads, **opts))

    def _remove(self, plan: Callable[[], Removal], runs: Collection[str] = ()) -> None:
        """One transaction: what goes, the tombstones, and the heads that take the place of those that go."""
        store = self._store
        with store.lock:
            self._check(writing=True)
            store.drain()
            removal = plan()
            if not removal and not runs:
                return
            beside = [(*place, id_) for place, ids in removal.checkpoints.items() for id_ in ids]
            numbers = {table: set(seqs) for table, seqs in removal.rows.items()}
            for table, seqs in store.reader.of_runs(runs, beside).items():
                numbers.setdefault(table, set()).update(seqs)
            gone = Gone(tuple(sorted(removal.threads)), {t: sorted(seqs) for t, seqs in numbers.items() if seqs})
            rows = self._told(removal)
            position = store.append(rows, removal=gone)
            self._shelf.remove(removal)
            self._shelf.apply(rows)
        store.sync_to(position)
        store.drain()

    def _told(self, removal: Removal) -> Rows:
        take = self._store.numbers()
        rows: list[Row] = []
        for (thread, namespace), id_ in removal.heads.items():
            book = self._shelf.find(thread, namespace)
            entry = None if book is None else book.entry(id_)
            if entry is not None and thread not in removal.threads:
                rows.append([take(), thread, namespace, "head", None, entry.seq, *[None] * 4, micros_now()])
        rows += [[take(), thread, None, "deleted", *[None] * 6, micros_now()] for thread in sorted(removal.threads)]
        return {"thread_events": rows} if rows else {}

    @_writing
    def copy_thread(self, from_id: str, to_id: str) -> None:
        self._commit(copy_plan(self._shelf, from_id, to_id, self._store.numbers()))

    @_writing
    def fork_at(self, config: Config, new_thread: str) -> dict[str, Any]:
        ref = CheckpointRef.parse(config)
        rows, checkpoint = fork_plan(self._shelf, ref, new_thread, self._store.numbers())
        self._commit(rows)
        return CheckpointRef(new_thread, ref.namespace, checkpoint).to_config()

    @_writing
    def annotate(
        self,
        config: Config,
        *,
        label: str | None = None,
        tags: Sequence[str] = (),
        note: str | None = None,
        bookmark: bool | None = None,
        remove: Sequence[str] = (),
    ) -> None:
        ref = CheckpointRef.parse(config)
        if not self._shelf.exists(ref.thread):
            raise ThreadNotFound(ref.thread)
        book = self._shelf.book(ref.thread, ref.namespace)
        entry = book.entry(ref.checkpoint)
        if entry is None:
            raise CheckpointNotFound(ref.thread, ref.checkpoint or "head")
        take = self._store.numbers()
        self._commit(
            note_rows(book, take, entry.id, label=label, tags=tags, note=note, bookmark=bookmark, remove=remove)
        )

    # the database ------------------------------------------------------------------------------------

    def read_tables(self, thread_id: str | None = None) -> dict[str, pa.Table]:
        cursor = self.cursor()
        try:
            return arrow_tables(cursor, thread_id)
        finally:
            cursor.close()

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A DuckDB cursor of the live database, which holds all that was committed before. Read with it only."""
        self._check()
        return self._store.cursor()

    def size(self) -> dict[str, int]:
        """Bytes of content by table, before compression."""
        cursor = self.cursor()
        try:
            return sizes(cursor)
        finally:
            cursor.close()

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._forget.detach() is not None:
            registry.release(self._store)
