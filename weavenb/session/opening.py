"""What a debugger can be opened on."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, Union

from weavenb.history.source import HistorySource

if TYPE_CHECKING:
    from weavenb.graph.compiled import CompiledGraph
    from weavenb.history.history import History

__all__ = ["Openable", "newest_of", "source_of"]

Openable: TypeAlias = Union[HistorySource, "CompiledGraph", "History"]


def source_of(given: object) -> tuple[HistorySource, str | None]:
    """The source, and the thread it is about if it is about one.

    Raises:
        TypeError: for what has no history.
    """
    if isinstance(given, HistorySource):
        return given, None
    from weavenb.graph.compiled import CompiledGraph
    from weavenb.graph.source import GraphSource
    from weavenb.history.history import History

    if isinstance(given, CompiledGraph):
        return GraphSource(given), None
    if isinstance(given, History):
        return given.source, given.thread
    message = f"the debugger takes a compiled graph, a History or a HistorySource, not {type(given).__name__}"
    raise TypeError(message)


def newest_of(source: HistorySource) -> str:
    """The newest thread; a name to begin with when there is none."""
    known = source.threads()
    return known[0].thread if known else "thread"
