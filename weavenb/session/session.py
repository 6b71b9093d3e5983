"""The debugger without a face: a cursor over history, and one method a button."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from weavenb.errors import CheckpointNotFound, Unsupported
from weavenb.history.diff import diff_values
from weavenb.history.source import CheckpointRow, HistorySource, Steerable, TaskRow, ThreadRow
from weavenb.model.diff import Diff
from weavenb.model.refs import CheckpointRef
from weavenb.model.snapshots import Interrupt, Snapshot
from weavenb.session.code import Action, fork_code, replay_code, resume_code, update_code
from weavenb.session.failure import Failure, failure_of
from weavenb.session.lanes import Lane
from weavenb.session.opening import Openable, newest_of, source_of
from weavenb.session.rows import Grown, RowCache

__all__ = ["DebugSession", "Details", "Done", "Event", "Failed", "Question", "workers"]

Event = Literal["rows", "selected", "marks"]
"""What listeners hear: rows came, the cursor moved, A or B was set."""

_NOTHING: Final[Mapping[str, Any]] = {}


@dataclass(frozen=True, slots=True)
class Question:
    """An open question, and where to answer it."""

    ref: CheckpointRef
    row: int
    """Index of the row that waits."""
    interrupt: Interrupt


@dataclass(frozen=True, slots=True)
class Details:
    """All that is shown of one checkpoint."""

    row: CheckpointRow
    snapshot: Snapshot
    """As its run left it; at a thread's head with what is true now."""
    against: CheckpointRow | None
    """What `diff` compares with: A, or the parent; None for a first checkpoint."""
    diff: Diff
    tasks: tuple[TaskRow, ...]
    is_head: bool


@dataclass(frozen=True, slots=True)
class Done:
    """An action went through, as far as its run came."""

    action: Action
    ref: CheckpointRef
    row: int | None
    """Where what it made lies. The cursor is there too, unless it was moved meanwhile."""


@dataclass(frozen=True, slots=True)
class Failed:
    """An action raised. What it committed before is kept and in sight."""

    action: Action
    failure: Failure
    row: int | None
    """How far it came; the cursor is there too, unless it was moved meanwhile."""


def workers(row: CheckpointRow) -> tuple[str, ...]:
    """The nodes whose work made the row: none for an input, an edit or a fork, whoever they stand for."""
    return () if row.source in {"input", "update", "fork"} else row.nodes


class DebugSession:
    """Looks at one thread of `source`, the newest unless told, and steers it when `source` or `steer` can.

    `source` is a compiled graph, a `History` or any `HistorySource`. Actions start at the cursor, or at
    the checkpoint `at`. Moving the cursor runs nothing. Rows are named by their index in `rows`, which only grows
    (unless history was deleted).
    """

    def __init__(self, source: Openable, thread: str | None = None, *, steer: Steerable | None = None) -> None:
        found, own_thread = source_of(source)
        thread = own_thread if thread is None else thread
        self.source: HistorySource = found
        self.thread = newest_of(found) if thread is None else thread
        self.steer = steer if steer is not None else (found if isinstance(found, Steerable) else None)
        self.selected: int | None = None
        self.a: int | None = None
        self.b: int | None = None
        self._cache = RowCache(found, self.thread)
        self._moves = 0
        self._listeners: list[Callable[[Event], None]] = []
        self._lock = threading.RLock()
        self.refresh()
        self.selected = self.head

    # ------------------------------------------------------------ what is there
    def __len__(self) -> int:
        return len(self._cache.rows)

    def __repr__(self) -> str:
        return f"DebugSession(thread={self.thread!r}, checkpoints={len(self)})"

    @property
    def rows(self) -> list[CheckpointRow]:
        """In the order of commits; forked threads are among them."""
        return self._cache.rows

    @property
    def lanes(self) -> list[Lane]:
        return self._cache.lanes.lanes

    @property
    def lane_of(self) -> list[int]:
        """For each row the index of its lane."""
        return self._cache.lanes.lane_of

    @property
    def parent_of(self) -> list[int]:
        """For each row the index of its parent's row, -1 when there is none."""
        return self._cache.lanes.parent_of

    @property
    def threads(self) -> tuple[ThreadRow, ...]:
        """All threads of the source as of the last refresh, newest first."""
        return self._cache.threads

    @property
    def status(self) -> str | None:
        """The thread's status; None when there is no such thread."""
        return next((row.status for row in self.threads if row.thread == self.thread), None)

    @property
    def head(self) -> int | None:
        """Index of the thread's head."""
        return self.head_of(self.thread)

    def head_of(self, thread: str) -> int | None:
        """Index of the head of `thread`, when it is one of the lanes'."""
        found = self.source.head(thread)
        return None if found is None else self._cache.lanes.index_of(thread, "", found)

    def ref(self, index: int) -> CheckpointRef:
        row = self.rows[index]
        return CheckpointRef(row.thread, row.namespace, row.id)

    def refresh(self) -> Grown:
        """Take in what was committed since. The cursor stays where it is."""
        with self._lock:
            kept = [None if index is None else self.ref(index) for index in (self.selected, self.a, self.b)]
            grown = self._cache.refresh()
            if grown.reset:
                self.selected, self.a, self.b = (None if ref is None else self._find(ref) for ref in kept)
            if self.selected is None and len(self):
                self.selected = self.head
        if grown:
            self._tell("rows")
        return grown

    # ------------------------------------------------------------ the cursor
    def select(self, index: int) -> int:
        """Move the cursor.

        Raises:
            IndexError: if there is no such row.
        """
        if not 0 <= index < len(self):
            message = f"row {index} of {len(self)}"
            raise IndexError(message)
        if index != self.selected:
            self.selected = index
            self._moves += 1
            self._tell("selected")
        return index

    def goto(self, checkpoint: str, *, thread: str | None = None) -> int:
        """Move the cursor to a checkpoint by its id.

        Raises:
            CheckpointNotFound: if it is not among the rows.
        """
        where = self.thread if thread is None else thread
        found = self._cache.lanes.index_of(where, "", checkpoint)
        if found is None:
            raise CheckpointNotFound(where, checkpoint)
        return self.select(found)

    def back(self) -> int | None:
        """To the parent; stays at a first checkpoint."""
        at = self.selected
        if at is not None and self.parent_of[at] >= 0:
            return self.select(self.parent_of[at])
        return at

    def forward(self) -> int | None:
        """To the next checkpoint of the lane; from its end to what was forked there, if anything was."""
        at = self.selected
        if at is None:
            return None
        later = range(at + 1, len(self))
        same = next((index for index in later if self.lane_of[index] == self.lane_of[at]), None)
        return self.select(next((i for i in later if self.parent_of[i] == at), at) if same is None else same)

    def first(self) -> int | None:
        """To the oldest checkpoint."""
        return self.select(0) if len(self) else None

    def last(self) -> int | None:
        """To the thread's head."""
        head = self.head
        return None if head is None else self.select(head)

    def mark(self, *, a: int | None = None, b: int | None = None) -> None:
        """Set what the diff compares; None clears, and the parent and the cursor take their place."""
        if (self.a, self.b) != (a, b):
            self.a, self.b = a, b
            self._tell("marks")

    # ------------------------------------------------------------ reading
    def details(self, index: int | None = None) -> Details | None:
        """The checkpoint at `index` or at the cursor, compared with A or with its parent; None when it is gone."""
        at = self.selected if index is None else index
        if at is None:
            return None
        ref = self.ref(at)
        snapshot = self.source.snapshot(ref)
        if snapshot is None:
            return None
        is_head = self.head_of(ref.thread) == at
        against, diff = self.compare(at, snapshot)
        shown = (self.source.snapshot(ref.at(None)) or snapshot) if is_head else snapshot
        return Details(self.rows[at], shown, against, diff, tuple(self.source.tasks(ref)), is_head)

    def compare(self, index: int, snapshot: Snapshot | None = None) -> tuple[CheckpointRow | None, Diff]:
        """What differs between A (or the parent) and B (or the row)."""
        before = self.a if self.a is not None else self._before(index)
        after = index if self.b is None or self.a is None else self.b
        new = snapshot if snapshot is not None and after == index else self.source.snapshot(self.ref(after))
        old = self.source.snapshot(self.ref(before)) if before >= 0 else None
        diff = diff_values(_NOTHING if old is None else old.values, _NOTHING if new is None else new.values)
        return (None if before < 0 else self.rows[before]), diff

    def compare_with_parent(self, index: int) -> Diff:
        """What the step that made the row changed, whatever A and B are."""
        before = self._before(index)
        old = self.source.snapshot(self.ref(before)) if before >= 0 else None
        new = self.source.snapshot(self.ref(index))
        return diff_values(_NOTHING if old is None else old.values, _NOTHING if new is None else new.values)

    def questions(self) -> tuple[Question, ...]:
        """All open questions of the thread and of those forked from it."""
        found: list[Question] = []
        for thread in dict.fromkeys([self.thread, *(lane.thread for lane in self.lanes)]):
            head = self.head_of(thread)
            if head is None or not self.rows[head].question:
                continue
            snapshot = self.source.snapshot(CheckpointRef(thread))
            if snapshot is not None:
                found += [Question(CheckpointRef(thread), head, one) for one in snapshot.interrupts]
        return tuple(found)

    # ------------------------------------------------------------ acting
    def update(
        self,
        values: Mapping[str, Any],
        *,
        as_node: str | None = None,
        branch: str | None = None,
        at: CheckpointRef | None = None,
    ) -> Done | Failed:
        """Make an edited checkpoint after the selected one, and select it. Runs nothing."""
        return self._act("update", lambda steer, ref: steer.update(ref, values, as_node=as_node, branch=branch), at)

    def fork(
        self,
        values: Mapping[str, Any] | None = None,
        *,
        thread: str | None = None,
        branch: str | None = None,
        at: CheckpointRef | None = None,
    ) -> Done | Failed:
        """Go another way from the selected checkpoint: in a new thread, or on a branch of this one."""
        if thread is None:
            return self._act(
                "fork", lambda steer, ref: steer.update(ref, values or {}, as_node=None, branch=branch), at
            )

        def copy_and_edit(steer: Steerable, ref: CheckpointRef) -> CheckpointRef:
            made = steer.fork(ref, thread)
            return steer.update(made, values, as_node=None, branch=None) if values else made

        return self._act("fork", copy_and_edit, at)

    def replay(self, *, at: CheckpointRef | None = None) -> Done | Failed:
        """Run on from the selected checkpoint. Blocks until the run stops."""
        return self._act("replay", lambda steer, ref: steer.replay(ref), at)

    def resume(self, answer: Any, *, at: CheckpointRef | None = None) -> Done | Failed:
        """Answer what holds the run at the selected checkpoint, and run on. Blocks until the run stops."""
        return self._act("resume", lambda steer, ref: steer.resume(self._waiting(ref), answer), at)

    def code_for(
        self,
        action: Action,
        *,
        values: Mapping[str, Any] | None = None,
        as_node: str | None = None,
        branch: str | None = None,
        thread: str | None = None,
        answer: Any = None,
        at: CheckpointRef | None = None,
    ) -> str:
        """The statement that does the same as the button."""
        if at is None:
            at = CheckpointRef(self.thread) if self.selected is None else self.ref(self.selected)
        if action == "replay":
            return replay_code(at)
        if action == "resume":
            return resume_code(self._waiting(at), answer)
        if action == "fork" and thread is not None:
            return fork_code(at, thread, values)
        return update_code(at, values or {}, as_node=as_node if action == "update" else None, branch=branch)

    # ------------------------------------------------------------ listeners
    def on_change(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Hear of changes, in the thread that made them; call what is returned to hear no more."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _tell(self, event: Event) -> None:
        for listener in list(self._listeners):
            listener(event)

    # ------------------------------------------------------------ inside
    def _waiting(self, ref: CheckpointRef) -> CheckpointRef:
        """A thread's head is named by the thread alone, since it is answered live."""
        return ref.at(None) if ref.checkpoint == self.source.head(ref.thread) else ref

    def _before(self, index: int) -> int:
        """The parent's row; of a row copied by a fork, the parent of the original."""
        parent = self.parent_of[index]
        if parent >= 0 and self.rows[parent].id == self.rows[index].id:
            return self.parent_of[parent]
        return parent

    def _find(self, ref: CheckpointRef) -> int | None:
        return self._cache.lanes.index_of(ref.thread, ref.namespace, ref.checkpoint or "")

    def _act(
        self,
        action: Action,
        do: Callable[[Steerable, CheckpointRef], CheckpointRef],
        at: CheckpointRef | None,
    ) -> Done | Failed:
        ref = at if at is not None or self.selected is None else self.ref(self.selected)
        if ref is None or self.steer is None:
            why = "there is no checkpoint yet" if ref is None else "this history can be read, not steered"
            return Failed(action, failure_of(Unsupported(action, why)), self.selected)
        moves, before = self._moves, None
        try:
            before = self.source.head(ref.thread)
            made = do(self.steer, ref)
        except Exception as error:  # noqa: BLE001  an action hands each failure back as a value
            return Failed(action, failure_of(error), self._came_to(ref, before, moves))
        self.refresh()
        checkpoint = made.checkpoint or self.source.head(made.thread)
        found = None if checkpoint is None else self._find(made.at(checkpoint))
        if found is not None and moves == self._moves:
            self.select(found)
        return Done(action, made, found)

    def _came_to(self, ref: CheckpointRef, before: str | None, moves: int) -> int | None:
        """A run that failed half way committed steps: they are what the user wants to see."""
        try:
            self.refresh()
            head = self.head_of(ref.thread)
            went_on = head is not None and self.rows[head].id != before
        except Exception:  # noqa: BLE001  a store that cannot be read: the action's own error says so
            return self._find(ref)
        if not went_on or head is None:
            return self._find(ref)
        if moves == self._moves:
            self.select(head)
        return head
