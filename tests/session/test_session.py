"""The debugger without a face, on a history in memory."""

from __future__ import annotations

import pytest

from weavenb.errors import CheckpointNotFound
from weavenb.graph.builder import StateGraph
from weavenb.model.topology import START
from weavenb.savers.memory import MemorySaver
from weavenb.session.session import DebugSession, Done, Failed
from weavenb.testing.fake_source import Ask, FakeSource


def classify(state):
    return {"category": "refund" if "refund" in state["subject"].lower() else "other"}


def draft(state):
    if state["category"] == "broken":
        return {"draft": 1 / 0}
    return {"draft": f"About {state['category']}", "notes": [*state.get("notes", []), "drafted"]}


def review(state):
    if "answer" not in state:
        raise Ask("Send it?")
    return {"approved": state["answer"]}


@pytest.fixture
def source():
    edges = {"classify": lambda _: "draft", "draft": lambda _: "review"}
    made = FakeSource({"classify": classify, "draft": draft, "review": review}, edges, start="classify")
    made.invoke("ticket", {"subject": "Refund please"})
    return made


@pytest.fixture
def session(source):
    return DebugSession(source, "ticket")


def at_node(session, node):
    return next(index for index, row in enumerate(session.rows) if node in row.nodes)


def test_it_starts_at_the_head_of_the_thread(session):
    assert session.selected == session.head == 2
    assert [row.nodes for row in session.rows] == [(), ("classify",), ("draft",)]
    assert session.status == "interrupted"
    assert repr(session) == "DebugSession(thread='ticket', checkpoints=3)"


def test_moving_the_cursor_runs_nothing(session, source):
    ran = list(source.calls)

    walk = [session.first(), session.back(), session.forward(), session.last(), session.forward()]

    assert walk == [0, 0, 1, 2, 2]
    assert session.details(1).snapshot.values["category"] == "refund"
    assert source.calls == ran


def test_an_unknown_checkpoint_is_told(session):
    with pytest.raises(CheckpointNotFound):
        session.goto("nowhere")


def test_details_compare_with_the_parent_unless_a_is_set(session):
    by_parent = session.details()
    session.mark(a=0)
    by_a = session.details()

    assert [change.path for change in by_parent.diff] == ["draft", "notes"]
    assert [change.path for change in by_a.diff] == ["category", "draft", "notes"]
    assert by_a.against.step == -1


def test_an_edit_makes_a_named_lane_and_selects_it(session):
    session.select(at_node(session, "classify"))

    done = session.update({"category": "shipping"}, branch="ship")

    assert isinstance(done, Done)
    assert session.selected == done.row == 3
    assert [lane.label for lane in session.lanes] == ["main", "ship"]
    assert [change.line() for change in session.details().diff] == ["~ category: 'refund' -> 'shipping'"]


def test_a_replay_runs_only_what_follows_and_makes_a_lane(session, source):
    session.select(at_node(session, "classify"))
    source.calls.clear()

    done = session.replay()

    assert isinstance(done, Done)
    assert source.calls == ["draft", "review"]
    assert [lane.label for lane in session.lanes] == ["main", "fork 1"]
    assert session.rows[session.selected].nodes == ("draft",)
    assert session.rows[session.selected].question


def test_an_answer_runs_on_in_the_same_lane(session):
    assert [one.interrupt.value for one in session.questions()] == ["Send it?"]

    session.resume("yes")

    assert session.details().snapshot.values["approved"] == "yes"
    assert session.questions() == ()
    assert len(session.lanes) == 1
    assert session.status == "completed"


def test_a_fork_into_a_new_thread_is_a_lane_beside_its_origin(session):
    session.select(at_node(session, "classify"))

    session.fork({"category": "shipping"}, thread="other")

    assert [(lane.label, lane.thread, lane.count) for lane in session.lanes] == [
        ("main", "ticket", 3),
        ("other", "other", 2),
    ]
    assert session.rows[session.selected].thread == "other"
    assert session.details().snapshot.values["category"] == "shipping"
    assert session.parent_of[session.lanes[1].first] == at_node(session, "classify")


def test_a_failing_run_is_a_value_that_shows_the_users_line_first(session):
    session.select(at_node(session, "classify"))
    session.update({"category": "broken"})

    failed = session.replay()

    assert isinstance(failed, Failed)
    assert failed.failure.code == "node_error"
    assert failed.failure.where is not None
    assert failed.failure.where.startswith("test_session.py, line ")
    assert failed.failure.line == 'return {"draft": 1 / 0}'
    assert failed.failure.traceback.startswith(failed.failure.where)
    assert session.rows[session.selected].error


def test_what_cannot_be_steered_says_so(source):
    class Reader:
        topology, threads, rows = source.topology, source.threads, source.rows
        head, snapshot, tasks = source.head, source.snapshot, source.tasks

    failed = DebugSession(Reader(), "ticket").replay()

    assert isinstance(failed, Failed)
    assert failed.failure.code == "unsupported"


def test_new_rows_never_move_the_cursor(session, source):
    session.first()
    heard: list = []
    session.on_change(heard.append)

    source.invoke("ticket", {"subject": "again"})
    grown = session.refresh()

    assert (grown.changed_from, grown.count, grown.reset) == (3, 6, False)
    assert session.selected == 0
    assert heard == ["rows"]
    assert not session.refresh()


def test_an_unknown_thread_is_empty_and_lists_what_there_is(source):
    session = DebugSession(source, "tiket")

    assert len(session) == 0
    assert session.status is None
    assert session.details() is None
    assert [row.thread for row in session.threads] == ["ticket"]


AT = '{"configurable": {"thread_id": "ticket", "checkpoint_id": "c00002"}}'


@pytest.mark.parametrize(
    ("action", "options", "code"),
    [
        ("replay", {}, f"app.replay({AT})"),
        (
            "update",
            {"values": {"category": "shipping"}, "branch": "b2"},
            f'app.update_state({AT}, {{"category": "shipping"}}, branch="b2")',
        ),
        (
            "update",
            {"values": {"n": None}, "as_node": "draft"},
            f'app.update_state({AT}, {{"n": None}}, as_node="draft")',
        ),
        ("fork", {"thread": "t2"}, f'app.fork({AT}, thread="t2")'),
        (
            "fork",
            {"thread": "t2", "values": {"x": 1}},
            f'app.update_state(app.fork({AT}, thread="t2"), {{"x": 1}})',
        ),
        ("fork", {"branch": "b2"}, f'app.update_state({AT}, {{}}, branch="b2")'),
        ("resume", {"answer": "yes"}, f'app.resume("yes", {AT})'),
    ],
)
def test_each_action_has_one_statement_that_does_the_same(session, action, options, code):
    session.select(1)

    assert session.code_for(action, **options) == code


def test_the_head_is_resumed_by_its_thread_alone(session):
    assert session.code_for("resume", answer={"ok": True}) == 'app.resume({"ok": True}, thread="ticket")'


def test_ten_thousand_rows_are_placed_quickly(source):
    source.grow("long", 10_000)

    session = DebugSession(source, "long")

    assert len(session) == 10_000
    assert len(session.lanes) == 8
    assert session.lanes[0].label == "main"


def test_an_action_starts_at_the_checkpoint_it_is_given(session):
    started = session.ref(1)

    done = session.update({"category": "shipping"}, at=started)

    assert session.rows[done.row].parent == started.checkpoint
    assert session.selected == done.row
    assert session.code_for("replay", at=started) == f"app.replay({AT})"


def test_a_cursor_moved_during_a_run_stays_where_it_was_put(session, source):
    def look_elsewhere(_):
        session.first()
        return {"draft": "new"}

    source._nodes["draft"] = look_elsewhere
    session.select(1)

    done = session.replay()

    assert session.selected == 0
    assert session.rows[done.row].nodes == ("draft",)


def test_a_cursor_moved_during_a_run_that_fails_stays_too(session, source):
    def look_elsewhere(_):
        session.first()
        return {"draft": "new"}

    source._nodes |= {"draft": look_elsewhere, "review": lambda _: 1 / 0}
    session.select(1)

    failed = session.replay()

    assert isinstance(failed, Failed)
    assert session.selected == 0
    assert session.rows[failed.row].nodes == ("draft",)


def test_after_the_end_of_a_lane_comes_what_was_forked_there(session):
    session.update({"category": "shipping"}, branch="ship")
    session.first()

    walk = [session.forward() for _ in range(4)]

    assert walk == [1, 2, 3, 3]
    assert session.back() == 2


def test_a_session_opens_on_a_compiled_graph_or_its_history():
    app = StateGraph(state={}).add_node("a", lambda _: {"n": 1}).add_edge(START, "a").compile(MemorySaver())
    app.invoke({}, thread="old")
    app.invoke({}, thread="new")

    opened = [DebugSession(app, "old"), DebugSession(app), DebugSession(app.history("old"))]

    assert [(one.thread, len(one)) for one in opened] == [("old", 2), ("new", 2), ("old", 2)]
    assert isinstance(opened[0].select(0) or opened[0].replay(), Done)


def test_a_closed_store_fails_an_action_as_a_value():
    saver = MemorySaver()
    app = StateGraph(state={}).add_node("a", lambda _: {"n": 1}).add_edge(START, "a").compile(saver)
    app.invoke({}, thread="t")
    session = DebugSession(app, "t")
    saver.close()

    failed = session.update({"n": 2})

    assert isinstance(failed, Failed)
    assert "closed" in failed.failure.message
