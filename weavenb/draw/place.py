"""Where the cells of a layered graph stand: as near to what they hang on as their neighbours let them.

Sums run in a loop, never through `sum`: it adds floats differently from Python 3.12 on, and a picture must have the
same bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from weavenb.draw.layers import Layers

__all__ = ["abscissas", "spread"]

_ROUNDS: Final = 24
_STIFF: Final = 8.0
_GAP: Final = 18.0
_SNAP: Final = 12.0


def spread(wishes: Sequence[float], weights: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """The places nearest to the wishes (least squares) with at least ``gaps[i]`` between i and i + 1."""
    offsets, total = [0.0], 0.0
    for gap in gaps:
        total += gap
        offsets.append(total)
    blocks: list[tuple[float, float, int]] = []  # mean place less the offset, weight, members
    for wish, weight, offset in zip(wishes, weights, offsets, strict=True):
        mean, heavy, members = wish - offset, weight, 1
        while blocks and blocks[-1][0] >= mean:
            before, mass, size = blocks.pop()
            mean = (before * mass + mean * heavy) / (mass + heavy)
            heavy += mass
            members += size
        blocks.append((mean, heavy, members))
    flat = [mean for mean, _, members in blocks for _ in range(members)]
    return [place + offset for place, offset in zip(flat, offsets, strict=True)]


def abscissas(found: Layers, left: Sequence[float], right: Sequence[float]) -> list[float]:
    """The x of each cell's middle; `left` and `right` say how far a cell reaches to its sides."""
    gaps = [
        [right[one] + left[other] + _between(found, one, other) for one, other in pairwise(row)] for row in found.order
    ]
    x = [0.0] * len(found.layer)
    for row, between in zip(found.order, gaps, strict=True):
        for cell, place in zip(row, spread([0.0] * len(row), [1.0] * len(row), between), strict=True):
            x[cell] = place
    rows = list(zip(found.order, gaps, strict=True))
    rounds = _ROUNDS if len(found.layer) <= 4000 else 6  # noqa: PLR2004 - a large graph need not be perfect
    for turn in range(rounds):
        one_sided = turn < 4  # noqa: PLR2004 - first make room along the flow, then even out
        downwards = turn % 2 == 0
        near = (found.above if downwards else found.below) if one_sided else None
        for row, between in rows if downwards else reversed(rows):
            _settle(found, x, row, between, near)
    for _ in range(3):
        _straighten(found, x, gaps)
    return x


def _straighten(found: Layers, x: list[float], gaps: Sequence[Sequence[float]]) -> None:
    """Put what follows one another without a branch on one line, where the neighbours leave room for it."""
    least = [float("-inf")] * len(x)
    most = [float("inf")] * len(x)
    beside: list[tuple[int, float, int]] = []
    for row, between in zip(found.order, gaps, strict=True):
        beside += [(one, gap, other) for one, other, gap in zip(row, row[1:], between, strict=False)]
    left_of = {other: (one, gap) for one, gap, other in beside}
    right_of = {one: (other, gap) for one, gap, other in beside}
    for run in _runs(found):
        for cell in run:
            one, gap = left_of.get(cell, (-1, 0.0))
            least[cell] = x[one] + gap if one >= 0 else float("-inf")
            other, gap = right_of.get(cell, (-1, 0.0))
            most[cell] = x[other] - gap if other >= 0 else float("inf")
        low, high = max(least[cell] for cell in run), min(most[cell] for cell in run)
        if low <= high:
            line = _line(found, x, run, low, high)
            for cell in run:
                x[cell] = line


def _runs(found: Layers) -> list[list[int]]:
    """The longest stretches in which each cell leads to the next and to nothing else."""
    single = [len(below) == 1 and len(found.above[below[0]]) == 1 for below in found.below]
    runs = []
    for cell, above in enumerate(found.above):
        if len(above) == 1 and single[above[0]]:
            continue
        run = [cell]
        while single[run[-1]]:
            run.append(found.below[run[-1]][0])
        runs.append(run)
    return sorted(runs, key=len, reverse=True)


def _line(found: Layers, x: Sequence[float], run: Sequence[int], low: float, high: float) -> float:
    """Where a run stands: the mean of where it stood, or straight above or below the end it nearly meets."""
    total = 0.0
    for cell in run:
        total += x[cell]
    mean = min(max(total / len(run), low), high)
    for ends in (found.above[run[0]], found.below[run[-1]]):
        for end in ends:
            if abs(x[end] - mean) <= _SNAP and low <= x[end] <= high:
                return x[end]
    return mean


def _between(found: Layers, one: int, other: int) -> float:
    return _GAP if one >= found.nodes and other >= found.nodes else _GAP + 6


def _settle(
    found: Layers, x: list[float], row: list[int], between: list[float], near: Sequence[Sequence[int]] | None
) -> None:
    wishes, weights = [], []
    for cell in row:
        mass = total = 0.0
        others = [*found.above[cell], *found.below[cell]] if near is None else near[cell]
        for other in others:
            ends = (cell < found.nodes) + (other < found.nodes)
            weight = (_STIFF, 2.0, 1.0)[ends]
            mass += weight
            total += weight * x[other]
        wishes.append(total / mass if mass else x[cell])
        weights.append(mass or 0.1)
    for cell, place in zip(row, spread(wishes, weights, between), strict=True):
        x[cell] = place
