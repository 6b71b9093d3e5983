"""`debug`: the door to the debugger."""

from __future__ import annotations

from typing import Any

from weavenb.session.opening import Openable
from weavenb.session.session import DebugSession
from weavenb.widgets.inspector import PANELS, Inspector

__all__ = ["ActionBar", "Debugger", "DiffView", "GraphView", "Timeline", "debug"]


class Debugger(Inspector):
    """All panels."""


class GraphView(Inspector):
    """The graph alone."""

    def __init__(self, given: DebugSession | Openable, thread: str | None = None, **options: Any) -> None:
        super().__init__(given, thread, **{"panels": ("graph",), **options})


class Timeline(Inspector):
    """The branching timeline alone."""

    def __init__(self, given: DebugSession | Openable, thread: str | None = None, **options: Any) -> None:
        super().__init__(given, thread, **{"panels": ("timeline",), **options})


class DiffView(Inspector):
    """The selected state and what changed, alone."""

    def __init__(self, given: DebugSession | Openable, thread: str | None = None, **options: Any) -> None:
        super().__init__(given, thread, **{"panels": ("details",), **options})


class ActionBar(Inspector):
    """The buttons that write, alone."""

    def __init__(self, given: DebugSession | Openable, thread: str | None = None, **options: Any) -> None:
        super().__init__(given, thread, **{"panels": ("details", "actions"), **options})


def debug(app_or_history: Any, thread: str | None = None, **options: Any) -> Debugger:
    """The debugger of one thread, as the last line of a cell.

    `app_or_history` is a compiled graph, a `History`, or anything that is a `HistorySource` (what is
    `Steerable` too gets buttons that work). Without `thread` it opens the newest one. `options` are
    view settings: ``panels``, ``theme`` ("auto", "light", "dark"), ``tab``.

    Raises:
        TypeError: for anything else.
    """
    return Debugger(app_or_history, thread, **{"panels": PANELS, **options})
