"""Whether two values are the same, whatever their own ``==`` does."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from typing import Any, Final

__all__ = ["fingerprint", "same"]

_DEPTH: Final = 100
_ATOMS: Final = frozenset({int, str, bool, bytes, type(None)})


def same(a: Any, b: Any) -> bool:
    """Deep and strict on types; NaN is the same as NaN. What cannot be compared is not the same."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if type(a) in _ATOMS:
        return bool(a == b)
    try:
        return _same(a, b, set(), _DEPTH)
    except Exception:  # noqa: BLE001  a hostile ``==`` must not break a diff
        return False


def _same(a: Any, b: Any, seen: set[tuple[int, int]], depth: int) -> bool:
    if a is b:
        return True
    kind = type(a)
    if kind is not type(b):
        return False
    if kind in _ATOMS:
        return bool(a == b)
    if kind is float:
        return bool(a == b) or (a != a and b != b)  # noqa: PLR0124  NaN
    pair = (id(a), id(b))
    if pair in seen:  # on the way already: the verdict is found elsewhere
        return True
    if depth == 0:
        return bool(a == b)
    seen.add(pair)
    return _same_inside(a, b, seen, depth - 1)


def _same_inside(a: Any, b: Any, seen: set[tuple[int, int]], depth: int) -> bool:
    kind = type(a)
    if issubclass(kind, dict):
        return len(a) == len(b) and _same_mappings(a, b, seen, depth)
    if issubclass(kind, list | tuple):
        return len(a) == len(b) and all(_same(x, y, seen, depth) for x, y in zip(a, b, strict=True))
    if issubclass(kind, set | frozenset):
        return len(a) == len(b) and {fingerprint(x) for x in a} == {fingerprint(x) for x in b}
    if dataclasses.is_dataclass(kind):
        return all(
            _same(getattr(a, f.name, None), getattr(b, f.name, None), seen, depth) for f in dataclasses.fields(kind)
        )
    return _same_objects(a, b)


def _same_mappings(a: dict[Any, Any], b: dict[Any, Any], seen: set[tuple[int, int]], depth: int) -> bool:

    return all(
        key in b and _kind_of(key, b) is type(key) and _same(value, b[key], seen, depth) for key, value in a.items()
    )


def _kind_of(key: Any, mapping: dict[Any, Any]) -> type:
    # Texts, the rule, cannot equal a key of another type; 1, True and 1.0 can.
    if type(key) is str:
        return str
    return next((type(other) for other in mapping if other == key), type(None))


def _same_objects(a: Any, b: Any) -> bool:
    if hasattr(a, "dtype") and hasattr(a, "tobytes"):  # arrays: a == b is an array again
        return bool(
            a.dtype == b.dtype
            and getattr(a, "shape", None) == getattr(b, "shape", None)
            and (a.tobytes() == b.tobytes() or bool((a == b).all()))
        )
    equals = getattr(a, "equals", None)  # frames and series, Arrow tables
    if callable(equals) and hasattr(a, "shape"):
        return bool(equals(b))
    return bool(a == b)


def fingerprint(value: Any, depth: int = 8) -> Hashable:
    """Hashable, and equal for equal plain values; other objects are known by identity."""
    kind = type(value)
    if kind in _ATOMS:
        return (kind, value)
    if kind is float:
        return (kind, value if value == value else "nan")  # noqa: PLR0124  NaN
    if depth and kind in {list, tuple}:
        return (kind, tuple(fingerprint(item, depth - 1) for item in value))
    if depth and kind is dict:
        return (
            kind,
            frozenset((fingerprint(k, 1), fingerprint(v, depth - 1)) for k, v in value.items()),
        )
    if kind in {set, frozenset}:
        return (kind, frozenset(fingerprint(item, depth - 1) for item in value))
    try:
        hash(value)
    except Exception:  # noqa: BLE001  not hashable, or hostile
        return (object, id(value))
    return (kind, _Safe(value))


class _Safe:
    """A hashable value whose ``==`` may raise."""

    __slots__ = ("_hash", "_value")

    def __init__(self, value: Any) -> None:
        self._value = value
        self._hash = hash(value)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Safe) and same(self._value, other._value)
