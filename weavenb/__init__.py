"""weavenb: a time-travel debugger for graph workflows that lives in a notebook."""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "StateGraph": "weavenb.graph.builder",
    "CompiledGraph": "weavenb.graph.compiled",
    "Output": "weavenb.graph.output",
    "START": "weavenb.model.topology",
    "END": "weavenb.model.topology",
    "Send": "weavenb.model.tasks",
    "Command": "weavenb.model.tasks",
    "Snapshot": "weavenb.model.snapshots",
    "Interrupt": "weavenb.model.snapshots",
    "interrupt": "weavenb.runtime.context",
    "Runtime": "weavenb.runtime.context",
    "LastValue": "weavenb.channels.last_value",
    "Reducer": "weavenb.channels.reducer",
    "DeltaChannel": "weavenb.channels.delta",
    "Saver": "weavenb.savers.contract",
    "MemorySaver": "weavenb.savers.memory",
    "DuckDBSaver": "weavenb.savers.duckdb.saver",
    "History": "weavenb.history.history",
    "DebugSession": "weavenb.session.session",
    "debug": "weavenb.widgets.debugger",
    "Debugger": "weavenb.widgets.debugger",
    "GraphView": "weavenb.widgets.debugger",
    "Timeline": "weavenb.widgets.debugger",
    "DiffView": "weavenb.widgets.debugger",
    "ActionBar": "weavenb.widgets.debugger",
    "WeaveError": "weavenb.errors",
    "GraphError": "weavenb.errors",
    "RunError": "weavenb.errors",
    "StoreError": "weavenb.errors",
}
"""Where each public name lives. It is loaded when it is first asked for."""

__all__ = sorted(_HOME)  # noqa: PLE0605 - one list of the names, in `_HOME`


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        message = f"module 'weavenb' has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__doc__", "__name__"]
