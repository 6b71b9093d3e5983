"""What a node changes in place stays in the node."""

from __future__ import annotations

import threading
from typing import Any, TypedDict

import numpy as np
import pytest

from tests.engine.graphs import Log, graph_of, in_line, says, side_by_side
from weavenb import START, Reducer, Send, StateGraph, interrupt


def mutates(state):
    state["items"].append("MUT")
    state["log"].append("MUT")
    state["new"] = 1


def test_an_in_place_change_reaches_neither_caller_nor_result_nor_history(saver):
    given: dict[str, Any] = {"items": ["a"], "log": ["in"]}
    app = in_line(saver, {"n": mutates, "m": says("m")})
    out = app.invoke(given, thread="t")

    assert given == {"items": ["a"], "log": ["in"]}
    assert out == {"items": ["a"], "log": ["in", "m"]}
    assert app.get_state(thread="t").values == out
    assert all("MUT" not in found.values["items"] for found in app.get_state_history(thread="t"))


def test_an_in_place_change_does_not_reach_a_sibling(saver):
    changed = threading.Event()
    seen: list[list[str]] = []

    def first(state):
        mutates(state)
        changed.set()

    def second(state):
        assert changed.wait(10)
        seen.append(state["items"])

    side_by_side(saver, {"first": first, "second": second}).invoke({"items": ["a"]}, thread="t")

    assert seen == [["a"]]


def test_an_in_place_change_is_not_kept_without_a_saver_either():
    app = in_line(None, {"n": mutates, "m": says("m")})

    assert app.invoke({"items": ["a"]}) == {"items": ["a"], "log": ["m"]}


def test_debug_names_node_and_key_of_an_in_place_change(saver):
    app = in_line(saver, {"n": lambda state: state["items"].append("MUT"), "m": says("m")}, debug=True)
    out = app.invoke({"items": ["a"]}, thread="t")

    assert len(out.warnings) == 1
    assert "'n'" in out.warnings[0]
    assert "'items'" in out.warnings[0]


def test_debug_takes_values_that_cannot_be_compared_as_a_whole():
    def keeps(state):
        assert state["table"]["x"].sum() == 3

    def changes(state):
        state["table"] = {"x": np.array([9, 2])}

    graph = StateGraph(state={})
    graph.add_node("keeps", keeps)
    graph.add_node("changes", changes)
    graph.add_edge(START, "keeps")
    graph.add_edge("keeps", "changes")
    out = graph.compile(debug=True).invoke({"table": {"x": np.array([1, 2])}})

    assert len(out.warnings) == 1
    assert "'changes'" in out.warnings[0]
    assert "'table'" in out.warnings[0]


def test_what_a_node_returned_may_change_later(saver):
    kept: list[list[str]] = []

    def node(state):
        kept.append(["a"])
        return {"items": kept[0]}

    app = in_line(saver, {"n": node, "m": lambda state: kept[0].append("later")})
    app.invoke({}, thread="t")

    assert app.get_state(thread="t").values["items"] == ["a"]
    assert app.invoke(None, thread="t")["items"] == ["a"]


@pytest.mark.parametrize("way", ["output", "snapshot", "history"])
def test_a_result_may_be_changed_and_history_does_not_notice(saver, way):
    app = in_line(saver, {"a": says("a")})
    out = app.invoke({"items": ["a"]}, thread="t")
    match way:
        case "output":
            out["items"].append("MUT")
        case "snapshot":
            app.get_state(thread="t").values["items"].append("MUT")
        case _:
            next(app.get_state_history(thread="t")).values["items"].append("MUT")

    assert app.get_state(thread="t").values["items"] == ["a"]
    assert app.invoke({}, thread="t")["items"] == ["a"]


def test_the_argument_of_a_send_is_the_tasks_own(saver):
    shared = {"x": 1, "items": ["a"]}

    def work(state):
        state["items"].append("MUT")
        return {"log": [",".join(state["items"])]}

    app = graph_of(
        saver,
        {"split": lambda state: [Send("w", shared), Send("w", shared)], "w": work},
        [(START, "split")],
    )

    assert app.invoke({}, thread="t")["log"] == ["a,MUT", "a,MUT"]
    assert shared == {"x": 1, "items": ["a"]}


def test_a_reducer_that_changes_its_arguments_does_not_change_history(saver):
    def grows(old, new):
        old.extend(new)
        return old

    graph = StateGraph(state={"k": Reducer(grows, [])})
    graph.add_node("a", lambda state: {"k": ["a"]})
    graph.add_node("b", lambda state: {"k": ["b"]})
    graph.add_edge(START, "a")
    graph.add_edge("a", "b")
    app = graph.compile(saver)
    app.invoke({"k": ["in"]}, thread="t")

    assert [found.values["k"] for found in app.get_state_history(thread="t")] == [
        ["in", "a", "b"],
        ["in", "a"],
        ["in"],
    ]


def test_an_edit_and_an_answer_are_copied(saver):
    app = in_line(saver, {"n": lambda state: {"items": interrupt("ok?")}, "m": says("m")}, interrupt_before=["m"])
    app.invoke({}, thread="t")
    answer = ["yes"]
    app.resume(answer, thread="t")
    answer.append("MUT")
    edit = {"items": ["edit"]}

    assert app.get_state(thread="t").values["items"] == ["yes"]

    app.update_state("t", edit)
    edit["items"].append("MUT")

    assert app.invoke(None, thread="t")["items"] == ["edit"]


def test_a_question_is_copied_for_who_reads_it(saver):
    app = in_line(saver, {"n": lambda state: {"log": [interrupt(["ok?"])]}})
    app.invoke({}, thread="t").interrupts[0].value.append("MUT")

    assert app.get_state(thread="t").interrupts[0].value == ["ok?"]


def test_a_router_cannot_change_the_state(saver):
    graph = StateGraph(Log)

    def route(state):
        state["log"].append("MUT")

    graph.add_node("a", says("a"))
    graph.add_edge(START, "a")
    graph.add_conditional_edges("a", route)

    assert graph.compile(saver).invoke({}, thread="t")["log"] == ["a"]


def test_a_node_reads_only_its_input_keys(saver):
    class Few(TypedDict, total=False):
        x: int

    seen: list[dict[str, Any]] = []
    graph = StateGraph(Log)
    graph.add_node("a", lambda state: seen.append(dict(state)), input=Few)
    graph.add_edge(START, "a")
    graph.compile(saver).invoke({"x": 1, "y": 2}, thread="t")

    assert seen == [{"x": 1}]
