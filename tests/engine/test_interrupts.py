"""Questions: asked, answered, asked again."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.graphs import Failing, at, graph_of, in_line, says, side_by_side, sources
from weavenb import START, MemorySaver, Send, interrupt
from weavenb.errors import AmbiguousResume, NodeFailed, NothingToResume, SerializationFailed, ThreadNotFound


def asks(*questions, runs=None, name="n"):
    """A node that asks these one after the other and logs the answers."""

    def node(state):
        if runs is not None:
            runs.append(name)
        return {"log": [str(interrupt(question)) for question in questions]}

    return node


def held(out):
    return [question.value for question in out.interrupts]


def test_a_pause_is_a_result_and_not_an_exception(saver):
    app = in_line(saver, {"n": asks("ok?")})
    out = app.invoke({}, thread="t")

    assert out.status == "interrupted"
    assert held(out) == ["ok?"]
    assert out.interrupts[0].node == "n"
    assert out.interrupts[0].kind == "question"


def test_a_pause_works_without_a_saver_too():
    app = in_line(None, {"n": asks("ok?")})
    out = app.invoke({})

    assert out.status == "interrupted"
    assert held(out) == ["ok?"]


def test_the_node_restarts_from_its_top_and_answers_are_matched_by_order(saver):
    runs: list[str] = []
    app = in_line(saver, {"n": asks("one?", "two?", runs=runs)})
    app.invoke({}, thread="t")
    out = app.resume("1", thread="t")

    assert held(out) == ["two?"]
    assert app.resume("2", thread="t") == {"log": ["1", "2"]}
    assert runs == ["n", "n", "n"]


def test_none_is_an_answer_like_any_other(saver):
    app = in_line(saver, {"n": asks("ok?")})
    app.invoke({}, thread="t")

    assert app.resume(None, thread="t") == {"log": ["None"]}


@pytest.mark.parametrize("answer", [{"a": 1}, [], {}, False, 0, ""])
def test_any_value_is_an_answer(saver, answer):
    app = in_line(saver, {"n": asks("ok?")})
    app.invoke({}, thread="t")

    assert app.resume(answer, thread="t") == {"log": [str(answer)]}


def test_several_questions_are_answered_by_id_in_parts(saver):
    app = side_by_side(saver, {"a": asks("a1"), "b": asks("b1", "b2")})
    ids = {question.value: question.id for question in app.invoke({}, thread="t").interrupts}

    assert set(ids) == {"a1", "b1"}

    out = app.resume({ids["a1"]: "A", ids["b1"]: "B"}, thread="t")
    seen = app.get_state(thread="t")

    assert held(out) == ["b2"]
    assert [question.value for question in seen.interrupts] == ["b2"]
    assert [question.value for question in seen.answered] == ["a1", "b1"]
    assert app.resume("C", thread="t") == {"log": ["A", "B", "C"]}


def test_a_task_whose_question_is_open_is_not_run_because_another_was_answered(saver):
    runs: list[str] = []
    app = side_by_side(saver, {"a": asks("a1", runs=runs, name="a"), "b": asks("b1", "b2", runs=runs, name="b")})
    ids = {question.value: question.id for question in app.invoke({}, thread="t").interrupts}
    app.resume({ids["a1"]: "A"}, thread="t")

    assert sorted(runs) == ["a", "a", "b"]


def test_one_answer_for_several_questions_is_ambiguous_and_nothing_is_written(saver):
    app = side_by_side(saver, {"a": asks("a1"), "b": asks("b1")})
    out = app.invoke({}, thread="t")
    before = app.get_state(thread="t")
    with pytest.raises(AmbiguousResume) as found:
        app.resume("yes", thread="t")

    assert found.value.details["pending"] == {question.id: question.value for question in out.interrupts}
    assert app.get_state(thread="t") == before


def test_an_unknown_id_among_answers_is_refused_and_nothing_is_written(saver):
    app = side_by_side(saver, {"a": asks("a1"), "b": asks("b1")})
    out = app.invoke({}, thread="t")
    before = app.get_state(thread="t")

    with pytest.raises(NothingToResume):
        app.resume({out.interrupts[0].id: 1, "nope": 2}, thread="t")

    assert app.get_state(thread="t") == before


def test_an_answer_that_cannot_be_stored_is_refused_and_the_question_stays_open(saver):
    app = in_line(saver, {"n": asks("ok?")})
    app.invoke({}, thread="t")
    with pytest.raises(SerializationFailed):
        app.resume(object(), thread="t")

    assert held(app.get_state(thread="t")) == ["ok?"]


def test_a_question_that_cannot_be_stored_fails_the_task(saver):
    app = in_line(saver, {"n": asks(object())})
    with pytest.raises(SerializationFailed) as found:
        app.invoke({}, thread="t")

    assert found.value.details["node"] == "n"


def test_nothing_open_is_nothing_to_resume(saver):
    app = in_line(saver, {"a": says("a")})
    app.invoke({}, thread="t")

    with pytest.raises(NothingToResume):
        app.resume("yes", thread="t")
    with pytest.raises(ThreadNotFound):
        app.resume("yes", thread="nobody")

    assert sources(app, "t") == ["loop", "input"]


def test_answering_the_same_stopped_checkpoint_twice_makes_two_branches(saver):
    app = in_line(saver, {"n": asks("ok?"), "after": says("after")})
    app.invoke({}, thread="t")
    stopped = app.get_state(thread="t")
    first = app.resume("yes", stopped)
    second = app.resume("no", stopped)
    children = [f for f in app.get_state_history(thread="t") if f.parent_config == stopped.config]

    assert (first["log"], second["log"]) == (["yes", "after"], ["no", "after"])
    assert len(children) == 2
    assert app.get_state(first).values["log"] == ["yes", "after"]
    assert app.get_state(thread="t").values["log"] == ["no", "after"]


def test_an_old_checkpoint_with_several_questions_is_answered_by_their_ids(saver):
    app = side_by_side(saver, {"a": asks("a1"), "b": asks("b1")})
    out = app.invoke({}, thread="t")
    stopped = app.get_state(thread="t")
    ids = {question.value: question.id for question in out.interrupts}
    app.resume({ids["a1"]: "A", ids["b1"]: "B"}, thread="t")

    with pytest.raises(AmbiguousResume):
        app.resume("x", stopped)

    again = app.resume({ids["a1"]: "C"}, stopped)

    assert held(again) == ["b1"]
    assert app.resume("D", thread="t")["log"] == ["C", "D"]


def test_another_answer_to_the_second_question_keeps_the_first_answer(saver):
    app = in_line(saver, {"n": asks("one?", "two?")})
    app.invoke({}, thread="t")
    app.resume("1", thread="t")
    stopped = app.get_state(thread="t")
    app.resume("2", thread="t")
    out = app.resume("other", stopped)

    assert out["log"] == ["1", "other"]


def test_a_question_in_a_loop_counts_its_attempts(saver):
    body: list[int] = []

    def node(state):
        answers: list[Any] = []
        while True:
            body.append(1)
            answers.append(interrupt(len(answers)))
            if answers[-1] == "stop":
                return {"log": answers}

    app = in_line(saver, {"n": node})
    app.invoke({}, thread="t")
    for answer in ("1", "2", "3", "stop"):
        app.resume(answer, thread="t")

    assert app.get_state(thread="t").values["log"] == ["1", "2", "3", "stop"]
    assert len(body) == 1 + 2 + 3 + 4 + 4


def test_attempts_of_an_asking_node_are_recorded():
    saver = MemorySaver()
    app = in_line(saver, {"n": asks("one?", "two?")})
    app.invoke({}, thread="t")
    app.resume("1", thread="t")
    app.resume("2", thread="t")
    rows = saver.read_tables()["tasks"].to_pylist()

    assert [(row["attempt"], row["status"]) for row in rows] == [(1, "interrupted"), (2, "interrupted"), (3, "ok")]


def test_a_nodes_own_handler_does_not_catch_a_question(saver):
    def node(state):
        try:
            answer = interrupt("ok?")
        except Exception:  # noqa: BLE001 - the point of the test
            answer = "caught"
        return {"log": [answer]}

    app = in_line(saver, {"n": node})

    assert app.invoke({}, thread="t").status == "interrupted"
    assert app.resume("yes", thread="t")["log"] == ["yes"]


def test_a_question_outside_a_node_says_so():
    with pytest.raises(Exception, match="outside a running node"):
        interrupt("ok?")


def test_a_failure_beside_a_question_keeps_both(saver):
    app = side_by_side(saver, {"a": asks("a1"), "b": Failing("b")})
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")
    seen = app.get_state(thread="t")

    assert held(seen) == ["a1"]
    assert seen.error is not None
    assert held(app.invoke(None, thread="t")) == ["a1"]
    assert app.get_state(thread="t").error is None
    assert app.resume("A", thread="t")["log"] == ["A", "b"]


def test_a_task_that_failed_before_it_asked_is_only_asking(saver):
    turn: list[int] = []

    def node(state):
        turn.append(1)
        if len(turn) == 1:
            raise RuntimeError("first")
        return {"log": [interrupt("a1")]}

    app = side_by_side(saver, {"a": node, "b": asks("b1")})
    with pytest.raises(NodeFailed):
        app.invoke({}, thread="t")
    out = app.invoke(None, thread="t")
    ids = {question.value: question.id for question in out.interrupts}

    assert set(ids) == {"a1", "b1"}
    assert held(app.resume({ids["b1"]: "B"}, thread="t")) == ["a1"]
    assert app.get_state(thread="t").error is None
    assert app.resume("A", thread="t")["log"] == ["A", "B"]


def test_an_answer_is_kept_when_the_node_then_fails(saver):
    turn: list[int] = []

    def node(state):
        answer = interrupt("ok?")
        turn.append(1)
        if len(turn) == 1:
            raise RuntimeError("after the answer")
        return {"log": [answer]}

    app = in_line(saver, {"n": node})
    app.invoke({}, thread="t")
    with pytest.raises(NodeFailed):
        app.resume("yes", thread="t")

    assert app.get_state(thread="t").interrupts == ()
    assert app.invoke(None, thread="t") == {"log": ["yes"]}


def test_questions_survive_the_end_of_the_program(store):
    nodes = {"a": asks("a1"), "b": asks("b1", "b2")}
    app = side_by_side(store.saver, nodes)
    ids = {question.value: question.id for question in app.invoke({}, thread="t").interrupts}
    app = side_by_side(store.reopened(), nodes)
    app.resume({ids["b1"]: "B"}, thread="t")
    app = side_by_side(store.reopened(), nodes)
    seen = app.get_state(thread="t")

    assert held(seen) == ["a1", "b2"]
    assert [question.value for question in seen.answered] == ["b1"]
    assert app.resume({q.id: q.value for q in seen.interrupts}, thread="t")["log"] == ["a1", "B", "b2"]


def test_a_question_of_a_sent_task_belongs_to_that_task(saver):
    def split(state):
        return [Send("w", {"x": n}) for n in (1, 2)]

    def work(state):
        return {"log": [f"{state['x']}:{interrupt(state['x'])}"]}

    app = graph_of(saver, {"split": split, "w": work}, [(START, "split")])
    out = app.invoke({}, thread="t")

    assert held(out) == [1, 2]
    assert app.resume({q.id: f"A{q.value}" for q in out.interrupts}, thread="t")["log"] == ["1:A1", "2:A2"]


def test_a_resume_appends_no_checkpoint_of_its_own(saver):
    app = in_line(saver, {"n": asks("ok?"), "after": says("after")})
    app.invoke({}, thread="t")
    app.resume("yes", thread="t")

    assert sources(app, "t") == ["loop", "loop", "input"]
    assert at(app, "t", "n").parent_config is None


def test_an_answer_that_made_the_node_fail_can_be_given_otherwise_at_that_checkpoint(saver):
    app = in_line(saver, {"n": lambda state: {"log": [str(int(interrupt("how many?")))]}, "after": says("after")})
    app.invoke({}, thread="t")
    stopped = app.get_state(thread="t")
    with pytest.raises(NodeFailed):
        app.resume("many", thread="t")

    with pytest.raises(NothingToResume):
        app.resume("3", thread="t")

    assert app.resume("3", stopped) == {"log": ["3", "after"]}
    assert app.get_state(thread="t").parent_config is not None
