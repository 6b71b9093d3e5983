"""Running on from a chosen checkpoint."""

from __future__ import annotations

import pytest

from tests.engine.graphs import Failing, at, graph_of, in_line, says, side_by_side, sources
from weavenb import START, Send, interrupt
from weavenb.errors import NodeFailed


def asks(state):
    return {"log": [interrupt("ok?")]}


def test_a_replay_runs_what_follows_and_not_what_came_before(saver):
    ran: list[str] = []
    app = in_line(saver, {name: says(name, ran) for name in "abc"})
    app.invoke({}, thread="t")
    ran.clear()
    chosen = at(app, "t", "b")
    old = list(app.get_state_history(thread="t"))
    out = app.replay(chosen)
    now = list(app.get_state_history(thread="t"))

    assert ran == ["b", "c"]
    assert out == {"log": ["a", "b", "c"]}
    assert now[-len(old) :] == old
    assert [found.metadata["source"] for found in now[:3]] == ["loop", "loop", "fork"]
    assert now[2].parent_config == chosen.config
    assert now[2].values == chosen.values
    assert now[2].next == chosen.next
    assert now[2].metadata["step"] == chosen.metadata["step"] + 1
    assert app.get_state(thread="t").config == now[0].config == out.config


def test_the_fork_is_saved_before_its_first_node_runs(saver):
    seen: list[str] = []
    app = in_line(saver, {"a": says("a"), "b": lambda state: seen.append(app.get_state(thread="t").metadata["source"])})
    app.invoke({}, thread="t")
    app.replay(at(app, "t", "b"))

    assert seen == ["loop", "fork"]


def test_a_replay_renews_the_ids_of_tasks(saver):
    app = in_line(saver, {"a": says("a"), "b": says("b")})
    app.invoke({}, thread="t")
    chosen = at(app, "t", "b")
    app.replay(chosen)
    fork = next(found for found in app.get_state_history(thread="t") if found.metadata["source"] == "fork")

    assert fork.tasks[0].id != chosen.tasks[0].id


def test_a_replay_asks_again_and_leaves_the_old_answers_where_they_are(saver):
    app = in_line(saver, {"a": says("a"), "ask": asks, "b": says("b")})
    app.invoke({}, thread="t")
    app.resume("old", thread="t")
    out = app.replay(at(app, "t", "ask"))

    assert [held.value for held in out.interrupts] == ["ok?"]
    assert "old" not in out["log"]

    app.resume("new", thread="t")

    assert app.get_state(thread="t").values["log"] == ["a", "new", "b"]
    assert any("old" in found.values["log"] for found in app.get_state_history(thread="t"))


def test_a_resume_of_a_replayed_branch_answers_exactly_one_question(saver):
    app = in_line(saver, {"ask1": asks, "ask2": asks, "end": says("end")})
    app.invoke({}, thread="t")
    app.resume("1", thread="t")
    app.resume("2", thread="t")
    app.replay(at(app, "t", "ask1"))
    app.resume("10", thread="t")
    seen = app.get_state(thread="t")

    assert seen.next == ("ask2",)
    assert len(seen.interrupts) == 1
    assert seen.values["log"] == ["10"]


def test_the_id_of_the_head_replays_too_and_asks_again(saver):
    app = in_line(saver, {"n": asks})
    app.invoke({}, thread="t")
    first = app.get_state(thread="t")
    out = app.replay(first)

    assert out.status == "interrupted"
    assert out.interrupts[0].id != first.interrupts[0].id
    assert sources(app, "t") == ["fork", "input"]


@pytest.mark.parametrize("made_by", ["update", "fork"])
def test_an_update_or_fork_with_no_started_task_simply_continues(saver, made_by):
    ran: list[str] = []
    app = in_line(saver, {"a": says("a"), "b": says("b", ran)}, interrupt_before=["b"])
    app.invoke({}, thread="t")
    if made_by == "update":
        app.update_state("t", {"log": ["edit"]})
    else:
        app.replay(app.get_state(thread="t"))  # a breakpoint holds it before `b`
        assert sources(app, "t")[0] == "fork"
    before = sources(app, "t")
    app.replay(app.get_state(thread="t"))

    assert ran == ["b"]
    assert sources(app, "t") == ["loop", *before]


def test_a_replay_of_the_head_runs_finished_siblings_again(saver):
    ran: list[str] = []
    app = side_by_side(saver, {"a": says("a", ran), "b": Failing("b")})
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")
    out = app.replay(app.get_state(thread="t"))

    assert out == {"log": ["a", "b"]}
    assert ran == ["a", "a"]


def test_a_replay_of_a_finished_checkpoint_is_a_no_op(saver):
    ran: list[str] = []
    app = in_line(saver, {"a": says("a", ran)})
    app.invoke({}, thread="t")
    first = app.get_state(thread="t")
    app.invoke({}, thread="t")
    ran.clear()
    before = list(app.get_state_history(thread="t"))
    out = app.replay(first)

    assert out == first.values
    assert ran == []
    assert list(app.get_state_history(thread="t")) == before


def test_a_replay_keeps_the_arguments_of_sends(saver):
    seen: list[int] = []

    def split(state):
        return [Send("w", {"x": 1}), Send("w", {"x": 2})]

    def work(state):
        seen.append(state["x"])
        return {"log": [f"w{state['x']}"]}

    app = graph_of(saver, {"split": split, "w": work}, [(START, "split")])
    app.invoke({}, thread="t")
    seen.clear()
    out = app.replay(at(app, "t", "w", "w"))

    assert sorted(seen) == [1, 2]
    assert out == {"log": ["w1", "w2"]}


def test_a_replay_restores_arrivals_at_a_join(saver):
    ran: list[str] = []
    nodes = {name: says(name, ran) for name in ("a", "slow", "slower", "j")}
    edges = [(START, "a"), (START, "slow"), ("slow", "slower"), (["a", "slower"], "j")]
    app = graph_of(saver, nodes, edges)
    app.invoke({}, thread="t")
    ran.clear()
    out = app.replay(at(app, "t", "slower"))

    assert ran == ["slower", "j"]
    assert out["log"] == ["a", "slow", "slower", "j"]
    assert "__join__" not in out


def test_a_fork_takes_a_checkpoint_into_another_thread(saver):
    app = in_line(saver, {"a": says("a"), "b": says("b")})
    app.invoke({}, thread="t")
    if "fork_at" not in saver.capabilities:
        with pytest.raises(Exception, match="fork_at"):
            app.fork(at(app, "t", "b"), thread="other")
        return
    made = app.fork(at(app, "t", "b"), thread="other")
    app.update_state(made, {"log": ["x"]})
    out = app.invoke(None, thread="other")

    assert out == {"log": ["a", "x", "b"]}
    assert app.get_state(thread="t").values == {"log": ["a", "b"]}


def test_two_forks_of_one_key_keep_their_values_apart(store):
    def app_of(saver):
        return in_line(saver, {"a": says("a"), "b": says("b")})

    app = app_of(store.saver)
    app.invoke({"x": 0}, thread="t")
    chosen = at(app, "t", "b")
    tips = []
    for value in (1, 2):
        app.invoke(None, app.update_state(chosen, {"x": value}))
        tips.append(app.get_state(thread="t"))
    app = app_of(store.reopened())

    assert [app.get_state(tip.config).values["x"] for tip in tips] == [1, 2]
