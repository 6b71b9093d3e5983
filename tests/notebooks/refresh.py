"""Runs notebooks and stores what a reader without a kernel can be shown.

``python -m tests.notebooks.refresh notebooks/*.ipynb`` runs each and writes it back.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
SECONDS_A_CELL = 120


def clean(notebook: Any) -> Any:
    """A copy that holds the cells and their outputs, and nothing of the run that made them."""
    kept = nbformat.from_dict({**notebook, "metadata": METADATA})
    count = 0
    for cell in kept.cells:
        tags = cell.metadata.get("tags")
        cell["metadata"] = nbformat.from_dict({"tags": tags} if tags else {})
        if cell.cell_type == "code":
            count += 1
            cell["execution_count"] = count
            cell["outputs"] = [clean_output(output, count) for output in cell.outputs]
    return kept


def clean_output(output: Any, count: int) -> Any:
    """The output of cell `count`, without colours and without a view that needs a kernel."""
    output = nbformat.from_dict(output)
    if "execution_count" in output:
        output["execution_count"] = count
    # With the view stored, a trusted page looks for its model in vain and hides the rest.
    if len(output.get("data", ())) > 1:
        output["data"].pop(WIDGET_VIEW, None)
    if output.output_type == "error":
        output["traceback"] = [COLOURS.sub("", line) for line in output.traceback]
    return output


def run(notebook: Any, folder: Path) -> Any:
    """A cleaned copy of `notebook` as a fresh kernel in `folder` leaves it.

    Raises:
        CellExecutionError: if a cell fails that is not tagged `raises-exception`.
    """
    fresh = nbformat.from_dict({**notebook, "metadata": METADATA})
    NotebookClient(
        fresh,
        timeout=SECONDS_A_CELL,
        kernel_name="python3",
        store_widget_state=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    return clean(fresh)


def text_of(notebook: Any) -> str:
    """The file's text; the same notebook gives the same text."""
    text: str = nbformat.writes(notebook, version=4)
    return text if text.endswith("\n") else text + "\n"


def refresh(path: Path) -> bool:
    """Runs and stores one notebook; says whether the file changed."""
    before = path.read_text(encoding="utf-8")
    after = text_of(run(nbformat.reads(before, as_version=4), path.parent))
    path.write_text(after, encoding="utf-8")
    return after != before


def main() -> None:
    """Refreshes each notebook named on the command line."""
    for name in sys.argv[1:]:
        print(f"{name}: {'stored anew' if refresh(Path(name)) else 'as it was'}")


if __name__ == "__main__":
    main()
