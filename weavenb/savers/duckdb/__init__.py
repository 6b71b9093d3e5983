"""DuckDB: the only room that calls it."""
