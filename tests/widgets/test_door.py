"""What `debug` takes."""

from __future__ import annotations

from typing import Any

import pytest

from weavenb.graph.builder import StateGraph
from weavenb.model.topology import START
from weavenb.savers.memory import MemorySaver
from weavenb.widgets.debugger import debug


@pytest.mark.parametrize("given", ["app", "history", "config"])
def test_the_debugger_opens_on_a_graph_or_on_a_history(given):
    app = StateGraph(state={}).add_node("a", lambda _: {"n": 1}).add_edge(START, "a").compile(MemorySaver())
    app.invoke({}, thread="other")
    out = app.invoke({}, thread="t")
    doors: dict[str, Any] = {
        "app": (app, "t"),
        "history": (app.history("t"), None),
        "config": (app.history(out.config), None),
    }

    made = debug(*doors[given])

    assert made.session.thread == "t"
    assert "thread='t'" in repr(made)
