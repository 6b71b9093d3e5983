"""The scene as an SVG by our own layout: no program, no fonts, the same bytes everywhere."""

from __future__ import annotations

from html import escape
from typing import Final

from weavenb.draw.dot import INK, LINE, PILL
from weavenb.draw.layout import LABEL_SIZE, NAME_SIZE, PILL_SIZE, SIGN, Box, Route, lay_out
from weavenb.draw.measure import text_width
from weavenb.draw.outline import alternative, outline
from weavenb.draw.scene import LOOKS, NodeState, Scene, caption, edge_label, edge_title, node_title

__all__ = ["draw_builtin", "draw_outline", "opening"]

_FONT: Final = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
_DASHES: Final = {"default": "6 4", "subscription": "1.5 4"}
_POSSIBLE: Final = "2 4"
_HEAD: Final = 9.0
_LINES: Final = 120

# Drawn, since a font may lack them: around a middle at 0 0.
_SIGNS: Final[dict[NodeState, str]] = {
    "pending": '<path d="M-4.5 0h.01M0 0h.01M4.5 0h.01" stroke-width="2.6"/>',
    "done": '<path d="M-4.5 .5l3 3.2 6-7" stroke-width="2.2"/>',
    "failed": '<path d="M-3.8 -3.8l7.6 7.6M3.8 -3.8l-7.6 7.6" stroke-width="2.4"/>',
    "waiting": '<path d="M-2.6 -4.2v8.4M2.6 -4.2v8.4" stroke-width="2.6"/>',
    "current": '<path d="M-3 -4.5l7 4.5 -7 4.5z" fill="{0}" stroke-width="1"/>',
}


def draw_builtin(scene: Scene) -> str:
    """A whole `<svg>`."""
    layout = lay_out(scene)
    parts = [opening(scene, layout.width, layout.height)]
    parts += [_edge(scene, number, route) for number, route in sorted(layout.routes.items())]
    parts += [_node(scene, number, box) for number, box in sorted(layout.boxes.items())]
    # Last, so that no later edge runs through a label.
    parts += [_chip(number, route.label, edge_label(scene, number)) for number, route in sorted(layout.routes.items())]
    return "\n".join([*filter(None, parts), "</svg>"])


def draw_outline(scene: Scene) -> str:
    """The outline as a picture, for a graph that no layout would make readable."""
    lines = outline(scene).split("\n")
    if len(lines) > _LINES:
        lines[_LINES:] = [f"\u2026 {len(lines) - _LINES} more lines"]
    width = max(text_width(line, 12) for line in lines) + 24
    height = 17.0 * len(lines) + 16
    rows = [
        f'<text x="{12 + 12 * (len(line) - len(line.lstrip()))}" y="{20 + 17 * row}">{escape(line.strip())}</text>'
        for row, line in enumerate(lines)
    ]
    return "\n".join(
        [
            opening(scene, width, height),
            f'<rect width="{_n(width)}" height="{_n(height)}" rx="6" fill="#ffffff" stroke="{LINE}"/>',
            f'<g font-size="12" fill="{INK}">',
            *rows,
            "</g>",
            "</svg>",
        ]
    )


def opening(scene: Scene, width: float, height: float) -> str:
    """The root element, with the text equivalent."""
    size = f'width="{_n(width)}" height="{_n(height)}" viewBox="0 0 {_n(width)} {_n(height)}"'
    label = escape(alternative(scene))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{label}" class="weavenb-graph" '
        f'font-family="{_FONT}" style="max-width:100%;height:auto">'
    )


def _n(value: float) -> str:
    """A coordinate, to a tenth, and never ``-0``."""
    return f"{round(value * 10) / 10 + 0.0:g}" if abs(value) < 1e5 else str(round(value))  # noqa: PLR2004 - :g holds 6 digits


def _node(scene: Scene, number: int, box: Box) -> str:
    node = scene.nodes[number]
    state = scene.state(node.name)
    look = LOOKS[state]
    pill = node.kind in {"start", "end"}
    fill, stroke = (PILL, PILL if state == "idle" else look.stroke) if pill else (look.fill, look.stroke)
    dash = ' stroke-dasharray="5 3"' if look.dashed else ""
    shape = f'fill="{fill}" stroke="{stroke}" stroke-width="{_n(look.width)}"{dash}'
    parts = [
        f'<g id="n{number}" class="node {node.kind} {state}">',
        f"<title>{escape(node_title(scene, node))}</title>",
        _rectangle(box, 0, box.height / 2 if pill else 7, shape),
    ]
    if node.kind == "graph":
        parts.append(_rectangle(box, 4, 4, f'fill="none" stroke="{stroke}" stroke-width="1"'))
    sign = "" if pill else _SIGNS.get(state, "").format(look.stroke)
    text = caption(node)
    size, ink = (PILL_SIZE, "#ffffff") if pill else (NAME_SIZE, INK)
    shift = SIGN / 2 if sign else 0.0
    if sign:
        left = box.x + shift - text_width(text, size) / 2 - 11
        parts.append(
            f'<g transform="translate({_n(left)} {_n(box.y)})" fill="none" stroke="{look.stroke}" '
            f'stroke-linecap="round" stroke-linejoin="round">{sign}</g>'
        )
    parts += [_text(box.x + shift, box.y, size, ink, text), "</g>"]
    return "".join(parts)


def _rectangle(box: Box, inset: float, radius: float, shape: str) -> str:
    x, y = box.x - box.width / 2 + inset, box.top + inset
    width, height = box.width - 2 * inset, box.height - 2 * inset
    return f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="{_n(radius)}" {shape}/>'


def _text(x: float, y: float, size: float, ink: str, text: str) -> str:
    place = f'x="{_n(x)}" y="{_n(y + size * 0.35)}"'
    return f'<text {place} font-size="{_n(size)}" fill="{ink}" text-anchor="middle">{escape(text)}</text>'


def _chip(number: int, box: Box | None, label: str) -> str:
    if box is None:
        return ""
    shape = f'fill="#ffffff" stroke="{LINE}" stroke-width="0.6"'
    return (
        f'<g class="edge-label" data-edge="e{number}">{_rectangle(box, 0, box.height / 2, shape)}'
        f"{_text(box.x, box.y, LABEL_SIZE, INK, label)}</g>"
    )


def _edge(scene: Scene, number: int, route: Route) -> str:
    edge = scene.edges[number]
    dash = _DASHES.get(edge.kind, "") if edge.declared else _POSSIBLE
    width = {"join": 1.9, "subscription": 1.8}.get(edge.kind, 1.4)
    line = f'fill="none" stroke="{LINE}" stroke-width="{_n(width)}"'
    if dash:
        line += f' stroke-dasharray="{dash}"' + (' stroke-linecap="round"' if dash.startswith("1") else "")
    kind = edge.kind if edge.declared else f"{edge.kind} possible"
    path = _loop(route) if route.reach else _path(route)
    return (
        f'<g id="e{number}" class="edge {kind}"><title>{escape(edge_title(scene, number))}</title>'
        f'<path d="{path}" {line}/>{_head(edge.kind, route)}</g>'
    )


def _path(route: Route) -> str:
    """Straight along a column, an S from one column to the next; the head takes the last bit."""
    points = list(route.points)
    x, y = points[-1]
    points[-1] = (x, y - _HEAD + 1 if points[-1][1] >= points[0][1] else y + _HEAD - 1)
    parts = [f"M{_n(points[0][0])} {_n(points[0][1])}"]
    at = points[0]
    for here in points[1:]:
        if abs(here[0] - at[0]) < 0.05:  # noqa: PLR2004 - no S is seen there
            at = (at[0], here[1])
            continue
        # Where a straight stretch ended:
        parts.append(f"V{_n(at[1])}")
        middle = (at[1] + here[1]) / 2
        parts.append(f"C{_n(at[0])} {_n(middle)} {_n(here[0])} {_n(middle)} {_n(here[0])} {_n(here[1])}")
        at = here
    parts.append(f"V{_n(at[1])}")
    return "".join(parts)


def _loop(route: Route) -> str:
    (x, top), (_, bottom) = route.points
    out = x + route.reach * 4 / 3  # a cubic reaches three quarters of the way to its handles
    return f"M{_n(x)} {_n(top)}C{_n(out)} {_n(top - 8)} {_n(out)} {_n(bottom + 8)} {_n(x + _HEAD - 1)} {_n(bottom)}"


def _head(kind: str, route: Route) -> str:
    """The arrow's head; a join has a bar behind it, a route is hollow, a subscription open."""
    x, y = route.points[-1]
    turn = 90 if route.reach else 0 if y >= route.points[0][1] else 180
    shape = {
        "route": f'<path d="M-4.2 -9L4.2 -9L0 -1z" fill="#ffffff" stroke="{LINE}" stroke-width="1.3"/>',
        "subscription": f'<path d="M-4 -8.5L0 -1L4 -8.5M0 -9V-1" fill="none" stroke="{LINE}" stroke-width="1.6"/>',
        "join": f'<path d="M-4.2 -9L4.2 -9L0 0z" fill="{LINE}"/>'
        f'<path d="M-5.5 -10.5H5.5" stroke="{LINE}" stroke-width="2"/>',
    }.get(kind, f'<path d="M-4.2 -9L4.2 -9L0 0z" fill="{LINE}"/>')
    where = f"translate({_n(x)} {_n(y)})" + (f" rotate({turn})" if turn else "")
    return f'<g transform="{where}">{shape}</g>'
