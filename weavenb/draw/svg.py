"""A graph's picture, always: by Graphviz where it is, by our own layout else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Final, Literal

from weavenb.draw.builtin import draw_builtin, draw_outline
from weavenb.draw.dot import dot_source
from weavenb.draw.outline import alternative, outline
from weavenb.draw.programs import Refused, programs, run
from weavenb.draw.scene import NodeState, Scene, edge_title, node_title
from weavenb.model.topology import Topology

__all__ = ["Backend", "Drawing", "draw"]

Backend = Literal["builtin", "best", "dot", "graphviz-pure", "wasm"]

_CAP: Final = 500
_COMMENT: Final = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_ROOT: Final = re.compile(r'<svg width="([\d.]+)pt" height="([\d.]+)pt"')
_GROUP: Final = re.compile(r'<g id="([ne])(\d+)" class="(node|edge)([^"]*)">\s*<title>[^<]*</title>')
_PART: Final = re.compile(r'(<g id="e\d+" class="edge.*?)(?=<g id="[ne]\d+" class="|\Z)', re.DOTALL)
_HALO: Final = '<text paint-order="stroke" stroke="#ffffff" stroke-width="4" stroke-linejoin="round" '


@dataclass(frozen=True, slots=True)
class Drawing:
    """An `<svg>` and what else a page needs to show it."""

    svg: str
    """From `<svg` to `</svg>`; the node at 3 in `nodes` has the id ``n3``, the edge at 5 in `edges` ``e5``."""
    backend: str
    """``builtin``, ``dot``, ``graphviz-pure``, ``wasm``, or ``outline`` for a graph too large to lay out."""
    text: str
    """The graph in plain text, the same whoever drew it."""
    alt: str
    """One line for an `<img alt>`."""
    nodes: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()
    """Why a better program did not draw it."""


def draw(
    topology: Topology,
    *,
    states: Mapping[str, NodeState] | None = None,
    counts: Mapping[tuple[str, str], int] | None = None,
    backend: Backend = "builtin",
) -> Drawing:
    """Draw the graph, with what a run made of it.

    ``builtin`` gives the same bytes on every machine, so it is for outputs that are kept; ``best`` takes the best
    program there is. Never fails for want of a program: `Drawing.backend` says who drew, `Drawing.notes` why.
    """
    scene = Scene.of(topology, states, counts)
    svg, drawn_by, notes = _picture(scene, backend)
    return Drawing(
        svg=svg,
        backend=drawn_by,
        text=outline(scene),
        alt=alternative(scene),
        nodes=tuple(node.name for node in scene.nodes),
        edges=tuple((edge.source, edge.target) for edge in scene.edges),
        notes=tuple(notes),
    )


def _picture(scene: Scene, backend: Backend) -> tuple[str, str, list[str]]:
    if len(scene.nodes) > _CAP:
        return draw_outline(scene), "outline", [f"{len(scene.nodes)} nodes: drawn as text above {_CAP}"]
    notes: list[str] = []
    if backend == "builtin":
        return _builtin(scene), "builtin", notes
    for program in programs():
        if backend not in {"best", program.name}:
            continue
        found = run(program, dot_source(scene))
        if not isinstance(found, Refused):
            return _dressed(found, scene), program.name, notes
        notes.append(found.reason)
    if not notes and backend != "best":
        notes.append(f"{backend}: not on this machine")
    return _builtin(scene), "builtin", notes


@lru_cache(maxsize=128)
def _builtin(scene: Scene) -> str:
    return draw_builtin(scene)


def _dressed(svg: str, scene: Scene) -> str:
    """Graphviz's SVG with names where it has its own ids, readable labels on any ground, and a text equivalent."""

    def named(match: re.Match[str]) -> str:
        number = int(match[2])
        title = node_title(scene, scene.nodes[number]) if match[1] == "n" else edge_title(scene, number)
        return f'<g id="{match[1]}{number}" class="{match[3]}{match[4]}"><title>{escape(title)}</title>'

    svg = _COMMENT.sub("", svg)
    said = f'role="img" aria-label="{escape(alternative(scene))}" style="max-width:100%;height:auto"'
    svg = _ROOT.sub(lambda match: f'<svg {said} width="{match[1]}pt" height="{match[2]}pt"', svg, count=1)
    svg = svg.replace("<title>weavenb</title>", "", 1).replace(' id="graph0" class="graph"', ' class="graph"', 1)
    svg = _PART.sub(lambda match: match[1].replace("<text ", _HALO), svg)
    return _GROUP.sub(named, svg).strip()
