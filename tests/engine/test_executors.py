"""Where nodes run: any executor of the standard library's type."""

from __future__ import annotations

import multiprocessing
import os
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import pytest

from tests.engine.graphs import Log, graph_of, in_line, says, side_by_side
from weavenb import START, StateGraph, interrupt
from weavenb.errors import NodeFailed


def left(state):
    return {"log": [f"left {os.getpid()}"]}


def right(state, runtime):
    runtime.emit({"from": "right"})
    return {"log": [f"right {interrupt('go?')}"]}


def dies(state):
    os._exit(1)


def raises(state):
    raise ValueError("over there")


def route(state):
    return "after"


def after(state):
    return {"log": ["after"]}


@pytest.fixture(scope="module")
def pool():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as found:
        yield found


class Slow(Executor):
    """Runs what it is given later, in another order, on one thread."""

    def __init__(self):
        self.inner = ThreadPoolExecutor(1)
        self.given: list[str] = []

    def submit(self, fn, /, *args, **kwargs):
        self.given.append("job")
        return self.inner.submit(fn, *args, **kwargs)

    def shutdown(self, wait=True, *, cancel_futures=False):  # noqa: FBT002 - the stdlib's signature
        self.inner.shutdown(wait, cancel_futures=cancel_futures)


def test_a_single_task_runs_in_the_callers_own_thread(saver):
    where: list[int] = []
    in_line(saver, {"a": lambda state: where.append(threading.get_ident())}).invoke({}, thread="t")

    assert where == [threading.get_ident()]


def test_a_thread_pool_runs_the_nodes(saver):
    where: list[str] = []

    def node(state):
        where.append(threading.current_thread().name)

    with ThreadPoolExecutor(2, thread_name_prefix="mine") as own:
        side_by_side(saver, {"a": node, "b": node}, executor=own).invoke({}, thread="t")

    assert all(name.startswith("mine") for name in where)


def test_any_executor_of_the_stdlibs_type_will_do(saver):
    with Slow() as own:
        out = side_by_side(saver, {"a": says("a"), "b": says("b")}, executor=own).invoke({}, thread="t")

    assert out == {"log": ["a", "b"]}
    assert own.given == ["job", "job"]


def test_a_process_pool_takes_nodes_questions_events_and_routes(saver, pool):
    graph = StateGraph(Log)
    for fn in (left, right, after):
        graph.add_node(fn)
    graph.add_edge(START, "left")
    graph.add_edge(START, "right")
    graph.add_conditional_edges("left", route)
    app = graph.compile(saver, executor=pool)
    events = list(app.stream({}, thread="t"))

    assert [event["data"] for event in events if event["type"] == "custom"] == [{"from": "right"}]
    assert events[-1]["reason"] == "question"

    out = app.resume("yes", thread="t")

    assert out["log"][0] != f"left {os.getpid()}"
    assert out["log"][1:] == ["right yes", "after"]


def test_a_failure_in_a_process_comes_back_with_its_cause(saver, pool):
    app = graph_of(saver, {"raises": raises}, [(START, "raises")], executor=pool)
    with pytest.raises(NodeFailed) as found:
        app.invoke({}, thread="t")

    assert isinstance(found.value.__cause__, ValueError)
    assert "over there" in app.get_state(thread="t").error


def test_a_node_that_cannot_cross_to_a_process_fails_its_task(saver, pool):
    app = graph_of(saver, {"a": lambda state: None}, [(START, "a")], executor=pool)

    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")

    assert app.get_state(thread="t").next == ("a",)


def test_a_process_that_dies_fails_the_task_and_the_thread_goes_on_elsewhere(saver):
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as own:
        app = graph_of(saver, {"dies": dies}, [(START, "dies")], executor=own)
        with pytest.raises(NodeFailed) as found:
            app.invoke({}, thread="t")

    assert isinstance(found.value.__cause__, BrokenProcessPool)

    other = graph_of(saver, {"dies": says("alive")}, [(START, "dies")])

    assert other.invoke(None, thread="t") == {"log": ["alive"]}


def test_an_executor_that_was_shut_down_fails_the_task(saver):
    own = ThreadPoolExecutor(1)
    own.shutdown()
    app = in_line(saver, {"a": says("a")}, executor=own)

    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")


def test_something_else_than_an_executor_is_refused():
    with pytest.raises(Exception, match="executor"):
        in_line(None, {"a": says("a")}, executor=object())

    assert isinstance(Future(), Future)


@pytest.mark.parametrize("durability", ["async", "sync"])
def test_both_durabilities_give_the_same_history(saver, durability):
    app = in_line(saver, {"a": says("a"), "b": says("b")}, durability=durability)
    app.invoke({}, thread="t")
    app.invoke({}, thread="t", durability="sync")

    assert [found.metadata["step"] for found in app.get_state_history(thread="t")] == [4, 3, 2, 1, 0, -1]


def test_an_unknown_durability_is_refused():
    with pytest.raises(Exception, match="durability"):
        in_line(None, {"a": says("a")}, durability="never")

    with pytest.raises(Exception, match="durability"):
        in_line(None, {"a": says("a")}).invoke({}, durability="never")


def test_a_graph_inside_a_node_runs_on_its_own_thread_of_the_same_saver(saver):
    inner = in_line(saver, {"i": says("i")})

    def node(state):
        return {"log": inner.invoke({}, thread="inner")["log"]}

    app = side_by_side(saver, {"a": node, "b": says("b")})

    assert app.invoke({}, thread="t")["log"] == ["i", "b"]
    assert app.invoke({}, thread="t")["log"] == ["i", "b", "i", "i", "b"]
    assert inner.get_state(thread="inner").values == {"log": ["i", "i"]}


def test_many_nodes_that_each_run_a_wide_graph_do_not_wait_for_each_other(saver):
    inner = side_by_side(None, {f"i{n}": says("i") for n in range(3)})

    def node(state):
        return {"log": inner.invoke({})["log"]}

    app = side_by_side(saver, {f"n{n}": node for n in range(40)})
    found: list[object] = []
    runner = threading.Thread(target=lambda: found.append(app.invoke({}, thread="t")["log"]), daemon=True)
    runner.start()
    runner.join(20)

    assert found == [["i"] * 120]


def test_an_async_node_that_invokes_a_graph_of_async_nodes_does_not_wait_for_itself(saver):
    async def leaf(state):
        return {"log": ["leaf"]}

    inner = side_by_side(None, {"a": leaf, "b": leaf})

    async def node(state):
        return {"log": inner.invoke({})["log"]}

    app = in_line(saver, {"n": node})
    found: list[object] = []
    runner = threading.Thread(target=lambda: found.append(app.invoke({}, thread="t")["log"]), daemon=True)
    runner.start()
    runner.join(10)

    assert found == [["leaf", "leaf"]]


def test_a_question_of_a_graph_inside_a_node_is_not_the_nodes_own(saver):
    inner = in_line(None, {"i": lambda state: {"log": [interrupt("inner?")]}})

    def node(state):
        return {"log": [inner.invoke({}).status]}

    app = in_line(saver, {"a": node})

    assert app.invoke({}, thread="t") == {"log": ["interrupted"]}
