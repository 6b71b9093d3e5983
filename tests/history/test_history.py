"""One thread's history, over any saver."""

from __future__ import annotations

import pytest

from tests.history.plain import PlainSaver, put, tell
from weavenb.errors import CheckpointNotFound, QueryFailed, UnknownKey, Unsupported
from weavenb.history.frames import COLUMNS
from weavenb.history.history import History
from weavenb.history.saved import SavedHistory
from weavenb.history.source import HistorySource
from weavenb.model.refs import CheckpointRef

TOLD = """\
History(thread='t'): 4 checkpoints
step  source  by      changed                       next    marks
2     loop    review  ~ score: 0.5 -> 0.75 (+0.25)
1     loop    score   + notes[1]: 'green'           review  question
                      ~ plan.budget: 3 -> 5 (+2)
                      + score: 0.5
0     loop    draft   + notes: ['hot']              score
                      + plan: {'budget': 3}
-1    input   input   + topic: 'tea'                draft"""


def finish(saver, thread="t"):
    state = {"topic": "tea", "notes": ["hot", "green"], "plan": {"budget": 5}, "score": 0.75}
    put(saver, thread, "c3", state, parent="c2", step=2, nodes=["review"], changed=["score"])
    return saver


@pytest.fixture
def saver():
    return finish(tell(PlainSaver()))


@pytest.fixture
def history(saver):
    return History(saver, "t")


def test_the_source_over_a_saver_is_one(saver):
    assert isinstance(SavedHistory(saver), HistorySource)


def test_snapshots_come_newest_first(history):
    assert len(history) == 4
    assert [seen.metadata["step"] for seen in history] == [2, 1, 0, -1]
    assert history[0].values["score"] == 0.75
    assert history[-1].values == {"topic": "tea"}
    assert [seen.metadata["step"] for seen in history[1:3]] == [1, 0]


def test_an_index_beyond_the_end_is_an_index_error(history):
    with pytest.raises(IndexError, match=r"has 4 checkpoints, 0 \(newest\) to 3 \(oldest\); there is none at 4\."):
        history[4]
    with pytest.raises(IndexError, match="there is none at -5"):
        history[-5]
    with pytest.raises(IndexError, match="there is none at 99"):
        history.diff(0, 99)


def test_an_index_into_an_empty_history_says_that_it_is_empty():
    with pytest.raises(IndexError, match="has no checkpoints"):
        History(PlainSaver(), "t")[0]


def test_an_unknown_thread_is_empty(saver):
    history = History(saver, "nobody")

    assert len(history) == 0
    assert not history
    assert list(history) == []
    assert repr(history) == "History(thread='nobody'): no checkpoints"
    assert all(len(history.frame(name)) == 0 for name in COLUMNS)


def test_more_than_a_page_is_read_whole():
    saver = PlainSaver()
    for step in range(600):
        put(saver, "t", f"c{step}", {"i": step}, parent=f"c{step - 1}" if step else None, step=step)

    assert [seen.values["i"] for seen in History(saver, "t")] == list(range(599, -1, -1))


def test_what_was_committed_since_is_seen(history, saver):
    before = len(history)
    put(saver, "t", "c4", {}, parent="c3", step=3)

    assert len(history) == before + 1


def test_the_text_tells_the_run_and_nothing_that_changes(history):
    assert repr(history) == TOLD


def test_another_run_of_the_same_story_reads_the_same(history):
    other = History(finish(tell(PlainSaver())), "t")

    assert other._repr_html_() == history._repr_html_()
    assert "c2" not in history._repr_html_()


def test_a_long_history_shows_the_newest_and_counts_the_rest():
    saver = PlainSaver()
    for step in range(500):
        put(saver, "t", f"c{step}", {"i": step}, parent=f"c{step - 1}" if step else None, step=step)

    text = repr(History(saver, "t"))

    assert text.count("\n") == 22
    assert text.endswith("… 480 older ones; .frame() has them all")


def test_a_page_shows_hostile_state_as_text():
    saver = PlainSaver()
    bad = "<script>alert(1)</script>"
    put(saver, bad, "c0", {bad: bad}, step=-1, source=bad, nodes=[bad], next_=[bad], label=bad, branch=bad)

    assert "<script" not in History(saver, bad)._repr_html_()


def test_marks_name_error_branch_label_and_tags():
    saver = PlainSaver()
    config = put(saver, "t", "c0", {}, step=0, next_=["a"], branch="what-if", label="good", tags=["x"])
    saver.put_writes(config, [("__error__", {"type": "E", "message": "m"})], "1.a.0.abc")

    assert repr(History(saver, "t")).endswith("error, branch what-if, label good, #x")


def test_lineage_leaves_other_branches_out(saver):
    put(saver, "t", "f1", {"topic": "coffee"}, parent="c0", step=0, source="fork")
    history = History(saver, "t", lineage=True)

    assert [seen.config["configurable"]["checkpoint_id"] for seen in history] == ["f1", "c0"]
    assert list(history.frame()["checkpoint"]) == ["c0", "f1"]


@pytest.mark.parametrize("name", list(COLUMNS))
def test_a_frame_has_its_columns_and_dtypes_filled_or_empty(history, saver, name):
    for frame in (history.frame(name), History(saver, "nobody").frame(name)):
        kinds = {column: str(kind) for column, kind in frame.dtypes.items()}

        assert {column: kinds[column] for column in COLUMNS[name]} == COLUMNS[name]


def test_the_timeline_is_oldest_first(history):
    frame = history.frame()

    assert list(frame["step"]) == [-1, 0, 1, 2]
    assert list(frame["nodes"]) == [["__start__"], ["draft"], ["score"], ["review"]]
    assert list(frame["has_question"]) == [False, False, True, False]
    assert frame["created_at"][0].isoformat() == "2026-01-02T03:04:05.000006+00:00"
    assert frame["duration_ms"].isna().all()


def test_diffs_have_a_row_for_each_key_that_changed(history):
    frame = history.frame("diffs")

    assert list(zip(frame["step"], frame["channel"], frame["kind"], strict=True)) == [
        (-1, "topic", "added"),
        (0, "notes", "added"),
        (0, "plan", "added"),
        (1, "notes", "changed"),
        (1, "plan", "changed"),
        (1, "score", "added"),
        (2, "score", "changed"),
    ]
    assert frame["after"].iloc[3] == ["hot", "green"]
    assert frame["before"].iloc[0] is None


def test_values_are_one_column_a_key(history):
    frame = history.frame("values")

    assert list(frame.columns) == ["seq", "checkpoint", "step", "topic", "notes", "plan", "score"]
    assert str(frame["score"].dtype) == "Float64"
    assert str(frame["topic"].dtype) == "string"
    assert frame["plan"].iloc[0] is None


def test_values_can_be_asked_for_by_path(history):
    frame = history.frame("values", channels=["plan.budget", "notes[1]", "nowhere"])

    assert list(frame.columns[3:]) == ["plan.budget", "notes[1]", "nowhere"]
    assert frame["plan.budget"].to_list()[1:] == [3, 5, 5]
    assert str(frame["plan.budget"].dtype) == "Int64"
    assert list(frame["notes[1]"].isna()) == [True, True, False, False]
    assert frame["nowhere"].isna().all()


@pytest.mark.parametrize("slip", ["scroe", "scroe.deep", "scroe[0]"])
def test_a_misspelt_channel_is_answered_with_the_nearest(history, slip):
    with pytest.raises(UnknownKey, match=r"'scroe'.* Did you mean 'score'"):
        history.frame("values", channels=["topic", slip])


def test_any_channel_may_be_asked_of_a_history_that_is_empty():
    frame = History(PlainSaver(), "t").frame("values", channels=["scroe"])

    assert list(frame.columns[3:]) == ["scroe"]


def test_marks_are_not_broken_inside_a_word(history):
    assert 'white-space:nowrap;overflow-wrap:normal">question</td>' in history._repr_html_()


def test_values_of_mixed_types_stay_as_they_are():
    saver = PlainSaver()
    kept = [1, True, 2.5, float("nan"), 2**70, None, "x"]
    for step, value in enumerate(kept):
        put(saver, "t", f"c{step}", {"x": value, "step": step}, step=step)
    frame = History(saver, "t").frame("values")

    assert [type(value) for value in frame["x"]] == [type(value) for value in kept]
    assert list(frame["state.step"]) == list(frame["step"])


def test_nan_in_a_state_is_not_a_missing_value():
    saver = PlainSaver()
    put(saver, "t", "c0", {"loss": float("nan")}, step=0)
    put(saver, "t", "c1", {}, step=1)
    column = History(saver, "t").frame("values")["loss"]

    assert list(column.array._mask) == [False, True]


def test_a_state_of_many_keys_or_of_odd_text_makes_a_frame():
    saver = PlainSaver()
    put(saver, "t", "c0", {f"k{i}": i for i in range(300)} | {"odd": "\ud800"}, step=0)
    frame = History(saver, "t").frame("values")

    assert frame.shape == (1, 304)
    assert frame["odd"][0] == "\ud800"


def test_an_attempt_is_a_row_of_tasks(history):
    frame = history.frame("tasks")

    assert list(frame["node"]) == ["review"]
    assert list(frame["status"]) == ["interrupted"]


def test_an_unknown_frame_names_the_nearest(history):
    with pytest.raises(QueryFailed, match=r"timeline, tasks, diffs, values\. Did you mean 'tasks'"):
        history.frame("task")


@pytest.mark.parametrize("path", ["", ".a", "a..b", "a[", "a b"])
def test_a_path_that_cannot_be_read_is_refused(history, path):
    with pytest.raises(QueryFailed):
        history.frame("values", channels=[path])


def test_channels_given_as_one_text_are_refused(history):
    with pytest.raises(QueryFailed, match=r"channels=\['score'\]"):
        history.frame("values", channels="score")


def test_two_points_are_compared_however_they_are_named(history):
    expected = "~ plan.budget: 3 -> 5 (+2)"

    for a, b in [(2, 1), ("c1", "c2"), (history[2], history[1].config), (CheckpointRef("t", "", "c1"), -3)]:
        assert expected in repr(history.diff(a, b))


def test_a_point_that_is_not_there_is_named(history):
    with pytest.raises(CheckpointNotFound, match="'c99'"):
        history.diff("c99", 0)


def test_sql_needs_a_saver_that_keeps_tables(history):
    with pytest.raises(Unsupported, match="PlainSaver does not offer sql"):
        history.sql("select 1")


def test_threads_are_listed_with_their_status(saver):
    tell(saver, "other")
    found = SavedHistory(saver).threads()

    assert [(row.thread, row.status, row.checkpoints) for row in found] == [
        ("other", "interrupted", 3),
        ("t", "completed", 4),
    ]


def test_only_rows_after_a_number_are_given(saver):
    assert [row.id for row in SavedHistory(saver).rows("t", after=2)] == ["c2", "c3"]


def test_the_tasks_around_a_checkpoint_are_those_before_and_those_open(saver):
    source = SavedHistory(saver)

    assert [row.node for row in source.tasks(CheckpointRef("t", "", "c3"))] == ["review"]
    assert [row.checkpoint for row in source.tasks(CheckpointRef("t", "", "c2"))] == ["c2"]
    assert source.tasks(CheckpointRef("nobody")) == []


def test_a_question_answered_later_was_open_when_its_run_stopped(saver):
    saver.put_writes(History(saver, "t")[1].config, [("__answer__", {"q0": "yes"})], "2.review.0.abc")
    asked = History(saver, "t")[1]

    assert [question.value for question in asked.interrupts] == ["ok?"]
    assert asked.answered == ()
    assert [task.status for task in asked.tasks] == ["interrupted"]
