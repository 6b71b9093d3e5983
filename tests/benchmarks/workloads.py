"""The work that both sides do: nodes, states, sizes."""

from __future__ import annotations

import operator
from pathlib import Path
from typing import Annotated, TypedDict

STEPS = 1_000
TEXT = "x" * 200
LIMIT = STEPS + 100


class Counting(TypedDict):
    """State of the loop: a number that grows, a text that is written anew."""

    count: int
    text: str


class Growing(TypedDict):
    """State of the list: one more item a step."""

    items: Annotated[list[str], operator.add]
    wanted: int


def count(state: Counting) -> dict[str, object]:
    number = state["count"] + 1
    return {"count": number, "text": f"{number:06d}{TEXT[6:]}"}


def grow(state: Growing) -> dict[str, object]:
    return {"items": [f"{len(state['items']):06d}{TEXT[6:]}"]}


def after_count(state: Counting) -> str:
    return "count" if state["count"] < STEPS else "done"


def after_grow(state: Growing) -> str:
    return "grow" if len(state["items"]) < state["wanted"] else "done"


def stored_bytes(path: Path) -> int:
    """All files that a store keeps: the one at `path` and those named after it."""
    beside = path.parent.glob(f"{path.name}*")
    return sum(file.stat().st_size for file in beside if file.is_file())
