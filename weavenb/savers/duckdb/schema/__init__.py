"""The tables, views and macros as SQL files, applied by the version a file has."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Final

from weavenb.errors import StorageTrouble
from weavenb.savers.tables import TABLES

if TYPE_CHECKING:
    import duckdb

__all__ = ["VERSION", "VIEWS", "Meta", "prepare", "read_meta"]

VERSION: Final = 1
"""Raised with each change of a table, a view or a macro."""
VIEWS: Final = ("facts.sql", "state.sql", "questions.sql")
"""Made anew for each version, in this order."""


@dataclass(frozen=True, slots=True)
class Meta:
    """The one row that a file says of itself."""

    schema_version: int
    drained_seq: int
    store_id: str


def read_meta(connection: duckdb.DuckDBPyConnection) -> Meta:
    """What the file says of itself.

    Raises:
        StorageTrouble: if it is none of ours, or one of a later version.
    """
    kinds = dict(
        connection.execute(
            "select table_name, table_type from information_schema.tables where table_schema = 'main'"
        ).fetchall()
    )
    # A view under a table's name could show anything, a local file for one.
    wrong = sorted(name for name in (*TABLES, "store_meta") if kinds.get(name) != "BASE TABLE")
    if wrong:
        raise StorageTrouble(f"This is no database of weavenb: {', '.join(wrong)} is no base table in it.")
    rows = connection.execute("select schema_version, drained_seq, store_id from store_meta").fetchall()
    if len(rows) != 1:
        raise StorageTrouble(f"This database is damaged: store_meta has {len(rows)} rows instead of one.")
    meta = Meta(*rows[0])
    if meta.schema_version > VERSION:
        raise StorageTrouble(
            f"This database has schema version {meta.schema_version}, this weavenb knows {VERSION}: install a newer"
            " weavenb."
        )
    return meta


def prepare(connection: duckdb.DuckDBPyConnection, *, store_id: str) -> Meta:
    """Bring a database to the present version, an empty one included; `store_id` is given to a new one."""
    version = _version(connection)
    if version < VERSION:
        connection.execute("begin").fetchall()
        for name in _migrations()[version:]:
            _apply(connection, name)
        for name in VIEWS:
            _apply(connection, name)
        if version == 0:
            connection.execute("insert into store_meta values (?, 0, ?)", [VERSION, store_id]).fetchall()
        else:
            connection.execute("update store_meta set schema_version = ?", [VERSION]).fetchall()
        connection.execute("commit").fetchall()
    return read_meta(connection)


def _version(connection: duckdb.DuckDBPyConnection) -> int:
    names = connection.execute(
        "select table_name from information_schema.tables where table_schema = 'main'"
    ).fetchall()
    if not names:
        return 0
    return read_meta(connection).schema_version


def _migrations() -> list[str]:
    files = resources.files(__package__).iterdir()
    return sorted(file.name for file in files if file.name[:4].isdigit() and file.name.endswith(".sql"))


def _apply(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    text = (resources.files(__package__) / name).read_text(encoding="utf-8")
    for statement in connection.extract_statements(text):
        connection.execute(statement).fetchall()
