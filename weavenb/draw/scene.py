"""What is to be drawn: a graph's shape and what a run has made of it, in one hashable value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from weavenb.model.texts import one_line
from weavenb.model.topology import END, START, Topology, TopologyEdge, TopologyNode

__all__ = ["LOOKS", "SIGNS", "Look", "NodeState", "Scene", "caption", "edge_label", "edge_title", "node_title"]

NodeState = Literal["idle", "pending", "done", "failed", "waiting", "current"]


@dataclass(frozen=True, slots=True)
class Look:
    """How a state shows: dark signs on a light fill, since a picture in an output knows no theme."""

    fill: str = "#ffffff"
    stroke: str = "#6e7781"
    width: float = 1.2
    dashed: bool = False


LOOKS: Final[Mapping[NodeState, Look]] = {
    "idle": Look(),
    "pending": Look(stroke="#57606a", width=1.4, dashed=True),
    "done": Look(fill="#e4f4ee", stroke="#00694c", width=1.4),
    "failed": Look(fill="#fde9df", stroke="#a63a00", width=2.4),
    "waiting": Look(fill="#fbf1d6", stroke="#7a5200", width=2.0),
    "current": Look(fill="#deecfb", stroke="#0b5cad", width=2.8),
}

SIGNS: Final[Mapping[NodeState, str]] = {
    "idle": "",
    "pending": "\u2026",
    "done": "\u2713",
    "failed": "\u2715",
    "waiting": "\u2016",
    "current": "\u25b6",
}

_LABEL: Final = 32
_TITLE: Final = 200


@dataclass(frozen=True)
class Scene:
    """Equal scenes give equal pictures."""

    topology: Topology
    states: tuple[tuple[str, NodeState], ...] = ()
    counts: tuple[tuple[tuple[str, str], int], ...] = ()
    """How often a way was taken; shown on the first edge between the two."""

    @classmethod
    def of(
        cls,
        topology: Topology,
        states: Mapping[str, NodeState] | None = None,
        counts: Mapping[tuple[str, str], int] | None = None,
    ) -> Scene:
        """Take the overlay in any order: it makes no difference to the picture."""
        return cls(topology, tuple(sorted((states or {}).items())), tuple(sorted((counts or {}).items())))

    @cached_property
    def nodes(self) -> tuple[TopologyNode, ...]:
        """The declared nodes once each, then those that only edges name."""
        found = {node.name: node for node in reversed(self.topology.nodes)}
        ordered = dict.fromkeys(node.name for node in self.topology.nodes)
        for edge in self.topology.edges:
            for name in (edge.source, edge.target):
                ordered.setdefault(name)
        return tuple(found.get(name) or _implied(name) for name in ordered)

    @cached_property
    def ids(self) -> Mapping[str, str]:
        """Each node's ``n0``, ``n1``, ... by its name, which may hold anything."""
        return {node.name: f"n{number}" for number, node in enumerate(self.nodes)}

    @property
    def edges(self) -> tuple[TopologyEdge, ...]:
        """In declaration order: the edge at 3 is ``e3`` in every drawing."""
        return self.topology.edges

    @cached_property
    def taken(self) -> Mapping[int, int]:
        """How often an edge was taken, by its number, where that is known."""
        left = dict(self.counts)
        found = {number: left.pop((edge.source, edge.target), None) for number, edge in enumerate(self.edges)}
        return {number: count for number, count in found.items() if count is not None}

    @cached_property
    def _states(self) -> Mapping[str, NodeState]:
        return dict(self.states)

    def state(self, name: str) -> NodeState:
        """``idle`` where nothing is said, and for a word that has no sign."""
        state = self._states.get(name, "idle")
        return state if state in LOOKS else "idle"


def _implied(name: str) -> TopologyNode:
    if name == START:
        return TopologyNode(name, "start")
    return TopologyNode(name, "end" if name == END else "node")


def caption(node: TopologyNode) -> str:
    """What stands in the node; a long name loses its middle, since its ends tell it apart."""
    if node.kind in {"start", "end"}:
        return node.kind
    text = one_line(node.name, _TITLE)
    half = _LABEL // 2
    return text if len(text) <= _LABEL else f"{text[:half]}\u2026{text[-half + 1 :]}"


def edge_label(scene: Scene, number: int) -> str:
    """What stands on the edge: the guard or the route, and how often it was taken."""
    edge = scene.edges[number]
    text = one_line(edge.label, _LABEL) or ("default" if edge.kind == "default" else "")
    count = scene.taken.get(number)
    return text if count is None else f"{text} \u00d7{count}".strip()


def node_title(scene: Scene, node: TopologyNode) -> str:
    """The whole name, with what the picture says by shape and sign."""
    name = node.kind if node.kind in {"start", "end"} else one_line(node.name, _TITLE)
    state = scene.state(node.name)
    notes = ["nested graph"] * (node.kind == "graph") + [state] * (state != "idle")
    return f"{name} ({', '.join(notes)})" if notes else name


def edge_title(scene: Scene, number: int) -> str:
    """The edge in words."""
    edge = scene.edges[number]
    kind = "" if edge.kind == "edge" else edge.kind
    notes = [kind if edge.declared else f"possible {kind}".strip(), one_line(edge.label, _TITLE)]
    count = scene.taken.get(number)
    notes.append("" if count is None else f"taken {count} times" if count != 1 else "taken once")
    ends = " \u2192 ".join(
        {START: "start", END: "end"}.get(name, one_line(name, _TITLE)) for name in (edge.source, edge.target)
    )
    said = ", ".join(note for note in notes if note)
    return f"{ends} ({said})" if said else ends
