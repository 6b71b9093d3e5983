"""How the writes of one step come together, and where they lead."""

from __future__ import annotations

import threading

import pytest

from tests.engine.graphs import Log, graph_of, in_line, says, side_by_side
from weavenb import END, START, Command, Send, StateGraph
from weavenb.errors import InvalidUpdate


def test_parallel_writes_apply_in_declaration_order_and_never_by_speed(store):
    turns = {name: threading.Event() for name in "abcd"}
    names = list("abcd")

    def node(name):
        def run(state):
            at = names.index(name)
            if at + 1 < len(names):
                assert turns[names[at + 1]].wait(10)
            turns[name].set()
            return {"log": [name]}

        return run

    app = side_by_side(store.saver, {name: node(name) for name in names})
    live = app.invoke({}, thread="t")["log"]

    assert live == names

    app = side_by_side(store.reopened(), {name: says(name) for name in names})

    assert app.get_state(thread="t").values["log"] == live
    assert app.invoke({}, thread="t")["log"][:4] == live


def test_sends_apply_in_their_order_after_the_plain_task_of_their_node(saver):
    def split(state):
        return {"log": ["split"]}

    def work(state):
        return {"log": [f"w{state.get('x', '')}"]}

    graph = StateGraph(Log)
    graph.add_node("w", work)
    graph.add_node("split", split)
    graph.add_edge(START, "split")
    graph.add_edge("split", "w")
    graph.add_conditional_edges("split", lambda state: [Send("w", {"x": n}) for n in (3, 1, 2)])
    app = graph.compile(saver)

    assert app.invoke({}, thread="t")["log"] == ["split", "w", "w3", "w1", "w2"]


def test_two_plain_writes_of_a_key_are_invalid_naming_key_writers_and_values(saver):
    app = side_by_side(saver, {"a": lambda state: {"x": 1}, "b": lambda state: {"x": 2}})
    with pytest.raises(InvalidUpdate) as found:
        app.invoke({"x": 0}, thread="t")
    details = found.value.details
    seen = app.get_state(thread="t")

    assert (details["channel"], details["writers"]) == ("x", {"a": 1, "b": 2})
    assert details["x"] == {"a": 1, "b": 2}
    assert seen.error is not None
    assert seen.next == ("a", "b")
    assert seen.values["x"] == 0
    assert len(list(app.get_state_history(thread="t"))) == 1


def test_a_thread_with_two_plain_writes_is_repaired_by_an_edit(saver):
    app = graph_of(
        saver,
        {"a": lambda state: {"x": 1}, "b": lambda state: {"x": 2}, "c": says("c")},
        [(START, "a"), (START, "b"), ("a", "c")],
    )
    with pytest.raises(InvalidUpdate):
        app.invoke({"x": 0}, thread="t")
    app.update_state("t", {"x": 7}, as_node="b")
    app.update_state("t", {}, as_node="a")

    assert app.get_state(thread="t").next == ("c",)
    assert app.invoke(None, thread="t") == {"x": 7, "log": ["c"]}


def test_a_thread_with_two_plain_writes_is_repaired_by_other_code(saver):
    app = side_by_side(saver, {"a": lambda state: {"x": 1}, "b": lambda state: {"x": 2}, "c": says("c")})
    with pytest.raises(InvalidUpdate):
        app.invoke({"x": 0}, thread="t")
    mended = side_by_side(saver, {"a": lambda state: {"x": 1}, "b": lambda state: {"y": 2}, "c": says("c")})

    assert mended.invoke(None, thread="t") == {"x": 1, "y": 2, "log": ["c"]}


def test_two_sends_of_one_node_that_write_a_plain_key_are_told_apart_by_task(saver):
    app = graph_of(
        saver,
        {"split": lambda state: [Send("w", {"x": 1}), Send("w", {"x": 2})], "w": lambda state: {"x": state["x"]}},
        [(START, "split")],
    )
    with pytest.raises(InvalidUpdate) as found:
        app.invoke({}, thread="t")

    assert sorted(found.value.details["writers"].values()) == [1, 2]


def test_guards_see_the_merged_state(saver):
    graph = StateGraph(Log)
    seen: list[list[str]] = []

    def guard(state):
        seen.append(state["log"])
        return True

    for name in ("a", "b", "c"):
        graph.add_node(name, says(name))
    graph.add_edge(START, "a")
    graph.add_edge(START, "b")
    graph.add_edge("a", "c", when=guard)
    graph.compile(saver).invoke({}, thread="t")

    assert seen == [["a", "b"]]


@pytest.mark.parametrize(
    ("x", "ran"),
    [(1, ["one", "odd"]), (2, ["small"]), (3, ["odd"]), (8, ["other"])],
)
def test_all_guards_that_match_fire_and_the_default_only_if_none(saver, x, ran):
    graph = StateGraph(Log)
    graph.add_node("a", lambda state: None)
    for name in ("one", "odd", "small", "other"):
        graph.add_node(name, says(name))
    graph.add_edge(START, "a")
    graph.add_edge("a", "one", when={"x": 1})
    graph.add_edge("a", "odd", when=lambda state: state["x"] % 2)
    graph.add_edge("a", "small", when=lambda state: state["x"] == 2)
    graph.add_edge("a", "other", default=True)

    assert graph.compile(saver).invoke({"x": x}, thread="t")["log"] == ran


def test_guards_of_the_entry_see_the_input(saver):
    graph = StateGraph(Log)
    for name in ("a", "b"):
        graph.add_node(name, says(name))
    graph.add_edge(START, "a", when={"x": 1})
    graph.add_edge(START, "b", default=True)
    app = graph.compile(saver)

    assert app.invoke({"x": 1}, thread="one")["log"] == ["a"]
    assert app.invoke({"x": 2}, thread="two")["log"] == ["b"]


def test_a_guard_cannot_change_the_state(saver):
    graph = StateGraph(Log)

    def guard(state):
        state["log"].append("guard")
        return True

    graph.add_node("a", says("a"))
    graph.add_node("b", says("b"))
    graph.add_edge(START, "a")
    graph.add_edge("a", "b", when=guard)

    assert graph.compile(saver).invoke({}, thread="t")["log"] == ["a", "b"]


@pytest.mark.parametrize(
    ("goto", "log"),
    [("c", ["a", "c"]), (END, ["a"]), (["b", "c"], ["a", "b", "c"]), ((), ["a", "b"]), (Send("c", {}), ["a", "c"])],
)
def test_a_command_takes_the_place_of_its_nodes_edges(saver, goto, log):
    app = graph_of(
        saver,
        {"a": lambda state: Command(goto=goto, update={"log": ["a"]}), "b": says("b"), "c": says("c")},
        [(START, "a"), ("a", "b")],
    )

    assert app.invoke({}, thread="t")["log"] == log


def test_a_command_keeps_its_node_from_arriving_at_a_join(saver):
    app = graph_of(
        saver,
        {"a": lambda state: Command(goto="c"), "b": says("b"), "c": says("c"), "j": says("j")},
        [(START, "a"), (START, "b"), (["a", "b"], "j")],
    )
    out = app.invoke({}, thread="t")

    assert out["log"] == ["b", "c"]
    assert len(out.warnings) == 1


def test_a_router_sees_the_writes_of_its_own_node(saver):
    graph = StateGraph(Log)
    seen: list[list[str]] = []
    graph.add_node("a", says("a"))
    graph.add_edge(START, "a")
    graph.add_conditional_edges("a", lambda state: seen.append(state["log"]))
    graph.compile(saver).invoke({"log": ["in"]}, thread="t")

    assert seen == [["in", "a"]]


def test_two_edges_to_one_node_run_it_once(saver):
    app = graph_of(
        saver,
        {name: says(name) for name in "abc"},
        [(START, "a"), (START, "b"), ("a", "c"), ("b", "c")],
    )

    assert app.invoke({}, thread="t")["log"] == ["a", "b", "c"]


def test_a_join_waits_for_all_and_fires_again_on_the_next_turn(saver):
    app = graph_of(
        saver,
        {name: says(name) for name in ("a", "b", "b2", "j")},
        [(START, "a"), (START, "b"), ("b", "b2"), (["a", "b2"], "j")],
    )

    assert app.invoke({}, thread="t")["log"] == ["a", "b", "b2", "j"]
    assert app.invoke({}, thread="t")["log"] == ["a", "b", "b2", "j"] * 2


def test_a_node_writes_several_keys_by_several_updates(saver):
    app = in_line(saver, {"a": lambda state: [{"x": 1}, Command(update={"y": 2}), None]})

    assert app.invoke({}, thread="t") == {"log": [], "x": 1, "y": 2}
