"""The widget without a page: what it says, and what a notebook keeps of it."""

from __future__ import annotations

import json
import re
import threading
import time
from functools import partial

import pytest

from weavenb.graph.builder import StateGraph
from weavenb.model.topology import START, Topology, TopologyEdge, TopologyNode
from weavenb.savers.memory import MemorySaver
from weavenb.testing.fake_source import Ask, FakeSource
from weavenb.widgets.debugger import ActionBar, DiffView, GraphView, Timeline, debug
from weavenb.widgets.worker import Worker


def review(state):
    if "answer" not in state:
        raise Ask("Send <it>?")
    if state["answer"] == "boom":
        raise ValueError("no such answer")
    return {"approved": state["answer"]}


def make():
    topology = Topology(
        "ticket",
        (TopologyNode("__start__", "start"), TopologyNode("plan"), TopologyNode("review")),
        (TopologyEdge("__start__", "plan"), TopologyEdge("plan", "review")),
    )
    nodes = {"plan": lambda _: {"plan": ["a"], "n": 1}, "review": review}
    source = FakeSource(nodes, {"plan": lambda _: "review"}, start="plan", topology=topology)
    source.invoke("t", {"subject": "<b>hello</b>"})
    return source


class Page:
    """Stands for the page: sends messages, waits for answers."""

    def __init__(self, widget):
        self.widget = widget
        self.heard = []
        self._came = threading.Condition()
        widget.send = self._take

    def _take(self, content, buffers=None):
        with self._came:
            json.dumps(content)
            self.heard.append((content, buffers or []))
            self._came.notify_all()

    def say(self, **content):
        self.widget._heard(content)

    def wait(self, kind, **facts):
        def found():
            return [
                (content, buffers)
                for content, buffers in self.heard
                if content["kind"] == kind and all(content.get(key) == value for key, value in facts.items())
            ]

        with self._came:
            assert self._came.wait_for(found, timeout=10), f"no {kind} among {[one['kind'] for one, _ in self.heard]}"
            return found()[-1]


@pytest.fixture
def source():
    return make()


@pytest.fixture
def page(source):
    return Page(debug(source, "t"))


def test_a_page_that_says_hello_gets_graph_rows_and_state(page):
    page.say(type="hello", id=1)
    state, _ = page.wait("state")
    graph, _ = page.wait("graph")
    rows, buffers = page.wait("rows")

    assert state["status"] == "interrupted"
    assert state["questions"][0]["value"]["s"] == "Send <it>?"
    assert [node["name"] for node in graph["nodes"]] == ["__start__", "plan", "review"]
    assert rows["count"] == 2
    assert sum(len(buffer) for buffer in buffers) == 2 * 27


def test_details_come_for_the_row_that_was_asked(page):
    page.say(type="details", id=5, row=1, a=None, b=None, select=True)
    details, _ = page.wait("details", id=5)

    assert details["row"] == 1
    assert [change["path"] for change in details["diff"]["changes"]] == ["plan", "n"]
    assert details["states"] == {"plan": "current", "review": "waiting"}
    assert page.widget.selected == page.widget.session.rows[1].id


def test_a_preview_runs_nothing_and_says_what_is_wrong(page, source):
    ran = list(source.calls)
    page.say(type="preview", id=1, action="update", row=1, values='{"n": 2}', branch="b")
    good, _ = page.wait("preview", id=1)
    page.say(type="preview", id=2, action="update", row=1, values='{"n": ')
    bad, _ = page.wait("preview", id=2)

    assert good["code"].endswith('{"n": 2}, branch="b")')
    assert bad["problem"].startswith("The edit is not JSON: ")
    assert source.calls == ran


def test_a_press_writes_once_and_selects_what_it_made(page, source):
    page.say(type="hello", id=1)
    page.wait("state")
    page.say(type="act", id=2, action="update", row=1, values='{"n": 2.0}', branch="b")
    acted, _ = page.wait("acted", id=2)

    assert acted["failure"] is None
    assert acted["row"] == 2
    assert [row.branch for row in source.rows("t")] == [None, None, "b"]
    rows, _ = page.wait("rows", **{"from": 1})
    assert [lane["label"] for lane in rows["lanes"]] == ["main", "b"]


def test_a_failing_action_is_told_with_the_users_line(page):
    page.say(type="act", id=1, action="resume", row=1, answer="boom")
    acted, _ = page.wait("acted", id=1)

    assert acted["failure"]["code"] == "node_error"
    assert acted["failure"]["line"] == 'raise ValueError("no such answer")'


def test_a_message_that_cannot_be_served_is_answered_by_an_error(page):
    page.say(type="details", id=9, row=99)
    failed, _ = page.wait("failed", id=9)

    assert failed["failure"]["code"] == "IndexError"


def test_the_page_is_answered_while_a_run_goes_on(source):
    gate = threading.Event()
    source._nodes["review"] = lambda _: {"approved": gate.wait(10)}
    page = Page(debug(source, "t"))
    page.say(type="act", id=1, action="replay", row=1)
    page.wait("busy")

    page.say(type="details", id=2, row=0)
    page.wait("details", id=2)
    busy, _ = page.wait("state", busy="replay")
    gate.set()
    acted, _ = page.wait("acted", id=1)

    assert busy["busy"] == "replay"
    assert acted["failure"] is None


def test_traits_hold_view_settings_only(page):
    size = len(json.dumps({name: page.widget.get_state(name)[name] for name in ("panels", "tab", "theme", "selected")}))

    assert size < 4096


KEPT_TEXT = """\
ticket · thread t · ‖ waiting for an answer
2 checkpoints in 1 lane: main
last step 0: plan
changed: + plan, + n
asks: Send <it>?"""


def test_reprs_are_the_same_in_two_runs():
    first, second = debug(make(), "t"), debug(make(), "t")
    one, two = first._repr_mimebundle_()[0], second._repr_mimebundle_()[0]

    assert repr(first) == "Debugger(thread='t', checkpoints=2)"
    assert one["text/html"] == two["text/html"]
    assert one["text/plain"] == two["text/plain"] == KEPT_TEXT
    assert "application/vnd.jupyter.widget-view+json" in one


def test_the_html_survives_a_sanitizer_and_holds_no_markup_of_the_user():
    html = debug(make(), "t")._repr_mimebundle_()[0]["text/html"]

    assert set(re.findall(r"<(\w+)", html)) <= {
        "div", "strong", "img", "table", "thead", "tbody", "tr", "th", "td", "details", "summary",
    }  # fmt: skip
    assert 'src="data:image/svg+xml;base64,' in html
    assert "Send &lt;it&gt;?" in html
    assert not re.search(r"c0000\d|1700000|0x", html)


def test_each_panel_is_a_widget_of_its_own(page):
    session = page.widget.session

    assert [kind(session).panels for kind in (GraphView, Timeline, DiffView, ActionBar)] == [
        ["graph"],
        ["timeline"],
        ["details"],
        ["details", "actions"],
    ]
    assert repr(Timeline(session)) == "Timeline(thread='t', checkpoints=2)"


def test_a_panel_takes_what_the_debugger_takes(source):
    one = Timeline(source, thread="t")
    graph = GraphView(source)

    assert repr(one) == "Timeline(thread='t', checkpoints=2)"
    assert repr(graph) == "GraphView(thread='t', checkpoints=2)"
    assert len(DiffView(one.session, thread="other").session) == 0
    assert ActionBar(one.session).session is one.session


def test_a_press_lands_on_the_checkpoint_that_its_code_names(page, source):
    page.say(type="preview", id=1, action="fork", row=0, branch="b")
    preview, _ = page.wait("preview", id=1)
    page.say(type="details", id=2, row=1, select=True)
    page.wait("details", id=2)
    page.say(type="act", id=3, action="fork", row=1, at=preview["at"], branch="b")
    page.wait("acted", id=3)

    assert preview["at"][2] in preview["code"]
    assert source.rows("t")[-1].parent == preview["at"][2]


def test_a_status_is_told_for_each_thread_in_sight(page, source):
    page.widget.session.select(0)
    page.widget.session.fork(thread="other")
    page.say(type="hello", id=1)
    state, _ = page.wait("state")

    assert state["statuses"] == {"t": "interrupted", "other": "stopped"}


def one_node(saver, add):
    graph = StateGraph(state={}, name="one")
    graph.add_node(f"add_{add}", lambda state: {"n": state.get("n", 0) + add})
    graph.add_edge(START, f"add_{add}")
    return graph.compile(checkpointer=saver)


def test_a_cell_that_holds_an_older_graph_says_so():
    saver = MemorySaver()
    old = one_node(saver, 1)
    old.invoke({}, thread="t")
    page = Page(debug(old, "t"))
    page.say(type="hello", id=1)
    before, _ = page.wait("state")
    one_node(saver, 2).invoke({}, thread="t")
    page.say(type="refresh", id=2)
    after, _ = page.wait("state", stale=True)
    page.say(type="details", id=3, row=len(page.widget.session) - 1)
    details, _ = page.wait("details", id=3)

    assert before["stale"] is False
    assert after["count"] > before["count"]
    assert details["other_code"] is True


def test_a_closed_store_is_told_and_the_action_ends():
    saver = MemorySaver()
    app = one_node(saver, 1)
    app.invoke({}, thread="t")
    page = Page(debug(app, "t"))
    page.say(type="hello", id=1)
    page.wait("state")
    saver.close()
    page.say(type="act", id=2, action="update", row=1, values='{"n": 2}')
    acted, _ = page.wait("acted", id=2)
    failed, _ = page.wait("failed", id=None)

    assert "closed" in acted["failure"]["message"]
    assert "closed" in failed["failure"]["message"]


def test_setting_the_selection_moves_the_cursor(page):
    page.widget.selected = page.widget.session.rows[0].id
    told, _ = page.wait("goto")

    assert told["row"] == page.widget.session.selected == 0


def test_two_widgets_of_one_session_move_together(page, source):
    other = Page(Timeline(page.widget.session))
    page.say(type="details", id=1, row=0, a=1, select=True)
    page.wait("details", id=1)
    told, _ = other.wait("goto", row=0, a=1)
    source.invoke("t", {"subject": "again"})
    page.widget.session.refresh()
    other.wait("rows")

    assert told["b"] is None
    assert not [content for content, _ in page.heard if content["kind"] == "goto"]


def test_it_knows_whether_anybody_looks(page):
    page.say(type="hello", id=1)
    page.wait("state")
    page.say(type="hello", id=2)
    page.say(type="bye")

    assert page.widget.views == 1


def test_without_a_thread_the_newest_is_opened(source):
    assert debug(source).session.thread == "t"


def test_a_compiled_graph_and_its_history_are_opened_too():
    graph = StateGraph(state={}, name="one")
    graph.add_node("tick", lambda state: {"n": state.get("n", 0) + 1})
    graph.add_edge(START, "tick")
    app = graph.compile(checkpointer=MemorySaver())
    app.invoke({"n": 1}, thread="x")

    assert repr(debug(app)) == repr(debug(app.history("x"))) == "Debugger(thread='x', checkpoints=2)"


def test_anything_else_is_refused_by_name():
    with pytest.raises(TypeError, match="not list"):
        debug([])


def test_a_worker_keeps_the_order_and_ends_when_idle():
    seen: list[int] = []
    worker = Worker("test", idle=0.01)
    done = threading.Event()
    for number in range(100):
        worker.submit(partial(seen.append, number))
    worker.submit(done.set)
    done.wait(5)
    end = time.monotonic() + 5
    while worker._running and time.monotonic() < end:
        time.sleep(0.01)

    assert seen == list(range(100))
    assert not worker._running


def test_ten_thousand_rows_are_one_message_below_300_kb(source):
    source.grow("long", 10_000)
    page = Page(debug(source, "long"))
    start = time.perf_counter()
    page.say(type="hello", id=1)
    page.wait("state")
    took = time.perf_counter() - start
    content, buffers = page.wait("rows")

    assert sum(len(buffer) for buffer in buffers) + len(json.dumps(content)) < 300_000
    assert took < 2
