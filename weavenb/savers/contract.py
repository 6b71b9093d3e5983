"""What every saver does, and the optional powers some have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

from weavenb.errors import Unsupported

if TYPE_CHECKING:
    from types import TracebackType

    import pyarrow as pa

    from weavenb.model.records import Receipt, StepCommit
    from weavenb.savers.tables import Rows

__all__ = ["CheckpointTuple", "CommitsSteps", "Config", "HoldsRows", "Saver"]

Config = Mapping[str, Any]
"""``{"configurable": {"thread_id", "checkpoint_ns", "checkpoint_id"}}``; without an id it means the thread's head."""


@dataclass(frozen=True, slots=True)
class CheckpointTuple:
    """One stored checkpoint with what was kept beside it."""

    config: dict[str, Any]
    """Names this checkpoint exactly."""
    checkpoint: dict[str, Any]
    """``v, id, ts, channel_values, channel_versions, updated_channels, next, def_hash, produced_by``."""
    metadata: dict[str, Any]
    """``source, step, run_id, branch`` and the caller's own."""
    parent_config: dict[str, Any] | None
    pending_writes: list[tuple[str, str, Any]] = field(default_factory=list)
    """``(task_id, channel, value)``, in the order they were stored."""


class Saver(ABC):
    """Keeps checkpoints. Ten operations are required, the rest are offered by name in `capabilities`.

    Plain savers get the writes of a step strictly before its `put`. A saver that lists ``commit_step``
    gets the whole step as one atomic operation instead.
    """

    capabilities: ClassVar[frozenset[str]] = frozenset()
    """Names of the optional operations this saver offers."""

    @abstractmethod
    def put(
        self,
        config: Config,
        checkpoint: Mapping[str, Any],
        metadata: Mapping[str, Any],
        versions: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Store a checkpoint as a child of the one `config` names, and make it the thread's head.

        `versions` names the channels that changed. Returns the config of what was stored.
        """

    @abstractmethod
    def put_writes(self, config: Config, writes: Sequence[tuple[str, Any]], task_id: str, path: str = "") -> None:
        """Keep `writes` beside the checkpoint `config` names. Idempotent on (task_id, index).

        A reserved channel holds one value a task: writing it again replaces it. A ``__route__`` of None takes
        back the task's plain writes: a result that was refused makes room for the next attempt's.
        """

    @abstractmethod
    def get_tuple(self, config: Config) -> CheckpointTuple | None:
        """The checkpoint named, or the thread's head; None when there is none. Trouble raises, it is never None."""

    @abstractmethod
    def list(
        self,
        config: Config | None = None,
        *,
        limit: int | None = None,
        before: Config | None = None,
        filter: Mapping[str, Any] | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Newest commit first; without a config all threads and namespaces. `filter` compares metadata by equality."""

    @abstractmethod
    def get_delta_channel_history(self, config: Config, keys: Sequence[str], **opts: Any) -> dict[str, dict[str, Any]]:
        """For each key ``{"seed": the last whole value, "writes": what was written since, oldest first}``."""

    @abstractmethod
    def delete_thread(self, thread_id: str) -> None:
        """Remove a thread and all that belongs to it; unknown is no error."""

    @abstractmethod
    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Remove what these runs saved.

        Raises:
            DeltaDependency: if a kept checkpoint needs it; nothing is removed then.
        """

    @abstractmethod
    def copy_thread(self, from_id: str, to_id: str) -> None:
        """Copy all checkpoints and pending writes under the same ids; an unknown source is a no-op."""

    @abstractmethod
    def prune(self, thread_ids: Sequence[str], **opts: Any) -> None:
        """Trim threads (``strategy="keep_latest" | "delete"``, ``keep=``, ``older_than=``)."""

    @abstractmethod
    def next_version(self, current: Any, key: str) -> Any:
        """The version after `current` (None at first) for a channel; it always grows."""

    # Optional operations -------------------------------------------------------------------------------------

    def fork_at(self, config: Config, new_thread: str) -> dict[str, Any]:
        """Copy a checkpoint and its ancestors into a new thread, whose head it becomes. Returns its config there."""
        del config, new_thread
        raise Unsupported("fork_at", type(self).__name__)

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
        """Set label, tags, note or bookmark beside a checkpoint, which itself never changes."""
        del config, label, tags, note, bookmark, remove
        raise Unsupported("annotate", type(self).__name__)

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
        """Store a checkpoint and writes beside it, both or neither."""
        del config, checkpoint, metadata, versions, writes, task_id, path
        raise Unsupported("put_checkpoint_with_writes", type(self).__name__)

    def read_tables(self, thread_id: str | None = None) -> dict[str, pa.Table]:
        """The base tables as Arrow, of one thread or of all."""
        del thread_id
        raise Unsupported("read_tables", type(self).__name__)

    def close(self) -> None:  # noqa: B027  a saver that holds nothing has nothing to close
        """Let go of what the saver holds. Closing twice is fine; using it afterwards is `storage_error`."""

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()


class CommitsSteps(ABC):
    """The power named ``commit_step``: a step, its tasks and its questions become true at once."""

    @abstractmethod
    def sequence(self) -> int:
        """The last store-wide number given out. A run notes it when it begins."""

    @abstractmethod
    def commit_step(self, step: StepCommit, *, expected_head: str | None, run_started_seq: int, sync: bool) -> Receipt:
        """Store `step` as one transaction.

        With a record, the thread's head must still be `expected_head`; else the record is stored as a branch,
        the head stays, and `ConcurrentUpdate` is raised. With `sync` it is on disk when this returns.

        Raises:
            ConcurrentUpdate: another run moved the head; the record is stored, nothing is lost.
            ThreadDeleted: the thread was deleted after `run_started_seq`; nothing is stored.
        """

    @abstractmethod
    def flush(self) -> None:
        """Return when all that was committed is on disk."""


class HoldsRows(ABC):
    """The power of a saver whose rows are in this process: a listing need not go by a database."""

    @abstractmethod
    def read_rows(self, tables: Sequence[str], thread_id: str | None = None) -> Rows:
        """Rows of these tables in the order of their numbers, of one thread or of all; they are not to be changed."""
