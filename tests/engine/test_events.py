"""What a stream tells, and when."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tests.engine.graphs import Failing, in_line, says, side_by_side
from weavenb import interrupt
from weavenb.errors import NodeFailed, SerializationFailed
from weavenb.model.events import Committed, Planned, Stopped, TaskEnded


def test_a_stream_tells_each_step_in_order(saver):
    app = in_line(saver, {"a": says("a"), "b": says("b")})
    events = list(app.stream({}, thread="t"))

    assert [type(event).__name__ for event in events] == [
        "Committed",
        *["Planned", "TaskEnded", "Committed"] * 2,
        "Stopped",
    ]
    assert [event["type"] for event in events][-2:] == ["committed", "stopped"]


def test_events_carry_what_happened(saver):
    app = in_line(saver, {"a": says("a")})
    begun, planned, ended, committed, stopped = app.stream({}, thread="t")
    assert isinstance(begun, Committed)
    assert isinstance(planned, Planned)
    assert isinstance(ended, TaskEnded)
    assert isinstance(committed, Committed)
    assert isinstance(stopped, Stopped)

    assert (begun.source, begun.next) == ("input", ("a",))
    assert [task.node for task in planned.tasks] == ["a"]
    assert ended.outcome.task == planned.tasks[0]
    assert (committed.source, committed.changed, committed.state) == ("loop", ("log",), {"log": ["a"]})
    assert committed.checkpoint_id == app.get_state(thread="t").config["configurable"]["checkpoint_id"]
    assert (stopped.reason, stopped.output) == ("completed", {"log": ["a"]})


def test_a_stream_without_a_saver_tells_the_same(saver):
    kinds = [event["type"] for event in in_line(None, {"a": says("a")}).stream({})]

    assert kinds == [event["type"] for event in in_line(saver, {"a": says("a")}).stream({}, thread="t")]


@pytest.mark.parametrize(
    ("options", "reason"),
    [({"interrupt_before": ["b"]}, "breakpoint"), ({}, "question")],
)
def test_a_stream_says_why_it_stopped(saver, options, reason):
    app = in_line(saver, {"a": says("a"), "b": lambda state: {"log": [interrupt("ok?")]}})
    last = list(app.stream({}, thread="t", **options))[-1]

    assert last["reason"] == reason
    assert last["output"].status == "interrupted"


def test_a_stream_raises_what_the_run_raises(saver):
    app = in_line(saver, {"a": Failing("a")})
    events = []

    with pytest.raises(NodeFailed):
        events.extend(app.stream({}, thread="t"))

    assert app.get_state(thread="t").error is not None


def test_events_of_a_node_come_while_it_runs_and_before_it_ends(saver):
    def node(state, runtime):
        runtime.emit({"n": 1})
        runtime.emit({"n": 2})

    app = side_by_side(saver, {"a": node, "b": says("b")})
    events = [event for event in app.stream({}, thread="t") if event["type"] != "committed"]
    mine = [e for e in events if e["type"] == "custom" or (e["type"] == "task_ended" and e["outcome"].task.node == "a")]

    assert [event["type"] for event in mine] == ["custom", "custom", "task_ended"]
    assert [event["data"] for event in mine[:2]] == [{"n": 1}, {"n": 2}]


def test_a_node_may_emit_where_nobody_listens(saver):
    app = in_line(saver, {"a": lambda state, runtime: runtime.emit(1)})

    assert app.invoke({}, thread="t") == {"log": []}


def test_a_stream_left_early_stops_the_run_which_can_go_on(saver):
    ran: list[str] = []
    app = in_line(saver, {name: says(name, ran) for name in "abc"})
    for event in app.stream({}, thread="t"):
        if event["type"] == "committed" and event["source"] == "loop":
            break

    assert app.get_state(thread="t").next == ("b",)
    assert app.invoke(None, thread="t") == {"log": ["a", "b", "c"]}
    assert ran == ["a", "b", "c"]


def test_a_stream_that_nobody_reads_begins_nothing(saver):
    app = in_line(saver, {"a": says("a")})
    app.stream({}, thread="t")

    assert app.get_state(thread="t") is None


def test_a_node_knows_the_run_it_is_part_of(saver):
    seen = []

    def node(state, runtime):
        seen.append((runtime.context, runtime.thread, runtime.step, runtime.attempt, runtime.node))
        if len(seen) == 1:
            raise RuntimeError("once")

    app = in_line(saver, {"a": node})
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t", context={"key": "hush"})
    app.invoke(None, thread="t", context="other")

    assert seen == [({"key": "hush"}, "t", 0, 1, "a"), ("other", "t", 0, 2, "a")]
    assert "hush" not in str(list(app.get_state_history(thread="t")))


def test_a_task_is_told_to_have_ended_when_it_is_stored(saver):
    go_on = threading.Event()

    def slow(state):
        go_on.wait(10)

    app = side_by_side(saver, {"a": says("a"), "slow": slow})
    for event in app.stream({}, thread="t"):
        if event["type"] == "task_ended":
            break
    seen = app.get_state(thread="t")
    go_on.set()

    assert (seen.values["log"], seen.next) == (["a"], ("slow",))


def test_a_task_whose_result_was_refused_is_told_to_have_failed(saver):
    app = in_line(saver, {"a": lambda state: {"x": object()}})
    ended: list[Any] = []

    def listen():
        for event in app.stream({}, thread="t"):
            ended.extend([event] if event["type"] == "task_ended" else [])

    with pytest.raises(SerializationFailed):
        listen()

    assert [type(event["outcome"]).__name__ for event in ended] == ["Failed"]


def test_an_error_that_cannot_even_say_what_it_is_fails_its_task(saver):
    class Mute(Exception):
        def __str__(self):
            raise ValueError("no text")

    def node(state):
        raise Mute

    app = in_line(saver, {"a": node})
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")

    assert app.get_state(thread="t").error.startswith("Mute")
