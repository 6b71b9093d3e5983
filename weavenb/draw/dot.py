"""The graph as DOT source: what a picture is tested on, and what Graphviz can be given."""

from __future__ import annotations

from typing import Final

from weavenb.draw.scene import LOOKS, SIGNS, Scene, caption, edge_label
from weavenb.model.topology import TopologyEdge, TopologyNode

__all__ = ["dot_source"]

# Six digits each: Graphviz 2.43 draws shorter ones black.
INK: Final = "#1f2328"
LINE: Final = "#7a828b"
PILL: Final = "#6a737d"

_EDGES: Final[dict[str, dict[str, str]]] = {
    "edge": {},
    "guard": {},
    "default": {"style": "dashed"},
    "route": {"arrowhead": "empty"},
    "join": {"arrowhead": "normaltee", "penwidth": "1.8"},
    "subscription": {"style": "dotted", "arrowhead": "vee", "penwidth": "1.6"},
}


def dot_source(scene: Scene) -> str:
    """The graph as DOT; the node at 3 has the id ``n3``, the edge at 5 ``e5``, whatever their names."""
    import graphviz

    graph = graphviz.Digraph(
        name="weavenb",
        graph_attr={
            "rankdir": "TB",
            "bgcolor": "transparent",
            "nodesep": "0.35",
            "ranksep": "0.4",
            "pad": "0.1",
            "fontname": "Helvetica",
        },
        node_attr={
            "shape": "box",
            "style": "rounded,filled",
            "fontname": "Helvetica",
            "fontsize": "13",
            "fontcolor": INK,
            "margin": "0.2,0.08",
            "height": "0.4",
            "width": "0.7",
        },
        edge_attr={
            "fontname": "Helvetica",
            "fontsize": "11",
            "fontcolor": INK,
            "color": LINE,
            "penwidth": "1.3",
            "arrowsize": "0.7",
        },
    )
    for node in scene.nodes:
        graph.node(scene.ids[node.name], **_node(scene, node))
    for number, edge in enumerate(scene.edges):
        graph.edge(scene.ids[edge.source], scene.ids[edge.target], **_edge(scene, number, edge))
    return str(graph.source)


def _literal(text: str) -> str:
    """`text` as Graphviz will show it: no escape, no entity, no HTML of a name is ever obeyed."""
    import graphviz

    # A subclass of str that marks it as text: do not make a plain one of it.
    literal: str = graphviz.escape(text.replace("&", "&amp;"))
    return literal


def _node(scene: Scene, node: TopologyNode) -> dict[str, str]:
    state = scene.state(node.name)
    look = LOOKS[state]
    common = {"id": scene.ids[node.name], "class": f"{node.kind} {state}"}
    if node.kind in {"start", "end"}:
        return common | {
            "label": caption(node),
            "fillcolor": PILL,
            "color": PILL if state == "idle" else look.stroke,
            "fontcolor": "#ffffff",
            "fontsize": "11",
            "margin": "0.12,0.03",
            "height": "0.26",
            "width": "0.5",
        }
    attributes = common | {
        "label": _literal(f"{SIGNS[state]} {caption(node)}".strip()),
        "fillcolor": look.fill,
        "color": look.stroke,
        "penwidth": str(look.width),
    }
    if look.dashed:
        attributes["style"] = "rounded,filled,dashed"
    if node.kind == "graph":
        attributes["peripheries"] = "2"
    return attributes


def _edge(scene: Scene, number: int, edge: TopologyEdge) -> dict[str, str]:
    attributes = {"id": f"e{number}", "class": edge.kind if edge.declared else f"{edge.kind} possible"}
    attributes |= _EDGES.get(edge.kind, {})
    if not edge.declared:
        attributes["style"] = "dotted"
    label = edge_label(scene, number)
    if label:
        attributes["label"] = _literal(f" {label} ")
    return attributes
