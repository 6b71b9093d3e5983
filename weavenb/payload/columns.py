"""The wire format of a timeline: rows as binary columns.

One message carries one block of rows. Its JSON part::

    {"kind": "rows", "v": 1, "epoch": 3, "from": 120, "count": 40,
     "base": {"seq": 5000, "time": 1700000000000, "unit": 1},
     "columns": [["seq", "u4"], ["parent", "i4"], ...],
     "tables": {"nodes": {"from": 0, "names": ["", "classify", "left+right"]}, "changed": {...}},
     "lanes": [{"label": "main", "thread": "t", "named": false, "first": 0, "count": 160}],
     "head": 159}

and one buffer a column, little-endian, `count` items each, in the order of `columns`:

    seq      u4  store-wide number, less `base.seq` (f8, not reduced, where it does not fit)
    parent   i4  index of the parent's row, -1 for none in sight
    step     i4
    time     u4  `unit` milliseconds since `base.time`
    duration f4  milliseconds, NaN when unknown
    node     u2  place in the table `nodes`: who produced it, joined by "+"; 0 is nobody
    changed  u2  place in the table `changed`: channels that differ from the parent, joined by newlines
    lane     u2  place in `lanes`
    flags    u1  1 error, 2 question, 4 labelled, 8 more to run, then the source in bits 4 and 5:
                 0 input, 16 loop, 32 update, 48 fork

27 bytes a row. `u2` becomes `u4` where a table outgrows it: readers take the type from `columns`.
Row `i` of the block is row `from + i`; a block may overlap what came before and replaces it. A new
`epoch` makes all earlier blocks and tables void. Tables only grow: `names` are those from `from` on.
Ids do not travel: a page names a row by its index.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = ["Block", "LaneNote", "RowNote", "Tables", "encode_rows"]

VERSION: Final = 1
ERROR, QUESTION, LABELLED, OPEN = 1, 2, 4, 8
_SOURCES: Final = {"input": 0, "loop": 16, "update": 32, "fork": 48}
_CODES: Final = {"u1": "B", "u2": "H", "u4": "I", "i4": "i", "f4": "f", "f8": "d"}
_U2: Final = 1 << 16
_U4: Final = 1 << 32


@dataclass(frozen=True, slots=True)
class RowNote:
    """One checkpoint as it is drawn."""

    seq: int
    parent: int
    """Index of the parent's row, -1 when there is none."""
    step: int
    created_at: int
    """Microseconds since 1970, UTC."""
    duration_ms: float | None
    nodes: tuple[str, ...]
    changed: tuple[str, ...]
    lane: int
    source: str
    error: bool = False
    question: bool = False
    labelled: bool = False
    open: bool = False
    """Whether nodes are still to run after it."""


@dataclass(frozen=True, slots=True)
class LaneNote:
    """One lane as it is drawn."""

    label: str
    thread: str
    named: bool
    first: int
    """Index of its first row."""
    count: int


@dataclass(frozen=True, slots=True)
class Block:
    """One message: JSON and buffers."""

    content: dict[str, Any]
    buffers: list[bytes]

    @property
    def size(self) -> int:
        """Bytes of the buffers."""
        return sum(len(buffer) for buffer in self.buffers)


@dataclass(slots=True)
class Tables:
    """The names one receiver was told of already."""

    epoch: int = 0
    nodes: dict[str, int] = field(default_factory=lambda: {"": 0})
    changed: dict[str, int] = field(default_factory=lambda: {"": 0})
    told: dict[str, int] = field(default_factory=lambda: {"nodes": 0, "changed": 0})

    def renew(self) -> None:
        """Forget all, and make what was sent void."""
        self.epoch += 1
        self.nodes, self.changed = {"": 0}, {"": 0}
        self.told = {"nodes": 0, "changed": 0}


def encode_rows(
    rows: Sequence[RowNote],
    *,
    start: int,
    lanes: Sequence[LaneNote],
    head: int | None,
    tables: Tables,
) -> Block:
    """`rows` begin at index `start`; `tables` is brought up to date."""
    nodes = [_place(tables.nodes, "+".join(row.nodes)) for row in rows]
    changed = [_place(tables.changed, "\n".join(row.changed)) for row in rows]
    seq_base = min((row.seq for row in rows), default=0)
    time_base = min((row.created_at for row in rows), default=0) // 1000
    span = max((row.created_at // 1000 - time_base for row in rows), default=0)
    unit = span // _U4 + 1
    wide = max((row.seq - seq_base for row in rows), default=0) >= _U4
    columns: list[tuple[str, str, Sequence[float]]] = [
        ("seq", "f8", [float(row.seq) for row in rows])
        if wide
        else ("seq", "u4", [row.seq - seq_base for row in rows]),
        ("parent", "i4", [row.parent for row in rows]),
        ("step", "i4", [row.step for row in rows]),
        ("time", "u4", [(row.created_at // 1000 - time_base) // unit for row in rows]),
        ("duration", "f4", [float("nan") if row.duration_ms is None else row.duration_ms for row in rows]),
        ("node", _index_type(tables.nodes), nodes),
        ("changed", _index_type(tables.changed), changed),
        ("lane", "u2" if len(lanes) < _U2 else "u4", [row.lane for row in rows]),
        ("flags", "u1", [_flags(row) for row in rows]),
    ]
    content = {
        "kind": "rows",
        "v": VERSION,
        "epoch": tables.epoch,
        "from": start,
        "count": len(rows),
        "base": {"seq": seq_base, "time": time_base, "unit": unit},
        "columns": [[name, kind] for name, kind, _ in columns],
        "tables": {"nodes": _untold(tables, "nodes"), "changed": _untold(tables, "changed")},
        "lanes": [
            {"label": lane.label, "thread": lane.thread, "named": lane.named, "first": lane.first, "count": lane.count}
            for lane in lanes
        ],
        "head": head,
    }
    return Block(content, [_bytes(kind, values) for _, kind, values in columns])


def _place(table: dict[str, int], name: str) -> int:
    return table.setdefault(name, len(table))


def _index_type(table: dict[str, int]) -> str:
    return "u2" if len(table) < _U2 else "u4"


def _untold(tables: Tables, name: str) -> dict[str, Any]:
    names = tables.nodes if name == "nodes" else tables.changed
    start = tables.told[name]
    tables.told[name] = len(names)
    return {"from": start, "names": list(names)[start:]}


def _flags(row: RowNote) -> int:
    return (
        row.error * ERROR
        + row.question * QUESTION
        + row.labelled * LABELLED
        + row.open * OPEN
        + _SOURCES.get(row.source, 16)
    )


def _bytes(kind: str, values: Sequence[float]) -> bytes:
    column = array(_CODES[kind], values)
    if sys.byteorder == "big":
        column.byteswap()
    return column.tobytes()
