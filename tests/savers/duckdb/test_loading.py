from __future__ import annotations

import operator
import time
from typing import Annotated, TypedDict

import pytest

from weavenb import START, DuckDBSaver, StateGraph
from weavenb.savers.duckdb import loading

TEXT = "x" * 1_000


class State(TypedDict, total=False):
    """One value replaced each step, one that grows, one that is written once."""

    count: int
    text: str
    log: Annotated[list[str], operator.add]
    once: str


def count(state):
    number = state["count"] + 1
    return {"count": number, "text": f"{number}{TEXT}", "log": [f"{number}{TEXT}"]}


@pytest.fixture
def app(tmp_path):
    graph = StateGraph(State)
    graph.add_node("count", count)
    graph.add_edge(START, "count")
    graph.add_edge("count", "count", when=lambda state: state["count"] % 50 != 0)
    with DuckDBSaver(tmp_path / "runs.duckdb") as saver:
        yield graph.compile(saver)


def held(app, *, below=None):
    """Bytes of values in memory, once DuckDB has all; waits until they are fewer than `below`."""
    store = app.settings.checkpointer._store
    store.drain()
    end = time.monotonic() + 10
    while below is not None and store.shelf.book("t").held >= below and time.monotonic() < end:
        time.sleep(0.01)
    return store.shelf.book("t").held


def expected(number):
    log = [f"{n}{TEXT}" for n in range(1, number + 1)]
    return {"count": number, "once": TEXT, **({"text": log[-1], "log": log} if log else {"log": []})}


def test_values_that_duckdb_has_do_not_fill_the_memory(app, monkeypatch):
    monkeypatch.setattr(loading, "HELD", 20_000)
    for _ in range(3):
        head = app.get_state(thread="t")
        app.invoke({"count": 0 if head is None else head.values["count"], "once": TEXT}, thread="t", recursion_limit=60)

        assert held(app, below=20_000) < 20_000

    newest = app.get_state(thread="t")
    whole = [found.values["count"] for found in app.get_state_history(thread="t")]

    assert newest.values == expected(150)
    assert whole == [150 - n for n in range(51)] + [100 - n for n in range(51)] + [50 - n for n in range(51)]


def test_a_list_that_is_being_read_stays_right_while_values_are_let_go(app, monkeypatch):
    monkeypatch.setattr(loading, "HELD", 5_000)
    app.invoke({"count": 0, "once": TEXT}, thread="t", recursion_limit=60)
    little = held(app, below=5_000)
    reading = app.get_state_history(thread="t")
    found = [next(reading)]
    app.invoke({"count": 50}, thread="t", recursion_limit=60)
    held(app, below=5_000)
    found += list(reading)

    assert little < 5_000
    assert [snapshot.values for snapshot in found] == [expected(n) for n in range(50, -1, -1)]


def test_what_is_little_stays_in_memory(app):
    app.invoke({"count": 0, "once": TEXT}, thread="t", recursion_limit=60)

    assert held(app) > 100_000
