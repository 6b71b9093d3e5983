"""Values and names that a store must give back as they were."""

from __future__ import annotations

import math
from collections import OrderedDict, deque
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

__all__ = ["HOSTILE_NAMES", "VALUES"]

HOSTILE_NAMES = ["", " ", "it's", 'a "b"', "tab\tnew\nline", "nul\x00", "ключ", "🧵", "a.b[0]", "$w", "--;"]

VALUES: dict[str, Any] = {
    "plain": {"a": [1, 2.5, None, True, "x"], "b": {}},
    "tuple": (1, (2, [3])),
    "set": {1, 2},
    "bytes": b"\x00\xff",
    "moment": datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC),
    "naive": datetime(2026, 1, 2, fold=1),  # noqa: DTZ001  a value may lack its zone
    "day": date(2026, 1, 2),
    "span": timedelta(days=-1, microseconds=1),
    "decimal": Decimal("1.10"),
    "uuid": UUID(int=7),
    "path": PurePosixPath("/a/b"),
    "infinite": -math.inf,
    "zero": -0.0,
    "big": 2**80,
    "keys": {1: "a", (2, 3): "b"},
    "own mark": {"$w": "mine"},
    "surrogate": "\ud800",
    "surrogate key": {"\udfff": {"\ud800": 1}},
    "control": {"\x00\x1f\"'\\": "\x00"},
    "empty key": {"": {"": ""}},
    "deque": deque([1, 2], 3),
    "ordered": OrderedDict(b=1, a=2),
}
