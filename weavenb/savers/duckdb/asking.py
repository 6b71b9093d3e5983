"""SQL on the rows of any saver: its own database, or a copy of its tables in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from weavenb.savers.duckdb.connect import open_database
from weavenb.savers.duckdb.drain import write_frames
from weavenb.savers.duckdb.journal import Frame
from weavenb.savers.duckdb.query import MOST_ROWS, TIMEOUT, run
from weavenb.savers.duckdb.saver import DuckDBSaver
from weavenb.savers.duckdb.schema import prepare
from weavenb.savers.tables import TABLES, Rows

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from weavenb.savers.contract import Saver

__all__ = ["Asked", "open_rows", "tables_of"]


class Asked:
    """Tables, views and macros to ask. Every question sees what was committed before it where the saver is DuckDB."""

    def __init__(self, saver: DuckDBSaver | None, connection: duckdb.DuckDBPyConnection | None) -> None:
        self._saver = saver
        self._connection = connection

    def query(
        self,
        sql: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout: float = TIMEOUT,
        most_rows: int = MOST_ROWS,
    ) -> pa.Table:
        """Answer one SELECT; see `query.run`."""
        if self._saver is not None:
            cursor = self._saver.cursor()
        elif self._connection is not None:
            cursor = self._connection.cursor()
        try:
            return run(cursor, sql, params, timeout=timeout, most_rows=most_rows)
        finally:
            cursor.close()

    def close(self) -> None:
        """Let go of a copy; a saver stays open."""
        if self._connection is not None:
            self._connection.close()


def tables_of(saver: Saver) -> Asked:
    """What can be asked of a saver. Of one that is not DuckDB it is a copy, as of now."""
    if isinstance(saver, DuckDBSaver):
        return Asked(saver, None)
    return Asked(None, open_rows(saver.read_tables()))


def open_rows(tables: Rows | Mapping[str, pa.Table]) -> duckdb.DuckDBPyConnection:
    """A database in memory that holds these rows (lists of cells, or Arrow tables)."""
    connection = open_database(None)
    prepare(connection, store_id="")
    rows: Rows = {}
    for table, content in tables.items():
        if table not in TABLES:
            continue
        if isinstance(content, list):
            rows[table] = content
        else:
            connection.register("given", content)
            connection.execute(f"insert into {table} by name from given").fetchall()
            connection.unregister("given")
    if rows:
        write_frames(connection, [Frame(0, 0, rows)])
    return connection
