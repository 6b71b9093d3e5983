"""`CompiledGraph`: run it, read it, travel in it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from weavenb.definition.json_schema import input_schema, output_schema
from weavenb.errors import InvalidGraph
from weavenb.graph.finish import adriven, atold, driven, told
from weavenb.graph.output import Output
from weavenb.graph.settings import Durability, Settings, options_of
from weavenb.model.events import RunEvent
from weavenb.model.refs import CheckpointRef, Config
from weavenb.model.snapshots import Snapshot
from weavenb.runtime.call import Call, start_invoke, start_replay, start_resume, update

if TYPE_CHECKING:
    from weavenb.definition.definition import Definition
    from weavenb.graph.source import GraphSource
    from weavenb.history.history import History
    from weavenb.savers.contract import Saver

__all__ = ["CompiledGraph"]

Input = Mapping[str, Any] | None


class CompiledGraph:
    """A checked graph. Wherever `config` is taken, a thread id, the standard mapping or a `Snapshot` will do.

    Each verb that runs, reads or writes has an async twin with an ``a`` before its name.
    """

    def __init__(self, definition: Definition, settings: Settings) -> None:
        self.definition = definition
        self.settings = settings

    @property
    def name(self) -> str:
        """The graph's name."""
        return self.definition.name

    @property
    def def_hash(self) -> str:
        """16 hex digits that stand for nodes, edges, guards and channels; the bodies of nodes are not part of it."""
        return self.definition.def_hash

    def describe(self) -> dict[str, Any]:
        """Nodes and edges as plain data."""
        shape = self.definition.topology
        edges = [
            {"from": e.source, "to": e.target, "kind": e.kind, **({"label": e.label} if e.label else {})}
            for e in shape.edges
        ]
        return {"name": shape.name, "nodes": list(self.definition.nodes), "edges": edges}

    def get_input_json_schema(self) -> dict[str, Any]:
        """What may go in, as a JSON schema (draft 2020-12)."""
        return input_schema(self.definition)

    def get_output_json_schema(self) -> dict[str, Any]:
        """What comes out, as a JSON schema (draft 2020-12)."""
        return output_schema(self.definition)

    # Running --------------------------------------------------------------------------------------------------

    def invoke(
        self,
        input: Input = None,
        config: Config | None = None,
        *,
        thread: str | None = None,
        checkpointer: Saver | None = None,
        recursion_limit: int | None = None,
        durability: Durability | None = None,
        interrupt_before: Collection[str] | None = None,
        interrupt_after: Collection[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        context: Any = None,
    ) -> Output:
        """Run until nothing is left, a question is asked or a breakpoint reached.

        With `input` None the thread goes on with its unfinished work. Naming an older checkpoint that has
        unfinished work replays it. `recursion_limit` counts the steps of this call (25 unless told).

        Raises:
            NodeFailed: a node raised; its exception is the cause, and what its siblings did is saved.
            ThreadNotFound: `input` is None and the thread does not exist.
            RecursionLimit: the steps are used up.
        """
        call = self._invoke(
            input,
            config,
            thread,
            checkpointer,
            recursion_limit=recursion_limit,
            durability=durability,
            interrupt_before=interrupt_before,
            interrupt_after=interrupt_after,
            metadata=metadata,
            context=context,
        )
        return driven(call)

    async def ainvoke(self, input: Input = None, config: Config | None = None, **options: Any) -> Output:
        """`invoke` on the caller's event loop: async nodes run there, sync ones on the executor."""
        call = await asyncio.to_thread(self._invoke_by_name, input, config, options)
        return await adriven(call)

    def stream(self, input: Input = None, config: Config | None = None, **options: Any) -> Iterator[RunEvent]:
        """`invoke`, telling each event as it happens. The last event is `Stopped`, with the output."""
        yield from told(self._invoke_by_name(input, config, options, observed=True))

    async def astream(
        self, input: Input = None, config: Config | None = None, **options: Any
    ) -> AsyncIterator[RunEvent]:
        """`stream` on the caller's event loop."""
        call = await asyncio.to_thread(self._invoke_by_name, input, config, options, observed=True)
        async for event in atold(call):
            yield event

    def resume(
        self,
        answer: Any = None,
        config: Config | None = None,
        *,
        thread: str | None = None,
        checkpointer: Saver | None = None,
        **options: Any,
    ) -> Output:
        """Answer the open question and run on; a mapping of id to answer answers several.

        None is an answer like any other; at a breakpoint it only means to go on. Answering a checkpoint that
        was answered before starts a branch.

        Raises:
            AmbiguousResume: several questions are open and the answer does not say which it is for.
            NothingToResume: nothing holds the thread.
        """
        return driven(self._resume(answer, config, thread, checkpointer, options))

    async def aresume(
        self,
        answer: Any = None,
        config: Config | None = None,
        *,
        thread: str | None = None,
        checkpointer: Saver | None = None,
        **options: Any,
    ) -> Output:
        """`resume` on the caller's event loop."""
        call = await asyncio.to_thread(self._resume, answer, config, thread, checkpointer, options)
        return await adriven(call)

    def replay(
        self,
        config: Config | None = None,
        *,
        thread: str | None = None,
        checkpointer: Saver | None = None,
        **options: Any,
    ) -> Output:
        """Run on from a checkpoint: what came before is not run again, what follows is, and questions are asked anew.

        The old history stays, the result becomes the thread's head. A finished checkpoint runs nothing.
        """
        return driven(self._replay(config, thread, checkpointer, options))

    async def areplay(
        self,
        config: Config | None = None,
        *,
        thread: str | None = None,
        checkpointer: Saver | None = None,
        **options: Any,
    ) -> Output:
        """`replay` on the caller's event loop."""
        call = await asyncio.to_thread(self._replay, config, thread, checkpointer, options)
        return await adriven(call)

    # Reading --------------------------------------------------------------------------------------------------

    def get_state(
        self, config: Config | None = None, *, thread: str | None = None, checkpointer: Saver | None = None
    ) -> Snapshot | None:
        """The state at a checkpoint, or at the thread's live head; None when there is none. Runs nothing."""
        return self._source(checkpointer).snapshot(CheckpointRef.parse(config, thread=thread))

    async def aget_state(self, config: Config | None = None, **options: Any) -> Snapshot | None:
        """`get_state` in a thread."""
        return await asyncio.to_thread(self.get_state, config, **options)

    def get_state_history(
        self,
        config: Config | None = None,
        *,
        thread: str | None = None,
        limit: int | None = None,
        before: Config | None = None,
        filter: Mapping[str, Any] | None = None,
        checkpointer: Saver | None = None,
    ) -> Iterator[Snapshot]:
        """A thread's checkpoints, newest first, as each run left them.

        Args:
            config: the thread.
            thread: the thread by its id.
            limit: at most so many.
            before: only checkpoints committed before this one.
            filter: metadata by equality.
            checkpointer: another saver than the compiled one.
        """
        saver = self.saver_for(checkpointer)
        ref = CheckpointRef.parse(config, thread=thread)
        cursor = None if before is None else CheckpointRef.parse(before).to_config()
        listed = saver.list(ref.at(None).to_config(), limit=limit, before=cursor, filter=filter)
        source = self._source(checkpointer)
        return (source.view(found, live=False) for found in listed)

    async def aget_state_history(self, config: Config | None = None, **options: Any) -> AsyncIterator[Snapshot]:
        """`get_state_history`, each read in a thread."""
        found = await asyncio.to_thread(self.get_state_history, config, **options)
        while (snapshot := await asyncio.to_thread(next, found, None)) is not None:
            yield snapshot

    def history(
        self, thread: Config, *, namespace: str = "", lineage: bool = False, checkpointer: Saver | None = None
    ) -> History:
        """The thread's history as data: a table in a notebook, frames, SQL, differences.

        A config or a `Snapshot` stands for its thread and namespace; `lineage` keeps only what led to the head.
        """
        from weavenb.history.history import History

        ref = CheckpointRef.parse(thread)
        source = self._source(checkpointer)
        return History(source, ref.thread, namespace=namespace or ref.namespace, lineage=lineage)

    # Writing --------------------------------------------------------------------------------------------------

    def update_state(
        self,
        config: Config | None = None,
        values: Mapping[str, Any] | None = None,
        *,
        thread: str | None = None,
        as_node: str | None = None,
        task_id: str | None = None,
        branch: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        checkpointer: Saver | None = None,
    ) -> dict[str, Any]:
        """Write `values` through the reducers as a new checkpoint, and return its config. Nothing runs.

        The edit counts as written by `as_node`, else by the node that wrote last, whose edges are decided again.
        In an open step finished work is kept and unfinished work stays pending. `branch` names the line that starts.

        Raises:
            AmbiguousUpdate: several nodes wrote last; nothing is written.
        """
        if branch is not None and (not isinstance(branch, str) or not branch):
            raise InvalidGraph(f"branch is {branch!r}: name the new line by a text, or leave it out.")
        saver = self.saver_for(checkpointer)
        ref = CheckpointRef.parse(config, thread=thread)
        options = options_of(self.settings, config, metadata=metadata)
        made = update(
            self.definition,
            saver,
            ref,
            {} if values is None else values,
            as_node=as_node,
            task_id=task_id,
            branch=branch,
            options=options,
        )
        return dict(made.to_config())

    async def aupdate_state(
        self, config: Config | None = None, values: Mapping[str, Any] | None = None, **options: Any
    ) -> dict[str, Any]:
        """`update_state` in a thread."""
        return await asyncio.to_thread(self.update_state, config, values, **options)

    def fork(self, config: Config | None = None, *, thread: str, checkpointer: Saver | None = None) -> dict[str, Any]:
        """Copy a checkpoint and what led to it into the new `thread`, and return its config there.

        Raises:
            ThreadExists: `thread` already has history.
        """
        saver = self.saver_for(checkpointer)
        ref = CheckpointRef.parse(config)
        if ref.checkpoint is None:
            head = saver.get_tuple(ref.to_config())
            ref = ref if head is None else ref.at(str(head.checkpoint["id"]))
        return saver.fork_at(ref.to_config(), CheckpointRef.parse(thread=thread).thread)

    async def afork(self, config: Config | None = None, **options: Any) -> dict[str, Any]:
        """`fork` in a thread."""
        return await asyncio.to_thread(self.fork, config, **options)

    # Showing --------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        """Byte-stable: name and nodes."""
        return f"CompiledGraph({self.name!r}, nodes={list(self.definition.nodes)!r})"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002 - IPython passes both
        """The drawn graph, for a notebook."""
        from weavenb.graph.shown import mimebundle

        return mimebundle(self.definition.topology, repr(self))

    # Inside ---------------------------------------------------------------------------------------------------

    def saver_for(self, given: Saver | None = None) -> Saver:
        """The saver of a call: the one it was given, else the graph's own.

        Raises:
            InvalidGraph: there is none.
        """
        saver = self.settings.checkpointer if given is None else given
        if saver is None:
            raise InvalidGraph(
                "This graph has no saver, so it has no history: compile(checkpointer=DuckDBSaver(path)),"
                " or pass checkpointer= to the call."
            )
        return saver

    def _source(self, checkpointer: Saver | None) -> GraphSource:
        from weavenb.graph.source import GraphSource

        return GraphSource(self, self.saver_for(checkpointer))

    def _invoke_by_name(
        self, given: Input, config: Config | None, options: dict[str, Any], *, observed: bool = False
    ) -> Call:
        known = dict(options)
        thread, checkpointer = known.pop("thread", None), known.pop("checkpointer", None)
        return self._invoke(given, config, thread, checkpointer, observed=observed, **known)

    def _invoke(
        self,
        given: Input,
        config: Config | None,
        thread: str | None,
        checkpointer: Saver | None,
        *,
        observed: bool = False,
        **options: Any,
    ) -> Call:
        saver = self.settings.checkpointer if checkpointer is None else checkpointer
        where = _standard(config)
        ref = None
        if saver is not None or thread is not None or where is not None:
            ref = CheckpointRef.parse(where, thread=thread)
        chosen = options_of(self.settings, config, observed=observed, **options)
        return start_invoke(self.definition, saver, ref, given, chosen)

    def _resume(
        self,
        answer: Any,
        config: Config | None,
        thread: str | None,
        checkpointer: Saver | None,
        options: dict[str, Any],
    ) -> Call:
        ref = CheckpointRef.parse(config, thread=thread)
        chosen = options_of(self.settings, config, **options)
        return start_resume(self.definition, self.saver_for(checkpointer), ref, answer, chosen)

    def _replay(
        self, config: Config | None, thread: str | None, checkpointer: Saver | None, options: dict[str, Any]
    ) -> Call:
        ref = CheckpointRef.parse(config, thread=thread)
        chosen = options_of(self.settings, config, **options)
        return start_replay(self.definition, self.saver_for(checkpointer), ref, chosen)


def _standard(config: Config | None) -> Config | None:
    """A mapping without ``configurable`` only carries options, such as a recursion limit."""
    if isinstance(config, Mapping) and "configurable" not in config and not hasattr(config, "config"):
        return None
    return config
