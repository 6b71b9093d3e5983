"""Tasks: saved as they end, tracked one by one, tried again by themselves."""

from __future__ import annotations

import threading

import pytest

from tests.engine.graphs import Failing, Log, graph_of, in_line, says, side_by_side, sources
from weavenb import START, Command, Reducer, Send, StateGraph
from weavenb.errors import AmbiguousUpdate, NodeFailed, SerializationFailed, UnknownKey, UnknownNode
from weavenb.savers.memory import MemorySaver


def routed(saver, route, nodes=("a", "sink"), **options):
    graph = StateGraph(Log)
    for name in nodes:
        graph.add_node(name, says(name))
    graph.add_edge(START, "a")
    graph.add_conditional_edges("a", route)
    return graph.compile(saver, **options)


def test_a_failing_node_lets_its_siblings_finish_and_they_do_not_run_again(saver):
    ran: list[str] = []
    app = side_by_side(saver, {"a": says("a", ran), "bad": Failing("bad"), "c": says("c", ran)})
    with pytest.raises(NodeFailed) as found:
        app.invoke({}, thread="t")
    seen = app.get_state(thread="t")

    assert sorted(ran) == ["a", "c"]
    assert isinstance(found.value.__cause__, RuntimeError)
    assert (found.value.details["node"], found.value.details["thread"]) == ("bad", "t")
    assert seen.next == ("bad",)
    assert seen.values["log"] == ["a", "c"]

    out = app.invoke(None, thread="t")

    assert out["log"] == ["a", "bad", "c"]
    assert sorted(ran) == ["a", "c"]


def test_a_finished_task_is_saved_while_its_sibling_still_runs(saver):
    a_is_saved, told = threading.Event(), threading.Event()

    def slow(state):
        told.set()
        assert a_is_saved.wait(10)
        return {"log": ["slow"]}

    app = side_by_side(saver, {"a": says("a"), "slow": slow})
    runner = threading.Thread(target=app.invoke, args=({}, "t"))
    runner.start()
    assert told.wait(10)
    seen = None
    for _ in range(500):
        seen = app.get_state(thread="t")
        if seen is not None and seen.values["log"]:
            break
        threading.Event().wait(0.01)
    a_is_saved.set()
    runner.join(10)

    assert seen is not None
    assert (seen.values["log"], seen.next) == (["a"], ("slow",))
    assert app.get_state(thread="t").values["log"] == ["a", "slow"]


def test_tasks_that_finish_together_lose_nothing(saver):
    barrier = threading.Barrier(16)

    def ends(state):
        barrier.wait(10)

    def raises(state):
        barrier.wait(10)
        raise RuntimeError("last")

    nodes = {f"n{i}": ends for i in range(15)}
    app = side_by_side(saver, {**nodes, "bad": raises})
    for turn in range(8):
        with pytest.raises(NodeFailed):
            app.invoke({}, thread=f"t{turn}")

        assert [task.status for task in app.get_state(thread=f"t{turn}").tasks].count("ok") == 15


def test_a_router_that_raises_fails_the_task_which_then_runs_again_with_its_router(saver):
    calls: list[int] = []

    def route(state):
        calls.append(1)
        if len(calls) == 1:
            raise RuntimeError("lost")
        return "sink"

    app = routed(saver, route)
    with pytest.raises(NodeFailed, match="lost"):
        app.invoke({}, thread="t")
    out = app.invoke(None, thread="t")

    assert out["log"] == ["a", "sink"]
    assert len(calls) == 2


@pytest.mark.parametrize("answer", ["nope", ["sink", "nope"], 7, Send("nope", {})])
def test_a_router_that_leads_nowhere_fails_the_task(saver, answer):
    app = routed(saver, lambda state: answer)

    with pytest.raises((UnknownNode, NodeFailed)):
        app.invoke({}, thread="t")

    assert app.get_state(thread="t").next == ("a",)


def test_a_guard_that_raises_fails_its_node_and_the_thread_stays_repairable(saver):
    broken = [True]

    def guard(state):
        if broken[0]:
            raise RuntimeError("guard is lost")
        return True

    ran: list[str] = []
    graph = StateGraph(Log)
    for name in ("a", "b", "c"):
        graph.add_node(name, says(name, ran))
    graph.add_edge(START, "a")
    graph.add_edge(START, "c")
    graph.add_edge("a", "b", when=guard)
    app = graph.compile(saver)
    with pytest.raises(Exception, match="guard is lost"):
        app.invoke({}, thread="t")
    seen = app.get_state(thread="t")

    assert seen.error is not None
    assert "a" in seen.next

    broken[0] = False
    out = app.invoke(None, thread="t")

    assert out["log"] == ["a", "c", "b"]
    assert ran.count("c") == 1


@pytest.mark.parametrize("returned", ["text", 7, [1], {"log"}, ({"x": 1}, {"x": 2})])
def test_a_node_that_returns_what_it_may_not_fails(saver, returned):
    app = in_line(saver, {"a": lambda state: returned})

    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")

    assert app.get_state(thread="t").values == {"log": []}


@pytest.mark.parametrize(
    ("returned", "error"),
    [
        ({"lgo": ["x"]}, UnknownKey),
        ({"__route__": {}}, UnknownKey),
        ({"x": object()}, SerializationFailed),
        ({"log": [lambda: None]}, SerializationFailed),
        (Command(goto="nope"), UnknownNode),
        ([Send("nope", {})], UnknownNode),
        ([Send("a", {"x": object()})], SerializationFailed),
    ],
)
def test_what_cannot_be_taken_or_stored_fails_the_task_before_anything_is_written(saver, returned, error):
    app = side_by_side(saver, {"a": lambda state: returned, "b": says("b")})
    with pytest.raises(error):
        app.invoke({}, thread="t")
    seen = app.get_state(thread="t")

    assert seen.next == ("a",)
    assert seen.values["log"] == ["b"]
    assert sources(app, "t") == ["input"]


def test_an_unserialisable_value_names_channel_type_and_node(saver):
    app = in_line(saver, {"a": lambda state: {"x": threading.Lock()}, "b": says("b")})
    with pytest.raises(SerializationFailed) as found:
        app.invoke({}, thread="t")
    details = found.value.details

    assert (details["channel"], details["node"]) == ("x", "a")
    assert "lock" in details["type"]


def test_an_unserialisable_result_of_a_reducer_is_refused_naming_the_key(saver):
    def reducer(old, new):
        return object() if new == "bad" else new

    graph = StateGraph(state={"k": Reducer(reducer)})
    graph.add_node("a", lambda state: {"k": "bad"})
    graph.add_edge(START, "a")
    app = graph.compile(saver)
    with pytest.raises(SerializationFailed) as found:
        app.invoke({"k": "good"}, thread="t")

    assert found.value.details["channel"] == "k"
    assert app.get_state(thread="t").values == {"k": "good"}
    assert app.get_state(thread="t").next == ("a",)


def test_a_reducer_that_raises_is_invalid_update_and_the_thread_stays_readable(saver):
    def refuses(old, new):
        if new == "bad":
            raise RuntimeError("reducer says no")
        return new

    graph = StateGraph(state={"k": Reducer(refuses)})
    graph.add_node("a", lambda state: {"k": "bad"})
    graph.add_edge(START, "a")
    app = graph.compile(saver)
    with pytest.raises(Exception, match="reducer says no"):
        app.invoke({"k": "good"}, thread="t")
    seen = app.get_state(thread="t")

    assert seen.values == {"k": "good"}
    assert seen.error is not None
    assert seen.next == ("a",)


def test_sends_are_tracked_one_by_one(saver):
    ran: list[int] = []
    broken = [True]

    def work(state):
        ran.append(state["x"])
        if state["x"] == 2 and broken.pop() if broken else False:
            raise RuntimeError("two is broken")
        return {"log": [f"w{state['x']}"]}

    def split(state):
        return [Send("w", {"x": n}) for n in (1, 2, 3)]

    app = graph_of(saver, {"split": split, "w": work}, [(START, "split")])
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")

    assert app.get_state(thread="t").next == ("w",)

    out = app.invoke(None, thread="t")

    assert out["log"] == ["w1", "w2", "w3"]
    assert sorted(ran) == [1, 2, 2, 3]


def test_several_waiting_tasks_of_one_node_need_a_task_id_in_an_edit(saver):
    def work(state):
        raise RuntimeError(f"{state['x']} is broken")

    def split(state):
        return [Send("w", {"x": n}) for n in (1, 2)]

    app = graph_of(saver, {"split": split, "w": work, "end": says("end")}, [(START, "split"), ("w", "end")])
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")
    ids = [task.id for task in app.get_state(thread="t").tasks]
    with pytest.raises(AmbiguousUpdate) as found:
        app.update_state("t", {"log": ["edit"]}, as_node="w")

    assert list(found.value.details["candidates"]) == ids

    app.update_state("t", {"log": ["first"]}, as_node="w", task_id=ids[0])
    ids = [task.id for task in app.get_state(thread="t").tasks if task.status != "ok"]
    app.update_state("t", {"log": ["second"]}, task_id=ids[0])

    assert app.get_state(thread="t").next == ("end",)
    assert app.invoke(None, thread="t")["log"] == ["first", "second", "end"]


def test_a_task_that_failed_and_then_finished_left_two_attempts():
    saver = MemorySaver()
    app = in_line(saver, {"a": Failing("a")})
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")
    app.invoke(None, thread="t")
    found = saver.read_tables()["tasks"].to_pylist()

    assert [(row["attempt"], row["status"]) for row in found] == [(1, "error"), (2, "ok")]


def test_an_interrupt_from_the_keyboard_stops_the_run_and_keeps_what_had_finished(saver):
    stop = [True]

    def node(state):
        if stop.pop() if stop else False:
            raise KeyboardInterrupt
        return {"log": ["b"]}

    ran: list[str] = []
    app = in_line(saver, {"a": says("a", ran), "b": node})
    with pytest.raises(KeyboardInterrupt):
        app.invoke({}, thread="t")

    assert app.get_state(thread="t").next == ("b",)
    assert app.invoke(None, thread="t")["log"] == ["a", "b"]
    assert ran == ["a"]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_what_ends_a_program_ends_a_run_of_parallel_nodes_too(saver, stop):
    def node(state):
        raise stop

    app = side_by_side(saver, {"a": node, "b": says("b")})
    with pytest.raises(stop):
        app.invoke({}, thread="t")

    assert "a" in app.get_state(thread="t").next


def test_a_write_that_was_refused_is_replaced_by_the_one_of_the_next_attempt(saver):
    """Also where the second result has fewer keys, and is read back before the step closes."""
    turn = [0]

    def first(state):
        turn[0] += 1
        return {"x": 1, "y": 1, "log": ["first"]} if turn[0] == 1 else {"log": ["second"]}

    runs = [0]

    def other(state):
        runs[0] += 1
        if runs[0] == 2:
            raise RuntimeError("not now")
        return {"x": 2} if runs[0] == 1 else {"x": 3}

    app = side_by_side(saver, {"first": first, "other": other})
    with pytest.raises(Exception, match="takes one write a step"):
        app.invoke({}, thread="t")
    with pytest.raises(NodeFailed):
        app.invoke(None, thread="t")
    seen = app.get_state(thread="t")

    assert seen.values == {"log": ["second"]}
    assert app.invoke(None, thread="t") == {"log": ["second"], "x": 3}


class FirstWriteFails(MemorySaver):
    def __init__(self):
        super().__init__()
        self.asked = 0

    def commit_step(self, step, **options):
        self.asked += 1
        if self.asked == 1:
            raise OSError("no room")
        return super().commit_step(step, **options)


def test_a_run_whose_start_was_not_stored_leaves_no_end_behind():
    refusing = FirstWriteFails()
    app = in_line(refusing, {"a": says("a")})
    with pytest.raises(OSError, match="no room"):
        app.invoke({}, thread="t")
    rows = refusing.read_rows(("run_events", "thread_events", "checkpoints"))

    assert rows == {"run_events": [], "thread_events": [], "checkpoints": []}
