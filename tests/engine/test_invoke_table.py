"""What an input does at a thread, at its head and at a checkpoint: each cell of the table."""

from __future__ import annotations

import pytest

from tests.engine.graphs import Failing, at, in_line, says, sources
from weavenb import MemorySaver, interrupt
from weavenb.errors import CheckpointNotFound, NodeFailed, ThreadNotFound

INPUTS = [None, {}, {"log": ["in"]}]


def asks(state):
    return {"log": [interrupt("ok?")]}


def stopped_after_a(saver, ran):
    """A thread whose head is unfinished: `a` has run, `b` waits."""
    app = in_line(saver, {"a": says("a", ran), "b": says("b", ran)}, interrupt_after=["a"])
    app.invoke({"log": ["first"]}, thread="t")
    ran.clear()
    return app


def finished(saver, ran):
    app = in_line(saver, {"a": says("a", ran), "b": says("b", ran)})
    app.invoke({"log": ["first"]}, thread="t")
    ran.clear()
    return app


def test_none_at_an_unknown_thread_is_thread_not_found_naming_the_nearest(saver):
    app = finished(saver, [])
    app.invoke({}, thread="ticket-42")

    with pytest.raises(ThreadNotFound) as found:
        app.invoke(None, thread="ticket-43")

    assert found.value.details["nearest"] == "ticket-42"


@pytest.mark.parametrize("given", [{}, {"log": ["in"]}])
def test_an_input_at_an_unknown_thread_begins_it(saver, given):
    app = in_line(saver, {"a": says("a"), "b": says("b")})
    out = app.invoke(given, thread="t")

    assert out == {"log": [*given.get("log", []), "a", "b"]}
    assert out.status == "completed"
    assert [found.next for found in app.get_state_history(thread="t")] == [(), ("b",), ("a",)]
    assert [found.metadata["step"] for found in app.get_state_history(thread="t")] == [1, 0, -1]


def test_none_at_a_finished_head_returns_the_state_and_runs_nothing(saver):
    ran: list[str] = []
    app = finished(saver, ran)
    before = app.get_state(thread="t").config
    out = app.invoke(None, thread="t")

    assert out == {"log": ["first", "a", "b"]}
    assert ran == []
    assert app.get_state(thread="t").config == before == out.config


@pytest.mark.parametrize("given", [{}, {"log": ["in"]}])
def test_an_input_at_a_finished_head_is_a_new_turn(saver, given):
    ran: list[str] = []
    app = finished(saver, ran)
    out = app.invoke(given, thread="t")

    assert out["log"] == ["first", "a", "b", *given.get("log", []), "a", "b"]
    assert ran == ["a", "b"]
    assert sources(app, "t") == ["loop", "loop", "input"] * 2


@pytest.mark.parametrize("given", [None, {}])
def test_no_input_at_an_unfinished_head_continues(saver, given):
    ran: list[str] = []
    app = stopped_after_a(saver, ran)
    out = app.invoke(given, thread="t")

    assert out == {"log": ["first", "a", "b"]}
    assert ran == ["b"]
    assert sources(app, "t") == ["loop", "loop", "input"]


def test_an_input_at_an_unfinished_head_is_merged_and_the_run_continues(saver):
    ran: list[str] = []
    app = stopped_after_a(saver, ran)
    out = app.invoke({"log": ["in"]}, thread="t")

    assert out == {"log": ["first", "a", "in", "b"]}
    assert ran == ["b"]
    assert sources(app, "t") == ["loop", "update", "loop", "input"]


@pytest.mark.parametrize("given", [None, {}])
def test_no_input_at_an_open_question_returns_interrupted_and_runs_nothing(saver, given):
    runs: list[str] = []

    def node(state):
        runs.append("n")
        return asks(state)

    app = in_line(saver, {"n": node})
    first = app.invoke({}, thread="t")
    runs.clear()
    out = app.invoke(given, thread="t")

    assert out.status == "interrupted"
    assert [held.value for held in out.interrupts] == ["ok?"]
    assert out.interrupts == first.interrupts
    assert runs == []
    assert sources(app, "t") == ["input"]


def test_an_input_at_an_open_question_is_merged_and_still_asks(saver):
    app = in_line(saver, {"n": asks, "after": says("after")})
    first = app.invoke({}, thread="t")
    out = app.invoke({"log": ["in"]}, thread="t")

    assert out.status == "interrupted"
    assert out.interrupts == first.interrupts
    assert out["log"] == ["in"]
    assert app.resume("yes", thread="t") == {"log": ["in", "yes", "after"]}


@pytest.mark.parametrize("given", [None, {}])
def test_no_input_at_an_unfinished_checkpoint_replays_it(saver, given):
    ran: list[str] = []
    app = finished(saver, ran)
    out = app.invoke(given, at(app, "t", "b"))

    assert out == {"log": ["first", "a", "b"]}
    assert ran == ["b"]
    assert sources(app, "t") == ["loop", "fork", "loop", "loop", "input"]


def test_an_input_at_an_unfinished_checkpoint_is_an_update_child_that_runs(saver):
    ran: list[str] = []
    app = finished(saver, ran)
    chosen = at(app, "t", "b")
    out = app.invoke({"log": ["in"]}, chosen)
    child = list(app.get_state_history(thread="t"))[1]

    assert out == {"log": ["first", "a", "in", "b"]}
    assert ran == ["b"]
    assert child.metadata["source"] == "update"
    assert child.parent_config == chosen.config


@pytest.mark.parametrize("given", [None, {}])
def test_no_input_at_a_finished_checkpoint_runs_nothing_and_moves_no_head(saver, given):
    ran: list[str] = []
    app = finished(saver, ran)
    old = app.get_state(thread="t")
    app.invoke({"log": ["second"]}, thread="t")
    head = app.get_state(thread="t")
    ran.clear()
    out = app.invoke(given, old.config)

    assert out == old.values
    assert out.config == old.config
    assert ran == []
    assert app.get_state(thread="t") == head


def test_an_input_at_a_finished_checkpoint_is_a_new_turn_from_there(saver):
    app = finished(saver, [])
    old = app.get_state(thread="t")
    app.invoke({"log": ["second"]}, thread="t")
    out = app.invoke({"log": ["other"]}, old.config)

    assert out == {"log": ["first", "a", "b", "other", "a", "b"]}
    assert app.get_state(thread="t").values == out


@pytest.mark.parametrize("given", INPUTS)
def test_any_input_at_an_unknown_checkpoint_is_checkpoint_not_found(saver, given):
    app = finished(saver, [])
    nowhere = {"configurable": {"thread_id": "t", "checkpoint_id": "nowhere"}}

    with pytest.raises(CheckpointNotFound):
        app.invoke(given, nowhere)

    assert len(sources(app, "t")) == 3


@pytest.mark.parametrize("given", INPUTS)
def test_without_a_saver_any_input_is_a_new_run_and_nothing_is_saved(given):
    app = in_line(None, {"a": says("a")})
    out = app.invoke(given)

    assert out == {"log": [*(given or {}).get("log", []), "a"]}
    assert out.config == {}
    assert app.invoke(given) == out


def test_a_failed_head_is_unfinished_and_only_what_failed_runs_again(saver):
    ran: list[str] = []
    broken = Failing("b")
    app = in_line(saver, {"a": says("a", ran), "b": broken})
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")
    out = app.invoke(None, thread="t")

    assert out == {"log": ["a", "b"]}
    assert ran == ["a"]


def test_a_call_may_bring_its_own_saver():
    own, other = MemorySaver(), MemorySaver()
    app = in_line(own, {"a": says("a")})
    app.invoke({}, thread="t", checkpointer=other)

    assert app.get_state(thread="t") is None
    assert app.get_state(thread="t", checkpointer=other).values == {"log": ["a"]}


def test_threads_are_named_by_text_mapping_or_snapshot(saver):
    app = in_line(saver, {"a": says("a")})
    app.invoke({}, "one")
    app.invoke({}, {"configurable": {"thread_id": "two"}, "metadata": {"who": "me"}})

    assert app.get_state("one").values == app.get_state({"configurable": {"thread_id": "two"}}).values
    assert app.get_state("two").metadata["who"] == "me"
    assert app.get_state(app.get_state("one")).values == {"log": ["a"]}


def test_a_recursion_limit_may_stand_in_the_config(saver):
    app = in_line(saver, {"a": says("a"), "b": says("b")})

    with pytest.raises(Exception, match="used its 1 step and"):
        app.invoke({}, {"configurable": {"thread_id": "t"}, "recursion_limit": 1})


def test_secrets_in_configurable_are_never_copied(saver):
    app = in_line(saver, {"a": says("a")})
    app.invoke({}, {"configurable": {"thread_id": "t", "api_key": "hush"}})

    assert all("hush" not in str(found.metadata) for found in app.get_state_history(thread="t"))
