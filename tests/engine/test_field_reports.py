"""What engines of this kind got wrong, and that has no other home."""

from __future__ import annotations

import time

import pytest

from tests.engine.graphs import Log, graph_of, in_line, says
from weavenb import START, DuckDBSaver, MemorySaver, StateGraph


def test_every_checkpoint_names_its_producers(saver):
    app = graph_of(
        saver,
        {name: says(name) for name in "abcd"},
        [(START, "a"), ("a", "b"), ("a", "c"), (["b", "c"], "d")],
    )
    app.invoke({}, thread="t")

    assert [found.produced_by for found in app.get_state_history(thread="t")] == [
        ("d",),
        ("b", "c"),
        ("a",),
        ("__start__",),
    ]


def test_a_list_that_grows_costs_what_was_added(tmp_path):
    path = tmp_path / "runs.duckdb"
    with DuckDBSaver(path) as saver:
        app = graph_of(saver, {"a": lambda state: {"log": ["x" * 1000]}}, [(START, "a"), ("a", "a")])
        with pytest.raises(Exception, match="used its 400 steps"):
            app.invoke({}, thread="t", recursion_limit=400)
    size = sum(file.stat().st_size for file in tmp_path.iterdir())

    assert size < 4_000_000


def test_the_head_of_a_long_thread_is_read_quickly():
    saver = MemorySaver()
    app = graph_of(saver, {"a": lambda state: {"log": ["x" * 1000]}}, [(START, "a"), ("a", "a")])
    with pytest.raises(Exception, match="used its"):
        app.invoke({"x": 1}, thread="t", recursion_limit=500)
    app.get_state(thread="t")
    began = time.perf_counter()
    for _ in range(10):
        app.get_state(thread="t")
    each = (time.perf_counter() - began) / 10

    assert each < 0.05


def test_an_untyped_router_makes_no_edge_to_the_end():
    graph = StateGraph(Log)
    for name in "abc":
        graph.add_node(name, says(name))
    graph.add_edge(START, "a")
    graph.add_conditional_edges("a", lambda state: "b")
    graph.add_edge("b", "c")
    edges = [(edge["from"], edge["to"]) for edge in graph.compile().describe()["edges"]]

    assert ("a", "__end__") not in edges
    assert ("b", "c") in edges


@pytest.mark.parametrize("name", ["a", "end", "class", "graph", "a b", "<x>", "ä", "1", "n.0.x"])
def test_a_node_of_any_name_is_run_kept_and_drawn(saver, name):
    app = graph_of(saver, {name: says(name), "after": says("after")}, [(START, name), (name, "after")])
    app.invoke({}, thread="t", interrupt_before=["after"])
    app.update_state("t", {"log": ["edit"]})

    assert app.invoke(None, thread="t") == {"log": [name, "edit", "after"]}
    assert app._repr_mimebundle_()["text/html"].startswith("<img")


def test_a_carried_node_with_dots_in_its_name_still_leads_on(saver):
    broken = [True]

    def fails(state):
        if broken.pop() if broken else False:
            raise RuntimeError("once")
        return {"log": ["bad"]}

    app = graph_of(
        saver,
        {"n.0.x": says("n"), "bad": fails, "after": says("after")},
        [(START, "n.0.x"), (START, "bad"), ("n.0.x", "after")],
    )
    with pytest.raises(Exception, match="once"):
        app.invoke({}, thread="t")
    app.update_state("t", {"log": ["edit"]})

    assert app.invoke(None, thread="t")["log"] == ["n", "edit", "bad", "after"]


def test_a_long_story_of_turns_is_the_same_after_it_is_opened_again(store):
    def app_of(saver):
        return in_line(saver, {"a": says("a"), "b": says("b")})

    app = app_of(store.saver)
    for turn in range(5):
        app.invoke({"log": [str(turn)]}, thread="t")
    before = list(app.get_state_history(thread="t"))
    head = app.get_state(thread="t")
    app = app_of(store.reopened())

    assert list(app.get_state_history(thread="t")) == before
    assert app.get_state(thread="t") == head
