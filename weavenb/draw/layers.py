"""Which node stands on which layer, and in which order: the part of a layered layout that knows no lengths.

Nodes and edges are plain numbers here. Layers are even for nodes; the odd ones between are where labels stand.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

__all__ = ["Layers", "components", "layered"]

_CELLS: Final = 12_000
_SWEEPS: Final = 12

Pair = tuple[int, int]


@dataclass(slots=True)
class Layers:
    """Cells in layers. A cell below `nodes` is that node; the others are where an edge passes a layer."""

    nodes: int
    layer: list[int] = field(default_factory=list)
    order: list[list[int]] = field(default_factory=list)
    above: list[list[int]] = field(default_factory=list)
    below: list[list[int]] = field(default_factory=list)
    chains: dict[int, list[int]] = field(default_factory=dict)
    """An edge's cells from top to bottom, both ends included."""
    upward: set[int] = field(default_factory=set)
    """The edges that run against the layers."""
    loose: list[int] = field(default_factory=list)
    """Edges too long for the cells there may be: drawn straight."""


def components(count: int, pairs: Iterable[Pair]) -> list[list[int]]:
    """The nodes that hang together, each in ascending order."""
    root = list(range(count))

    def top(node: int) -> int:
        while root[node] != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    for one, other in pairs:
        first, second = sorted((top(one), top(other)))
        root[second] = first
    groups: dict[int, list[int]] = {}
    for node in range(count):
        groups.setdefault(top(node), []).append(node)
    return list(groups.values())


def layered(count: int, edges: Mapping[int, Pair], starts: Sequence[int], ends: Sequence[int]) -> Layers:
    """Layer and order one component; `edges` has no loop from a node to itself."""
    found = Layers(count)
    found.upward = _against(count, edges, starts)
    down = {number: pair[::-1] if number in found.upward else pair for number, pair in edges.items()}
    found.layer = [2 * rank for rank in _ranks(count, down, ends)]
    _thread(found, down)
    _arrange(found)
    return found


def _against(count: int, edges: Mapping[int, Pair], starts: Sequence[int]) -> set[int]:
    """The edges that close a circle, seen from the start: turned around, no circle is left."""
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    entered = [False] * count
    for number, (source, target) in edges.items():
        leaving[source].append((number, target))
        entered[target] = True
    roots = [*starts, *(node for node in range(count) if not entered[node]), *range(count)]
    new, open_, closed = 0, 1, 2
    seen = [new] * count
    against: set[int] = set()
    for root in roots:
        if seen[root] != new:
            continue
        seen[root] = open_
        stack = [(root, iter(leaving[root]))]
        while stack:
            node, ways = stack[-1]
            step = next(ways, None)
            if step is None:
                seen[node] = closed
                stack.pop()
                continue
            number, target = step
            if seen[target] == open_:
                against.add(number)
            elif seen[target] == new:
                seen[target] = open_
                stack.append((target, iter(leaving[target])))
    return against


def _ranks(count: int, down: Mapping[int, Pair], ends: Sequence[int]) -> list[int]:
    """The longest way from a source; sources hang just above what they lead to, the ends lie lowest."""
    leaving: list[list[int]] = [[] for _ in range(count)]
    waits = [0] * count
    for source, target in down.values():
        leaving[source].append(target)
        waits[target] += 1
    sources = [node for node in range(count) if not waits[node]]
    order, rank = list(sources), [0] * count
    for node in order:  # grows while it is walked
        for target in leaving[node]:
            rank[target] = max(rank[target], rank[node] + 1)
            waits[target] -= 1
            if not waits[target]:
                order.append(target)
    lowest = max(rank, default=0)
    for node in ends:
        if not leaving[node]:
            rank[node] = lowest
    for node in sources:
        if leaving[node]:
            rank[node] = min(rank[target] for target in leaving[node]) - 1
    return rank


def _thread(found: Layers, down: Mapping[int, Pair]) -> None:
    """Give each edge a cell on every layer it passes."""
    found.above = [[] for _ in range(found.nodes)]
    found.below = [[] for _ in range(found.nodes)]
    spans = sorted((found.layer[target] - found.layer[source], number) for number, (source, target) in down.items())
    room = _CELLS
    kept = set()
    for span, number in spans:
        room -= span
        if room >= 0:
            kept.add(number)
    for number, (source, target) in down.items():
        if number not in kept:
            found.loose.append(number)
            continue
        chain = [source]
        for layer in range(found.layer[source] + 1, found.layer[target]):
            cell = len(found.layer)
            found.layer.append(layer)
            found.above.append([])
            found.below.append([])
            chain.append(cell)
        chain.append(target)
        found.chains[number] = chain
        for upper, lower in pairwise(chain):
            found.below[upper].append(lower)
            found.above[lower].append(upper)


def _arrange(found: Layers) -> None:
    """Order each layer so that few edges cross."""
    found.order = _first_order(found)
    best, least = [list(row) for row in found.order], _crossings(found)
    idle = 0
    for sweep in range(_SWEEPS):
        if not least or idle > 3:  # noqa: PLR2004 - sweeps that bring nothing, twice in each direction
            break
        _sweep(found, downwards=sweep % 2 == 0)
        _swap(found)
        crossings = _crossings(found)
        idle += 1
        if crossings < least:
            best, least, idle = [list(row) for row in found.order], crossings, 0
    found.order = best


def _first_order(found: Layers) -> list[list[int]]:
    """Depth first from the top, in declaration order: a tree is free of crossings at once."""
    rows: list[list[int]] = [[] for _ in range(max(found.layer, default=0) + 1)]
    seen = [False] * len(found.layer)
    roots = sorted(range(found.nodes), key=lambda node: (found.layer[node], node))
    for root in roots:
        stack = [root]
        while stack:
            cell = stack.pop()
            if seen[cell]:
                continue
            seen[cell] = True
            rows[found.layer[cell]].append(cell)
            stack += reversed(found.below[cell])
    return rows


def _sweep(found: Layers, *, downwards: bool) -> None:
    rows = found.order if downwards else found.order[::-1]
    near = found.above if downwards else found.below
    at = [0] * len(found.layer)
    for place, cell in enumerate(rows[0]):
        at[cell] = place
    for row in rows[1:]:
        wish: dict[int, float] = {}
        for place, cell in enumerate(row):
            places = [at[other] for other in near[cell]]
            wish[cell] = sum(places) / len(places) if places else float(place)
        row.sort(key=wish.__getitem__)
        for place, cell in enumerate(row):
            at[cell] = place


def _swap(found: Layers) -> None:
    """Exchange neighbours where that uncrosses more than it crosses."""
    if len(found.layer) > 1500:  # noqa: PLR2004 - the sweeps alone must do in a large graph
        return
    at = [0] * len(found.layer)
    for row in found.order:
        for place, cell in enumerate(row):
            at[cell] = place
    for row in found.order:
        for place in range(len(row) - 1):
            left, right = row[place], row[place + 1]
            gain = 0
            for near in (found.above, found.below):
                gain += _pairs(near[left], near[right], at) - _pairs(near[right], near[left], at)
            if gain > 0:
                row[place], row[place + 1] = right, left
                at[left], at[right] = place + 1, place


def _pairs(left: Sequence[int], right: Sequence[int], at: Sequence[int]) -> int:
    """How many crossings `left` standing before `right` makes."""
    return sum(at[one] > at[other] for one in left for other in right)


def _crossings(found: Layers) -> int:
    total = 0
    for upper, lower in pairwise(found.order):
        at = {cell: place for place, cell in enumerate(lower)}
        passed: list[int] = []
        for cell in upper:
            places = sorted(at[other] for other in found.below[cell])
            for place in places:
                total += len(passed) - bisect_left(passed, place + 1)
            for place in places:
                insort(passed, place)
    return total
