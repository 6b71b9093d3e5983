"""Reading never runs, never raises on what was stored, and tells the truth."""

from __future__ import annotations

import time

import pytest

from tests.engine.graphs import Failing, at, in_line, says, side_by_side
from weavenb import interrupt
from weavenb.errors import CheckpointNotFound, NodeFailed, ThreadNotFound


def asks(state):
    return {"log": [interrupt("ok?")]}


def half_done(saver):
    """`a` has finished, `b` failed, `c` asks."""
    app = side_by_side(saver, {"a": says("a"), "b": Failing("b", 9), "c": asks})
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")
    return app


def test_what_is_missing_is_none_or_empty(saver):
    app = in_line(saver, {"a": says("a")})
    app.invoke({}, thread="t")

    assert app.get_state(thread="nobody") is None
    assert app.get_state({"configurable": {"thread_id": "t", "checkpoint_id": "nowhere"}}) is None
    assert list(app.get_state_history(thread="nobody")) == []


@pytest.mark.parametrize("verb", ["replay", "update_state", "fork", "resume"])
def test_acting_on_what_is_missing_raises(saver, verb):
    app = in_line(saver, {"a": says("a")})
    app.invoke({}, thread="t")
    nowhere = {"configurable": {"thread_id": "t", "checkpoint_id": "nowhere"}}
    nobody = {"configurable": {"thread_id": "nobody"}}

    def act(config):
        match verb:
            case "replay":
                return app.replay(config)
            case "update_state":
                return app.update_state(config, {"log": ["x"]})
            case "resume":
                return app.resume("yes", config)
            case _:
                return app.fork(config, thread="new")

    if verb == "fork" and "fork_at" not in saver.capabilities:
        with pytest.raises(Exception, match="fork_at"):
            act(nowhere)
        return
    with pytest.raises(CheckpointNotFound):
        act(nowhere)

    with pytest.raises(ThreadNotFound):
        act(nobody)


def test_the_live_head_has_finished_siblings_applied_and_lists_only_what_is_unfinished(saver):
    app = half_done(saver)
    seen = app.get_state(thread="t")

    assert seen.live
    assert seen.values == {"log": ["a"]}
    assert seen.next == ("b", "c")
    assert [task.status for task in seen.tasks] == ["ok", "error", "interrupted"]
    assert seen.tasks[0].result == {"log": ["a"]}
    assert [held.value for held in seen.interrupts] == ["ok?"]
    assert seen.error == "RuntimeError: b is broken"


def test_the_head_by_its_id_is_the_record_as_its_run_left_it(saver):
    app = half_done(saver)
    seen = app.get_state(app.get_state(thread="t"))

    assert not seen.live
    assert seen.values == {"log": []}
    assert seen.next == ("a", "b", "c")
    assert [held.value for held in seen.interrupts] == ["ok?"]
    assert "b is broken" in seen.error


def test_a_checkpoint_by_its_id_still_shows_a_question_answered_later(saver):
    app = in_line(saver, {"n": asks})
    app.invoke({}, thread="t")
    stopped = app.get_state(thread="t")
    app.resume("yes", thread="t")
    seen = app.get_state(stopped)

    assert seen.interrupts == stopped.interrupts
    assert seen.answered == ()
    assert app.get_state(thread="t").interrupts == ()


def test_of_two_questions_the_first_was_answered_then(saver):
    def node(state):
        return {"log": [interrupt("one?"), interrupt("two?")]}

    app = in_line(saver, {"n": node})
    app.invoke({}, thread="t")
    app.resume("1", thread="t")
    stopped = app.get_state(thread="t")

    assert [held.value for held in stopped.interrupts] == ["two?"]
    assert [held.value for held in stopped.answered] == ["one?"]

    app.resume("2", thread="t")
    seen = app.get_state(stopped)

    assert [held.value for held in seen.interrupts] == ["one?", "two?"]
    assert [held.value for held in seen.answered] == ["one?"]


def test_next_interrupts_and_error_agree_when_all_is_over(saver):
    broken = Failing("b")
    app = side_by_side(saver, {"a": says("a"), "b": broken})
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")
    app.invoke(None, thread="t")
    seen = app.get_state(thread="t")

    assert (seen.next, seen.interrupts, seen.answered, seen.error) == ((), (), (), None)


def test_history_is_newest_first_pages_and_filters(saver):
    app = in_line(saver, {"a": says("a"), "b": says("b")})
    app.invoke({}, thread="t", metadata={"who": "one"})
    app.invoke({}, thread="t", metadata={"who": "two"})
    whole = list(app.get_state_history(thread="t"))

    assert [found.metadata["step"] for found in whole] == [4, 3, 2, 1, 0, -1]
    assert list(app.get_state_history(thread="t", limit=2)) == whole[:2]
    assert list(app.get_state_history(thread="t", before=whole[1])) == whole[2:]
    assert list(app.get_state_history(thread="t", filter={"who": "one"})) == whole[3:]
    assert list(app.get_state_history(thread="t", filter={"source": "input"})) == [whole[2], whole[5]]


def test_a_checkpoint_names_who_produced_it(saver):
    nodes = {name: says(name) for name in "abcd"}
    app = in_line(saver, {"a": nodes["a"]})
    app.invoke({}, thread="t")

    assert [found.produced_by for found in app.get_state_history(thread="t")] == [("a",), ("__start__",)]


def test_a_checkpoint_never_changes(saver):
    app = half_done(saver)
    first = app.get_state(app.get_state(thread="t"))
    app.update_state("t", {"log": ["edit"]})
    app.update_state("t", {"log": ["b"]}, as_node="b")
    app.resume("yes", thread="t")

    assert app.get_state(first) == first


def test_reading_with_another_graph_does_not_raise(saver):
    half_done(saver)
    other = in_line(saver, {"z": says("z")})
    seen = other.get_state(thread="t")

    assert seen.next == ("b", "c")
    assert len(list(other.get_state_history(thread="t"))) == 1


def test_a_large_thread_is_read_in_no_time(saver):
    app = in_line(saver, {"a": lambda state: {"log": ["x" * 50_000]}})
    for _ in range(20):
        app.invoke({}, thread="t")
    app.get_state(thread="t")
    began = time.perf_counter()
    app.get_state(thread="t")
    list(app.get_state_history(thread="t", limit=20))
    took = time.perf_counter() - began

    assert took < 1


def test_a_question_of_a_thread_that_went_on_is_not_open(saver):
    app = in_line(saver, {"n": asks, "after": says("after")})
    app.invoke({}, thread="t")
    app.resume("yes", thread="t")

    assert at(app, "t", "after").interrupts == ()
