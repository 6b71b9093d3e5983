"""The one place where DuckDB is opened, and where its refusals become ours."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import duckdb

from weavenb.errors import OpenedDifferently, StorageLocked, StorageTrouble

__all__ = ["lock_down", "open_database"]

SAFE: Final[dict[str, bool]] = {
    "enable_external_access": False,
    "autoload_known_extensions": False,
    "autoinstall_known_extensions": False,
    "allow_community_extensions": False,
}
"""A database file is not to be trusted: nothing in it may reach files, the network or other code."""
SMALL: Final[dict[str, int | str]] = {"default_block_size": 16384, "wal_autocheckpoint": "256MB"}
"""Small projects stay small; a checkpoint in the middle of a drain would stall it."""
LOCKED: Final = re.compile(r"Conflicting lock is held(?: in .*?\(PID (\d+)\))?", re.DOTALL)


def open_database(path: Path | None, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """Open a file, or a database in memory when `path` is None, locked down.

    Raises:
        StorageLocked: if another process has the file.
        StorageTrouble: if it cannot be opened.
    """
    target = ":memory:" if path is None else str(path)
    config: dict[str, str | bool | int | float | list[str]] = {**SAFE, "lock_configuration": True}
    if not read_only:
        config.update(SMALL)
    if path is None:
        config.pop("default_block_size", None)
    try:
        return duckdb.connect(target, read_only=read_only, config=config)
    except duckdb.Error as error:
        raise refused(target, error, read_only=read_only) from error


def lock_down(connection: duckdb.DuckDBPyConnection) -> None:
    """Lock a database that had to reach a file while it was set up."""
    for name, value in SAFE.items():
        connection.execute(f"set {name} = {str(value).lower()}").fetchall()
    connection.execute("set lock_configuration = true").fetchall()


def refused(path: str, error: duckdb.Error, *, read_only: bool) -> Exception:
    """What DuckDB's refusal to open a file means to us."""
    text = str(error)
    locked = LOCKED.search(text)
    if locked is not None:
        return StorageLocked(path, int(locked[1]) if locked[1] else None)
    if "different configuration" in text or "Unique file handle conflict" in text:
        return OpenedDifferently(path, "read_only", read_only, "by a plain DuckDB connection")
    return StorageTrouble(f"{path!r} cannot be opened: {text}")
