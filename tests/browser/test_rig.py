"""The rig itself: a click in the page reaches the kernel, and the kernel's answer the page."""

from __future__ import annotations

import pytest

from tests.browser.boxes import Box, boxes, overlaps, sticks_out

COUNTER = """
import anywidget, traitlets

class Counter(anywidget.AnyWidget):
    _esm = '''
    export default { render({ model, el }) {
      const button = document.createElement("button");
      const show = () => { button.textContent = `count is ${model.get("value")}`; };
      button.onclick = () => { model.set("value", model.get("value") + 1); model.save_changes(); };
      model.on("change:value", show);
      show();
      el.append(button);
    } };
    '''
    value = traitlets.Int(0).tag(sync=True)
"""
CELLS = [COUNTER, "counter = Counter()\ncounter"]
BROKEN = """
import anywidget

class Broken(anywidget.AnyWidget):
    _esm = "export default { render() { setTimeout(() => { throw new Error('own fault'); }) } }"

Broken()
"""


@pytest.mark.parametrize("view", ["lab", "notebook"])
def test_a_click_reaches_the_kernel_and_its_answer_the_page(notebook, view):
    nb = notebook(CELLS, view=view).run_all()
    button = nb.output(1).get_by_role("button", name="count is")

    button.click()
    nb.wait_kernel("counter.value == 1")
    nb.kernel("counter.set_trait('value', 41)")
    nb.output(1).get_by_text("count is 41").wait_for()

    nb.screenshot(f"rig-{view}")
    assert nb.errors == []


def test_a_key_reaches_the_kernel(notebook):
    nb = notebook(CELLS).run_all()

    nb.output(1).get_by_role("button", name="count is").focus()
    nb.page.keyboard.press("Enter")

    assert nb.wait_kernel("counter.value == 1")


def test_each_notebook_has_a_kernel_of_its_own(notebook):
    first = notebook(["x = 1"]).run_all()
    second = notebook(["y = 2"]).run_all()

    assert first.kernel("'y' in globals()") is False
    assert second.kernel("y") == 2


def test_a_failing_cell_fails_the_test(notebook):
    nb = notebook(["1 / 0"])

    with pytest.raises(AssertionError, match="cell 0: ZeroDivisionError"):
        nb.run_all()


def test_an_error_in_a_widgets_script_is_told(notebook):
    nb = notebook([BROKEN]).run_all()

    nb.page.wait_for_timeout(300)

    assert any("own fault" in error for error in nb.errors)


def test_both_themes_can_be_shown(notebook):
    nb = notebook(CELLS).run_all()
    shades = {}

    for theme in ("dark", "light"):
        nb.set_theme(theme)
        shades[theme] = nb.page.evaluate("() => document.body.dataset.jpThemeLight")
        nb.screenshot(f"rig-{theme}")

    assert shades == {"dark": "false", "light": "true"}


@pytest.mark.parametrize("width", [900, 560])
def test_an_output_can_be_given_a_width(notebook, width):
    nb = notebook(CELLS).run_all()

    assert abs(nb.set_output_width(1, width) - width) <= 1


def test_what_lies_on_something_else_is_found(notebook):
    html = "".join(
        f"<i class=box style='position:absolute;left:{x}px;top:0;width:20px;height:20px'>{x}</i>" for x in (0, 10, 40)
    )
    nb = notebook([f"from IPython.display import HTML\nHTML({html!r})"]).run_all()

    found = boxes(nb.output(0).locator(".box"))

    assert overlaps(found) == [("0", "10")]
    assert sticks_out(found, Box("frame", found[0].left, 0, found[1].right, 99)) == ["40"]
