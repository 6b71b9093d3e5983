"""DuckDB: the only room that calls it. Imported only where a saver of it, or SQL, is asked for."""

from __future__ import annotations

from weavenb.savers.duckdb.asking import Asked, open_rows, tables_of
from weavenb.savers.duckdb.saver import DuckDBSaver
from weavenb.savers.duckdb.store import Damaged

__all__ = ["Asked", "Damaged", "DuckDBSaver", "open_rows", "tables_of"]
