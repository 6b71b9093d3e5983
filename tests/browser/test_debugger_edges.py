"""The debugger in a cell, where a reader is quick, names are odd and stores go away."""

from __future__ import annotations

from tests.browser.boxes import boxes, overlaps, sticks_out

GATED = """
import threading
from weavenb import END, START, DuckDBSaver, StateGraph, debug

gate = threading.Event()
gate.set()
graph = StateGraph(state={}, name="gated")
graph.add_node("one", lambda state: {"a": 1})
graph.add_node("two", lambda state: {"b": 2})
graph.add_node("slow", lambda state: {"c": gate.wait(60)})
graph.add_edge(START, "one")
graph.add_edge("one", "two")
graph.add_edge("two", "slow")
saver = DuckDBSaver()
app = graph.compile(checkpointer=saver)
app.invoke({}, thread="t")
gate.clear()
widget = debug(app, "t")
widget
"""
AGAIN = """
if globals().get("ready"):
    graph.add_node("three", lambda state: {"d": 4})
    graph.add_edge("slow", "three")
    graph.compile(checkpointer=saver).invoke({}, thread="t")
"""


def keys(nb, output, *names):
    output.get_by_role("slider", name="Checkpoint").focus()
    for name in names:
        nb.page.keyboard.press(name)


def heading(output, text):
    output.locator(".wn-title h3").get_by_text(text, exact=True).wait_for()


def test_an_action_lands_on_the_checkpoint_that_its_code_names(notebook):
    nb = notebook([GATED]).run_all()
    output = nb.output(0)
    heading(output, "slow")
    keys(nb, output, "ArrowLeft", "r")
    output.locator(".wn-code").filter(has_text="app.replay(").wait_for()
    output.locator(".wn-primary:enabled").click()
    output.get_by_text("replay is running").wait_for()
    # Away and back to where the run began: looked at by choice, so the end of the run leaves it.
    keys(nb, output, "Home", "ArrowRight", "ArrowRight")
    nb.wait_kernel("widget.session.selected == 2")
    nb.kernel("gate.set()")
    output.locator(".wn-pill").wait_for()
    heading(output, "two")
    keys(nb, output, "ArrowLeft", "f")
    output.get_by_label("as a new thread").check()
    output.locator(".wn-editor input.wn-input").fill("other")
    output.locator(".wn-code").filter(has_text='thread="other"').wait_for()
    output.locator(".wn-primary:enabled").click()
    nb.wait_kernel("app.get_state(thread='other') is not None")

    assert nb.kernel("app.get_state(thread='other').values") == {"a": 1}
    assert nb.kernel("app.get_state(thread='other').next") == ["two"]
    # The header says whose status it is; every checkpoint is reached by arrows alone.
    output.locator(".wn-status").filter(has_text="other:").wait_for()
    keys(nb, output, "Home")
    output.locator(".wn-status").filter(has_not_text="other:").wait_for()
    reached = set()
    track = output.get_by_role("slider", name="Checkpoint")
    for way in ("Right", "Right", "Right", "Down", "Right", "Right", "Down", "Left", "Down", "Right", "Right", "Right"):
        reached.add(track.get_attribute("aria-valuenow"))
        nb.page.keyboard.press(f"Arrow{way}")
    reached.add(track.get_attribute("aria-valuenow"))
    assert len(reached) == nb.kernel("len(widget.session)")
    # A node leads to its newest checkpoint, then to the one before.
    keys(nb, output, "Home")
    nb.wait_kernel("widget.session.selected == 0")
    slow = nb.kernel("[at for at, row in enumerate(widget.session.rows) if row.nodes == ('slow',)]")
    node = output.get_by_role("button", name="slow: to its newest")
    node.click()
    nb.wait_kernel(f"widget.session.selected == {slow[-1]}")
    node.press("Enter")
    nb.wait_kernel(f"widget.session.selected == {slow[-2]}")
    assert nb.errors == []


def test_an_older_graph_a_closed_store_and_a_forgotten_thread_are_told(notebook):
    nb = notebook([GATED, AGAIN, "if globals().get('gone'): saver.delete_thread('t')"]).run_all()
    output = nb.output(0)
    heading(output, "slow")
    nb.kernel("globals().update(ready=True, opened=gate.set())")

    nb.cell(1).locator(".cm-content").click()
    nb.page.keyboard.press("Control+Enter")
    output.get_by_text("This cell holds the graph as it was.").wait_for()
    keys(nb, output, "End")
    output.get_by_text("Made by other code than this cell's graph").wait_for()
    nb.screenshot("edges-stale", output.locator(".wn"))

    nb.kernel("globals().update(gone=True)")
    nb.cell(2).locator(".cm-content").click()
    nb.page.keyboard.press("Control+Enter")
    output.get_by_text('There is no thread "t".').wait_for()
    assert output.locator(".wn-badge").count() == 0
    assert output.locator(".wn-pressable").count() == 0

    nb.kernel("[saver.close(), widget.refresh()][1]")
    output.get_by_role("alert").filter(has_text="closed").wait_for()
    nb.screenshot("edges-closed", output.locator(".wn"))
    output.get_by_role("button", name="Try again").click()
    output.get_by_role("alert").filter(has_text="closed").wait_for()
    assert nb.errors == []


ODD = """
from weavenb import END, START, DuckDBSaver, StateGraph, debug, interrupt

bad = "<img src=x onerror=window.harmed=1>"
deep = {}
inner = deep
for _ in range(40):
    inner["d"] = {}
    inner = inner["d"]
graph = StateGraph(state={}, name="a <b>graph</b> with a long name")
graph.add_node("plan", lambda state: {bad: bad, "k" * 300: [1], "text": "go " * 30})
graph.add_node("big", lambda state: {"blob": "x" * 1_000_000, "many": list(range(3000)), "nan": float("nan")})
graph.add_node("wide", lambda state: {"deep": deep, "bytes": b"\\x00", "pair": (1, {2, 3})})
graph.add_node(bad, lambda state: {"bad": 1})
graph.add_node("ask", lambda state: {"answer": interrupt({"question": bad, "choices": ["yes", "no"]})})
graph.add_edge(START, "plan")
graph.add_edge("plan", "big")
graph.add_edge("plan", "wide")
graph.add_edge(["big", "wide"], bad)
graph.add_edge(bad, "ask")
app = graph.compile(checkpointer=DuckDBSaver())
thread = "support-ticket-number-42-with-a-long-name"
app.invoke({"subject": "hello"}, thread=thread)
app.fork({"configurable": {"thread_id": thread}}, thread=f"fork of {thread}")
widget = debug(app, thread)
widget
"""


def test_odd_names_and_large_values_fit_and_do_no_harm(notebook):
    nb = notebook([ODD]).run_all()
    nb.output(0).locator(".wn-change").first.wait_for()
    for width in (900, 560):
        nb.set_output_width(0, width)
        fits(nb, nb.output(0), width)

    assert nb.output(0).locator(".wn img").count() == 0
    assert nb.page.evaluate("() => window.harmed ?? null") is None
    assert nb.errors == []


def fits(nb, output, width):
    root = output.locator(".wn")
    keys(nb, output, "ArrowDown")
    root.locator(".wn-whose").wait_for()

    for tab in ("d", "s", "t"):
        keys(nb, output, tab)
        inside = boxes(root.locator(".wn-header select, .wn-status, .wn-count, .wn-header button, .wn-panel-head h3"))
        assert overlaps(inside) == []
        assert sticks_out(inside, boxes(root)[0]) == []
        assert root.locator(".wn-body").evaluate("body => body.scrollWidth - body.clientWidth") <= 1
    keys(nb, output, "End")
    output.get_by_role("button", name="Resume", exact=True).click()
    hint, field = root.get_by_text("Text, or JSON such as"), root.get_by_label("Answer")
    assert boxes(hint)[0].top - boxes(field)[0].bottom > 3
    output.get_by_role("button", name="Fork", exact=True).click()
    nb.screenshot(f"edges-odd-{width}", root)
    assert root.locator(".wn-body").evaluate("body => body.scrollWidth - body.clientWidth") <= 1
    nb.page.keyboard.press("Escape")
