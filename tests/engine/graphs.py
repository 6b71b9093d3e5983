"""Small graphs that the engine is tried on."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Annotated, Any, TypedDict

from weavenb import END, START, StateGraph


class Log(TypedDict, total=False):
    """A key that grows and some that are plain."""

    log: Annotated[list[str], operator.add]
    x: int
    y: int
    items: list[str]


class Sum(TypedDict, total=False):
    """A number that adds up."""

    v: Annotated[int, operator.add]


Nodes = Mapping[str, Callable[..., Any]]


def says(name: str, ran: list[str] | None = None) -> Callable[[Any], dict[str, Any]]:
    """A node that adds its name to the log, and to `ran`."""

    def node(state):
        if ran is not None:
            ran.append(name)
        return {"log": [name]}

    return node


def graph_of(saver: Any, nodes: Nodes, edges: Iterable[tuple[Any, ...]], schema: Any = Log, **options: Any) -> Any:
    """A compiled graph of these nodes and edges."""
    graph = StateGraph(schema)
    for name, fn in nodes.items():
        graph.add_node(name, fn)
    for edge in edges:
        graph.add_edge(*edge)
    return graph.compile(saver, **options)


def in_line(saver: Any, nodes: Nodes, **options: Any) -> Any:
    """The nodes one after the other."""
    names = [START, *nodes, END]
    return graph_of(saver, nodes, list(pairwise(names)), **options)


def side_by_side(saver: Any, nodes: Nodes, **options: Any) -> Any:
    """The nodes in one step."""
    edges = [edge for name in nodes for edge in ((START, name), (name, END))]
    return graph_of(saver, nodes, edges, **options)


def at(app: Any, thread: str, *next_: str) -> Any:
    """The oldest checkpoint whose next is `next_`."""
    return next(found for found in reversed(list(app.get_state_history(thread=thread))) if found.next == next_)


def sources(app: Any, thread: str) -> list[str]:
    """Where each checkpoint came from, newest first."""
    return [found.metadata["source"] for found in app.get_state_history(thread=thread)]


class Failing:
    """A node that raises the first `times` it runs, then adds its name."""

    def __init__(self, name: str, times: int = 1) -> None:
        self.name = name
        self.left = times
        self.runs = 0

    def __call__(self, state: Any) -> dict[str, Any]:
        self.runs += 1
        if self.left:
            self.left -= 1
            raise RuntimeError(f"{self.name} is broken")
        return {"log": [self.name]}
