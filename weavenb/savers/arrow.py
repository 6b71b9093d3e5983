"""Rows as Arrow tables. Only imported where tables are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pyarrow as pa

from weavenb.savers.tables import TABLES, Rows

__all__ = ["schema_of", "tables_of"]

_TYPES: Final[dict[str, pa.DataType]] = {
    "BIGINT": pa.int64(),
    "INTEGER": pa.int32(),
    "DOUBLE": pa.float64(),
    "BOOLEAN": pa.bool_(),
    "VARCHAR": pa.string(),
    "JSON": pa.string(),
    "BLOB": pa.binary(),
    "VARCHAR[]": pa.list_(pa.string()),
    "TIMESTAMPTZ": pa.timestamp("us", tz="UTC"),
}


def schema_of(table: str) -> pa.Schema:
    """Columns and types of a base table."""
    return pa.schema([(name, _TYPES[kind]) for name, kind in TABLES[table]])


def tables_of(rows: Rows) -> dict[str, pa.Table]:
    """Every base table, the empty ones too."""
    found = {}
    for table in TABLES:
        schema = schema_of(table)
        of_table = rows.get(table, [])
        columns = list(zip(*of_table, strict=True)) if of_table else [()] * len(schema)
        arrays = [_array(cells, field.type) for cells, field in zip(columns, schema, strict=True)]
        found[table] = pa.Table.from_arrays(arrays, schema=schema)
    return found


def _array(cells: Sequence[object], kind: pa.DataType) -> pa.Array[Any]:
    try:
        return pa.array(cells, type=kind)
    except UnicodeEncodeError:
        # A name with a lone surrogate: Arrow's text is UTF-8, which has no such letter.
        return pa.array([_shown(cell) for cell in cells], type=kind)


def _shown(cell: object) -> object:
    if isinstance(cell, list | tuple):
        return [_shown(item) for item in cell]
    return cell.encode("utf-8", "replace").decode() if isinstance(cell, str) else cell
