"""Places of the columns that code reads by number, taken from `TABLES` so that they cannot drift."""

from __future__ import annotations

from weavenb.savers.tables import TABLES

__all__ = ["CHECKPOINT", "EVENT", "INTERRUPT", "NOTE", "TASK", "VALUE", "WRITE"]


def _place(table: str, column: str) -> int:
    return [name for name, _ in TABLES[table]].index(column)


class CHECKPOINT:
    """Columns of ``checkpoints``."""

    id = _place("checkpoints", "checkpoint_id")
    parent = _place("checkpoints", "parent_checkpoint_id")
    above = _place("checkpoints", "parent_checkpoint_seq")
    copied_from = _place("checkpoints", "copied_from_seq")
    run = _place("checkpoints", "run_id")
    step = _place("checkpoints", "step")
    source = _place("checkpoints", "source")
    branch = _place("checkpoints", "branch")
    created_at = _place("checkpoints", "created_at")
    nodes = _place("checkpoints", "nodes")
    next = _place("checkpoints", "next")
    next_tasks = _place("checkpoints", "next_tasks")
    changed = _place("checkpoints", "changed")
    state_bytes = _place("checkpoints", "state_bytes")
    value_seqs = _place("checkpoints", "value_seqs")
    def_hash = _place("checkpoints", "def_hash")
    metadata = _place("checkpoints", "metadata")


class VALUE:
    """Columns of ``channel_values``."""

    checkpoint = _place("channel_values", "checkpoint_id")
    channel = _place("channel_values", "channel")
    op = _place("channel_values", "op")
    base = _place("channel_values", "base_seq")
    depth = _place("channel_values", "depth")
    value = _place("channel_values", "value")
    type = _place("channel_values", "type")
    nbytes = _place("channel_values", "nbytes")
    hash = _place("channel_values", "value_hash")


class WRITE:
    """Columns of ``writes``."""

    checkpoint = _place("writes", "checkpoint_id")
    task = _place("writes", "task_id")
    idx = _place("writes", "idx")
    channel = _place("writes", "channel")
    value = _place("writes", "value")


class NOTE:
    """Columns of ``annotations``."""

    checkpoint = _place("annotations", "checkpoint_id")
    kind = _place("annotations", "kind")
    text = _place("annotations", "text")
    removed = _place("annotations", "removed")


class TASK:
    """Columns of ``tasks``."""

    id = _place("tasks", "task_id")
    run = _place("tasks", "run_id")
    thread = _place("tasks", "thread_id")
    namespace = _place("tasks", "checkpoint_ns")
    input = _place("tasks", "input_checkpoint_id")


class EVENT:
    """Columns of ``thread_events``."""

    kind = _place("thread_events", "kind")
    graph = _place("thread_events", "graph")
    head_seq = _place("thread_events", "head_seq")
    status = _place("thread_events", "status")


class INTERRUPT:
    """Columns of ``interrupt_events``."""

    id = _place("interrupt_events", "interrupt_id")
    thread = _place("interrupt_events", "thread_id")
    namespace = _place("interrupt_events", "checkpoint_ns")
    checkpoint = _place("interrupt_events", "checkpoint_id")
    task = _place("interrupt_events", "task_id")
    event = _place("interrupt_events", "event")
