"""`StateGraph`: declare nodes and edges, then compile."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Executor
from typing import TYPE_CHECKING

from weavenb.definition.builder import GraphBuilder
from weavenb.graph.compiled import CompiledGraph
from weavenb.graph.settings import Durability, Settings

if TYPE_CHECKING:
    from weavenb.savers.contract import Saver

__all__ = ["StateGraph"]


class StateGraph(GraphBuilder):
    """A workflow of functions over one shared state.

    A schema class (a TypedDict) makes the state closed: an unknown key is an error that names the nearest one.
    ``state={}`` makes it open: undeclared keys are plain values.
    """

    def compile(
        self,
        checkpointer: Saver | None = None,
        *,
        executor: Executor | None = None,
        durability: Durability = "async",
        interrupt_before: Collection[str] = (),
        interrupt_after: Collection[str] = (),
        debug: bool = False,
    ) -> CompiledGraph:
        """Check the definition and make it runnable.

        Args:
            checkpointer: where history goes; without one nothing is saved.
            executor: runs the nodes of a step; any `concurrent.futures.Executor`. By default threads, and
                a step of one node runs in the caller's own thread.
            durability: ``"async"`` writes at each step and syncs to disk while the next runs; ``"sync"`` syncs
                before the next starts. Either way a call returns only when all is on disk.
            interrupt_before: nodes before which every run stops.
            interrupt_after: nodes after which every run stops.
            debug: find nodes that change their input in place, and say so in ``out.warnings``.

        Raises:
            GraphError: a rule of the definition is broken.
        """
        definition = self.build()
        settings = Settings(
            checkpointer=checkpointer,
            executor=executor,
            durability=durability,
            before=definition.check_nodes(tuple(_names(interrupt_before)), "interrupt_before"),
            after=definition.check_nodes(tuple(_names(interrupt_after)), "interrupt_after"),
            debug=debug,
        )
        return CompiledGraph(definition, settings)


def _names(given: Collection[str]) -> Collection[str]:
    return (given,) if isinstance(given, str) else given
