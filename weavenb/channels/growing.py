"""How one value grew out of another, told without comparing what they hold."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from operator import is_
from typing import Any

from weavenb.channels.base import Growth
from weavenb.serde.isolate import isolate
from weavenb.serde.types import record_fields

__all__ = ["apart", "list_growth", "rejoined"]


def list_growth(old: Any, new: Any) -> Growth:
    """``append`` where `new` is `old` with items after it, the same objects at the same places; else ``set``."""
    if type(old) is list and type(new) is list and _starts_with(new, old):
        return ("append", new[len(old) :])
    return ("set", new)


def _starts_with(new: list[Any], old: list[Any]) -> bool:
    size = len(old)
    if len(new) < size or (size and (new[0] is not old[0] or new[size - 1] is not old[-1])):
        return False
    return all(map(is_, old, new))


def apart(fold: Callable[[Any, Sequence[Any]], Any], old: Any, writes: Sequence[Any]) -> Any:
    """Fold with a function that may change its arguments in place, so that neither `old` nor `writes` suffers."""
    copy = isolate(old)
    # A function that sorts or appends in place changes this list too; its items say what was there before.
    items = list(copy) if type(copy) is list else None
    return rejoined(old, items, fold(copy, [isolate(write) for write in writes]))


def rejoined(old: Any, items: list[Any] | None, new: Any) -> Any:
    """`new` with the unchanged items of its beginning exchanged for those of `old`, so that growth can be seen."""
    if items is None or type(new) is not list or not _starts_with(new, items):
        return new
    if _all_same(old, items):
        return [*old, *new[len(old) :]]
    return new


def _same(one: Any, other: Any) -> bool:
    """Whether a copy is still as it was made: rebuilt containers, shared atoms."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        # Both keep the order of their keys; a changed order is a change.
        return len(one) == len(other) and all(map(is_, one, other)) and _all_same(one.values(), other.values())
    if isinstance(one, list | tuple | deque):
        return len(one) == len(other) and _all_same(one, other)
    if isinstance(one, set | frozenset):
        return bool(one == other)
    fields = record_fields(type(one)) or ()
    return bool(fields) and all(_same(getattr(one, name, None), getattr(other, name, None)) for name in fields)


def _all_same(ones: Iterable[Any], others: Iterable[Any]) -> bool:
    # Mostly all are atoms, and no function of ours need be called for each.
    return all(map(is_, ones, others)) or all(map(_same, ones, others))
