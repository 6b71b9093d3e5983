"""One thread's history as DataFrames. Columns and dtypes are the same for every saver."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, cast

from weavenb.errors import QueryFailed, UnknownKey
from weavenb.errors import nearest as nearest_name
from weavenb.history.equality import same
from weavenb.history.paths import ABSENT, parse_path, value_at
from weavenb.history.source import CheckpointRow
from weavenb.model.diff import objects
from weavenb.model.snapshots import Snapshot

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = [
    "COLUMNS",
    "arrow_frame",
    "checked_name",
    "diffs_frame",
    "frame_of",
    "timeline_frame",
    "values_frame",
]

COLUMNS: Final[dict[str, dict[str, str]]] = {
    "timeline": {
        "seq": "Int64",
        "checkpoint": "string",
        "parent": "string",
        "step": "Int64",
        "source": "string",
        "branch": "string",
        "run_id": "string",
        "created_at": "datetime64[us, UTC]",
        "duration_ms": "Float64",
        "nodes": "object",
        "next": "object",
        "changed": "object",
        "has_error": "boolean",
        "has_question": "boolean",
        "label": "string",
        "tags": "object",
        "def_hash": "string",
    },
    "tasks": {
        "seq": "Int64",
        "task_id": "string",
        "run_id": "string",
        "checkpoint": "string",
        "input_checkpoint": "string",
        "step": "Int64",
        "node": "string",
        "attempt": "Int64",
        "triggered_by": "object",
        "status": "string",
        "started_at": "datetime64[us, UTC]",
        "ended_at": "datetime64[us, UTC]",
        "duration_ms": "Float64",
        "error_type": "string",
        "error_message": "string",
        "traceback": "string",
    },
    "diffs": {
        "seq": "Int64",
        "checkpoint": "string",
        "step": "Int64",
        "source": "string",
        "nodes": "object",
        "channel": "string",
        "kind": "string",
        "before": "object",
        "after": "object",
    },
    "values": {"seq": "Int64", "checkpoint": "string", "step": "Int64"},
}
"""Frame -> column -> dtype; ``values`` has a column per channel or path beside these."""


def checked_name(name: str) -> str:
    """`name` if there is such a frame.

    Raises:
        QueryFailed: naming those there are.
    """
    if name not in COLUMNS:
        raise QueryFailed(f"There is no frame {name!r}; there are {', '.join(COLUMNS)}.", nearest_name(name, COLUMNS))
    return name


def frame_of(name: str, records: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """`records` with the columns and dtypes of frame `name`, empty ones included."""
    import pandas as pd

    return pd.DataFrame(
        {column: _column([record.get(column) for record in records], dtype) for column, dtype in COLUMNS[name].items()}
    )


def timeline_frame(rows: Iterable[CheckpointRow]) -> pd.DataFrame:
    """One row per checkpoint, oldest first."""
    return frame_of(
        "timeline",
        [
            {
                "seq": row.seq,
                "checkpoint": row.id,
                "parent": row.parent,
                "step": row.step,
                "source": row.source,
                "branch": row.branch,
                "run_id": row.run_id or None,
                "created_at": row.created_at,
                "duration_ms": row.duration_ms,
                "nodes": list(row.nodes),
                "next": list(row.next),
                "changed": list(row.changed),
                "has_error": row.error,
                "has_question": row.question,
                "label": row.label,
                "tags": list(row.tags),
                "def_hash": row.def_hash or None,
            }
            for row in rows
        ],
    )


def diffs_frame(rows: Sequence[CheckpointRow], newest_first: Iterable[Snapshot]) -> pd.DataFrame:
    """One row per checkpoint and key that differs from the parent's, oldest first."""
    by_id = {row.id: row for row in rows}
    # A child waits for its parent, which comes later in this order: few states are held at once.
    waiting: dict[str | None, list[tuple[CheckpointRow, Mapping[str, Any]]]] = {}
    blocks: list[tuple[int, list[dict[str, Any]]]] = []
    for seen in newest_first:
        row = by_id.get(_id_of(seen))
        if row is None:
            continue
        for child, after in waiting.pop(row.id, ()):
            blocks.append((child.seq, _differences(child, seen.values, after)))
        waiting.setdefault(row.parent, []).append((row, seen.values))
    # Those whose parent is not among these began here.
    for children in waiting.values():
        blocks += [(child.seq, _differences(child, {}, after)) for child, after in children]
    blocks.sort(key=lambda block: block[0])
    return frame_of("diffs", [record for _, block in blocks for record in block])


def values_frame(
    rows: Sequence[CheckpointRow],
    newest_first: Iterable[Snapshot],
    channels: Sequence[str] | None,
    declared: Iterable[str] = (),
    *,
    closed: bool = False,
) -> pd.DataFrame:
    """One row per checkpoint, oldest first; one column per channel, or per path of `channels`.

    Raises:
        UnknownKey: one of `channels` is neither `declared` nor in any of the states. In a state that is not `closed`
            it may come to be there, so only what looks like a slip of spelling is refused.
    """
    import pandas as pd

    by_id = {row.id: row for row in rows}
    # What is picked is kept, the rest of a state is let go at once.
    picked: dict[str, Mapping[str, Any]] = {}
    pick = _picker(channels)
    held: dict[str, None] = {}
    for seen in newest_first:
        if (id_ := _id_of(seen)) in by_id:
            picked[id_] = pick(seen.values)
            held.update(dict.fromkeys(seen.values))
    if picked:  # before the first checkpoint any key may come
        _check_known(channels or (), [*declared, *held], closed=closed)
    shown = [row for row in rows if row.id in picked]
    base = frame_of("values", [{"seq": row.seq, "checkpoint": row.id, "step": row.step} for row in shown])
    names = list(channels) if channels is not None else _in_order([picked[row.id] for row in shown])
    columns: dict[str, Any] = {str(name): base[name] for name in base}
    for name in dict.fromkeys(names):
        title = f"state.{name}" if name in base else name
        columns[title] = _typed_column([picked[row.id].get(name, ABSENT) for row in shown])
    return pd.DataFrame(columns)


def arrow_frame(table: pa.Table) -> pd.DataFrame:
    """An Arrow result with pandas' nullable dtypes; times in UTC, lists and mappings as Python has them."""
    import pandas as pd
    import pyarrow as pa

    def column(field: pa.Field[Any], values: pa.ChunkedArray[Any]) -> Any:
        kind = field.type
        if pa.types.is_timestamp(kind):
            zone = "" if kind.tz is None else ", UTC"
            return _column(values.cast(pa.int64()).to_pylist(), f"datetime64[us{zone}]", kind.unit)
        if pa.types.is_decimal(kind) and kind.scale == 0:  # the sum of whole numbers
            return _typed_column([None if v is None else int(v) for v in values.to_pylist()])
        dtype = _ARROW.get(str(kind))
        return objects(values.to_pylist()) if dtype is None else _column(values.to_pylist(), dtype)

    columns = [column(f, table.column(i)) for i, f in enumerate(table.schema)]
    frame = pd.DataFrame(dict(enumerate(columns)))
    frame.columns = pd.Index(table.schema.names)
    return frame


_ARROW: Final = {
    **dict.fromkeys(("int8", "int16", "int32", "int64"), "Int64"),
    **dict.fromkeys(("uint8", "uint16", "uint32"), "Int64"),
    "uint64": "UInt64",
    "float": "Float64",
    "double": "Float64",
    "bool": "boolean",
    "string": "string",
    "large_string": "string",
}


def _column(values: list[Any], dtype: str, unit: str = "us") -> Any:
    import pandas as pd

    if dtype == "object":
        return objects(values)
    if dtype.startswith("datetime64"):
        import numpy as np

        per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
        whole = [np.datetime64("NaT") if v is None else np.datetime64(_micros(v, per_second), "us") for v in values]
        naive = pd.DatetimeIndex(np.array(whole, dtype="datetime64[us]"))
        return naive.tz_localize("UTC").array if dtype.endswith("UTC]") else naive.array
    if dtype == "Float64":
        return _floats(values)
    return pd.array(values, dtype=cast("Any", dtype))


def _micros(moment: Any, per_second: int) -> int:
    """Exact: a float of seconds would lose microseconds."""
    if isinstance(moment, datetime):
        since = moment - datetime(1970, 1, 1, tzinfo=UTC)
        return (since.days * 86400 + since.seconds) * 10**6 + since.microseconds
    return int(moment) * 10**6 // per_second


def _floats(values: list[Any]) -> Any:
    import numpy as np
    import pandas as pd

    # Built from its parts, since pandas would take NaN for missing.
    missing = np.array([value is None for value in values], dtype=bool)
    numbers = np.array([0.0 if value is None else float(value) for value in values], dtype="float64")
    return pd.arrays.FloatingArray(numbers, missing)


def _typed_column(values: list[Any]) -> Any:
    """The narrowest dtype that keeps every value as it is, ``object`` when there is none."""
    import pandas as pd

    kinds = {type(value) for value in values if value is not ABSENT and value is not None}
    plain = [None if value is ABSENT else value for value in values]
    dtype = _EXACT.get(next(iter(kinds))) if len(kinds) == 1 else None
    if dtype is None or (dtype == "Int64" and not all(v is None or -(2**63) <= v < 2**63 for v in plain)):
        return objects(plain)
    if dtype == "Float64":
        return _floats(plain)
    try:
        return pd.array(plain, dtype=cast("Any", dtype))
    except UnicodeError:  # half a surrogate pair, which Arrow's text cannot hold
        return objects(plain)


_EXACT: Final[dict[type, str]] = {int: "Int64", float: "Float64", bool: "boolean", str: "string"}


def _id_of(seen: Snapshot) -> str:
    return str(seen.config["configurable"]["checkpoint_id"])


def _picker(channels: Sequence[str] | None) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    if channels is None:
        return lambda values: values
    if isinstance(channels, str):
        raise QueryFailed(f"channels is a list of names: write channels=[{channels!r}].")
    # A name that is no path can still be a key.
    paths = {name: parse_path(name) if not name.isidentifier() else (name,) for name in channels}

    def pick(values: Mapping[str, Any]) -> Mapping[str, Any]:
        return {name: values[name] if name in values else value_at(values, path) for name, path in paths.items()}

    return pick


def _check_known(channels: Iterable[str], known: Collection[str], *, closed: bool) -> None:
    for name in channels:
        root = name if name.isidentifier() or name in known else str(parse_path(name)[0])
        near = None if root in known else nearest_name(root, known)
        if near is not None or (closed and root not in known):
            raise UnknownKey(root, near, "The list of channels")


def _in_order(oldest_first: Iterable[Mapping[str, Any]]) -> list[str]:
    names: dict[str, None] = {}
    for values in oldest_first:
        names.update(dict.fromkeys(values))
    return list(names)


def _differences(row: CheckpointRow, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = []
    for channel in dict.fromkeys([*before, *after]):
        old, new = before.get(channel, ABSENT), after.get(channel, ABSENT)
        if same(old, new):
            continue
        kind = "added" if old is ABSENT else "removed" if new is ABSENT else "changed"
        found.append(
            {
                "seq": row.seq,
                "checkpoint": row.id,
                "step": row.step,
                "source": row.source,
                "nodes": list(row.nodes),
                "channel": channel,
                "kind": kind,
                "before": None if old is ABSENT else old,
                "after": None if new is ABSENT else new,
            }
        )
    return found
