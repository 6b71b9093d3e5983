"""The shape of a graph, for those who only read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["END", "START", "Topology", "TopologyEdge", "TopologyNode"]

START = "__start__"
END = "__end__"

EdgeKind = Literal["edge", "guard", "default", "route", "join", "subscription"]


@dataclass(frozen=True, slots=True)
class TopologyNode:
    """One node."""

    name: str
    kind: Literal["node", "start", "end", "graph"] = "node"
    """``graph`` for a nested graph."""


@dataclass(frozen=True, slots=True)
class TopologyEdge:
    """One declared way from a node to another."""

    source: str
    """A node's name; of a subscription, the key."""
    target: str
    kind: EdgeKind = "edge"
    label: str = ""
    """What a guard or router says of it, short."""
    declared: bool = True
    """False for a way that a router without declared targets may take."""


@dataclass(frozen=True, slots=True)
class Topology:
    """Nodes in declaration order and the edges between them, ``__start__`` and ``__end__`` included when used."""

    name: str
    nodes: tuple[TopologyNode, ...]
    edges: tuple[TopologyEdge, ...]
