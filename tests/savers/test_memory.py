from __future__ import annotations

from threading import Thread

import pytest

from weavenb.errors import ConcurrentUpdate
from weavenb.model.records import StepCommit
from weavenb.model.tasks import NO_ROUTE, Finished, Paused, Question, Span
from weavenb.savers.memory import MemorySaver
from weavenb.testing.commits import commit, config, record, write
from weavenb.testing.fixed import fixed
from weavenb.testing.saver_contract import SaverContract

NOW = 2**60


class TestMemorySaver(SaverContract):
    @pytest.fixture
    def saver(self):
        with MemorySaver() as saver:
            yield saver


def stored(saver, made, expected=None, **more):
    saver.commit_step(commit(made, **more), expected_head=expected, run_started_seq=NOW, sync=False)
    return made


def kept(saver, at, *writes, outcomes=(), run="run"):
    step = StepCommit(at.thread, "", run, at.id, outcomes=outcomes, pending=writes)
    saver.commit_step(step, expected_head=None, run_started_seq=NOW, sync=False)


def rows(saver, table, thread=None):
    return saver.read_tables(thread)[table].to_pylist()


def test_many_threads_at_once_lose_no_step():
    saver = MemorySaver()
    lost = []

    def work(number):
        mine = None
        for i in range(50):
            made = record("shared", mine, {"n": (number, i)})
            try:
                stored(saver, made, mine.id if mine else None)
            except ConcurrentUpdate:
                lost.append(made.id)
            mine = made

    workers = [Thread(target=work, args=(i,)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    seqs = [row["seq"] for table in saver.read_tables().values() for row in table.to_pylist()]

    assert len(list(saver.list(config("shared")))) == 200
    assert len(seqs) == len(set(seqs))
    assert len(lost) >= 150


def test_a_question_is_raised_once_and_answered_once_in_the_facts():
    saver = MemorySaver()
    at = stored(saver, record("t", None, {}, next=["ask"]))
    (task,) = at.next
    for count in (1, 1, 2):
        asked = tuple(Question(f"q{i}", i) for i in range(count))
        listed = [{"id": q.id, "value": q.value} for q in asked]
        outcome = Paused(task, asked, Span())
        kept(saver, at, write(task.id, "__interrupt__", listed), outcomes=(outcome,))
    kept(saver, at, write(task.id, "__answer__", {"q0": "yes"}))
    kept(saver, at, write(task.id, "__answer__", {"q0": "yes", "q1": None}))
    facts = rows(saver, "interrupt_events")

    assert [(row["interrupt_id"], row["event"], row["value"]) for row in facts] == [
        ("q0", "raised", "0"),
        ("q1", "raised", "1"),
        ("q0", "answered", '"yes"'),
        ("q1", "answered", "null"),
    ]
    assert {row["node"] for row in facts} == {"ask"}


def test_a_copy_raises_its_open_questions_itself():
    saver = MemorySaver()
    at = stored(saver, record("t", None, {}, next=["ask"]))
    kept(saver, at, write(at.next[0].id, "__interrupt__", [{"id": "q", "value": "sure?"}]))
    saver.copy_thread("t", "u")

    (fact,) = rows(saver, "interrupt_events", "u")
    assert (fact["interrupt_id"], fact["event"], fact["value"]) == ("q", "raised", '"sure?"')


def test_deleting_a_run_takes_the_results_it_left_beside_others():
    saver = MemorySaver()
    at = stored(saver, record("t", None, {}, next=["a", "b"], run="r1"))
    first, second = at.next
    for task, run in ((first, "r1"), (second, "r2")):
        done = Finished(task, (), NO_ROUTE, Span())
        kept(saver, at, write(task.id, "n", 1), outcomes=(done,), run=run)
    saver.delete_for_runs(["r2"])
    found = saver.get_tuple(config("t"))

    assert found is not None
    assert found.pending_writes == [(first.id, "n", 1)]
    assert [row["run_id"] for row in rows(saver, "tasks")] == ["r1"]


def test_nested_checkpoints_of_earlier_steps_come_along_with_a_fork():
    saver = MemorySaver()
    first = stored(saver, record("t", None, {"n": 0}))
    stored(saver, record("t", None, {"inner": 0}, namespace="child:x"))
    second = stored(saver, record("t", first, {"n": 1}), first.id)
    stored(saver, record("t", None, {"inner": 1}, namespace="child:y"))
    saver.fork_at(config("t", second.id), "u")

    assert saver.get_tuple(config("u", namespace="child:x")) is not None
    assert saver.get_tuple(config("u", namespace="child:y")) is None
    above = {row["checkpoint_ns"]: row["parent_checkpoint_seq"] for row in rows(saver, "checkpoints", "u")}
    own = {row["checkpoint_id"]: row["seq"] for row in rows(saver, "checkpoints", "u")}
    assert above["child:x"] == own[first.id]


def test_a_key_no_text_encoding_knows_does_not_hide_the_tables():
    saver = MemorySaver()
    stored(saver, record("t", None, {"\udfff": 1}))

    found = saver.get_tuple(config("t"))

    assert len(rows(saver, "channel_values")) == 1
    assert found is not None
    assert found.checkpoint["channel_values"] == {"\udfff": 1}


def test_two_runs_of_a_test_see_the_same():
    def told():
        with fixed():
            saver = MemorySaver()
            made = stored(saver, record("t", None, {"n": 1}))
            stored(saver, record("t", made, {"n": 2}), made.id)
            return [(item.checkpoint, item.config) for item in saver.list()]

    assert told() == told()
