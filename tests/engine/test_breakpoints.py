"""Stopping before and after nodes."""

from __future__ import annotations

import pytest

from tests.engine.graphs import Log, graph_of, in_line, says
from weavenb import START, StateGraph
from weavenb.errors import NothingToResume, UnknownNode


def abc(saver, ran=None, **options):
    return in_line(saver, {name: says(name, ran) for name in "abc"}, **options)


def marks(out):
    return [(held.kind, held.node) for held in out.interrupts]


@pytest.mark.parametrize("where", ["compile", "call"])
def test_a_run_stops_before_a_node(saver, where):
    app = abc(saver, **({"interrupt_before": ["b"]} if where == "compile" else {}))
    out = app.invoke({}, thread="t", **({"interrupt_before": ["b"]} if where == "call" else {}))

    assert out.status == "interrupted"
    assert marks(out) == [("before", "b")]
    assert out == {"log": ["a"]}
    assert app.get_state(thread="t").next == ("b",)


@pytest.mark.parametrize("where", ["compile", "call"])
def test_a_run_stops_after_a_node(saver, where):
    app = abc(saver, **({"interrupt_after": ["b"]} if where == "compile" else {}))
    out = app.invoke({}, thread="t", **({"interrupt_after": ["b"]} if where == "call" else {}))

    assert marks(out) == [("after", "b")]
    assert out == {"log": ["a", "b"]}
    assert app.get_state(thread="t").next == ("c",)


def test_a_run_that_is_over_does_not_stop_after_its_last_node(saver):
    out = abc(saver, interrupt_after=["c"]).invoke({}, thread="t")

    assert out.status == "completed"


def test_a_run_stops_before_its_first_node(saver):
    ran: list[str] = []
    app = abc(saver, ran, interrupt_before=["a"])

    assert marks(app.invoke({}, thread="t")) == [("before", "a")]
    assert ran == []
    assert app.invoke(None, thread="t").status == "completed"
    assert ran == ["a", "b", "c"]


@pytest.mark.parametrize("go_on", ["invoke", "resume", "replay"])
def test_breakpoints_of_a_call_are_remembered_when_it_goes_on(saver, go_on):
    app = abc(saver)
    app.invoke({}, thread="t", interrupt_before=["b", "c"])
    match go_on:
        case "invoke":
            out = app.invoke(None, thread="t")
        case "resume":
            out = app.resume(thread="t")
        case _:
            app.update_state("t", {})
            out = app.replay(app.get_state(thread="t"))

    assert marks(out) == [("before", "c")]
    assert app.get_state(thread="t").next == ("c",)
    assert app.resume(thread="t").status == "completed"


def test_breakpoints_of_a_run_end_with_it(saver):
    app = abc(saver)
    app.invoke({}, thread="t", interrupt_before=["b"])
    app.invoke(None, thread="t")

    assert app.invoke({}, thread="t").status == "completed"


def test_other_breakpoints_may_be_given_when_it_goes_on(saver):
    app = abc(saver)
    app.invoke({}, thread="t", interrupt_before=["b"])
    out = app.invoke(None, thread="t", interrupt_before=[], interrupt_after=["b"])

    assert marks(out) == [("after", "b")]


def test_an_empty_list_at_a_call_takes_back_those_of_compile(saver):
    app = abc(saver, interrupt_before=["b"])

    assert app.invoke({}, thread="t", interrupt_before=[]).status == "completed"


def test_after_an_edit_at_a_breakpoint_continuing_runs_on(saver):
    ran: list[str] = []
    app = abc(saver, ran, interrupt_before=["b"])
    app.invoke({}, thread="t")
    app.update_state("t", {"log": ["edit"]})
    out = app.invoke(None, thread="t")

    assert out == {"log": ["a", "edit", "b", "c"]}
    assert ran == ["a", "b", "c"]


def test_an_input_at_a_breakpoint_is_merged_and_the_run_goes_on(saver):
    app = abc(saver, interrupt_before=["b"])
    app.invoke({}, thread="t")

    assert app.invoke({"log": ["in"]}, thread="t") == {"log": ["a", "in", "b", "c"]}


def test_an_answer_at_a_breakpoint_is_nothing_to_resume(saver):
    app = abc(saver, interrupt_before=["b"])
    app.invoke({}, thread="t")

    with pytest.raises(NothingToResume):
        app.resume("yes", thread="t")

    assert app.resume(thread="t").status == "completed"


@pytest.mark.parametrize("option", ["interrupt_before", "interrupt_after"])
def test_an_unknown_name_is_an_error_naming_the_nearest(saver, option):
    with pytest.raises(UnknownNode) as found:
        in_line(saver, {"clean": says("clean")}, **{option: ["claen"]})

    assert found.value.details["nearest"] == "clean"

    app = in_line(saver, {"clean": says("clean")})
    with pytest.raises(UnknownNode):
        app.invoke({}, thread="t", **{option: ["claen"]})

    assert app.get_state(thread="t") is None


def test_breakpoints_are_hidden_from_metadata(saver):
    app = abc(saver, interrupt_before=["b"])
    app.invoke({}, thread="t")

    assert set(app.get_state(thread="t").metadata) == {"source", "step", "run_id", "branch"}


def test_one_name_may_stand_alone(saver):
    app = abc(saver)

    assert marks(app.invoke({}, thread="t", interrupt_before="bc"[:1])) == [("before", "b")]


def test_a_loop_stops_each_time_it_comes_by(saver):
    graph = StateGraph(Log)
    graph.add_node("a", says("a"))
    graph.add_edge(START, "a")
    graph.add_conditional_edges("a", lambda state: "a" if len(state["log"]) < 3 else "__end__")
    app = graph.compile(saver, interrupt_before=["a"])
    outs = [app.invoke({}, thread="t"), *(app.invoke(None, thread="t") for _ in range(3))]

    assert [out.status for out in outs] == ["interrupted"] * 3 + ["completed"]
    assert outs[-1]["log"] == ["a"] * 3


def test_parallel_nodes_stop_together(saver):
    ran: list[str] = []
    app = graph_of(
        saver,
        {name: says(name, ran) for name in "abc"},
        [(START, "a"), ("a", "b"), ("a", "c")],
        interrupt_before=["b"],
    )
    out = app.invoke({}, thread="t")

    assert marks(out) == [("before", "b")]
    assert ran == ["a"]
    assert app.invoke(None, thread="t")["log"] == ["a", "b", "c"]


def test_breakpoints_hold_after_the_first_node_itself_was_held(saver):
    app = abc(saver)
    app.invoke({}, thread="t", interrupt_before=["a", "b"])
    app.resume(thread="t")
    second = app.get_state(thread="t").next
    app.resume(thread="t")

    assert second == ("b",)
    assert app.get_state(thread="t").next == ()


def test_breakpoints_hold_after_an_input_was_merged_into_a_held_step(saver):
    app = abc(saver)
    app.invoke({}, thread="t", interrupt_before=["b", "c"])
    app.invoke({"log": ["x"]}, thread="t")
    third = app.get_state(thread="t").next
    app.resume(thread="t")

    assert third == ("c",)
    assert app.get_state(thread="t").next == ()
