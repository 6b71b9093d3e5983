"""A history in memory that a debugger can look at and steer, without an engine or a store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from weavenb.errors import NodeFailed, ThreadExists
from weavenb.history.source import CheckpointRow, TaskRow, ThreadRow
from weavenb.model.refs import CheckpointRef
from weavenb.model.snapshots import Interrupt, Snapshot, TaskView
from weavenb.model.topology import Topology

__all__ = ["Ask", "FakeSource"]

Node = Callable[[dict[str, Any]], Mapping[str, Any]]
Next = Callable[[dict[str, Any]], str | None]
Source = Literal["input", "loop", "update", "fork"]

_START_MICROS = 1_700_000_000_000_000


class Ask(Exception):
    """Raised by a node to ask; the answer is its state's ``answer``."""


@dataclass(slots=True)
class _Record:
    row: CheckpointRow
    values: dict[str, Any]
    question: str | None = None
    failure: str | None = None


class FakeSource:
    """One node a step, one edge out of each; ids and times count up from one."""

    def __init__(
        self,
        nodes: Mapping[str, Node],
        edges: Mapping[str, Next],
        *,
        start: str,
        topology: Topology | None = None,
    ) -> None:
        self.calls: list[str] = []
        """Every node that ran, in order."""
        self._nodes, self._edges, self._start, self._topology = dict(nodes), dict(edges), start, topology
        self._threads: dict[str, dict[str, _Record]] = {}
        self._heads: dict[str, str] = {}
        self._forked: dict[str, tuple[str, str]] = {}
        self._seq = 0

    # ------------------------------------------------------------ HistorySource
    def topology(self) -> Topology | None:
        return self._topology

    def threads(self) -> list[ThreadRow]:
        found = []
        for name, records in self._threads.items():
            thread, checkpoint = self._forked.get(name, (None, None))
            found.append(ThreadRow(name, self._status(name), len(records), thread, checkpoint))
        return found[::-1]

    def rows(self, thread: str, *, namespace: str = "", after: int = 0) -> list[CheckpointRow]:
        if namespace:
            return []
        return [one.row for one in self._threads.get(thread, {}).values() if one.row.seq > after]

    def head(self, thread: str, *, namespace: str = "") -> str | None:
        return None if namespace else self._heads.get(thread)

    def snapshot(self, ref: CheckpointRef) -> Snapshot | None:
        checkpoint = ref.checkpoint or self._heads.get(ref.thread, "")
        found = self._threads.get(ref.thread, {}).get(checkpoint)
        return None if found is None else self._snapshot(found, live=ref.checkpoint is None)

    def tasks(self, ref: CheckpointRef) -> list[TaskRow]:
        found = self._threads.get(ref.thread, {}).get(ref.checkpoint or self._heads.get(ref.thread, ""))
        if found is None:
            return []
        row = found.row
        made = [
            TaskRow(f"{row.step}.{node}.0", row.parent or "", node, 1, "ok", row.duration_ms or 0.0, None, None, None)
            for node in row.nodes
        ]
        for node in row.next if found.failure or found.question else ():
            status = "error" if found.failure else "interrupted"
            kind, _, message = (found.failure or "").partition(": ")
            task_id = f"{row.step + 1}.{node}.0"
            made.append(TaskRow(task_id, row.id, node, 1, status, 1.0, kind or None, message or None, found.failure))
        return made

    # ------------------------------------------------------------ Steerable
    def update(
        self, ref: CheckpointRef, values: Mapping[str, Any], *, as_node: str | None, branch: str | None
    ) -> CheckpointRef:
        parent = self._at(ref)
        new = {**parent.values, **values}
        follows = parent.row.next if as_node is None else self._after(as_node, new)
        made = self._commit(ref.thread, parent, new, follows, source="update", branch=branch)
        return ref.at(made.row.id)

    def replay(self, ref: CheckpointRef) -> CheckpointRef:
        at = self._at(ref)
        if not at.row.next:
            return ref
        if at.row.source not in {"update", "fork"} or self._heads[ref.thread] != at.row.id:
            at = self._commit(ref.thread, at, at.values, at.row.next, source="fork", branch=None)
        return self._run(ref.thread, at, {})

    def fork(self, ref: CheckpointRef, thread: str) -> CheckpointRef:
        if thread in self._threads:
            raise ThreadExists(thread)
        line = [self._at(ref)]
        while line[-1].row.parent is not None:
            line.append(self._threads[ref.thread][line[-1].row.parent])
        self._threads[thread] = {}
        for one in reversed(line):
            self._seq += 1
            self._threads[thread][one.row.id] = _Record(replace(one.row, seq=self._seq, thread=thread), one.values)
        self._heads[thread] = line[0].row.id
        self._forked[thread] = (ref.thread, line[0].row.id)
        return CheckpointRef(thread, "", line[0].row.id)

    def resume(self, ref: CheckpointRef, answer: Any) -> CheckpointRef:
        return self._run(ref.thread, self._at(ref), {"answer": answer})

    # ------------------------------------------------------------ making history
    def invoke(self, thread: str, values: Mapping[str, Any]) -> CheckpointRef:
        """A new turn: commit the input, run to the end, a question or an error."""
        head = self._heads.get(thread)
        parent = None if head is None else self._threads[thread][head]
        before = {} if parent is None else parent.values
        at = self._commit(thread, parent, {**before, **values}, (self._start,), source="input", branch=None)
        return self._run(thread, at, {})

    def grow(self, thread: str, steps: int) -> None:
        """Append `steps` made-up checkpoints at once, a fork now and then."""
        records = self._threads.setdefault(thread, {})
        head = self._heads.get(thread)
        at = None if head is None else records[head]
        names = list(self._nodes)
        for number in range(steps):
            node = names[number % len(names)]
            values = {"count": number, "score": (number * 37 % 100) / 100}
            parent = at if number % 997 or not number else records[list(records)[-1 - number // 3]]
            at = self._commit(thread, parent, values, (node,), source="loop", branch=None, nodes=(node,))
            if number and number % 1500 == 0:
                at.failure = "ValueError: made up"
                at.row = replace(at.row, error=True)

    # ------------------------------------------------------------ inside
    def _at(self, ref: CheckpointRef) -> _Record:
        return self._threads[ref.thread][ref.checkpoint or self._heads[ref.thread]]

    def _after(self, node: str, values: dict[str, Any]) -> tuple[str, ...]:
        follows = self._edges[node](values) if node in self._edges else None
        return () if follows is None else (follows,)

    def _run(self, thread: str, at: _Record, extra: Mapping[str, Any]) -> CheckpointRef:
        given = dict(extra)
        while at.row.next:
            node = at.row.next[0]
            self.calls.append(node)
            try:
                wrote = dict(self._nodes[node]({**at.values, **given}))
            except Ask as asked:
                at.question = str(asked)
                at.row = replace(at.row, question=True)
                break
            except Exception as error:
                at.failure = f"{type(error).__name__}: {error}"
                at.row = replace(at.row, error=True)
                raise NodeFailed(node, at.row.step + 1, thread, type(error).__name__, str(error)) from error
            given = {}
            values = {**at.values, **wrote}
            at = self._commit(thread, at, values, self._after(node, values), source="loop", branch=None, nodes=(node,))
        return CheckpointRef(thread, "", at.row.id)

    def _commit(
        self,
        thread: str,
        parent: _Record | None,
        values: Mapping[str, Any],
        follows: tuple[str, ...],
        *,
        source: Source,
        branch: str | None,
        nodes: tuple[str, ...] = (),
    ) -> _Record:
        self._seq += 1
        before = {} if parent is None else parent.values
        changed = tuple(key for key in values if key not in before or before[key] != values[key])
        row = CheckpointRow(
            seq=self._seq,
            thread=thread,
            namespace="",
            id=f"c{self._seq:05d}",
            parent=None if parent is None else parent.row.id,
            step=-1 if parent is None else parent.row.step + 1,
            source=source,
            run_id="run",
            branch=branch or (None if parent is None else parent.row.branch),
            nodes=nodes,
            next=follows,
            changed=changed,
            created_at=_START_MICROS + self._seq * 1_000,
            duration_ms=float(self._seq % 7 + 1) if nodes else None,
            error=False,
            question=False,
            def_hash="fake",
        )
        made = _Record(row, dict(values))
        self._threads.setdefault(thread, {})[row.id] = made
        self._heads[thread] = row.id
        return made

    def _status(self, thread: str) -> str:
        head = self._threads[thread].get(self._heads.get(thread, ""))
        if head is None or not head.row.next:
            return "completed"
        return "failed" if head.failure else "interrupted" if head.question else "stopped"

    def _snapshot(self, record: _Record, *, live: bool) -> Snapshot:
        row = record.row
        asked = (
            ()
            if record.question is None
            else (Interrupt(f"q-{row.id}", record.question, row.next[0] if row.next else ""),)
        )
        status: Literal["pending", "ok", "error", "interrupted"] = (
            "error" if record.failure else "interrupted" if asked else "pending"
        )
        config = CheckpointRef(row.thread, "", row.id)
        return Snapshot(
            values=dict(record.values),
            next=row.next,
            config=config.to_config(),
            parent_config=None if row.parent is None else config.at(row.parent).to_config(),
            metadata={"source": row.source, "step": row.step, "run_id": row.run_id, "branch": row.branch},
            created_at=None,
            tasks=tuple(
                TaskView(f"{row.step + 1}.{node}.0", node, "", status, record.failure, asked) for node in row.next
            ),
            interrupts=asked,
            error=record.failure,
            produced_by=row.nodes,
            branch=row.branch,
            live=live,
        )
