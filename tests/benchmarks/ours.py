"""weavenb's side of the benchmarks."""

from __future__ import annotations

from pathlib import Path

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
from weavenb import END, START, DuckDBSaver, StateGraph


def counting() -> StateGraph:
    graph = StateGraph(Counting)
    graph.add_node("count", count)
    graph.add_edge(START, "count")
    graph.add_conditional_edges("count", after_count, {"count": "count", "done": END})
    return graph


def growing() -> StateGraph:
    graph = StateGraph(Growing)
    graph.add_node("grow", grow)
    graph.add_edge(START, "grow")
    graph.add_conditional_edges("grow", after_grow, {"grow": "grow", "done": END})
    return graph


def bare(_: Path) -> Measured:
    app = counting().compile()
    with stopwatch() as watch:
        out = app.invoke({"count": 0, "text": ""}, recursion_limit=LIMIT)
    assert out["count"] == STEPS
    return {"run": watch.seconds}


def stored(folder: Path, durability: str) -> Measured:
    path = folder / "ours.duckdb"
    saver = DuckDBSaver(path)
    app = counting().compile(checkpointer=saver, durability=durability)
    with stopwatch() as closed:
        with stopwatch() as drained:
            with stopwatch() as watch:
                app.invoke({"count": 0, "text": ""}, thread="t", recursion_limit=LIMIT)
            # A cursor is handed out once DuckDB's tables hold every step.
            saver.cursor().close()
        saver.close()
    return {
        "run": watch.seconds,
        "run and drain": drained.seconds,
        "run and close": closed.seconds,
        "bytes": stored_bytes(path),
    }


def growing_list(folder: Path, items: int) -> Measured:
    path = folder / "ours.duckdb"
    saver = DuckDBSaver(path)
    app = growing().compile(checkpointer=saver)
    with stopwatch() as watch:
        out = app.invoke({"items": [], "wanted": items}, thread="t", recursion_limit=LIMIT)
    saver.close()
    assert len(out["items"]) == items
    return {"run": watch.seconds, "bytes": stored_bytes(path)}
