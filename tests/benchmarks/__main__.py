"""``make bench``: a table of ratios beside a peer and beside the disk itself.

Figures of a step are those of a run of 1,000 steps, in seconds, hence microseconds a step when
multiplied by a thousand. ``--strict`` ends with 1 when a wanted ratio is missed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

from tests.benchmarks import ours, peer
from tests.benchmarks.harness import Measured, Row, in_turn, stopwatch, table
from tests.benchmarks.workloads import STEPS

FRAME_BYTES = 1_024
"""About what one step of the loop appends; the sync costs the same for half or twice of it."""


def disk(folder: Path) -> Measured:
    """A thousand times a bare write and sync of a step's bytes."""
    frame = os.urandom(FRAME_BYTES)
    # Linux has the cheaper call that journals use; elsewhere the plain one stands in.
    sync = getattr(os, "fdatasync", os.fsync)
    with (folder / "floor").open("wb", buffering=0) as file, stopwatch() as watch:
        for _ in range(STEPS):
            file.write(frame)
            sync(file.fileno())
    return {"run": watch.seconds}


def importing(statement: str, _: Path) -> Measured:
    """Seconds that a fresh interpreter takes to start and run the statement."""
    with stopwatch() as watch:
        subprocess.run([sys.executable, "-c", statement], check=True)
    return {"run": watch.seconds}


def steps(repetitions: int) -> list[Row]:
    """The loop of a thousand steps."""
    got = in_turn(
        {
            "bare": ours.bare,
            "peer bare": peer.bare,
            "async": partial(ours.stored, durability="async"),
            "peer sync": partial(peer.stored, durability="sync"),
            "sync": partial(ours.stored, durability="sync"),
            "disk": disk,
        },
        repetitions,
    )
    bare, peers = got["bare", "run"], got["peer sync", "run"]
    unit = "us a step"
    return [
        Row("bare step / peer's", bare, got["peer bare", "run"], 1 / 8, unit),
        Row("async step / peer's sync step", got["async", "run"], peers, 1 / 12, unit),
        Row("the same, with the final drain", got["async", "run and drain"], peers, 1 / 8, unit),
        Row("the same, and the file closed", got["async", "run and close"], peers, None, unit),
        Row(
            "sync step / (disk + bare step)",
            got["sync", "run"],
            got["disk", "run"] + bare,
            1.5,
            unit,
        ),
        Row("sync step / peer's sync step", got["sync", "run"], peers, None, unit),
        Row("stored bytes / peer's", got["async", "bytes"], got["peer sync", "bytes"], None, "kB"),
    ]


def lists(repetitions: int) -> list[Row]:
    """The list that grows to a thousand items."""
    got = in_turn(
        {
            "whole": partial(ours.growing_list, items=STEPS),
            "half": partial(ours.growing_list, items=STEPS // 2),
            "peer": partial(peer.growing_list, items=STEPS),
        },
        repetitions,
    )
    whole, half = got["whole", "bytes"], got["half", "bytes"]
    return [
        Row("growing list, time / peer's", got["whole", "run"], got["peer", "run"], None, "ms"),
        Row("growing list, bytes / peer's", whole, got["peer", "bytes"], 1 / 100, "kB"),
        # Twice the items: 2 where bytes grow in line with them, 4 where they grow by the square.
        Row("growing list, bytes of 1,000 / of 500", whole, half, 2.2, "kB"),
    ]


def imports(repetitions: int) -> list[Row]:
    """The time until the first name can be used, an empty interpreter's start taken off."""
    got = in_turn(
        {
            "ours": partial(importing, "import weavenb"),
            "peer": partial(importing, "import langgraph.graph"),
            "empty": partial(importing, "pass"),
        },
        repetitions,
    )
    start = got["empty", "run"]
    mine, theirs = got["ours", "run"] - start, got["peer", "run"] - start
    return [Row("import / peer's", mine, theirs, 1 / 3, "ms")]


def main() -> int:
    """Measures and prints; 1 only with `--strict` and a missed ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--strict", action="store_true")
    asked = parser.parse_args()

    rows = [row for part in (imports, steps, lists) for row in part(asked.repetitions)]
    print(table(rows))
    missed = any(row.verdict == "MISSED" for row in rows)
    return 1 if missed and asked.strict else 0


if __name__ == "__main__":
    sys.exit(main())
