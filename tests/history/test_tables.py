"""The same history from savers that keep tables."""

from __future__ import annotations

import pytest

from tests.history.plain import PlainSaver, put, task, tell
from weavenb.errors import QueryFailed
from weavenb.history.frames import COLUMNS
from weavenb.history.held import held_checkpoints, held_tasks, held_threads
from weavenb.history.history import History
from weavenb.history.queries import checkpoint_rows, led_on, task_rows, thread_rows
from weavenb.history.saved import SavedHistory
from weavenb.model.records import Change, PendingWrite, RunEnd, RunStart, StateRecord, StepCommit
from weavenb.model.refs import CheckpointRef
from weavenb.model.tasks import NO_ROUTE, Failed, Finished, Span, Task, Write
from weavenb.savers.memory import MemorySaver
from weavenb.serde import encode

SECOND = 1_000_000


def there(found):
    """What must be there."""
    assert found is not None
    return found


BORN = 1_767_323_045_000_006


@pytest.fixture
def memory():
    with MemorySaver() as saver:
        yield saver


@pytest.fixture(params=["memory", "duckdb"])
def saver(request, tmp_path):
    if request.param == "memory":
        yield request.getfixturevalue("memory")
        return
    from weavenb.savers.duckdb.saver import DuckDBSaver

    with DuckDBSaver(tmp_path / "runs.duckdb") as saver:
        yield saver


def at_ms(start, end):
    return BORN + start * 1000, BORN + end * 1000


def record(id_, parent, step, values, *, nodes, next_=(), source="loop"):
    return StateRecord(
        thread="t",
        namespace="",
        id=id_,
        parent=parent,
        step=step,
        source=source,
        run_id="r1",
        branch=None,
        created_at=BORN + (step + 1) * SECOND,
        nodes=nodes,
        next=tuple(next_),
        values=values,
        changes=tuple([Change(key, "set", values[key], encode(values[key])) for key in values]),
        def_hash="d1",
    )


A, B = Task("0.a.0.x", "a", triggered_by=("__start__",)), Task("0.b.0.x", "b", triggered_by=("__start__",))


def commit(saver, **step):
    """The steps of one run of `a` beside `b`, which fails once."""
    found = StepCommit(thread="t", namespace="", run_id="r1", **step)
    head = saver.get_tuple({"configurable": {"thread_id": "t", "checkpoint_ns": ""}})
    expected = head.config["configurable"]["checkpoint_id"] if head else None
    saver.commit_step(found, expected_head=expected, run_started_seq=saver.sequence(), sync=False)


def run(saver):
    start = RunStart("invoke", None, None, "g", "d1", "{}", {}, BORN)
    first = record("c0", None, -1, {"x": 1}, nodes=("__start__",), next_=(A, B), source="input")
    commit(saver, base=None, record=first, started=start)
    route = {"targets": [], "replaces": False}
    commit(
        saver,
        base="c0",
        outcomes=(Finished(A, (Write("x", 2, "2"),), NO_ROUTE, Span(1, *at_ms(0, 40))),),
        pending=(PendingWrite(A.id, "x", 2, "2"), PendingWrite(A.id, "__route__", route, encode(route))),
    )
    error = {"type": "ValueError", "message": "no", "traceback": "…", "attempt": 1}
    commit(
        saver,
        base="c0",
        outcomes=(Failed(B, ValueError("no"), "Traceback …", Span(1, *at_ms(0, 5))),),
        pending=(PendingWrite(B.id, "__error__", error, encode(error)),),
    )
    commit(
        saver,
        base="c0",
        outcomes=(Finished(B, (Write("y", 3, "3"),), NO_ROUTE, Span(2, *at_ms(50, 60))),),
        record=record("c1", "c0", 0, {"x": 2, "y": 3}, nodes=("a", "b")),
        ended=RunEnd("completed", None, None, 1, BORN + SECOND),
    )
    return saver


def test_a_row_knows_the_longest_task_and_what_went_wrong(saver):
    rows = SavedHistory(run(saver)).rows("t")

    assert [(row.id, row.parent, row.nodes, row.next, row.changed) for row in rows] == [
        ("c0", None, ("__start__",), ("a", "b"), ("x",)),
        ("c1", "c0", ("a", "b"), (), ("x", "y")),
    ]
    assert [row.duration_ms for row in rows] == [None, 40.0]
    assert [row.error for row in rows] == [True, False]
    assert [row.created_at for row in rows] == [BORN, BORN + SECOND]


def test_rows_after_a_number_are_those_committed_since(saver):
    rows = SavedHistory(run(saver)).rows("t")

    assert list(SavedHistory(saver).rows("t", after=rows[0].seq)) == list(rows[1:])


def test_each_attempt_of_the_step_is_told(saver):
    source = SavedHistory(run(saver))

    found = [(row.node, row.attempt, row.status, row.error_type) for row in source.tasks(CheckpointRef("t", "", "c1"))]

    assert found == [("a", 1, "ok", None), ("b", 1, "error", "ValueError"), ("b", 2, "ok", None)]


def test_the_frame_of_tasks_has_times_to_the_microsecond(saver):
    frame = History(run(saver), "t").frame("tasks")

    assert list(frame["duration_ms"]) == [40.0, 5.0, 10.0]
    assert frame["started_at"][0].isoformat() == "2026-01-02T03:04:05.000006+00:00"
    assert list(frame["triggered_by"]) == [["__start__"]] * 3
    assert list(frame["error_message"].isna()) == [True, False, True]


def test_the_status_of_a_thread_is_that_of_its_last_run(saver):
    found = SavedHistory(run(saver)).threads()

    assert [(row.thread, row.status, row.checkpoints) for row in found] == [("t", "completed", 2)]


@pytest.mark.parametrize("name", list(COLUMNS))
def test_frames_are_the_same_as_from_a_plain_saver(saver, name):
    ours, plain = History(tell(saver), "t").frame(name), History(tell(PlainSaver()), "t").frame(name)
    same_columns = [column for column in ours if column != "seq"]

    assert dict(ours.dtypes) == dict(plain.dtypes)
    if name != "tasks":  # attempts come with committed steps only
        assert ours[same_columns].to_dict("list") == plain[same_columns].to_dict("list")


def test_the_text_is_the_same_as_from_a_plain_saver(saver):
    assert repr(History(tell(saver), "t")) == repr(History(tell(PlainSaver()), "t"))


def test_a_label_and_tags_show_and_can_be_taken_back(saver):
    history = History(tell(saver), "t")
    saver.annotate(history[0].config, label="good", tags=["x", "y"])
    saver.annotate(history[0].config, label="better", remove=["x"])
    frame = history.frame()

    assert frame["label"].iloc[-1] == "better"
    assert frame["tags"].iloc[-1] == ["y"]
    assert "label better, #y" in repr(history)


def test_sql_asks_the_tables_with_this_thread_at_hand(saver):
    tell(saver, "other")
    history = History(tell(saver), "t")

    frame = history.sql("select count(*) as n from checkpoints where thread_id = :thread and step >= :least", least=0)

    assert frame["n"].to_list() == [2]
    assert len(history.sql("select distinct thread_id from checkpoints")) == 2


def test_sql_gives_nullable_types_and_python_values(saver):
    frame = History(tell(saver), "t").sql(
        "select sum(step) as total, ['a'] as names, {'k': 1} as pair, null::bigint as none,"
        " timestamptz '2026-01-01 00:00:00+02' as moment from checkpoints"
    )

    assert {name: str(kind) for name, kind in frame.dtypes.items()} == {
        "total": "Int64",
        "names": "object",
        "pair": "object",
        "none": "Int64",
        "moment": "datetime64[us, UTC]",
    }
    assert frame["names"][0] == ["a"]
    assert frame["pair"][0] == {"k": 1}
    assert frame["moment"][0].isoformat() == "2025-12-31T22:00:00+00:00"


def test_sql_may_name_two_columns_alike_and_count_times_without_a_zone(saver):
    frame = History(tell(saver), "t").sql("select 1 as a, 'x' as a, timestamp '2026-01-01 00:00:00' as b, null as c")

    assert frame.iloc[0, :2].to_list() == [1, "x"]
    assert str(frame["b"].dtype) == "datetime64[us]"


@pytest.mark.parametrize("query", ["delete from checkpoints", "select 1; select 2", "select nope from checkpoints"])
def test_sql_that_is_no_single_question_is_refused(saver, query):
    with pytest.raises(QueryFailed):
        History(tell(saver), "t").sql(query)


def test_a_thread_that_was_deleted_has_no_history(saver):
    history = History(tell(saver), "t")
    saver.delete_thread("t")

    assert len(history) == 0
    assert len(history.frame("diffs")) == 0
    assert SavedHistory(saver).threads() == []


def test_a_graph_inside_has_a_history_of_its_own(saver):
    tell(saver)
    inside = {"configurable": {"thread_id": "t", "checkpoint_ns": "child:1.a.0.x"}}
    saver.put(inside, {"id": "n0", "channel_values": {"y": 1}, "next": [task("z", 0)]}, {"step": 0}, {})

    assert len(History(saver, "t")) == 3
    assert [seen.values for seen in History(saver, "t", "child:1.a.0.x")] == [{"y": 1}]


def test_two_forks_of_one_point_are_both_there(saver):
    tell(saver)
    put(saver, "t", "f1", {"topic": "A"}, parent="c0", step=0, source="fork")
    put(saver, "t", "f2", {"topic": "B"}, parent="c0", step=0, source="fork")
    frame = History(saver, "t").frame("diffs")

    assert frame[frame["source"] == "fork"]["after"].to_list() == ["A", "B"]
    assert len(History(saver, "t", lineage=True)) == 2


@pytest.mark.parametrize("story", [run, tell])
def test_rows_held_in_memory_say_what_sql_says(memory, story):
    story(memory)
    if story is run:
        tell(memory, "other")
    memory.annotate(there(SavedHistory(memory).snapshot(CheckpointRef("t"))).config, label="good", tags=["x", "y"])
    tables = there(SavedHistory(memory).tables())

    assert held_checkpoints(memory, "t", "", 0) == checkpoint_rows(tables, "t", "", 0)
    assert held_threads(memory) == thread_rows(tables)
    for id_, parent in [("c1", "c0"), ("c0", None)]:
        assert held_tasks(memory, "t", "", id_, parent) == task_rows(tables, "t", "", id_)


def test_a_question_answered_later_was_open_when_its_run_stopped_in_tables_too(saver):
    source = SavedHistory(tell(saver))
    saver.put_writes(
        there(source.snapshot(CheckpointRef("t"))).config, [("__answer__", {"q0": "yes"})], "2.review.0.abc"
    )
    at = CheckpointRef("t", "", "c2")
    before = there(source.snapshot(at))
    put(saver, "t", "c3", {}, parent="c2", step=2)

    assert [question.id for question in before.answered] == ["q0"]
    assert there(source.snapshot(at)).answered == ()
    assert led_on(there(source.tables()), "t", "", "c2")
    assert not led_on(there(source.tables()), "t", "", "c3")
