"""A saver that offers the ten required operations and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weavenb.savers.contract import CheckpointTuple, Config, Saver


class PlainSaver(Saver):
    """Forwards to another saver, as a wrapper that only knows the plain contract does."""

    def __init__(self, inner: Saver) -> None:
        self.inner = inner

    def put(
        self,
        config: Config,
        checkpoint: Mapping[str, Any],
        metadata: Mapping[str, Any],
        versions: Mapping[str, Any],
    ) -> dict[str, Any]:
        return self.inner.put(config, checkpoint, metadata, versions)

    def put_writes(self, config: Config, writes: Sequence[tuple[str, Any]], task_id: str, path: str = "") -> None:
        self.inner.put_writes(config, writes, task_id, path)

    def get_tuple(self, config: Config) -> CheckpointTuple | None:
        return self.inner.get_tuple(config)

    def list(
        self,
        config: Config | None = None,
        *,
        limit: int | None = None,
        before: Config | None = None,
        filter: Mapping[str, Any] | None = None,
    ) -> Iterator[CheckpointTuple]:
        return self.inner.list(config, limit=limit, before=before, filter=filter)

    def get_delta_channel_history(self, config: Config, keys: Sequence[str], **opts: Any) -> dict[str, dict[str, Any]]:
        return self.inner.get_delta_channel_history(config, keys, **opts)

    def delete_thread(self, thread_id: str) -> None:
        self.inner.delete_thread(thread_id)

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        self.inner.delete_for_runs(run_ids)

    def copy_thread(self, from_id: str, to_id: str) -> None:
        self.inner.copy_thread(from_id, to_id)

    def prune(self, thread_ids: Sequence[str], **opts: Any) -> None:
        self.inner.prune(thread_ids, **opts)

    def next_version(self, current: Any, key: str) -> Any:
        return self.inner.next_version(current, key)

    def close(self) -> None:
        self.inner.close()
