"""What a reader sees of a stored checkpoint."""

from __future__ import annotations

import operator
from datetime import UTC, datetime

import pytest

from tests.history.plain import AT, config_of, task
from weavenb.channels.last_value import LastValue
from weavenb.channels.reducer import Reducer
from weavenb.savers.contract import CheckpointTuple
from weavenb.savers.view import snapshot

ROUTE = {"targets": [], "replaces": False}


def stored(*pending, values=None, nodes=("a", "b"), **metadata):
    checkpoint = {
        "id": "c1",
        "ts": AT,
        "channel_values": {"log": ["in"], "__join__": {"x": ["a"]}} if values is None else values,
        "next": [task(node, 1) for node in nodes],
        "def_hash": "d",
        "produced_by": ["start"],
    }
    told = {"source": "loop", "step": 0, "branch": None, "__run__": {"before": []}, **metadata}
    return CheckpointTuple(config_of("t", "", "c1"), checkpoint, told, None, list(pending))


def channel_of(key):
    return Reducer(operator.add) if key == "log" else LastValue()


def seen(*pending, live=True, closed=False, order=None, **rest):
    return snapshot(stored(*pending, **rest), live=live, closed=closed, channel_of=channel_of, order=order)


def done(node, *writes, step=1):
    id_ = f"{step}.{node}.0.abc"
    return [(id_, *write) for write in writes] + [(id_, "__route__", ROUTE)]


def asked(node, *questions, answers=None):
    found = [(f"1.{node}.0.abc", "__interrupt__", [{"id": q, "value": q.upper()} for q in questions])]
    return found + ([(f"1.{node}.0.abc", "__answer__", answers)] if answers else [])


def failed(node):
    return [(f"1.{node}.0.abc", "__error__", {"type": "ValueError", "message": "no", "traceback": "", "attempt": 1})]


def ids(questions):
    return [question.id for question in questions]


def test_a_live_head_has_finished_siblings_applied():
    found = seen(*done("a", ("log", ["a"])))

    assert found.values == {"log": ["in", "a"]}
    assert found.next == ("b",)
    assert found.live


def test_a_record_named_by_its_id_is_as_it_was_stored():
    found = seen(*done("a", ("log", ["a"])), live=False)

    assert found.values == {"log": ["in"]}
    assert found.next == ("a", "b")
    assert not found.live


def test_writes_apply_in_the_order_of_the_step_not_in_the_order_they_came():
    found = seen(*done("b", ("log", ["b"])), *done("a", ("log", ["a"])))

    assert found.values == {"log": ["in", "a", "b"]}


def test_a_step_whose_tasks_all_finished_still_names_them():
    assert seen(*done("a"), *done("b")).next == ("a", "b")


def test_writes_that_do_not_fit_leave_the_stored_value():
    found = seen(*done("a", ("x", 1)), *done("b", ("x", 2)), values={"x": 0})

    assert found.values == {"x": 0}


def test_a_reducer_that_raises_leaves_the_stored_value():
    assert seen(*done("a", ("log", 7))).values == {"log": ["in"]}


def test_without_channels_the_stored_values_are_shown():
    found = snapshot(stored(*done("a", ("log", ["a"]))), live=True)

    assert found.values == {"log": ["in"]}
    assert found.next == ("b",)


def test_a_live_head_tells_open_questions_from_answered_ones():
    found = seen(*asked("a", "a1", answers={"a1": 1}), *done("a"), *asked("b", "b1", "b2", answers={"b1": 1}))

    assert ids(found.interrupts) == ["b2"]
    assert ids(found.answered) == ["a1", "b1"]
    assert found.next == ("b",)


def test_a_record_keeps_its_question_after_it_was_answered():
    found = seen(*asked("a", "a1", answers={"a1": 1}), *done("a"), live=False, nodes=("a",))

    assert ids(found.interrupts) == ["a1"]
    assert found.answered == ()
    assert found.next == ("a",)


def test_a_record_of_a_step_that_ended_shows_its_task_as_it_waited():
    found = seen(*asked("a", "a1", answers={"a1": 1}), live=False, closed=True, nodes=("a",))

    assert ids(found.interrupts) == ["a1"]
    assert found.answered == ()
    assert found.tasks[0].status == "interrupted"


def test_a_record_of_an_open_step_knows_all_that_was_answered():
    found = seen(*asked("a", "a1", answers={"a1": 1}), *done("a"), *asked("b", "b1"), live=False)

    assert ids(found.interrupts) == ["a1", "b1"]
    assert ids(found.answered) == ["a1"]


def test_a_record_knows_what_was_answered_before_a_further_question():
    found = seen(*asked("b", "b1", "b2", answers={"b1": 1, "b2": 2}), *done("b"), live=False, nodes=("b",))

    assert ids(found.interrupts) == ["b1", "b2"]
    assert ids(found.answered) == ["b1"]


def test_a_live_head_forgets_an_error_that_was_mended():
    assert seen(*failed("a"), *done("a")).error is None
    assert seen(*failed("a"), *done("a"), live=False).error == "ValueError: no"


def test_the_error_is_that_of_the_first_failed_task():
    found = seen(*failed("b"))

    assert found.error == "ValueError: no"
    assert [one.status for one in found.tasks] == ["pending", "error"]


def test_all_tasks_of_the_step_are_listed_finished_ones_with_what_they_wrote():
    found = seen(*done("a", ("log", ["a"])), *asked("b", "q"))

    assert [(one.node, one.status, one.result) for one in found.tasks] == [
        ("a", "ok", {"log": ["a"]}),
        ("b", "interrupted", None),
    ]


def test_a_task_that_finished_before_an_edit_is_listed_and_not_applied_again():
    found = seen(*done("a", ("log", ["a"])), nodes=("b",), values={"log": ["in", "a", "edit"]}, order={"a": 0, "b": 1})

    assert found.values == {"log": ["in", "a", "edit"]}
    assert [(one.node, one.status) for one in found.tasks] == [("a", "ok"), ("b", "pending")]
    assert found.next == ("b",)


def test_the_name_of_a_carried_task_may_hold_dots():
    found = seen(*done("a.b.c"), nodes=())

    assert [one.node for one in found.tasks] == ["a.b.c"]


def test_what_the_engine_keeps_for_itself_is_not_shown():
    found = seen(*done("a", ("__join__", {"x": ["b"]})))

    assert "__join__" not in found.values
    assert "__run__" not in found.metadata
    assert found.tasks[0].result == {}


def test_hidden_keys_are_not_shown():
    found = snapshot(stored(*done("a", ("log", ["a"]))), live=True, channel_of=channel_of, hidden=frozenset({"log"}))

    assert found.values == {}
    assert found.tasks[0].result == {}


@pytest.mark.parametrize("ts", [AT, 1767323045000006, datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC)])
def test_the_moment_is_read_however_it_was_stored(ts):
    one = stored()
    one.checkpoint["ts"] = ts

    assert snapshot(one, live=False).created_at == datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC)


def test_a_record_with_only_what_is_required_can_be_read():
    bare = CheckpointTuple(config_of("t", "", "c"), {"id": "c", "channel_values": {"x": 1}}, {}, None)

    found = snapshot(bare, live=True, channel_of=channel_of)

    assert found.values == {"x": 1}
    assert found.next == ()
    assert found.created_at is None


def test_odd_pending_writes_do_not_stop_a_reader():
    odd = [("1.a.0.abc", "__error__", "boom"), ("1.b.0.abc", "__interrupt__", "why"), ("1.b.0.abc", "__answer__", 7)]

    found = seen(*odd)

    assert found.error == "boom"
    assert found.interrupts[0].value == "why"
