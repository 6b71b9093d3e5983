"""The base tables of an open database, as Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weavenb.savers.tables import TABLES

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

__all__ = ["arrow_tables", "sizes"]


def arrow_tables(cursor: duckdb.DuckDBPyConnection, thread: str | None) -> dict[str, pa.Table]:
    """Every base table, of one thread (with the definitions) or of all."""
    from weavenb.savers.arrow import schema_of

    found = {}
    cursor.execute("begin transaction read only").fetchall()
    try:
        for table, columns in TABLES.items():
            names = [name for name, _ in columns]
            narrow = thread is not None and "thread_id" in names
            where = "where t.thread_id = ?" if narrow else ""
            listed = ", ".join(f"t.{name}" for name in names)
            text = f"select {listed} from {table} t {where} order by t.seq"  # noqa: S608 - names from TABLES
            answer = cursor.sql(text, params=[thread] if narrow else None)
            found[table] = answer.to_arrow_table().cast(schema_of(table))
    finally:
        cursor.execute("rollback").fetchall()
    return found


def sizes(cursor: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Bytes of the texts, numbers and blobs in each table."""
    found = {}
    for table, columns in TABLES.items():
        parts = [
            f"coalesce(octet_length({name}), 0)" if kind == "BLOB" else f"coalesce(strlen({name}::varchar), 0)"
            for name, kind in (((f't."{name}"'), kind) for name, kind in columns)
        ]
        text = f"select coalesce(sum({' + '.join(parts)}), 0) from {table} t"  # noqa: S608 - names from TABLES
        found[table] = int(cursor.execute(text).fetchall()[0][0])
    return found
