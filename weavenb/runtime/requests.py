"""What the loop asks of its driver, and how a run ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from weavenb.model.records import RunStart, StepCommit
from weavenb.model.tasks import Question, Task
from weavenb.runtime.position import Position
from weavenb.runtime.work import Job

__all__ = ["Await", "Commit", "Execute", "Halt", "Request", "Run", "Save"]


@dataclass(slots=True)
class Execute:
    """Start these; answered with the first outcome."""

    step: int
    jobs: tuple[Job, ...]


@dataclass(frozen=True, slots=True)
class Await:
    """Answered with the next outcome of what was started."""


@dataclass(frozen=True, slots=True)
class Save:
    """Store what ended while the step stays open."""

    commit: StepCommit


@dataclass(slots=True)
class Commit:
    """A checkpoint was made; store it if there is a saver."""

    commit: StepCommit | None
    position: Position
    """Where the run stands after it."""
    changed: tuple[str, ...]
    """Channels that were written, in order."""


Request = Execute | Await | Save | Commit


@dataclass(slots=True)
class Halt:
    """Why the loop ended, and where the run stands."""

    reason: Literal["completed", "question", "breakpoint", "failed"]
    position: Position
    held: tuple[tuple[Task, Question], ...] = ()
    """Open questions."""
    breakpoints: tuple[tuple[str, str], ...] = ()
    """``(kind, node)`` of the breakpoints that hold the run."""
    error: Exception | None = None
    """What is to be raised, for ``failed``."""
    warnings: tuple[str, ...] = ()
    steps: int = 0


@dataclass(slots=True)
class Run:
    """One call: what stays the same from its first step to its last."""

    id: str
    thread: str | None
    namespace: str
    limit: int
    saved: bool
    """Whether a saver takes what the run makes."""
    def_hash: str = ""
    before: frozenset[str] | None = None
    """Nodes to stop before; None when the call did not say."""
    after: frozenset[str] | None = None
    pass_first: bool = False
    """Do not stop before the first step: the run goes on from where a breakpoint held it."""
    branch: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    context: Any = None
    config: Mapping[str, Any] = field(default_factory=dict)
    watch: bool = False
    start: RunStart | None = None
    """Told with the first thing the run stores."""

    def go_on(self, at: Position) -> None:
        """Be the continuation of the run that came to `at`: its breakpoints hold, unless the call gave others."""
        known = at.breakpoints
        if self.before is None:
            self.before = frozenset(known.get("before", ()))
        if self.after is None:
            self.after = frozenset(known.get("after", ()))
        self.pass_first = True

    @property
    def breakpoints(self) -> dict[str, Any]:
        """What a resume of this run has to know."""
        found = {"before": sorted(self.before or ()), "after": sorted(self.after or ())}
        return {key: value for key, value in found.items() if value}
