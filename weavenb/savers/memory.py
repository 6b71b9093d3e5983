"""A saver that keeps everything in this process, by the same codec and the same rows as the others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import wraps
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from weavenb.errors import (
    CheckpointNotFound,
    ConcurrentUpdate,
    SerializationFailed,
    StorageTrouble,
    ThreadDeleted,
    ThreadNotFound,
)
from weavenb.model.records import Receipt, StepCommit
from weavenb.model.refs import CheckpointRef
from weavenb.savers.contract import CheckpointTuple, CommitsSteps, Config, HoldsRows, Saver
from weavenb.savers.deltas import delta_history
from weavenb.savers.memory_tables import MemoryTables
from weavenb.savers.plans import copy_plan, fork_plan, prune_plan, runs_plan
from weavenb.savers.puts import note_rows, put_rows, put_write_rows
from weavenb.savers.shelf import Shelf
from weavenb.savers.steps import step_rows
from weavenb.savers.tables import Rows
from weavenb.savers.tuples import config_of, listed, make_tuple
from weavenb.serde import Unencodable

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["MemorySaver"]

_M = TypeVar("_M", bound=Callable[..., Any])


def _locked(method: _M) -> _M:
    @wraps(method)
    def call(self: MemorySaver, *args: Any, **kwargs: Any) -> Any:
        with self._lock:
            self._check_open()
            return method(self, *args, **kwargs)

    return cast("_M", call)


class MemorySaver(Saver, CommitsSteps, HoldsRows):
    """Keeps checkpoints in memory until it is closed. Safe to use from several threads."""

    capabilities: ClassVar[frozenset[str]] = frozenset(
        {
            "annotate",
            "commit_step",
            "fork_at",
            "put_checkpoint_with_writes",
            "read_tables",
        }
    )

    def __init__(self) -> None:
        self._lock = RLock()
        self._shelf = Shelf()
        self._tables = MemoryTables()
        self._seq = 0
        self._closed = False

    def __repr__(self) -> str:
        return "MemorySaver()"

    def _check_open(self) -> None:
        if self._closed:
            raise StorageTrouble("This MemorySaver is closed: make a new one.")

    def _take(self) -> int:
        self._seq += 1
        return self._seq

    def _store(self, rows: Rows, seqs: Mapping[int, dict[str, int]] | None = None) -> None:
        self._tables.add(rows)
        self._shelf.apply(rows, seqs)

    # steps -------------------------------------------------------------------------------------------

    @_locked
    def sequence(self) -> int:
        return self._seq

    @_locked
    def commit_step(self, step: StepCommit, *, expected_head: str | None, run_started_seq: int, sync: bool) -> Receipt:
        del sync  # memory has no disk to wait for
        thread = step.thread
        if run_started_seq < self._shelf.tombstones.get(thread, -1):
            raise ThreadDeleted(thread)
        book = self._shelf.book(thread, step.namespace)
        moves = step.record is not None and book.head == expected_head
        before = self._seq
        try:
            out, seq = step_rows(
                step,
                book,
                self._take,
                known_defs=self._shelf.defs,
                moves_head=moves,
                above=self._shelf.above(thread, step.namespace),
            )
        except Unencodable as error:
            self._seq = before
            raise SerializationFailed("metadata", "", error.type_name, error.path, error.problem) from error
        found = book.head
        self._store(out.rows, {seq: out.value_seqs})
        if step.record is not None and not moves:
            raise ConcurrentUpdate(thread, expected_head, found)
        return Receipt(seq or self._seq)

    @_locked
    def flush(self) -> None:
        """Nothing waits to be written."""

    # the plain contract ------------------------------------------------------------------------------

    @_locked
    def put(
        self,
        config: Config,
        checkpoint: Mapping[str, Any],
        metadata: Mapping[str, Any],
        versions: Mapping[str, Any],
    ) -> dict[str, Any]:
        ref = CheckpointRef.parse(config)
        book = self._shelf.book(ref.thread, ref.namespace)
        parent = book.entry(ref.checkpoint)
        if ref.checkpoint is not None and parent is None:
            self._refuse_late(ref.thread)
        id_ = checkpoint.get("id")
        if id_ is not None and book.entry(str(id_)) is not None:
            return config_of(book, str(id_))  # stored before; a checkpoint never changes
        above = self._shelf.above(ref.thread, ref.namespace)
        out = put_rows(
            book,
            self._take,
            parent or ref.checkpoint,
            checkpoint,
            metadata,
            versions=versions,
            above=above,
        )
        row = out.rows["checkpoints"][0]
        self._store(out.rows, {row[0]: out.value_seqs})
        return config_of(book, str(row[3]))

    @_locked
    def put_writes(self, config: Config, writes: Sequence[tuple[str, Any]], task_id: str, path: str = "") -> None:
        del path  # the task's id says which of several it is
        ref = CheckpointRef.parse(config)
        book = self._shelf.book(ref.thread, ref.namespace)
        checkpoint = book.head if ref.checkpoint is None else ref.checkpoint
        if checkpoint is None or book.entry(checkpoint) is None:
            self._refuse_late(ref.thread)
        self._store(put_write_rows(book, self._take, checkpoint, writes, task_id))

    def _refuse_late(self, thread: str) -> None:
        if thread in self._shelf.tombstones:
            raise ThreadDeleted(thread)

    @_locked
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
        ref = CheckpointRef.parse(config)
        # Texts are made before the first row is stored, so what cannot be written leaves nothing behind.
        put_write_rows(self._shelf.book(ref.thread, ref.namespace), lambda: 0, None, writes, task_id)
        found = self.put(config, checkpoint, metadata, versions)
        self.put_writes(found, writes, task_id, path)
        return found

    @_locked
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
        with self._lock:
            self._check_open()
            pairs = [
                *listed(self._shelf, config, limit=limit, before=before, filter=filter)
            ]  # chosen now, so that what is added meanwhile does not shift the pages

        def tuples() -> Iterator[CheckpointTuple]:
            for book, entry in pairs:
                with self._lock:
                    self._check_open()
                    if book.entries.get(entry.id) is not entry:
                        continue  # removed while the list was being read
                    found = make_tuple(book, entry)
                yield found

        return tuples()

    @_locked
    def get_delta_channel_history(self, config: Config, keys: Sequence[str], **opts: Any) -> dict[str, dict[str, Any]]:
        del opts
        ref = CheckpointRef.parse(config)
        book = self._shelf.book(ref.thread, ref.namespace)
        return delta_history(book, book.entry(ref.checkpoint), keys)

    @_locked
    def next_version(self, current: Any, key: str) -> Any:
        del key
        return 1 if current is None else int(current) + 1

    # whole threads -----------------------------------------------------------------------------------

    @_locked
    def delete_thread(self, thread_id: str) -> None:
        self._delete({str(thread_id)})

    def _delete(self, threads: Collection[str]) -> None:
        for thread in threads:
            self._tables.drop(thread)
            self._store(self._tables.tombstone(thread, self._take()))

    @_locked
    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        runs = {run_ids} if isinstance(run_ids, str) else set(run_ids)
        removal = runs_plan(self._shelf, runs, self._tables.table("tasks"))
        self._shelf.remove(removal)
        self._tables.remove(removal, runs)
        self._restate_heads(removal.heads)
        self._delete(removal.threads)

    def _restate_heads(self, heads: Mapping[tuple[str, str], str | None]) -> None:
        for (thread, namespace), id_ in heads.items():
            book = self._shelf.find(thread, namespace)
            entry = None if book is None else book.entry(id_)
            if entry is not None:
                self._store(self._tables.head(thread, namespace, self._take(), entry.seq))

    @_locked
    def copy_thread(self, from_id: str, to_id: str) -> None:
        self._store(copy_plan(self._shelf, from_id, to_id, self._take))

    @_locked
    def prune(self, thread_ids: Sequence[str], **opts: Any) -> None:
        threads = [thread_ids] if isinstance(thread_ids, str) else list(thread_ids)
        removal = prune_plan(self._shelf, threads, **opts)
        self._shelf.remove(removal)
        self._tables.remove(removal)
        self._delete(removal.threads)

    @_locked
    def fork_at(self, config: Config, new_thread: str) -> dict[str, Any]:
        ref = CheckpointRef.parse(config)
        rows, checkpoint = fork_plan(self._shelf, ref, new_thread, self._take)
        self._store(rows)
        return CheckpointRef(new_thread, ref.namespace, checkpoint).to_config()

    @_locked
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
        rows = note_rows(
            book,
            self._take,
            entry.id,
            label=label,
            tags=tags,
            note=note,
            bookmark=bookmark,
            remove=remove,
        )
        self._store(rows)

    @_locked
    def read_tables(self, thread_id: str | None = None) -> dict[str, pa.Table]:
        from weavenb.savers.arrow import tables_of

        return tables_of(self._tables.rows(thread_id))

    @_locked
    def read_rows(self, tables: Sequence[str], thread_id: str | None = None) -> Rows:
        return self._tables.pick(tables, thread_id)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._shelf = Shelf()
            self._tables = MemoryTables()
