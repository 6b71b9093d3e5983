"""`debug`: the door to the debugger."""

from __future__ import annotations

import weakref
from typing import Any

from weavenb.history.source import HistorySource
from weavenb.session.session import DebugSession
from weavenb.widgets.inspector import PANELS, Inspector

__all__ = ["ActionBar", "Debugger", "DiffView", "GraphView", "Timeline", "debug"]


class Debugger(Inspector):
    """All panels."""


class GraphView(Inspector):
    """The graph alone."""

    def __init__(self, session: DebugSession, **options: Any) -> None:
        super().__init__(session, **{"panels": ("graph",), **options})


class Timeline(Inspector):
    """The branching timeline alone."""

    def __init__(self, session: DebugSession, **options: Any) -> None:
        super().__init__(session, **{"panels": ("timeline",), **options})


class DiffView(Inspector):
    """The selected state and what changed, alone."""

    def __init__(self, session: DebugSession, **options: Any) -> None:
        super().__init__(session, **{"panels": ("details",), **options})


class ActionBar(Inspector):
    """The buttons that write, alone."""

    def __init__(self, session: DebugSession, **options: Any) -> None:
        super().__init__(session, **{"panels": ("details", "actions"), **options})


def debug(app_or_history: Any, thread: str | None = None, **options: Any) -> Debugger:
    """The debugger of one thread, as the last line of a cell.

    `app_or_history` is a compiled graph, a `History`, or anything that is a `HistorySource` (what is
    `Steerable` too gets buttons that work). Without `thread` it opens the newest one. `options` are
    view settings: ``panels``, ``theme`` ("auto", "light", "dark"), ``tab``.

    Raises:
        TypeError: for anything else.
    """
    source, own_thread = _source_of(app_or_history)
    thread = own_thread if thread is None else thread
    if thread is None:
        known = source.threads()
        thread = known[0].thread if known else "thread"
    options.setdefault("panels", PANELS)
    made = Debugger(DebugSession(source, thread), **options)
    _follow_cells(made)
    return made


def _source_of(given: Any) -> tuple[HistorySource, str | None]:
    """The source, and the thread it is about if it is about one."""
    if isinstance(given, HistorySource):
        return given, None
    from weavenb.graph.compiled import CompiledGraph
    from weavenb.graph.source import GraphSource
    from weavenb.history.history import History

    if isinstance(given, CompiledGraph):
        return GraphSource(given), None
    if isinstance(given, History):
        return given.source, given.thread
    message = f"debug() takes a compiled graph, a History or a HistorySource, not {type(given).__name__}"
    raise TypeError(message)


def _follow_cells(widget: Inspector) -> None:
    """In a notebook, look again after each cell, since it may have run the graph."""
    try:
        from IPython.core.getipython import get_ipython
    except ImportError:
        return
    shell = get_ipython()
    if shell is None:
        return
    known = weakref.ref(widget)

    def look(*_: object) -> None:
        there = known()
        if there is None or there.comm is None:
            shell.events.unregister("post_run_cell", look)
        elif there.views:
            there.refresh()

    shell.events.register("post_run_cell", look)
