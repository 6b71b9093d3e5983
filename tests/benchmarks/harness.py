"""Measures competitors in turn, so that a slow minute of the machine hits all of them."""

from __future__ import annotations

import gc
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

Measured = dict[str, float]
"""Figures of one run by name: seconds or bytes."""
Competitor = Callable[[Path], Measured]
"""Does its work in an empty folder."""


@dataclass
class Watch:
    """What `stopwatch` hands out."""

    seconds: float = 0.0
    """Wall time, once the block has ended."""


@contextmanager
def stopwatch() -> Iterator[Watch]:
    watch = Watch()
    start = time.perf_counter()
    yield watch
    watch.seconds = time.perf_counter() - start


def in_turn(competitors: Mapping[str, Competitor], repetitions: int) -> dict[tuple[str, str], float]:
    """Median of each figure by (competitor, figure); one unmeasured round comes first."""
    found: dict[tuple[str, str], list[float]] = {}
    for turn in range(repetitions + 1):
        for name, run in competitors.items():
            gc.collect()
            with tempfile.TemporaryDirectory() as folder:
                measured = run(Path(folder))
            if turn:
                for figure, value in measured.items():
                    found.setdefault((name, figure), []).append(value)
    return {key: statistics.median(values) for key, values in found.items()}


class Row(NamedTuple):
    """One line of the table."""

    what: str
    """What is compared."""
    ours: float
    """weavenb's figure."""
    beside: float
    """The figure it is held against."""
    most: float | None
    """Largest ratio wanted; `None` where the ratio is only told."""
    unit: str
    """How the figures are written: `ms`, `us a step` or `kB`."""

    @property
    def ratio(self) -> float:
        return self.ours / self.beside

    @property
    def verdict(self) -> str:
        if self.most is None:
            return ""
        return "reached" if self.ratio <= self.most else "MISSED"


SCALES = {"ms": 1e3, "us a step": 1e3, "kB": 1e-3}


def table(rows: list[Row]) -> str:
    """The rows as aligned text."""
    head = ("", "weavenb", "beside", "unit", "ratio", "wanted", "")
    lines = [head] + [
        (
            row.what,
            f"{row.ours * SCALES[row.unit]:,.1f}",
            f"{row.beside * SCALES[row.unit]:,.1f}",
            row.unit,
            f"{row.ratio:.4f}",
            "" if row.most is None else f"<= {row.most:.4f}",
            row.verdict,
        )
        for row in rows
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
