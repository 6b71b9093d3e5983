"""The base tables: which columns a row has, in which order. Every saver that offers tables gives these."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["TABLES", "Row", "Rows"]

Row = tuple[Any, ...] | list[Any]
"""Cells in the order of `TABLES`, ``seq`` first; times are microseconds since 1970 (int), JSON is text.

Nobody changes a row: it may be in a queue, in a book and in a frame at once.
"""

Rows = dict[str, list[Row]]
"""Rows by table: all that one transaction adds."""

TABLES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "graph_defs": (
        ("seq", "BIGINT"),
        ("def_hash", "VARCHAR"),
        ("graph", "VARCHAR"),
        ("manifest", "JSON"),
        ("code_hash", "VARCHAR"),
        ("created_at", "TIMESTAMPTZ"),
    ),
    "thread_events": (
        ("seq", "BIGINT"),
        ("thread_id", "VARCHAR"),
        ("checkpoint_ns", "VARCHAR"),
        ("kind", "VARCHAR"),  # created, status, deleted; head: it is not the checkpoint stored last
        ("graph", "VARCHAR"),
        ("head_seq", "BIGINT"),
        ("status", "VARCHAR"),
        ("forked_from_thread", "VARCHAR"),
        ("forked_from_checkpoint", "VARCHAR"),
        ("metadata", "JSON"),
        ("at", "TIMESTAMPTZ"),
    ),
    "run_events": (
        ("seq", "BIGINT"),
        ("run_id", "VARCHAR"),
        ("thread_id", "VARCHAR"),
        ("graph", "VARCHAR"),
        ("kind", "VARCHAR"),  # invoke, resume, replay, update, fork
        ("event", "VARCHAR"),  # start, end
        ("parent_run_id", "VARCHAR"),
        ("checkpoint_id", "VARCHAR"),
        ("def_hash", "VARCHAR"),
        ("status", "VARCHAR"),
        ("error_type", "VARCHAR"),
        ("error_message", "VARCHAR"),
        ("n_steps", "INTEGER"),
        ("metadata", "JSON"),
        ("at", "TIMESTAMPTZ"),
    ),
    "checkpoints": (
        ("seq", "BIGINT"),
        ("thread_id", "VARCHAR"),
        ("checkpoint_ns", "VARCHAR"),
        ("checkpoint_id", "VARCHAR"),
        ("parent_checkpoint_id", "VARCHAR"),
        ("parent_checkpoint_seq", "BIGINT"),
        ("copied_from_seq", "BIGINT"),
        ("run_id", "VARCHAR"),
        ("step", "INTEGER"),
        ("source", "VARCHAR"),
        ("branch", "VARCHAR"),
        ("created_at", "TIMESTAMPTZ"),
        ("nodes", "VARCHAR[]"),  # who produced it
        ("next", "VARCHAR[]"),
        ("next_tasks", "JSON"),
        ("changed", "VARCHAR[]"),
        ("state_bytes", "BIGINT"),
        ("state_hash", "VARCHAR"),
        (
            "value_seqs",
            "JSON",
        ),  # channel -> seq of its channel_values row, in the order first written
        ("def_hash", "VARCHAR"),
        ("metadata", "JSON"),
    ),
    "channel_values": (
        ("seq", "BIGINT"),
        ("thread_id", "VARCHAR"),
        ("checkpoint_ns", "VARCHAR"),
        ("checkpoint_id", "VARCHAR"),
        ("channel", "VARCHAR"),
        ("op", "VARCHAR"),  # set, append, merge
        ("base_seq", "BIGINT"),
        ("depth", "INTEGER"),
        ("value", "JSON"),
        ("type", "VARCHAR"),
        ("blob_hash", "VARCHAR"),
        ("nbytes", "BIGINT"),
        ("value_hash", "VARCHAR"),
    ),
    "value_blobs": (
        ("seq", "BIGINT"),
        ("hash", "VARCHAR"),
        ("kind", "VARCHAR"),
        ("dtype", "VARCHAR"),
        ("shape", "VARCHAR"),
        ("preview", "VARCHAR"),
        ("bytes", "BLOB"),
    ),
    "tasks": (
        ("seq", "BIGINT"),
        ("task_id", "VARCHAR"),
        ("run_id", "VARCHAR"),
        ("thread_id", "VARCHAR"),
        ("checkpoint_ns", "VARCHAR"),
        (
            "checkpoint_id",
            "VARCHAR",
        ),  # the checkpoint its step produced; NULL while the step is open
        ("input_checkpoint_id", "VARCHAR"),
        ("step", "INTEGER"),
        ("node", "VARCHAR"),
        ("attempt", "INTEGER"),
        ("triggered_by", "VARCHAR[]"),
        ("status", "VARCHAR"),  # ok, error, interrupted
        ("started_at", "TIMESTAMPTZ"),
        ("ended_at", "TIMESTAMPTZ"),
        ("duration_ms", "DOUBLE"),
        ("error_type", "VARCHAR"),
        ("error_message", "VARCHAR"),
        ("traceback", "VARCHAR"),
    ),
    "writes": (
        ("seq", "BIGINT"),
        ("thread_id", "VARCHAR"),
        ("checkpoint_ns", "VARCHAR"),
        ("checkpoint_id", "VARCHAR"),
        ("task_id", "VARCHAR"),
        ("idx", "INTEGER"),
        ("channel", "VARCHAR"),
        ("value", "JSON"),
        ("type", "VARCHAR"),
        ("blob_hash", "VARCHAR"),
        ("nbytes", "BIGINT"),
    ),
    "interrupt_events": (
        ("seq", "BIGINT"),
        ("interrupt_id", "VARCHAR"),
        ("thread_id", "VARCHAR"),
        ("checkpoint_ns", "VARCHAR"),
        ("checkpoint_id", "VARCHAR"),
        ("task_id", "VARCHAR"),
        ("node", "VARCHAR"),
        ("event", "VARCHAR"),  # raised, answered
        ("value", "JSON"),
        ("at", "TIMESTAMPTZ"),
    ),
    "annotations": (
        ("seq", "BIGINT"),
        ("thread_id", "VARCHAR"),
        ("checkpoint_ns", "VARCHAR"),
        ("checkpoint_id", "VARCHAR"),
        ("kind", "VARCHAR"),  # label, tag, note, bookmark
        ("text", "VARCHAR"),
        ("removed", "BOOLEAN"),
        ("author", "VARCHAR"),
        ("created_at", "TIMESTAMPTZ"),
    ),
}
"""Table -> (column, DuckDB type).

``JSON`` columns are VARCHAR with zstd in the file; the type here says what is in them.
"""
