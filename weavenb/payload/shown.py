"""Any value as JSON a page can show: its type said, its size bounded, nothing run but its repr.

A shown value is ``{"t": type, ...}``: ``s`` its text; for a container ``n`` its length and ``items``,
a list of ``[key, shown]``; ``more`` how many items or characters were left out; ``bytes`` its size
when it is an array or a blob, not shown itself; ``odd`` is true for a mapping with keys that are no texts.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from weavenb.model.diff import Diff, PathChange, rounded
from weavenb.model.texts import short

__all__ = ["shown", "shown_diff"]

_TEXT: Final = 4_000
_ITEMS: Final = 100
_DEPTH: Final = 12
_BUDGET: Final = 4_000
_KEY: Final = 200
_CHANGES: Final = 200
_WORDS: Final = 400
_WORD: Final = re.compile(r"\s+|\w+|[^\w\s]")


class _Budget:
    """How many values may still be shown in full."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


def shown(value: Any, *, budget: int = _BUDGET) -> dict[str, Any]:
    """`value`, with at most `budget` parts in all."""
    return _shown(value, _Budget(budget), _DEPTH)


def shown_diff(diff: Diff, *, limit: int = _CHANGES) -> dict[str, Any]:
    """The first `limit` changes; ``more`` counts the others."""
    changes = [_change(change) for change in diff.changes[:limit]]
    return {"changes": changes, "more": max(len(diff) - limit, 0)}


def _change(change: PathChange) -> dict[str, Any]:
    made: dict[str, Any] = {"path": change.path, "kind": change.kind}
    if change.kind != "added":
        made["old"] = shown(change.old, budget=200)
    if change.kind != "removed":
        made["new"] = shown(change.new, budget=200)
    if change.delta:
        made["delta"] = f"{'+' if change.delta > 0 else ''}{short(rounded(change.delta), 24)}"
    if change.kind == "changed" and type(change.old) is str and type(change.new) is str:
        words = _words(change.old, change.new)
        if words:
            made["words"] = words
    return made


def _words(old: str, new: str) -> list[list[str]] | None:
    """``[["=", "The quick "], ["-", "red"], ["+", "brown"]]``; None when little stayed the same."""
    if max(len(old), len(new)) > _TEXT:
        return None
    before, after = _WORD.findall(old), _WORD.findall(new)
    if max(len(before), len(after)) > _WORDS:
        return None
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    kept = sum(len(word) for block in matcher.get_matching_blocks() for word in before[block.a : block.a + block.size])
    if kept * 3 < max(len(old), len(new)):
        return None
    found: list[list[str]] = []
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            found.append(["=", "".join(before[a:b])])
            continue
        if b > a:
            found.append(["-", "".join(before[a:b])])
        if d > c:
            found.append(["+", "".join(after[c:d])])
    return found


def _shown(value: Any, budget: _Budget, depth: int) -> dict[str, Any]:
    budget.left -= 1
    kind = type(value)
    if kind is str:
        return _text(value)
    if value is None or kind in {bool, int, float, complex}:
        return {"t": "None" if value is None else kind.__name__, "s": short(value, 200)}
    if kind is bytes:
        return {"t": "bytes", "s": short(value, 80), "bytes": len(value)}
    if isinstance(value, Mapping):
        odd = any(type(key) is not str or len(key) > _KEY for key in value)
        made = _items(kind.__name__, ((_key(key), item) for key, item in value.items()), len(value), budget, depth)
        return {**made, "odd": True} if odd else made
    if kind in {set, frozenset}:
        ordered = sorted(value, key=lambda item: short(item, 200))
        return _items(kind.__name__, (("", item) for item in ordered), len(value), budget, depth)
    if isinstance(value, list | tuple):
        fields = getattr(kind, "_fields", None) or [str(index) for index in range(len(value))]
        return _items(kind.__name__, zip(fields, value, strict=False), len(value), budget, depth)
    if dataclasses.is_dataclass(kind):
        names = [one.name for one in dataclasses.fields(value)]
        pairs = ((name, getattr(value, name, None)) for name in names)
        return _items(kind.__name__, pairs, len(names), budget, depth)
    return _other(value)


def _text(value: str) -> dict[str, Any]:
    if len(value) <= _TEXT:
        return {"t": "str", "s": value}
    return {"t": "str", "s": value[:_TEXT], "more": len(value) - _TEXT}


def _items(name: str, pairs: Iterable[tuple[str, Any]], size: int, budget: _Budget, depth: int) -> dict[str, Any]:
    made: dict[str, Any] = {"t": name, "n": size, "items": []}
    if depth > 0:
        for key, item in pairs:
            if len(made["items"]) >= _ITEMS or budget.left <= 0:
                break
            made["items"].append([key, _shown(item, budget, depth - 1)])
    if size > len(made["items"]):
        made["more"] = size - len(made["items"])
    return made


def _key(key: Any) -> str:
    if type(key) is not str:
        return short(key, 120)
    return key if len(key) <= _KEY else key[:_KEY] + "…"


def _other(value: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"t": type(value).__name__, "s": short(value, 400)}
    size = getattr(value, "nbytes", None)
    if isinstance(size, int):
        made["bytes"] = size
    return made
