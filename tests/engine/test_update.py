"""Edits at a head, at a breakpoint, at an old checkpoint and on a fresh thread."""

from __future__ import annotations

import pytest

from tests.engine.graphs import Failing, Log, Sum, at, graph_of, in_line, says, side_by_side, sources
from weavenb import END, START, Command, Send, StateGraph, interrupt
from weavenb.errors import AmbiguousUpdate, NodeFailed, SerializationFailed, ThreadNotFound, UnknownKey, UnknownNode


def asks(state):
    return {"log": [interrupt("ok?")]}


def test_an_edit_passes_the_reducers_and_makes_a_checkpoint_of_source_update(saver):
    app = in_line(saver, {"a": says("a"), "b": says("b")})
    app.invoke({"x": 1}, thread="t")
    before = app.get_state(thread="t")
    made = app.update_state("t", {"log": ["edit"], "x": 2}, metadata={"why": "test"}, branch="mine")
    seen = app.get_state(thread="t")

    assert seen.values == {"log": ["a", "b", "edit"], "x": 2}
    assert seen.config == made
    assert seen.parent_config == before.config
    assert (seen.metadata["source"], seen.metadata["step"]) == ("update", 2)
    assert (seen.metadata["why"], seen.branch) == ("test", "mine")
    assert app.get_state(before).values["x"] == 1


def test_an_edit_runs_nothing(saver):
    ran: list[str] = []
    app = in_line(saver, {"a": says("a", ran)})
    app.invoke({}, thread="t")
    ran.clear()
    app.update_state("t", {"log": ["edit"]})

    assert ran == []


def test_an_edit_of_a_head_nothing_of_which_started_counts_as_written_by_the_last_node(saver):
    calls: list[int] = []

    def route(state):
        calls.append(1)
        return "b" if "go_b" in state["log"] else "c"

    graph = StateGraph(Log)
    for name in "abc":
        graph.add_node(name, says(name))
    graph.add_edge(START, "a")
    graph.add_conditional_edges("a", route)
    app = graph.compile(saver)
    app.invoke({}, thread="t", interrupt_after=["a"])

    assert app.get_state(thread="t").next == ("c",)

    app.update_state("t", {"log": ["go_b"]}, as_node="a")

    assert app.get_state(thread="t").next == ("b",)
    assert len(calls) == 2


def test_an_edit_at_a_checkpoint_applies_the_edit_only(saver):
    app = graph_of(
        saver,
        {"a": lambda state: {"v": 10}, "b": lambda state: {"v": 100}},
        [(START, "a"), ("a", "b")],
        Sum,
    )
    app.invoke({"v": 1}, thread="t")
    chosen = at(app, "t", "a")
    edit = app.update_state(chosen, {"v": 20}, as_node="a")

    assert app.invoke(None, edit)["v"] == 121
    assert app.get_state(chosen).values["v"] == 1


def test_an_older_saved_write_never_undoes_an_edit(saver):
    ran: list[str] = []

    def plain(state):
        ran.append("a")
        return {"x": 1}

    app = side_by_side(saver, {"a": plain, "b": Failing("b")})
    with pytest.raises(NodeFailed):
        app.invoke({"x": 0}, thread="t")
    app.update_state("t", {"x": 5})
    seen = app.get_state(thread="t")

    assert seen.values["x"] == 5
    assert seen.next == ("b",)

    out = app.invoke(None, thread="t")

    assert out == {"x": 5, "log": ["b"]}
    assert ran == ["a"]


def test_an_edit_keeps_the_ids_of_tasks(saver):
    app = side_by_side(saver, {"a": says("a"), "b": Failing("b")})
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")
    before = {task.node: task.id for task in app.get_state(thread="t").tasks}
    app.update_state("t", {"log": ["edit"]})

    assert {task.node: task.id for task in app.get_state(thread="t").tasks} == before


def test_a_second_and_third_edit_keep_what_the_first_kept(saver):
    app = graph_of(
        saver,
        {"a": says("a"), "b": Failing("b", 1), "after_a": says("after_a"), "after_b": says("after_b")},
        [(START, "a"), (START, "b"), ("a", "after_a"), ("b", "after_b")],
    )
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")
    for n in range(3):
        app.update_state("t", {"log": [str(n)]})
    out = app.invoke(None, thread="t")

    assert out["log"] == ["a", "0", "1", "2", "b", "after_a", "after_b"]


def test_an_edit_as_a_failed_node_supplies_its_result_and_closes_the_step_with_all_routes(saver):
    app = graph_of(
        saver,
        {"a": says("a"), "b": Failing("b", 9), "after_a": says("after_a"), "after_b": says("after_b")},
        [(START, "a"), (START, "b"), ("a", "after_a"), ("b", "after_b")],
    )
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")
    app.update_state("t", {"log": ["by hand"]}, as_node="b")
    seen = app.get_state(thread="t")

    assert seen.next == ("after_a", "after_b")
    assert seen.error is None
    assert app.invoke(None, thread="t")["log"] == ["a", "by hand", "after_a", "after_b"]


def test_an_edit_as_a_failed_node_after_an_ordinary_edit_closes_the_step_too(saver):
    app = graph_of(
        saver,
        {"a": says("a"), "b": Failing("b", 9), "after_a": says("after_a"), "after_b": says("after_b")},
        [(START, "a"), (START, "b"), ("a", "after_a"), ("b", "after_b")],
    )
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")
    app.update_state("t", {"log": ["edit"]})
    app.update_state("t", {"log": ["by hand"]}, as_node="b")

    assert app.invoke(None, thread="t")["log"] == ["a", "edit", "by hand", "after_a", "after_b"]


def test_an_edit_as_a_finished_node_of_an_open_step_is_an_ordinary_edit(saver):
    app = side_by_side(saver, {"a": says("a"), "b": Failing("b")})
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")
    app.update_state("t", {"log": ["edit"]}, as_node="a")
    seen = app.get_state(thread="t")

    assert seen.next == ("b",)
    assert seen.values["log"] == ["a", "edit"]
    assert app.invoke(None, thread="t")["log"] == ["a", "edit", "b"]


def test_an_edit_as_an_asking_node_answers_for_it(saver):
    app = in_line(saver, {"n": asks, "after": says("after")})
    app.invoke({}, thread="t")
    app.update_state("t", {"log": ["by hand"]}, as_node="n")
    seen = app.get_state(thread="t")

    assert seen.interrupts == ()
    assert seen.next == ("after",)
    assert app.invoke(None, thread="t")["log"] == ["by hand", "after"]


def test_an_open_question_survives_an_edit_under_its_id(saver):
    app = in_line(saver, {"n": asks})
    first = app.invoke({}, thread="t").interrupts[0]
    app.update_state("t", {"log": ["edit"]})

    assert app.get_state(thread="t").interrupts == (first,)
    assert app.resume({first.id: "yes"}, thread="t")["log"] == ["edit", "yes"]


def test_several_last_nodes_are_ambiguous_and_nothing_is_written(saver):
    app = graph_of(
        saver,
        {name: says(name) for name in ("a", "b", "j")},
        [(START, "a"), (START, "b"), (["a", "b"], "j")],
    )
    app.invoke({}, thread="t", interrupt_before=["j"])
    before = sources(app, "t")

    with pytest.raises(AmbiguousUpdate) as found:
        app.update_state("t", {"log": ["edit"]})

    assert set(found.value.details["candidates"]) == {"a", "b"}
    assert sources(app, "t") == before


def test_an_edit_as_one_of_two_last_nodes_keeps_the_work_of_the_other(saver):
    app = graph_of(
        saver,
        {name: says(name) for name in ("a", "b", "after_a", "after_b")},
        [(START, "a"), (START, "b"), ("a", "after_a"), ("b", "after_b")],
    )
    app.invoke({}, thread="t", interrupt_before=["after_a", "after_b"])
    app.update_state("t", {"log": ["edit"]}, as_node="a")

    assert sorted(app.get_state(thread="t").next) == ["after_a", "after_b"]
    assert app.invoke(None, thread="t")["log"] == ["a", "b", "edit", "after_a", "after_b"]


def test_an_edit_as_a_node_before_a_join_leaves_the_join_waiting_once(saver):
    app = graph_of(
        saver,
        {name: says(name) for name in ("a", "b", "j")},
        [(START, "a"), (START, "b"), (["a", "b"], "j")],
    )
    app.invoke({}, thread="t", interrupt_before=["j"])
    app.update_state("t", {"log": ["edit"]}, as_node="a")
    out = app.invoke(None, thread="t")

    assert out["log"] == ["a", "b", "edit", "j"]
    assert out.warnings == ()


def test_an_edit_of_the_last_to_arrive_at_a_join_leaves_no_arrival_for_the_next_turn(saver):
    app = graph_of(
        saver,
        {name: says(name) for name in ("a", "b", "b2", "j")},
        [(START, "a"), (START, "b"), ("b", "b2"), (["a", "b2"], "j")],
    )
    app.invoke({}, thread="t", interrupt_before=["j"])
    app.update_state("t", {"log": ["edit"]})
    out = app.invoke(None, thread="t", interrupt_before=[])

    assert out["log"] == ["a", "b", "b2", "edit", "j"]
    assert out.warnings == ()


def test_an_edit_as_end_leaves_nothing_to_run(saver):
    app = in_line(saver, {"a": says("a"), "b": says("b")})
    app.invoke({}, thread="t", interrupt_before=["b"])
    app.update_state("t", {"log": ["edit"]}, as_node=END)

    assert app.get_state(thread="t").next == ()
    assert app.invoke(None, thread="t") == {"log": ["a", "edit"]}


def test_an_edit_as_start_schedules_the_entry(saver):
    ran: list[str] = []
    app = in_line(saver, {"a": says("a", ran), "b": says("b", ran)})
    app.invoke({}, thread="t")
    ran.clear()
    app.update_state("t", {"log": ["edit"]}, as_node=START)

    assert app.get_state(thread="t").next == ("a",)
    assert app.invoke(None, thread="t")["log"] == ["a", "b", "edit", "a", "b"]
    assert ran == ["a", "b"]


def test_a_fresh_thread_begins_with_an_edit_in_a_nodes_name(saver):
    app = in_line(saver, {"a": says("a"), "b": says("b")})
    app.update_state("t", {"log": ["seed"]}, as_node="a")
    seen = app.get_state(thread="t")

    assert (seen.next, seen.metadata["step"], seen.metadata["source"]) == (("b",), -1, "update")
    assert app.invoke(None, thread="t") == {"log": ["seed", "b"]}


def test_a_fresh_thread_is_not_begun_by_an_edit_of_nobody(saver):
    app = in_line(saver, {"a": says("a")})

    with pytest.raises(ThreadNotFound):
        app.update_state("t", {"log": ["seed"]})

    assert app.get_state(thread="t") is None


def test_the_head_named_by_its_id_is_the_head(saver):
    app = side_by_side(saver, {"a": says("a"), "b": Failing("b")})
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")
    app.update_state(app.get_state(thread="t"), {"log": ["edit"]})
    seen = app.get_state(thread="t")

    assert seen.values["log"] == ["a", "edit"]
    assert seen.next == ("b",)


def test_an_edit_in_the_middle_of_history_starts_a_branch_from_there(saver):
    ran: list[str] = []
    app = in_line(saver, {name: says(name, ran) for name in "abc"})
    app.invoke({}, thread="t")
    ran.clear()
    chosen = at(app, "t", "b")
    made = app.update_state(chosen, {"log": ["edit"]}, branch="what-if")
    out = app.invoke(None, made)

    assert out["log"] == ["a", "edit", "b", "c"]
    assert ran == ["b", "c"]
    assert app.get_state(thread="t").branch == "what-if"
    assert app.get_state(chosen).branch is None


def test_an_edit_at_an_old_checkpoint_with_a_question_keeps_asking(saver):
    app = in_line(saver, {"n": asks, "after": says("after")})
    app.invoke({}, thread="t")
    stopped = app.get_state(thread="t")
    app.resume("old", thread="t")
    app.update_state(stopped, {"log": ["edit"]})
    seen = app.get_state(thread="t")

    assert seen.next == ("n",)
    assert app.invoke(None, thread="t").status == "interrupted"
    assert app.resume("new", thread="t")["log"] == ["edit", "new", "after"]


@pytest.mark.parametrize(
    ("given", "as_node", "error"),
    [
        ({"lgo": ["x"]}, None, UnknownKey),
        ({"log": ["x"]}, "nope", UnknownNode),
        ({"x": object()}, None, SerializationFailed),
        ({"__route__": 1}, None, UnknownKey),
    ],
)
def test_a_bad_edit_is_refused_and_nothing_is_written(saver, given, as_node, error):
    app = in_line(saver, {"a": says("a")})
    app.invoke({}, thread="t")

    with pytest.raises(error):
        app.update_state("t", given, as_node=as_node)

    assert sources(app, "t") == ["loop", "input"]


def test_a_router_that_raises_in_an_edit_writes_nothing(saver):
    def route(state):
        if "bad" in state["log"]:
            raise RuntimeError("lost")
        return END

    graph = StateGraph(Log)
    graph.add_node("a", says("a"))
    graph.add_edge(START, "a")
    graph.add_conditional_edges("a", route)
    app = graph.compile(saver)
    app.invoke({}, thread="t")

    with pytest.raises(NodeFailed, match="lost"):
        app.update_state("t", {"log": ["bad"]})

    assert sources(app, "t") == ["loop", "input"]


@pytest.mark.parametrize("returned", [[Send("w", {"x": 1}), Send("w", {"x": 2})], Command(goto="w")])
def test_an_edit_keeps_the_way_a_node_chose_by_what_it_returned(saver, returned):
    app = graph_of(
        saver,
        {"s": lambda state: returned, "w": lambda state: {"log": [f"w{state.get('x', '')}"]}, "other": says("other")},
        [(START, "s"), ("s", "other")],
        interrupt_before=["w"],
    )
    app.invoke({}, thread="t")
    before = app.get_state(thread="t")
    app.update_state("t", {"log": ["edit"]})
    after = app.get_state(thread="t")

    assert after.next == before.next
    assert [task.id for task in after.tasks] == [task.id for task in before.tasks]
    assert app.invoke(None, thread="t")["log"] == ["edit", *(["w1", "w2"] if len(before.next) == 2 else ["w"])]


def test_a_task_id_that_is_not_waiting_or_not_of_that_node_is_refused(saver):
    app = side_by_side(saver, {"a": Failing("a"), "b": Failing("b")})
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")
    ids = {task.node: task.id for task in app.get_state(thread="t").tasks}

    with pytest.raises(AmbiguousUpdate):
        app.update_state("t", {"x": 1}, task_id="nope")
    with pytest.raises(AmbiguousUpdate):
        app.update_state("t", {"x": 1}, as_node="a", task_id=ids["b"])

    assert sources(app, "t") == ["input"]
