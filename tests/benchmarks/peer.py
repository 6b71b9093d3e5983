"""LangGraph's side of the benchmarks, with its SQLite saver."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph

from tests.benchmarks.harness import Measured, stopwatch
from tests.benchmarks.workloads import (
    LIMIT,
    STEPS,
    Counting,
    Growing,
    after_count,
    after_grow,
    count,
    grow,
    stored_bytes,
)


def counting(saver: Any) -> Any:
    graph = StateGraph(Counting)
    graph.add_node("count", count)
    graph.add_edge(START, "count")
    graph.add_conditional_edges("count", after_count, {"count": "count", "done": END})
    return graph.compile(checkpointer=saver)


def growing(saver: Any) -> Any:
    graph = StateGraph(Growing)
    graph.add_node("grow", grow)
    graph.add_edge(START, "grow")
    graph.add_conditional_edges("grow", after_grow, {"grow": "grow", "done": END})
    return graph.compile(checkpointer=saver)


def config() -> dict[str, Any]:
    return {"configurable": {"thread_id": "t"}, "recursion_limit": LIMIT}


def bare(_: Path) -> Measured:
    app = counting(None)
    with stopwatch() as watch:
        out = app.invoke({"count": 0, "text": ""}, config())
    assert out["count"] == STEPS
    return {"run": watch.seconds}


def stored(folder: Path, durability: str) -> Measured:
    path = folder / "peer.sqlite"
    with SqliteSaver.from_conn_string(str(path)) as saver:
        app = counting(saver)
        with stopwatch() as watch:
            app.invoke({"count": 0, "text": ""}, config(), durability=durability)
    return {"run": watch.seconds, "bytes": stored_bytes(path)}


def growing_list(folder: Path, items: int) -> Measured:
    path = folder / "peer.sqlite"
    with SqliteSaver.from_conn_string(str(path)) as saver:
        app = growing(saver)
        with stopwatch() as watch:
            out = app.invoke({"items": [], "wanted": items}, config(), durability="sync")
        with closing(saver.conn.cursor()) as cursor:
            cursor.execute("pragma wal_checkpoint(truncate)")
    assert len(out["items"]) == items
    return {"run": watch.seconds, "bytes": stored_bytes(path)}
