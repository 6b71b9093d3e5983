"""The one statement that does what a button does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from weavenb.model.refs import CheckpointRef

__all__ = ["Action", "as_code", "fork_code", "replay_code", "resume_code", "update_code"]

Action = Literal["update", "fork", "replay", "resume"]


def as_code(value: Any) -> str:
    """`value` as Python source, texts in double quotes."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if value.isprintable() else repr(value)
    if type(value) is dict:
        return "{" + ", ".join(f"{as_code(key)}: {as_code(item)}" for key, item in value.items()) + "}"
    if type(value) is list:
        return "[" + ", ".join(as_code(item) for item in value) + "]"
    if type(value) is float and (value != value or value in {float("inf"), float("-inf")}):  # noqa: PLR0124  NaN is not itself
        return f'float("{value}")'
    return repr(value)


def update_code(
    ref: CheckpointRef,
    values: Mapping[str, Any],
    *,
    as_node: str | None = None,
    branch: str | None = None,
) -> str:
    """``app.update_state({...}, {...}, branch="budget2")``."""
    return _update(as_code(_config(ref)), values, as_node, branch)


def fork_code(ref: CheckpointRef, thread: str, values: Mapping[str, Any] | None = None) -> str:
    """``app.fork({...}, thread="budget2")``, within ``app.update_state`` when there is an edit too."""
    forked = f"app.fork({as_code(_config(ref))}, thread={as_code(thread)})"
    return _update(forked, values, None, None) if values else forked


def replay_code(ref: CheckpointRef) -> str:
    """``app.replay({...})``."""
    return f"app.replay({as_code(_config(ref))})"


def resume_code(ref: CheckpointRef, answer: Any) -> str:
    """``app.resume("yes", thread="ticket-45")``; with a whole config when a checkpoint is meant."""
    if ref.checkpoint is None and not ref.namespace:
        return f"app.resume({as_code(answer)}, thread={as_code(ref.thread)})"
    return f"app.resume({as_code(answer)}, {as_code(_config(ref))})"


def _update(at: str, values: Mapping[str, Any] | None, as_node: str | None, branch: str | None) -> str:
    parts = [at, as_code(dict(values or {}))]
    if as_node is not None:
        parts.append(f"as_node={as_code(as_node)}")
    if branch is not None:
        parts.append(f"branch={as_code(branch)}")
    return f"app.update_state({', '.join(parts)})"


def _config(ref: CheckpointRef) -> dict[str, dict[str, str]]:
    where = ref.to_config()["configurable"]
    return {"configurable": {key: text for key, text in where.items() if text or key != "checkpoint_ns"}}
