"""The notebooks as they are stored."""

from __future__ import annotations

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.house.sources import ROOT
from tests.notebooks.refresh import COLOURS, WIDGET_VIEW, clean, run, text_of

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NOT_COMPARED = ("nbval-ignore-output", "nbval-skip", "NBVAL_IGNORE", "NBVAL_SKIP")


def stored():
    for path in NOTEBOOKS:
        yield path, nbformat.read(path, as_version=4)


def test_each_notebook_is_stored_clean():
    unclean = [path.name for path, notebook in stored() if path.read_text("utf-8") != text_of(clean(notebook))]

    assert unclean == [], "run `make notebooks` and commit what it writes"


def test_a_fresh_run_stores_the_same_bytes():
    changed = [
        path.name for path, notebook in stored() if path.read_text("utf-8") != text_of(run(notebook, path.parent))
    ]

    assert changed == [], "run `make notebooks` twice: does the second run change a file too?"


def test_no_cell_is_left_out_of_the_comparison():
    found = [
        f"{path.name}: {word}"
        for path in NOTEBOOKS
        for word in NOT_COMPARED
        if word in path.read_text(encoding="utf-8")
    ]

    assert found == []


def test_cleaning_drops_what_needs_a_kernel_and_keeps_what_is_shown():
    view = {WIDGET_VIEW: {"model_id": "1"}, "text/plain": "Inspector(thread='t')"}
    cell = new_code_cell(
        "debug(app)",
        execution_count=7,
        metadata={"tags": ["keep"], "collapsed": True},
        outputs=[
            new_output("execute_result", data=view, execution_count=7),
            new_output("error", ename="E", evalue="no", traceback=["\x1b[31mno\x1b[0m"]),
        ],
    )
    notebook = new_notebook(cells=[new_markdown_cell("text"), cell], metadata={"author": "me"})

    kept = clean(notebook)

    assert kept.cells[1].execution_count == 1
    assert kept.cells[1].metadata == {"tags": ["keep"]}
    assert kept.cells[1].outputs[0].data == {"text/plain": "Inspector(thread='t')"}
    assert not COLOURS.search(kept.cells[1].outputs[1].traceback[0])
    assert "author" not in kept.metadata
    assert text_of(clean(kept)) == text_of(kept)


def test_running_twice_gives_the_same_text(tmp_path):
    cells = [new_code_cell("x = 20"), new_code_cell("print(x)\nx + 1")]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    notebook = new_notebook(cells=cells)

    first = run(notebook, tmp_path)

    assert first.cells[1].outputs[1].data["text/plain"] == "21"
    assert text_of(run(first, tmp_path)) == text_of(first)
