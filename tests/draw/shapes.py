"""Graphs to draw, and a look at what was drawn."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

from weavenb.model.topology import END, START, Topology, TopologyEdge, TopologyNode

SVG = "{http://www.w3.org/2000/svg}"

AGENT = Topology(
    "agent",
    (
        TopologyNode(START, "start"),
        TopologyNode("plan"),
        TopologyNode("search", "graph"),
        TopologyNode("draft"),
        TopologyNode(END, "end"),
    ),
    (
        TopologyEdge(START, "plan"),
        TopologyEdge("plan", "search", "guard", "score < .5"),
        TopologyEdge("plan", "draft", "default"),
        TopologyEdge("search", "plan", "route", "again", declared=False),
        TopologyEdge("search", "draft", "join"),
        TopologyEdge("draft", "draft", "guard", "too long"),
        TopologyEdge("draft", "search", "subscription", "notes"),
        TopologyEdge("draft", END),
    ),
)

HOSTILE = (
    "end",
    "graph",
    "node",
    "<x>",
    "<b>bold</b>",
    "ä",
    "日本語",
    "🙂",
    "__proto__",
    'say "hi"',
    "it's",
    "back\\nslash",
    "\\",
    "line\nbreak",
    "tab\there",
    "a&amp;b",
    "&#65;",
    "-->",
    "]]>",
    "</svg><script>alert(1)</script>",
    "",
    " ",
    "a:b:c",
    "n0",
    "null\x00byte",
    "\ud800",
    "\u202eabc",
    "x" * 300,
)


def chain(*names: str) -> Topology:
    """The names one after another."""
    edges = tuple(TopologyEdge(one, other) for one, other in pairwise(names))
    return Topology("chain", tuple(TopologyNode(name) for name in names), edges)


def between(*pairs: tuple[str, str]) -> Topology:
    """Only edges: the nodes follow from them."""
    names = dict.fromkeys(name for pair in pairs for name in pair)
    return Topology("pairs", tuple(map(TopologyNode, names)), tuple(TopologyEdge(*pair) for pair in pairs))


def groups(svg: str, prefix: str) -> dict[str, ET.Element]:
    """The drawn nodes (``n``) or edges (``e``) by id."""
    root = ET.fromstring(svg)  # noqa: S314 - our own picture
    found = {group.get("id", ""): group for group in root.iter(f"{SVG}g")}
    return {name: group for name, group in found.items() if re.fullmatch(prefix + r"\d+", name)}


def title(group: ET.Element) -> str:
    """What a pointer resting on the group would show."""
    return group.findtext(f"{SVG}title") or ""


def words(group: ET.Element) -> str:
    """What is written in the group."""
    return "".join(text for part in group.iter(f"{SVG}text") for text in part.itertext())


Rectangle = tuple[float, float, float, float]


def boxes(svg: str) -> dict[str, Rectangle]:
    """Left, top, right and bottom of each node of a built-in picture."""
    found = {}
    for name, group in groups(svg, "n").items():
        rectangle = next(group.iter(f"{SVG}rect"))
        x, y, width, height = (float(rectangle.get(key, "nan")) for key in ("x", "y", "width", "height"))
        found[name] = (x, y, x + width, y + height)
    return found


def line(group: ET.Element) -> list[tuple[float, float]]:
    """Points along an edge of a built-in picture."""
    path = next(group.iter(f"{SVG}path")).get("d", "")
    found: list[tuple[float, float]] = []
    for command, text in re.findall(r"([MVC])([^MVC]*)", path):
        numbers = [float(number) for number in text.split()]
        match command:
            case "M":
                found.append((numbers[0], numbers[1]))
            case "V":
                x, y = found[-1]
                found += [(x, y + (numbers[0] - y) * step / 20) for step in range(1, 21)]
            case _:
                found += _curve(found[-1], numbers)
    return found


def _curve(start: tuple[float, float], numbers: list[float]) -> list[tuple[float, float]]:
    (x0, y0), (x1, y1, x2, y2, x3, y3) = start, numbers
    found = []
    for step in range(1, 41):
        t = step / 40
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        found.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return found
