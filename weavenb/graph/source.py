"""A compiled graph as the debugger sees an engine: it enters by the same door as a foreign one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from weavenb.history.saved import SavedHistory
from weavenb.model.refs import CheckpointRef
from weavenb.model.snapshots import Snapshot

if TYPE_CHECKING:
    from weavenb.graph.compiled import CompiledGraph
    from weavenb.savers.contract import CheckpointTuple, Saver

__all__ = ["GraphSource"]


class GraphSource(SavedHistory):
    """Reads a graph's saver with the graph's own channels, and steers the graph."""

    def __init__(self, app: CompiledGraph, saver: Saver | None = None) -> None:
        definition = app.definition
        super().__init__(
            app.saver_for(saver),
            definition.topology,
            channel_of=definition.channel_of,
            order=definition.order,
        )
        self.app = app

    def keys(self) -> Collection[str]:
        """Declared keys, written or not."""
        return self.app.definition.channels

    def takes_any_key(self) -> bool:
        """Whether the state is open."""
        return self.app.definition.open

    @property
    def def_hash(self) -> str:
        """Which code steers here; rows made by other code carry another one."""
        return self.app.definition.def_hash

    def view(self, found: CheckpointTuple, *, live: bool) -> Snapshot:
        """What a reader sees of a stored checkpoint."""
        return self._seen(found, live=live)

    def update(
        self, ref: CheckpointRef, values: Mapping[str, Any], *, as_node: str | None, branch: str | None
    ) -> CheckpointRef:
        """`update_state`."""
        made = self.app.update_state(ref.to_config(), values, as_node=as_node, branch=branch, checkpointer=self.saver)
        return CheckpointRef.parse(made)

    def replay(self, ref: CheckpointRef) -> CheckpointRef:
        """`replay`; where it came to."""
        return CheckpointRef.parse(self.app.replay(ref.to_config(), checkpointer=self.saver))

    def fork(self, ref: CheckpointRef, thread: str) -> CheckpointRef:
        """`fork` into a new thread."""
        return CheckpointRef.parse(self.app.fork(ref.to_config(), thread=thread, checkpointer=self.saver))

    def resume(self, ref: CheckpointRef, answer: Any) -> CheckpointRef:
        """`resume`; where it came to."""
        return CheckpointRef.parse(self.app.resume(answer, ref.to_config(), checkpointer=self.saver))
