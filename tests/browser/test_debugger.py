"""The debugger in a cell, on a history in memory."""

from __future__ import annotations

import itertools
import json
import re

import nbformat
import pytest

from tests.browser.boxes import boxes, overlaps, sticks_out
from tests.browser.notebook import ARTIFACTS

SOURCE = """
from weavenb.model.topology import Topology, TopologyEdge, TopologyNode
from weavenb.testing.fake_source import Ask, FakeSource
from weavenb.widgets.debugger import debug

def classify(state):
    return {"category": "refund" if "refund" in state["subject"].lower() else "other", "score": 0.41}

def draft(state):
    if state["category"] == "broken":
        return {"draft": 1 / 0}
    text = f"Thank you for writing to us about your {state['category']}. We will look at it within two days."
    return {"draft": text, "notes": [*state.get("notes", []), {"by": "draft", "words": len(text.split())}]}

def review(state):
    if "answer" not in state:
        raise Ask("Send this reply to the customer?")
    return {"approved": state["answer"], "score": 0.73}

def send(state):
    return {"sent": bool(state["approved"])}

topology = Topology(
    "ticket",
    (TopologyNode("__start__", "start"), *(TopologyNode(name) for name in ("classify", "draft", "review", "send")),
     TopologyNode("__end__", "end")),
    (TopologyEdge("__start__", "classify"), TopologyEdge("classify", "draft"), TopologyEdge("draft", "review"),
     TopologyEdge("review", "send", "guard", "approved"), TopologyEdge("review", "draft", "default", "else"),
     TopologyEdge("send", "__end__")),
)
source = FakeSource(
    {"classify": classify, "draft": draft, "review": review, "send": send},
    {"classify": lambda _: "draft", "draft": lambda _: "review", "review": lambda _: "send"},
    start="classify", topology=topology,
)
source.invoke("ticket-42", {"subject": "Refund for order 1182", "customer": "Ada"})
"""
SHOW = 'widget = debug(source, "ticket-42")\nwidget'


@pytest.fixture
def opened(notebook):
    nb = notebook([SOURCE, SHOW]).run_all()
    nb.output(1).locator(".wn-title h3").get_by_text("draft", exact=True).wait_for()
    return nb


def at_step(nb, index):
    """Select a row by the keyboard, as a user would: once there is something to see."""
    nb.output(1).locator(".wn-title h3").filter(has_text=re.compile(r"\S")).first.wait_for()
    track = nb.output(1).get_by_role("slider", name="Checkpoint")
    track.focus()
    nb.page.keyboard.press("Home")
    for _ in range(index):
        nb.page.keyboard.press("ArrowRight")
    nb.wait_kernel(f"widget.session.selected == {index}")


def press(nb, action, run):
    nb.output(1).get_by_role("button", name=action, exact=True).first.click()
    nb.output(1).locator(".wn-code").filter(has_text="app.").wait_for()
    code = nb.output(1).locator(".wn-code").text_content()
    nb.output(1).locator(".wn-primary").get_by_text(run, exact=True).click()
    return code


def test_the_selected_checkpoint_is_shown_and_selecting_runs_nothing(opened):
    nb = opened
    ran = nb.kernel("source.calls")

    at_step(nb, 1)
    nb.output(1).get_by_text("category", exact=True).first.wait_for()

    assert nb.kernel("source.calls") == ran
    assert nb.errors == []


def test_each_button_shows_its_code_and_writes_once(opened):
    nb = opened
    output = nb.output(1)

    at_step(nb, 1)
    output.get_by_role("button", name="Edit state", exact=True).click()
    output.get_by_label("Values to write, JSON").fill('{"category": "shipping"}')
    output.get_by_label("branch").fill("ship")
    output.locator(".wn-code").filter(has_text='branch="ship"').wait_for()
    nb.screenshot("debugger-edit", output.locator(".wn"))
    output.locator(".wn-primary").click()
    nb.wait_kernel("[lane.label for lane in widget.session.lanes] == ['main', 'ship']")

    press(nb, "Replay", "Replay")
    nb.wait_kernel("'shipping' in source.snapshot(widget.session.ref(widget.session.selected)).values.get('draft', '')")

    output.get_by_role("button", name="Resume", exact=True).click()
    output.get_by_label("Answer").fill("yes")
    output.locator(".wn-code").filter(has_text='app.resume("yes"').wait_for()
    output.locator(".wn-primary").click()
    nb.wait_kernel("source.threads()[0].status == 'completed'")
    nb.wait_kernel("source.rows('ticket-42')[-1].nodes == ('send',)")

    at_step(nb, 1)
    output.get_by_role("button", name="Fork", exact=True).click()
    output.get_by_label("as a new thread").check()
    output.get_by_label("name").fill("other")
    output.locator(".wn-code").filter(has_text='thread="other"').wait_for()
    output.locator(".wn-primary").click()
    nb.wait_kernel("[lane.label for lane in widget.session.lanes] == ['main', 'ship', 'other']")

    nb.page.wait_for_timeout(200)
    nb.screenshot("debugger-acted", output.locator(".wn"))
    assert nb.errors == []


def test_a_failing_node_is_told_in_the_cell(opened):
    nb = opened
    output = nb.output(1)
    at_step(nb, 1)

    output.get_by_role("button", name="Edit state", exact=True).click()
    output.get_by_label("Values to write, JSON").fill('{"category": "broken"}')
    output.locator(".wn-code").filter(has_text="broken").wait_for()
    output.locator(".wn-primary").click()
    nb.wait_kernel("len(widget.session) == 4")
    press(nb, "Replay", "Replay")
    alert = output.get_by_role("alert")
    alert.wait_for()

    nb.screenshot("debugger-failed", output.locator(".wn"))
    assert "division by zero" in alert.text_content()
    assert "in draft" in alert.locator(".wn-where").text_content()
    assert nb.errors == []


def test_nothing_lies_on_anything_else(opened):
    nb = opened
    root = nb.output(1).locator(".wn")
    for theme, width in itertools.product(("light", "dark"), (900, 560)):
        nb.set_theme(theme)
        nb.set_output_width(1, width)
        nb.page.wait_for_timeout(200)
        parts = boxes(root.locator(".wn-header, .wn-graph, .wn-details, .wn-timeline, .wn-actions"))
        inside = boxes(root.locator("button, select, h3, .wn-status, .wn-count"))

        nb.screenshot(f"debugger-{width}-{theme}", root)

        frame = boxes(root)[0]
        assert overlaps(parts) == []
        assert overlaps(inside) == []
        assert sticks_out(parts + inside, frame) == []
    assert nb.errors == []


def test_an_unknown_thread_lists_those_there_are(notebook):
    nb = notebook([SOURCE, 'widget = debug(source, "tiket")\nwidget']).run_all()
    output = nb.output(1)

    output.get_by_text('There is no thread "tiket".').wait_for()
    nb.screenshot("debugger-unknown", output.locator(".wn"))
    output.get_by_role("button", name="ticket-42").click()
    output.locator(".wn-title h3").get_by_text("draft", exact=True).wait_for()

    assert nb.errors == []


LONG = SOURCE + '\nsource.grow("long", 10_000)\n'


FRAMES = """async () => {
  const times = [];
  let last = performance.now();
  const stop = last + 1500;
  const track = document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden) .wn [role=slider]');
  while (last < stop) {
    track.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.95)];
}"""
PAINTED = """() => {
  const at = name => performance.getEntriesByName(name).at(-1).startTime;
  return at('weavenb-painted') - at('weavenb-rows');
}"""


def test_ten_thousand_checkpoints_are_quick(notebook):
    nb = notebook([LONG, 'widget = debug(source, "long")\nwidget']).run_all()
    root = nb.output(1).locator(".wn")
    root.get_by_text("10,000 checkpoints").wait_for()
    root.locator(".wn-change").first.wait_for()
    painted = nb.page.evaluate(PAINTED)
    elements = root.locator("*").count()
    nb.screenshot("debugger-long", root)
    root.get_by_role("slider").focus()
    frame = nb.page.evaluate(FRAMES)

    figures = {"painted_ms": painted, "frame_p95_ms": frame, "elements": elements}
    (ARTIFACTS / "debugger-figures.json").write_text(json.dumps(figures), encoding="utf-8")
    # Times are written down, not asserted: the machine may be busy.
    assert painted > 0
    assert frame > 0
    assert elements <= 600
    at = "widget.session.selected"
    nb.page.keyboard.press("Home")
    nb.wait_kernel(f"{at} == 0")
    nb.page.keyboard.press("e")
    nb.wait_kernel(f"widget.session.rows[{at}].error")
    assert nb.errors == []


def test_a_and_b_are_compared_and_both_ends_named(opened):
    nb = opened
    output = nb.output(1)
    at_step(nb, 0)
    nb.page.keyboard.press("a")
    nb.page.keyboard.press("End")
    output.get_by_text("compared with A, the input").wait_for()
    output.get_by_text("category", exact=True).first.wait_for()
    nb.screenshot("debugger-ab", output.locator(".wn"))

    nb.page.keyboard.press("s")
    output.get_by_role("tab", name="State", selected=True).wait_for()
    nb.screenshot("debugger-state", output.locator(".wn"))
    nb.page.keyboard.press("t")
    output.get_by_role("tab", name="Tasks", selected=True).wait_for()

    assert nb.kernel("widget.session.a") == 0
    assert nb.errors == []


def test_a_kernel_that_is_gone_leaves_what_was_read(opened):
    nb = opened
    output = nb.output(1)
    at_step(nb, 1)
    nb.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.shutdown()")
    nb.page.keyboard.press("ArrowLeft")
    nb.page.keyboard.press("ArrowRight")
    output.get_by_text("The kernel does not answer.").wait_for()
    nb.screenshot("debugger-gone", output.locator(".wn"))

    assert output.get_by_text("category", exact=True).first.is_visible()


def test_a_saved_notebook_shows_graph_steps_and_change_to_a_stranger(notebook, tmp_path):
    ran = notebook([SOURCE, SHOW]).run_all()
    stored = nbformat.v4.new_notebook(
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        cells=[nbformat.from_dict(cell) for cell in ran.cells()],
    )
    for cell in stored.cells:
        for output in cell.outputs:
            output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)
    path = tmp_path / "stored.ipynb"
    nbformat.write(stored, path)

    nb = notebook(path, trust=False)
    output = nb.output(1)
    output.locator("summary").click()
    for theme in ("light", "dark"):
        nb.set_theme(theme)
        nb.page.wait_for_timeout(150)
        nb.screenshot(f"debugger-stored-{theme}", nb.cell(1))

    assert output.locator("img").evaluate("image => image.naturalWidth") > 100
    assert output.locator("tbody tr").count() == 5
    assert nb.errors == []


def test_the_timeline_can_be_read_as_a_table(opened):
    nb = opened
    output = nb.output(1)

    output.get_by_role("button", name="List", exact=True).click()
    output.locator(".wn-list tbody tr").nth(1).click()
    nb.wait_kernel("widget.session.selected == 1")
    nb.screenshot("debugger-list", output.locator(".wn"))

    assert output.locator(".wn-list tbody tr").all_text_contents()[0] == "-1inputmainsubject, customer"
    assert nb.errors == []


ODD = """
source.invoke("odd", {"subject": "x", "whole": 1.0, "many": list(range(500)), "pair": (1, 2), "ids": {1: "a"}})
widget = debug(source, "odd")
widget
"""


def test_a_key_is_offered_for_editing_only_where_json_can_say_it(notebook):
    nb = notebook([SOURCE, ODD]).run_all()
    output = nb.output(1)
    at_step(nb, 0)
    output.locator(".wn-title h3").get_by_text("input", exact=True).wait_for()
    output.get_by_text("whole", exact=True).first.wait_for()
    output.get_by_role("button", name="Edit state", exact=True).click()
    output.get_by_role("button", name="whole", exact=True).click()

    assert output.get_by_label("Values to write, JSON").input_value() == '{\n  "whole": 1.0\n}'
    assert output.locator(".wn-chip:disabled").all_text_contents() == ["many", "pair", "ids"]
    output.locator(".wn-code").filter(has_text='{"whole": 1.0}').wait_for()


HOSTILE = """
from weavenb.model.topology import Topology, TopologyEdge, TopologyNode
from weavenb.testing.fake_source import FakeSource
from weavenb.widgets.debugger import debug

topology = Topology(bad, (TopologyNode(bad),), (TopologyEdge(bad, bad, "guard", bad),))
source = FakeSource({bad: lambda _: {bad: bad}}, {}, start=bad, topology=topology)
source.invoke(bad, {"x": [bad]})
debug(source, bad)
"""


def test_hostile_names_and_values_do_no_harm(notebook):
    hostile = "<img src=x onerror=window.harmed=1>"
    cells = [f"bad = {hostile!r}", HOSTILE]
    nb = notebook(cells).run_all()
    nb.output(1).locator(".wn-change").first.wait_for()

    assert nb.output(1).locator(".wn img").count() == 0
    assert nb.page.evaluate("() => window.harmed ?? null") is None
    assert nb.errors == []


PARTS = """
from ipywidgets import HBox, VBox
from weavenb.session.session import DebugSession
from weavenb.widgets.debugger import ActionBar, DiffView, GraphView, Timeline

session = DebugSession(source, "ticket-42")
graph, timeline, diff, bar = GraphView(session), Timeline(session), DiffView(session), ActionBar(session)
VBox([HBox([graph, diff]), timeline, bar])
"""


def test_each_panel_stands_alone_and_beside_other_widgets(notebook):
    nb = notebook([SOURCE, PARTS]).run_all()
    output = nb.output(1)
    output.locator(".wn-details h3").nth(1).get_by_text("draft", exact=True).wait_for()
    nb.page.wait_for_timeout(200)
    nb.screenshot("debugger-parts", output)

    # One session: what one view selects, the others show.
    output.get_by_role("slider", name="Checkpoint").focus()
    nb.page.keyboard.press("Home")
    output.locator(".wn-details h3").nth(0).get_by_text("input", exact=True).wait_for()
    output.locator(".wn-details h3").nth(1).get_by_text("input", exact=True).wait_for()
    nb.kernel("session.forward()")
    output.locator(".wn-details h3").nth(1).get_by_text("classify", exact=True).wait_for()

    assert output.locator(".wn").count() == 4
    assert overlaps(boxes(output.locator(".wn"))) == []
    assert nb.errors == []


TWO = """
from weavenb import END, START, MemorySaver, StateGraph, debug, interrupt

graph = StateGraph(state={}, name="two")
graph.add_node("left", lambda state: {"a": interrupt({"question": "Left?", "choices": ["yes", "no"]})})
graph.add_node("right", lambda state: {"b": interrupt("Right?")})
graph.add_edge(START, "left")
graph.add_edge(START, "right")
app = graph.compile(checkpointer=MemorySaver())
app.invoke({}, thread="t")
widget = debug(app, "t")
"""


def test_several_questions_are_answered_together(notebook):
    nb = notebook([TWO, "widget"]).run_all()
    output = nb.output(1)
    output.get_by_text("left asks").wait_for()
    output.get_by_role("button", name="Resume", exact=True).click()
    output.get_by_role("button", name="yes", exact=True).click()
    output.get_by_label("Answer").nth(1).fill("3")
    output.locator(".wn-code").filter(has_text="app.resume({").wait_for()
    nb.screenshot("debugger-questions", output.locator(".wn"))
    output.locator(".wn-primary").click()
    nb.wait_kernel("app.get_state(thread='t').values == {'a': 'yes', 'b': 3}")

    assert nb.errors == []
