"""One call from its first read to its last write: what every verb of a graph that runs nodes is made of."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from weavenb.errors import DefinitionMismatch, InvalidGraph, ValidationFailed, nearest
from weavenb.model.ids import micros_now, new_id
from weavenb.model.records import RunStart
from weavenb.model.refs import CheckpointRef
from weavenb.model.topology import START
from weavenb.runtime.answer import begin_resume
from weavenb.runtime.begin import Begin, Found, begin_fresh, begin_invoke, begin_replay, look_up
from weavenb.runtime.drive import Hands
from weavenb.runtime.edit import begin_update
from weavenb.runtime.ledger import Ledger, opens_ledger, run_end
from weavenb.runtime.loop import Loop, steps
from weavenb.runtime.position import Position, position_of
from weavenb.runtime.requests import Halt, Run

if TYPE_CHECKING:
    from weavenb.definition.definition import Definition
    from weavenb.savers.contract import Saver

__all__ = ["Call", "Options", "start_invoke", "start_replay", "start_resume", "update"]

DEFAULT_LIMIT = 25
_STATUS = {"completed": "completed", "question": "interrupted", "breakpoint": "interrupted", "failed": "failed"}

Kind = Literal["invoke", "resume", "replay", "update", "fork"]


@dataclass(frozen=True, slots=True)
class Options:
    """How one call runs."""

    limit: int = DEFAULT_LIMIT
    sync: bool = False
    before: Collection[str] | None = None
    """None: as the run that goes on had it, else none."""
    after: Collection[str] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    context: Any = None
    executor: Executor | None = None
    observed: bool = False
    watch: bool = False


@dataclass(slots=True)
class Call:
    """A run under way."""

    definition: Definition
    ref: CheckpointRef | None
    run: Run
    loop: Loop
    hands: Hands

    def broken(self, error: BaseException) -> None:
        """The driver was stopped from outside: note it, and let everything stored reach the disk."""
        ledger = self.hands.ledger
        self.loop.close()
        if ledger is None:
            return
        if ledger.started:
            status = "failed" if isinstance(error, Exception) else "stopped"
            ledger.end(self.run.id, run_end(status, error, 0))
        ledger.settle()

    def end(self) -> Halt:
        """The halt, once all is on disk. Raises what the run is to raise."""
        halt = self.hands.halt
        if halt is None:
            message = "the run was asked for its end before it had one"
            raise RuntimeError(message)
        ledger = self.hands.ledger
        if ledger is not None:
            if ledger.started:
                ledger.end(self.run.id, run_end(_STATUS[halt.reason], halt.error, halt.steps))
            ledger.settle()
        if halt.error is not None:
            raise halt.error
        return halt

    def config(self, position: Position) -> dict[str, Any]:
        """Names the checkpoint of `position`; empty without a saver."""
        return {} if self.ref is None else dict(self.ref.at(position.id).to_config())


def start_invoke(
    definition: Definition,
    saver: Saver | None,
    ref: CheckpointRef | None,
    given: Mapping[str, Any] | None,
    options: Options,
) -> Call:
    """A call with an input, or with None to go on."""
    _check_input(given)
    run = _run(definition, ref, saver, options)
    if saver is None or ref is None:
        begin = begin_fresh(definition, run, given)
        hands = Hands(None, options.executor, options.observed)
        return Call(definition, None, run, steps(definition, run, begin.position, begin.opening), hands)
    found = look_up(saver, ref)
    run.start = _start(definition, "invoke", found, options)
    begin = begin_invoke(definition, run, found, saver, given)
    return _call(definition, saver, found, run, begin, options=options)


def _check_input(given: object) -> None:
    if given is not None and not isinstance(given, Mapping):
        problem = f"a mapping of keys to values is needed, not {type(given).__name__}"
        raise ValidationFailed(START, "", problem)


def start_replay(definition: Definition, saver: Saver, ref: CheckpointRef, options: Options) -> Call:
    """Run on from a checkpoint, asking and running again what follows it."""
    run = _run(definition, ref, saver, options)
    found = look_up(saver, ref)
    run.start = _start(definition, "replay", found, options)
    begin = begin_replay(run, found, saver)
    return _call(definition, saver, found, run, begin, options=options)


def start_resume(definition: Definition, saver: Saver, ref: CheckpointRef, answer: Any, options: Options) -> Call:
    """Answer a question, or go on from a breakpoint."""
    run = _run(definition, ref, saver, options)
    found = look_up(saver, ref)
    run.start = _start(definition, "resume", found, options)
    begin = begin_resume(run, found, saver, answer)
    return _call(definition, saver, found, run, begin, options=options)


def update(
    definition: Definition,
    saver: Saver,
    ref: CheckpointRef,
    values: Mapping[str, Any],
    *,
    as_node: str | None,
    task_id: str | None,
    branch: str | None,
    options: Options,
) -> CheckpointRef:
    """Make an ``update`` checkpoint; it is the thread's head afterwards, and on disk."""
    run = _run(definition, ref, saver, options)
    found = look_up(saver, ref)
    if found.target is None and as_node is not None and ref.checkpoint is None:
        at = Position(None, -2, {}, (), ())
    else:
        at = position_of(found.existing(saver), live=found.is_head)
        if not found.is_head:
            # What was asked at an older checkpoint was asked of the state before this edit.
            at.questions, at.answers = {}, {}
    run.branch = branch if branch is not None else at.branch
    run.start = _start(definition, "update", found, options)
    run.go_on(at)
    after, commit = begin_update(definition, run, at, values, as_node=as_node, task_id=task_id, is_head=found.is_head)
    ledger = opens_ledger(saver, ref, found.head_id, sync=options.sync)
    ledger.store(commit)
    ledger.end(run.id, run_end("completed", None, 0))
    ledger.settle()
    return ref.at(after.id)


def _run(definition: Definition, ref: CheckpointRef | None, saver: Saver | None, options: Options) -> Run:
    if isinstance(options.limit, bool) or not isinstance(options.limit, int) or options.limit < 1:
        message = f"recursion_limit is a number of steps from 1 up, not {options.limit!r}."
        raise InvalidGraph(message)
    saved = saver is not None and ref is not None
    return Run(
        id=new_id() if saved else "",
        thread=ref.thread if saved and ref else None,
        namespace=ref.namespace if saved and ref else "",
        limit=options.limit,
        saved=saved,
        def_hash=definition.def_hash,
        metadata=options.metadata,
        context=options.context,
        config=ref.at(None).to_config() if saved and ref else {},
        watch=options.watch,
        before=_named(definition, options.before, "interrupt_before"),
        after=_named(definition, options.after, "interrupt_after"),
    )


def _start(definition: Definition, kind: Kind, found: Found, options: Options) -> RunStart:
    before = found.target
    return RunStart(
        kind,
        None if before is None else before.metadata.get("run_id"),
        None if before is None else before.checkpoint["id"],
        definition.name,
        definition.def_hash,
        definition.manifest,
        options.metadata,
        micros_now(),
    )


def _named(definition: Definition, nodes: Collection[str] | None, where: str) -> frozenset[str] | None:
    return None if nodes is None else frozenset(definition.check_nodes(nodes, where))


def _call(definition: Definition, saver: Saver, found: Found, run: Run, begin: Begin, *, options: Options) -> Call:
    _check_definition(definition, begin.position)
    ledger: Ledger = opens_ledger(saver, found.ref, found.head_id, sync=options.sync)
    hands = Hands(ledger, options.executor, options.observed)
    loop = steps(definition, run, begin.position, begin.opening)
    return Call(definition, found.ref, run, loop, hands)


def _check_definition(definition: Definition, at: Position) -> None:
    gone = dict.fromkeys(task.node for task in at.unfinished() if task.node not in definition.nodes)
    if not gone:
        return
    found = []
    for name in gone:
        close = nearest(name, definition.nodes)
        found.append(
            f"node {name!r} is to run next and is not in the graph" + (f" (there is {close!r})" if close else "")
        )
    raise DefinitionMismatch(at.def_hash, definition.def_hash, tuple(found))
