"""The debugger in a cell, on a graph that really runs."""

from __future__ import annotations

import pytest

CELL = """
import operator
from typing import Annotated, TypedDict

from weavenb import END, START, {saver}, StateGraph, debug, interrupt

class Ticket(TypedDict, total=False):
    subject: str
    category: str
    draft: str
    notes: Annotated[list[str], operator.add]
    approved: str

def classify(state):
    return {{"category": "billing" if "refund" in state["subject"].lower() else "other", "notes": ["classified"]}}

def draft(state):
    return {{"draft": f"Thank you for writing about {{state['category']}}.", "notes": ["drafted"]}}

def review(state):
    return {{"approved": interrupt("Send this reply?")}}

graph = StateGraph(Ticket, name="ticket")
for node in (classify, draft, review):
    graph.add_node(node)
graph.add_edge(START, "classify")
graph.add_edge("classify", "draft")
graph.add_edge("draft", "review")
graph.add_edge("review", END)
saver = {saver}()
app = graph.compile(checkpointer=saver)
app.invoke({{"subject": "Refund for order 1182"}}, thread="ticket-42")
"""
FAILS = """
def draft(state):
    return {"draft": missing}

graph = StateGraph(Ticket, name="ticket")
for node in (classify, draft, review):
    graph.add_node(node)
graph.add_edge(START, "classify")
graph.add_edge("classify", "draft")
graph.add_edge("draft", "review")
app = graph.compile(checkpointer=DuckDBSaver())
try:
    app.invoke({"subject": "Refund"}, thread="ticket-42")
except Exception as error:
    caught = error
"""
SHOW = 'widget = debug(app, thread="ticket-42")\nwidget'


@pytest.fixture
def opened(notebook):
    nb = notebook([CELL.format(saver="DuckDBSaver"), SHOW]).run_all()
    nb.output(1).locator(".wn-title h3").get_by_text("draft", exact=True).wait_for()
    return nb


def values(nb, expression="None"):
    return nb.kernel(f"app.get_state(thread='ticket-42').values.get({expression!r})")


def test_edit_replay_answer_and_fork_from_the_cell(opened):
    nb = opened
    output = nb.output(1)
    primary = output.locator(".wn-primary")
    code = output.locator(".wn-code")
    track = output.get_by_role("slider", name="Checkpoint")

    track.focus()
    nb.page.keyboard.press("ArrowLeft")
    nb.wait_kernel("widget.session.selected == 1")
    output.get_by_role("button", name="Edit state", exact=True).click()
    output.get_by_role("button", name="category", exact=True).click()
    nb.page.keyboard.type("shipping")
    output.get_by_label("branch").fill("ship")
    code.filter(has_text='{"category": "shipping"}, branch="ship")').wait_for()
    primary.click()
    nb.wait_kernel("[lane.label for lane in widget.session.lanes] == ['main', 'ship']")
    assert values(nb, "category") == "shipping"
    assert values(nb, "draft") is None

    output.get_by_role("button", name="Replay", exact=True).first.click()
    code.filter(has_text="app.replay(").wait_for()
    primary.click()
    nb.wait_kernel("app.get_state(thread='ticket-42').interrupts")
    assert values(nb, "draft") == "Thank you for writing about shipping."

    output.get_by_role("button", name="Answer…").click()
    output.get_by_label("Answer").fill("yes")
    code.filter(has_text='app.resume("yes", thread="ticket-42")').wait_for()
    primary.click()
    nb.wait_kernel("app.get_state(thread='ticket-42').next == ()")
    assert values(nb, "approved") == "yes"
    output.locator(".wn-status").get_by_text("completed").wait_for()

    track.focus()
    nb.page.keyboard.press("Home")
    nb.wait_kernel("widget.session.selected == 0")
    nb.page.keyboard.press("f")
    output.get_by_label("as a new thread").check()
    output.get_by_label("name").fill("ticket-42-alternative")
    code.filter(has_text='thread="ticket-42-alternative"').wait_for()
    primary.click()
    nb.wait_kernel("app.get_state(thread='ticket-42-alternative') is not None")
    nb.wait_kernel("len(widget.session.lanes) == 3")
    nb.page.wait_for_timeout(250)
    nb.screenshot("engine-forked", output.locator(".wn"))
    assert nb.errors == []


def test_the_shown_code_does_the_same_when_pasted(opened):
    nb = opened
    output = nb.output(1)
    output.get_by_role("slider", name="Checkpoint").focus()
    nb.page.keyboard.press("ArrowLeft")
    nb.wait_kernel("widget.session.selected == 1")
    output.get_by_role("button", name="Replay", exact=True).first.click()
    output.locator(".wn-code").filter(has_text="app.replay(").wait_for()
    shown = output.locator(".wn-code").text_content()

    nb.kernel(f"bool({shown})")

    sources = nb.kernel("[row.source for row in widget.session.source.rows('ticket-42')]")
    assert sources[-2:] == ["fork", "loop"]


def test_a_run_in_another_cell_is_seen_without_a_press(notebook):
    again = 'if globals().get("ready"):\n    app.resume("yes", thread="ticket-42")'
    nb = notebook([CELL.format(saver="DuckDBSaver"), SHOW, again]).run_all()
    output = nb.output(1)
    output.locator(".wn-title h3").get_by_text("draft", exact=True).wait_for()
    nb.kernel("globals().update(ready=True)")

    nb.cell(2).locator(".cm-content").click()
    nb.page.keyboard.press("Control+Enter")
    pill = output.get_by_role("button", name="1 new")
    pill.wait_for()
    output.locator(".wn-status").get_by_text("completed").wait_for()
    assert nb.kernel("widget.session.selected") == 2
    pill.click()
    output.locator(".wn-title h3").get_by_text("review", exact=True).wait_for()
    assert nb.kernel("widget.views") == 1
    nb.command("notebook:clear-all-cell-outputs")

    nb.wait_kernel("widget.views == 0")
    assert nb.errors == []


def test_a_node_that_raises_is_told_and_its_cell_can_be_run_again(notebook):
    nb = notebook([CELL.format(saver="DuckDBSaver") + FAILS, SHOW]).run_all()
    output = nb.output(1)
    output.locator(".wn-callout").get_by_text("draft failed").wait_for()
    nb.screenshot("engine-failed", output.locator(".wn"))
    nb.kernel("globals().update(missing='found')")

    output.get_by_role("button", name="Replay", exact=True).first.click()
    output.locator(".wn-code").filter(has_text="app.replay(").wait_for()
    output.locator(".wn-primary").click()
    nb.wait_kernel("app.get_state(thread='ticket-42').interrupts")

    assert values(nb, "draft") == "found"
    assert nb.errors == []


SLOW = """
import threading
from weavenb import START, MemorySaver, StateGraph, debug

gate = threading.Event()
graph = StateGraph(state={}, name="slow")
graph.add_node("quick", lambda state: {"a": 1})
graph.add_node("slow", lambda state: {"b": gate.wait(60)})
graph.add_edge(START, "quick")
graph.add_edge("quick", "slow")
app = graph.compile(checkpointer=MemorySaver())
gate.set()
app.invoke({}, thread="t")
gate.clear()
widget = debug(app, "t")
widget
"""


def test_a_long_run_lets_the_reader_look_around_and_does_not_move_them(notebook):
    nb = notebook([SLOW]).run_all()
    output = nb.output(0)
    output.locator(".wn-title h3").get_by_text("slow", exact=True).wait_for()
    output.get_by_role("slider", name="Checkpoint").focus()
    nb.page.keyboard.press("Home")
    nb.wait_kernel("widget.session.selected == 0")

    nb.page.keyboard.press("r")
    output.locator(".wn-code").filter(has_text="app.replay(").wait_for()
    output.locator(".wn-primary").click()
    output.get_by_text("replay is running").wait_for()
    output.get_by_text("2 lanes").wait_for()
    output.get_by_role("slider", name="Checkpoint").focus()
    nb.page.keyboard.press("ArrowRight")
    output.locator(".wn-title h3").get_by_text("quick", exact=True).wait_for()
    nb.screenshot("engine-running", output.locator(".wn"))
    nb.kernel("gate.set()")
    pill = output.locator(".wn-pill")
    pill.wait_for()
    assert nb.wait_kernel("widget.session.selected == 1")
    pill.click()
    output.locator(".wn-title").get_by_text("fork 1").wait_for()

    assert output.locator(".wn-title h3").text_content() == "slow"
    assert nb.errors == []
