"""The first notebook, run and steered by a reader's hands."""

from __future__ import annotations

import pytest

from tests.house.sources import ROOT

QUICKSTART = ROOT / "notebooks" / "01_quickstart.ipynb"


@pytest.fixture
def reader(notebook):
    """The notebook after `Run all`, and the debugger in its last output."""
    nb = notebook(QUICKSTART).run_all()
    at = next(number for number, cell in enumerate(nb.cells()) if cell["id"] == "debug")
    nb.cell(at).scroll_into_view_if_needed()
    root = nb.output(at).locator(".wn")
    root.locator(".wn-change").first.wait_for()
    return nb, root


def at_row(nb, root, index):
    """Select the row at `index`, counted from the oldest, by the keyboard."""
    root.get_by_role("slider", name="Checkpoint").focus()
    nb.page.keyboard.press("Home")
    for _ in range(index):
        nb.page.keyboard.press("ArrowRight")


def shown(root, text):
    """Wait until the selected checkpoint is headed by this text: an action selects what it made."""
    root.locator(".wn-title").filter(has_text=text).wait_for()


def run_shown(root, code):
    """Press the button that runs the code on show, once it is the code we mean."""
    root.locator(".wn-code").filter(has_text=code).wait_for()
    root.locator(".wn-primary").click()


def edit_by_hand(root):
    root.get_by_role("button", name="Edit state", exact=True).click()
    root.get_by_label("Values to write, JSON").fill('{"answers": {"34": "drop"}}')
    root.get_by_label("branch").fill("by hand")
    run_shown(root, 'branch="by hand"')


def fork_by_hand(root):
    root.get_by_role("button", name="Fork", exact=True).click()
    root.get_by_label("as a new thread").check()
    root.get_by_label("name").fill("by-hand")
    run_shown(root, 'thread="by-hand"')


def test_the_buttons_steer_the_graph_of_the_cells_above(reader):
    nb, root = reader
    rows = nb.kernel("[list(step.next) for step in app.history('cars')][::-1]")

    at_row(nb, root, rows.index(["apply"]))
    shown(root, "ask")
    edit_by_hand(root)
    nb.wait_kernel("app.history('cars')[0].branch == 'by hand'")
    shown(root, "update")
    root.get_by_role("button", name="Replay", exact=True).click()
    run_shown(root, "app.replay(")
    nb.wait_kernel("app.history('cars')[0].values.get('report', {}).get('makers') == 31")
    shown(root, "report")

    at_row(nb, root, rows.index(["ask"]))
    shown(root, "missing")
    fork_by_hand(root)
    nb.wait_kernel("app.get_state(thread='by-hand') is not None")
    shown(root, "by-hand")
    root.get_by_role("button", name="Replay", exact=True).click()
    run_shown(root, "app.replay(")
    nb.wait_kernel("app.get_state(thread='by-hand').interrupts")
    root.get_by_role("button", name="Resume", exact=True).click()
    root.get_by_label("Answer").fill("{}")
    run_shown(root, "app.resume({}")
    nb.wait_kernel("app.get_state(thread='by-hand').values.get('report', {}).get('makers') == 32")

    nb.page.wait_for_timeout(300)
    nb.screenshot("quickstart", root)
    assert nb.errors == []


def test_the_debugger_of_the_notebook_is_drawn(reader):
    nb, root = reader
    nb.set_output_width(len(nb.cells()) - 2, 900)
    at_row(nb, root, 4)
    shown(root, "apply")
    nb.page.mouse.move(0, 0)
    for theme in ("light", "dark"):
        nb.set_theme(theme)
        nb.page.wait_for_timeout(300)
        nb.screenshot(f"quickstart-{theme}", root)

    assert root.get_by_text("4 lanes").count() == 1
    assert nb.errors == []
