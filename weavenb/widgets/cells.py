"""A widget that looks again after each cell."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weavenb.widgets.inspector import Inspector

__all__ = ["follow_cells"]


def follow_cells(widget: Inspector) -> None:
    """In a notebook, look again after each cell, since it may have run the graph."""
    try:
        from IPython.core.getipython import get_ipython
    except ImportError:
        return
    shell = get_ipython()
    if shell is None:
        return
    known = weakref.ref(widget)

    def look(*_: object) -> None:
        there = known()
        if there is None or there.comm is None:
            shell.events.unregister("post_run_cell", look)
        elif there.views:
            there.refresh()

    shell.events.register("post_run_cell", look)
