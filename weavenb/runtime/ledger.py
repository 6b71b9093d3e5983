"""How what a run makes true reaches a saver, whichever contract the saver has."""

from __future__ import annotations

from typing import Any, cast

from weavenb.errors import ConcurrentUpdate
from weavenb.model.ids import from_micros, micros_now
from weavenb.model.records import RunEnd, StateRecord, StepCommit
from weavenb.model.refs import CheckpointRef
from weavenb.model.tasks import Outcome
from weavenb.model.texts import error_text
from weavenb.runtime.pending import pending
from weavenb.savers.contract import CommitsSteps, Saver

__all__ = ["Ledger", "opens_ledger", "run_end"]


class Ledger:
    """One run's way to its saver. Knows the head that the run believes in."""

    def __init__(self, saver: Saver, thread: str, namespace: str, head: str | None, *, sync: bool) -> None:
        self.saver = saver
        self.where = CheckpointRef(thread, namespace)
        self.head = head
        self.sync = sync
        self.started = False
        """Whether the start of the run is stored: only then is there something to end."""

    @property
    def quick(self) -> bool:
        """Whether storing does not wait for a disk or a network."""
        return False

    def store(self, commit: StepCommit) -> None:
        """Make `commit` true.

        Raises:
            StoreError: it was not stored, or stored as a branch (`ConcurrentUpdate`).
        """
        base = self.where.at(commit.base).to_config()
        if commit.base is not None:
            self._put_tasks(base, commit)
        if commit.record is None:
            return
        head = self.saver.get_tuple(self.where.to_config())
        found = None if head is None else head.checkpoint["id"]
        made = self._put_record(commit)
        if found != self.head:
            raise ConcurrentUpdate(self.where.thread, self.head, found)
        self.head = made["configurable"]["checkpoint_id"]

    def end(self, run_id: str, end: RunEnd) -> None:
        """The run is over. A plain saver has no place for that."""

    def settle(self) -> None:
        """Return when all that was stored is on disk. A plain saver's `put` has seen to it."""

    def _put_tasks(self, base: dict[str, Any], commit: StepCommit) -> None:
        by_task: dict[str, list[tuple[str, Any]]] = {}
        for write in commit.pending:
            by_task.setdefault(write.task_id, []).append((write.channel, write.value))
        paths = {outcome.task.id: outcome.task.path for outcome in commit.outcomes}
        if commit.record is not None:
            for outcome in commit.outcomes:
                by_task.setdefault(outcome.task.id, []).extend(_plain_writes(outcome))
        for task_id, writes in by_task.items():
            self.saver.put_writes(base, writes, task_id, paths.get(task_id, ""))

    def _put_record(self, commit: StepCommit) -> dict[str, Any]:
        record = cast("StateRecord", commit.record)
        changed = [change.channel for change in record.changes]
        parent = None if record.parent is None else self.saver.get_tuple(self.where.at(record.parent).to_config())
        old = dict(parent.checkpoint.get("channel_versions", {})) if parent else {}
        versions = {key: self.saver.next_version(old.get(key), key) for key in changed}
        checkpoint = {
            "v": 1,
            "id": record.id,
            "ts": from_micros(record.created_at).isoformat(),
            "channel_values": dict(record.values),
            "channel_versions": {**{k: v for k, v in old.items() if k in record.values}, **versions},
            "updated_channels": changed,
            "next": [task.to_mapping() for task in record.next],
            "def_hash": record.def_hash,
            "produced_by": list(record.nodes),
        }
        metadata = {
            **record.metadata,
            "source": record.source,
            "step": record.step,
            "run_id": record.run_id,
            "branch": record.branch,
        }
        made = self.saver.put(self.where.at(record.parent).to_config(), checkpoint, metadata, versions)
        by_task: dict[str, list[tuple[str, Any]]] = {}
        for write in commit.carried:
            by_task.setdefault(write.task_id, []).append((write.channel, write.value))
        for task_id, writes in by_task.items():
            self.saver.put_writes(made, writes, task_id)
        return made


class _StepLedger(Ledger):
    """For savers that take a whole step at once."""

    def __init__(self, saver: Saver, thread: str, namespace: str, head: str | None, *, sync: bool) -> None:
        super().__init__(saver, thread, namespace, head, sync=sync)
        self.steps = cast("CommitsSteps", saver)
        self.began = self.steps.sequence()

    @property
    def quick(self) -> bool:
        return not self.sync

    def store(self, commit: StepCommit) -> None:
        starts = commit.started is not None
        try:
            self.steps.commit_step(commit, expected_head=self.head, run_started_seq=self.began, sync=self.sync)
        except ConcurrentUpdate:
            # The loser's step is stored too, as a branch.
            self.started = self.started or starts
            raise
        self.started = self.started or starts
        if commit.record is not None:
            self.head = commit.record.id

    def end(self, run_id: str, end: RunEnd) -> None:
        commit = StepCommit(self.where.thread, self.where.namespace, run_id, None, ended=end)
        self.steps.commit_step(commit, expected_head=self.head, run_started_seq=self.began, sync=False)

    def settle(self) -> None:
        self.steps.flush()


def opens_ledger(saver: Saver, ref: CheckpointRef, head: str | None, *, sync: bool) -> Ledger:
    """The ledger for this saver."""
    kind = _StepLedger if "commit_step" in saver.capabilities else Ledger
    return kind(saver, ref.thread, ref.namespace, head, sync=sync)


def run_end(status: str, error: BaseException | None, steps: int) -> RunEnd:
    """The facts of a run's end."""
    kind = None if error is None else type(error).__name__
    message = None if error is None else error_text(error)
    return RunEnd(status, kind, message, steps, micros_now())  # type: ignore[arg-type]  # one of the four


def _plain_writes(outcome: Outcome) -> list[tuple[str, Any]]:
    return [(write.channel, write.value) for write in pending(outcome)]
