"""Our own layered layout: boxes, routes and labels in pixels, the same on every machine.

An edge runs straight down past a layer and bends only between two layers, so it meets no node on its way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from weavenb.draw.layers import components, layered
from weavenb.draw.measure import text_width
from weavenb.draw.place import abscissas, spread
from weavenb.draw.scene import Scene, caption, edge_label
from weavenb.model.topology import TopologyNode

__all__ = ["LABEL_SIZE", "NAME_SIZE", "PILL_SIZE", "SIGN", "Box", "Layout", "Route", "lay_out"]

NAME_SIZE: Final = 13.0
LABEL_SIZE: Final = 11.0
PILL_SIZE: Final = 11.0
SIGN: Final = 18.0
"""The room of a state's sign, left of the name."""

_MARGIN: Final = 8.0
_HEIGHT: Final = 34.0
_CHIP: Final = 17.0
_PORT: Final = 14.0
_WIDEST: Final = 220.0
_APART: Final = 36.0
_SHELF: Final = 1000.0
_AHEAD: Final = 8
_SAMPLES: Final = tuple(step / 24 for step in range(25))


@dataclass(slots=True)
class Box:
    """A rectangle by its middle."""

    x: float
    y: float
    width: float
    height: float

    @property
    def top(self) -> float:
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        return self.y + self.height / 2


@dataclass(slots=True)
class Route:
    """An edge's way from its source to its target: points it passes straight up or down.

    A loop is the one exception: it leaves the right side, and `reach` says how far it swings out.
    """

    points: list[tuple[float, float]] = field(default_factory=list)
    reach: float = 0.0
    label: Box | None = None


@dataclass(slots=True)
class Layout:
    """The whole picture; keys are the numbers of nodes and edges in the scene."""

    width: float = 0.0
    height: float = 0.0
    boxes: dict[int, Box] = field(default_factory=dict)
    routes: dict[int, Route] = field(default_factory=dict)


def lay_out(scene: Scene) -> Layout:
    """Lay out each part that hangs together, and put the parts side by side."""
    whole = Layout()
    number_of = {node.name: number for number, node in enumerate(scene.nodes)}
    pairs = [(number_of[edge.source], number_of[edge.target]) for edge in scene.edges]
    groups = components(len(scene.nodes), pairs)
    group_of = {node: group for group, nodes in enumerate(groups) for node in nodes}
    edges: list[dict[int, tuple[int, int]]] = [{} for _ in groups]
    for number, pair in enumerate(pairs):
        edges[group_of[pair[0]]][number] = pair
    x, y, lowest = _MARGIN, _MARGIN, 0.0
    for nodes, inner in zip(groups, edges, strict=True):
        part = _Part(scene, nodes, inner).layout
        if x > _MARGIN and x + part.width > _SHELF:
            x, y, lowest = _MARGIN, y + lowest + _APART, 0.0
        _move(part, x, y)
        whole.boxes |= part.boxes
        whole.routes |= part.routes
        whole.width = max(whole.width, x + part.width + _MARGIN)
        whole.height = max(whole.height, y + part.height + _MARGIN)
        x += part.width + _APART
        lowest = max(lowest, part.height)
    return whole


def _move(part: Layout, x: float, y: float) -> None:
    labels = [route.label for route in part.routes.values() if route.label]
    for box in [*part.boxes.values(), *labels]:
        box.x += x
        box.y += y
    for route in part.routes.values():
        route.points = [(one + x, other + y) for one, other in route.points]


def _size(node: TopologyNode) -> tuple[float, float]:
    if node.kind in {"start", "end"}:
        return text_width(caption(node), PILL_SIZE) + 24, 22.0
    # Room for a sign in any state: a run must not move the nodes about.
    width = max(64.0, text_width(caption(node), NAME_SIZE) + 24 + SIGN)
    return (width + 8, _HEIGHT + 8) if node.kind == "graph" else (width, _HEIGHT)


def _chip(scene: Scene, number: int) -> float:
    """How wide an edge's label is, nothing without one."""
    label = edge_label(scene, number)
    return text_width(label, LABEL_SIZE) + 12 if label else 0.0


class _Part:
    """One component: first the layers and abscissas, then heights, ports and routes."""

    def __init__(self, scene: Scene, nodes: list[int], edges: dict[int, tuple[int, int]]) -> None:
        self.layout = Layout()
        self._nodes = nodes
        own = {node: place for place, node in enumerate(nodes)}
        self._sizes = [_size(scene.nodes[node]) for node in nodes]
        self._chips = {number: _chip(scene, number) for number in edges}
        self._loops: dict[int, list[int]] = {}
        between = {}
        for number, (source, target) in edges.items():
            if source == target:
                self._loops.setdefault(own[source], []).append(number)
            else:
                between[number] = (own[source], own[target])
        self._pairs = between
        kinds = [scene.nodes[node].kind for node in nodes]
        starts = [place for place, kind in enumerate(kinds) if kind == "start"]
        ends = [place for place, kind in enumerate(kinds) if kind == "end"]
        self._found = layered(len(nodes), between, starts, ends)
        self._widen()
        self._labels = self._label_cells()
        left, right = self._reaches()
        self._x = abscissas(self._found, left, right)
        self._room = self._rooms(left, right)
        self._tops, self._bottoms = self._bands()
        self._boxes = [self._box(place) for place in range(len(nodes))]
        self._ports: dict[tuple[int, int], float] = {}
        self._set_ports()
        self._route_all()
        self._crop()

    def _widen(self) -> None:
        """Room for the heads of many edges that meet at one side of a node."""
        touching: dict[tuple[int, int], int] = {}
        for number in self._pairs:
            chain = self._chain(number)
            for side in ((chain[0], 1), (chain[-1], 0)):
                touching[side] = touching.get(side, 0) + 1
        for (place, _), count in touching.items():
            width, height = self._sizes[place]
            self._sizes[place] = (max(width, min(_PORT * (count - 1) + 24, _WIDEST)), height)

    def _label_cells(self) -> dict[int, int]:
        """The cell in which an edge's label stands: the one next to its source, where it reads best."""
        return {
            number: chain[-2] if number in self._found.upward else chain[1]
            for number, chain in self._found.chains.items()
            if self._chips[number]
        }

    def _reaches(self) -> tuple[list[float], list[float]]:
        half = [width / 2 for width, _ in self._sizes] + [1.0] * (len(self._found.layer) - len(self._nodes))
        for number, cell in self._labels.items():
            half[cell] = self._chips[number] / 2
        right = list(half)
        for place, numbers in self._loops.items():
            for swing in self._swings(numbers):
                right[place] = max(right[place], self._sizes[place][0] / 2 + swing[1])
        return half, right

    def _swings(self, numbers: list[int]) -> list[tuple[float, float]]:
        """How far each loop at one node swings out, and how far it reaches with its label."""
        found, out = [], 0.0
        for number in numbers:
            swing = out + 24
            out = swing + max(self._chips[number] - 6, 0.0)
            found.append((swing, out))
        return found

    def _bands(self) -> tuple[list[float], list[float]]:
        """Where each layer begins and ends: more room where an edge has far to go sideways."""
        found = self._found
        heights = [0.0] * len(found.order)
        for place, (_, height) in enumerate(self._sizes):
            heights[found.layer[place]] = max(heights[found.layer[place]], height)
        for cell in self._labels.values():
            heights[found.layer[cell]] = _CHIP
        far = [0.0] * len(found.order)
        for cell, layer in enumerate(found.layer):
            for other in found.below[cell]:
                far[layer] = max(far[layer], abs(self._x[cell] - self._x[other]))
        tops, bottoms, y = [], [], 0.0
        for layer, height in enumerate(heights):
            tops.append(y)
            bottoms.append(y + height)
            y += height + 17 + min(26.0, far[layer] * 0.08)
        return tops, bottoms

    def _middle(self, layer: int) -> float:
        return (self._tops[layer] + self._bottoms[layer]) / 2

    def _box(self, place: int) -> Box:
        width, height = self._sizes[place]
        return Box(self._x[place], self._middle(self._found.layer[place]), width, height)

    def _chain(self, number: int) -> list[int]:
        chain = self._found.chains.get(number)
        if chain is None:  # a loose one
            source, target = self._pairs[number]
            chain = [target, source] if number in self._found.upward else [source, target]
        return chain

    def _set_ports(self) -> None:
        """Where edges touch a node: side by side, each towards where it comes from."""
        sides: dict[tuple[int, int], list[tuple[float, int]]] = {}
        for number in self._pairs:
            chain = self._chain(number)
            sides.setdefault((chain[0], 1), []).append((self._x[chain[1]], number))
            sides.setdefault((chain[-1], 0), []).append((self._x[chain[-2]], number))
        for (place, side), found in sides.items():
            found.sort()
            box = self._boxes[place]
            room = max(box.width / 2 - 11, 0.0)
            if len(found) == 1 and abs(found[0][0] - box.x) > room:
                wishes = [box.x]
            else:
                wishes = [min(max(x, box.x - room), box.x + room) for x, _ in found]
            last = len(found) - 1
            step = min(_PORT, 2 * room / max(last, 1))
            places = spread(wishes, [1.0] * len(found), [step] * last)
            for turn, (x, (_, number)) in enumerate(zip(places, found, strict=True)):
                least, most = box.x - room + turn * step, box.x + room - (last - turn) * step
                self._ports[number, side] = min(max(x, least), most)

    def _route_all(self) -> None:
        for number in self._pairs:
            route = Route(self._points(number))
            if number in self._labels:
                cell = self._labels[number]
                route.label = Box(self._x[cell], self._middle(self._found.layer[cell]), self._chips[number], _CHIP)
            self.layout.routes[number] = route
        for place, numbers in self._loops.items():
            box = self._boxes[place]
            side = box.x + box.width / 2
            for turn, (number, (swing, out)) in enumerate(zip(numbers, self._swings(numbers), strict=True)):
                rise = min(6.0 + 8 * turn, box.height / 2 - 4)
                route = Route([(side, box.y - rise), (side, box.y + rise)], reach=swing)
                if self._chips[number]:
                    route.label = Box(side + out - self._chips[number] / 2, box.y, self._chips[number], _CHIP)
                self.layout.routes[number] = route

    def _points(self, number: int) -> list[tuple[float, float]]:
        chain = self._chain(number)
        upper, lower = self._boxes[chain[0]], self._boxes[chain[-1]]
        first, last = self._ports[number, 1], self._ports[number, 0]
        stops = [
            (first, *self._band(chain[0])),
            *((self._x[cell], *self._band(cell)) for cell in chain[1:-1]),
            (last, *self._band(chain[-1])),
        ]
        points = [(first, upper.bottom), (first, stops[0][2])]
        at = 0
        while at < len(stops) - 1:
            ahead = min(at + _AHEAD, len(stops) - 1)
            if number in self._labels:  # the line must meet its label
                cell = chain.index(self._labels[number])
                ahead = min(ahead, cell) if at < cell else ahead
            while ahead > at + 1 and not self._free(chain[at + 1 : ahead], stops[at], stops[ahead]):
                ahead -= 1
            at = ahead
            points += [(stops[at][0], stops[at][1]), (stops[at][0], stops[at][2])]
        points[-1] = (last, lower.top)
        return points[::-1] if number in self._found.upward else points

    def _band(self, cell: int) -> tuple[float, float]:
        layer = self._found.layer[cell]
        return self._tops[layer], self._bottoms[layer]

    def _free(self, cells: list[int], start: tuple[float, float, float], stop: tuple[float, float, float]) -> bool:
        """Whether one S from `start` to `stop` meets nothing on the layers of `cells`."""
        wide, tall = stop[0] - start[0], stop[1] - start[2]
        curve = [
            (start[0] + wide * (3 - 2 * t) * t * t, start[2] + tall * (1.5 * t * (1 - t) + t * t * t)) for t in _SAMPLES
        ]
        for cell in cells:
            top, bottom = self._band(cell)
            low, high = self._room[cell]
            if any(top - 4 <= y <= bottom + 4 and not low <= x <= high for x, y in curve):
                return False
        return True

    def _rooms(self, left: list[float], right: list[float]) -> dict[int, tuple[float, float]]:
        """How far to its sides an edge may stray on each layer it passes."""
        found = {}
        for row in self._found.order:
            for place, cell in enumerate(row):
                low, high = float("-inf"), float("inf")
                if place:
                    low = self._x[row[place - 1]] + right[row[place - 1]] + 7
                if place + 1 < len(row):
                    high = self._x[row[place + 1]] - left[row[place + 1]] - 7
                found[cell] = (low, high)
        return found

    def _crop(self) -> None:
        self.layout.boxes = {node: self._boxes[place] for place, node in enumerate(self._nodes)}
        rights = [box.x + box.width / 2 for box in self._all_boxes()]
        lefts = [box.x - box.width / 2 for box in self._all_boxes()]
        for route in self.layout.routes.values():
            rights += [x + route.reach + 2 for x, _ in route.points]
            lefts += [x for x, _ in route.points]
        self.layout.width = max(rights) - min(lefts)
        self.layout.height = self._bottoms[-1]
        _move(self.layout, -min(lefts), 0.0)

    def _all_boxes(self) -> Iterable[Box]:
        yield from self._boxes
        for route in self.layout.routes.values():
            if route.label:
                yield route.label
