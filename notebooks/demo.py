"""The first notebook without a browser: runs its cells, prints the history, leaves `demo.html`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
NOTEBOOK = HERE / "01_quickstart.ipynb"
PAGE = HERE.parent / "demo.html"
STABLE = ["step", "source", "branch", "nodes", "changed", "next"]
"""What is the same in each run: no id, time or duration."""


def run(notebook: Path) -> dict[str, Any]:
    """Run the code cells from first to last, and give back the names they leave."""
    names: dict[str, Any] = {"__name__": "demo"}
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            code = compile("".join(cell["source"]), f"{notebook.name}, cell {cell['id']}", "exec")
            exec(code, names)  # noqa: S102 - the cells of this project's own notebook
    return names


def page(app: Any, debug: Any, thread: str) -> str:
    """What a notebook keeps of the debugger without a kernel, and the history below it."""
    kept, _ = debug(app, thread=thread)._repr_mimebundle_()
    history = app.history(thread)._repr_html_()
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{thread}</title>\n'
        f"{kept['text/html']}\n<h2>History</h2>\n{history}\n</html>\n"
    )


def main() -> None:
    """Run, print, write."""
    names = run(NOTEBOOK)
    app = names["app"]
    print(app.history("cars").frame()[STABLE].fillna({"branch": ""}).to_string(index=False))
    PAGE.write_text(page(app, names["debug"], "cars"), encoding="utf-8")
    names["saver"].close()
    names["folder"].cleanup()
    print(f"\nThe debugger, as a page without a kernel: {PAGE.name}")


if __name__ == "__main__":
    main()
