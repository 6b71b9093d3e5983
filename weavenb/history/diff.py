"""Where two states differ, path by path."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Mapping
from typing import Any, Final

from weavenb.history.equality import fingerprint, same
from weavenb.model.diff import Diff, PathChange
from weavenb.model.texts import key_step

__all__ = ["diff_values"]

_DEPTH: Final = 60
_MATCHED: Final = 2000
_IDS: Final = ("id", "_id", "key")


def diff_values(before: Mapping[str, Any], after: Mapping[str, Any]) -> Diff:
    """Compare two states deeply.

    Types count (``1``, ``True`` and ``1.0`` differ), NaN equals NaN, and an object that cannot be
    compared counts as changed. Never raises for what the values are.
    """
    if before is after:
        return Diff()
    walk = _Walk()
    walk.mappings("", before, after, 0)
    return Diff(tuple(walk.found))


class _Walk:
    def __init__(self) -> None:
        self.found: list[PathChange] = []
        self._inside: set[tuple[int, int]] = set()

    def values(self, path: str, old: Any, new: Any, depth: int) -> None:
        if same(old, new):
            return
        pair = (id(old), id(new))
        deeper = self._way_into(old, new)
        if deeper is None or depth >= _DEPTH or pair in self._inside:
            self._changed(path, old, new)
            return
        self._inside.add(pair)
        before = len(self.found)
        try:
            deeper(path, old, new, depth + 1)
        except Exception:  # noqa: BLE001  a container that cannot be read is shown as a whole
            del self.found[before:]
        self._inside.discard(pair)
        if len(self.found) == before:  # they differ where no path leads
            self._changed(path, old, new)

    def _way_into(self, old: Any, new: Any) -> Callable[[str, Any, Any, int], None] | None:
        kind = type(old)
        if kind is not type(new):
            return None
        if issubclass(kind, dict):
            return self.mappings
        if dataclasses.is_dataclass(kind) or hasattr(kind, "model_fields") or hasattr(kind, "_fields"):
            return self.fields
        if issubclass(kind, list | tuple):
            return self.sequences
        return None

    def mappings(self, path: str, old: Mapping[Any, Any], new: Mapping[Any, Any], depth: int) -> None:
        olds = {(type(key), key): key for key in old}
        news = {(type(key), key): key for key in new}
        for typed, key in olds.items():
            if typed in news:
                self.values(key_step(path, key), old[key], new[key], depth)
            else:
                self._removed(key_step(path, key), old[key])
        for typed, key in news.items():
            if typed not in olds:
                self._added(key_step(path, key), new[key])

    def fields(self, path: str, old: Any, new: Any, depth: int) -> None:
        self.mappings(path, _fields_of(old), _fields_of(new), depth)

    def sequences(self, path: str, old: Any, new: Any, depth: int) -> None:
        name = _id_key(old, new)
        if name is not None:
            self._by_id(path, name, old, new, depth)
            return
        start, stop = 0, 0
        shorter = min(len(old), len(new))
        while start < shorter and same(old[start], new[start]):
            start += 1
        while stop < shorter - start and same(old[-1 - stop], new[-1 - stop]):
            stop += 1
        span = (start, len(old) - stop, start, len(new) - stop)
        if len(old) + len(new) - 2 * (start + stop) > _MATCHED or 0 in {
            span[1] - start,
            span[3] - start,
        }:
            self._block(path, old, new, span, depth)
            return
        matcher = difflib.SequenceMatcher(
            None,
            [fingerprint(item) for item in old[span[0] : span[1]]],
            [fingerprint(item) for item in new[span[2] : span[3]]],
        )
        for tag, a, b, c, d in matcher.get_opcodes():
            if tag != "equal":
                self._block(path, old, new, (a + start, b + start, c + start, d + start), depth)

    def _block(self, path: str, old: Any, new: Any, span: tuple[int, int, int, int], depth: int) -> None:
        """One run of items in place of another: pairs by position, then what is over."""
        a, b, c, d = span
        paired = min(b - a, d - c)
        for offset in range(paired):
            self.values(f"{path}[{c + offset}]", old[a + offset], new[c + offset], depth)
        for index in range(a + paired, b):
            self._removed(f"{path}[{index}]", old[index])
        for index in range(c + paired, d):
            self._added(f"{path}[{index}]", new[index])

    def _by_id(self, path: str, name: str, old: Any, new: Any, depth: int) -> None:
        olds = {_typed(item[name]): index for index, item in enumerate(old)}
        news = {_typed(item[name]): index for index, item in enumerate(new)}
        for typed, index in olds.items():
            there = news.get(typed)
            if there is None:
                self._removed(f"{path}[{index}]", old[index])
            else:
                self.values(f"{path}[{there}]", old[index], new[there], depth)
        for typed, index in news.items():
            if typed not in olds:
                self._added(f"{path}[{index}]", new[index])
        stayed = [typed[1] for typed in olds if typed in news]
        order = [typed[1] for typed in news if typed in olds]
        if not same(stayed, order):
            self._changed(f"{path}[*].{name}", stayed, order)

    def _added(self, path: str, new: Any) -> None:
        self.found.append(PathChange(path, "added", None, new))

    def _removed(self, path: str, old: Any) -> None:
        self.found.append(PathChange(path, "removed", old, None))

    def _changed(self, path: str, old: Any, new: Any) -> None:
        self.found.append(PathChange(path, "changed", old, new))


def _typed(value: Any) -> tuple[type, Any]:
    return (type(value), value)


def _id_key(old: Any, new: Any) -> str | None:
    """The key that names each item of both lists, if there is one."""
    items = [*old, *new]
    if not old or not new or not all(type(item) is dict for item in items):
        return None
    for name in _IDS:
        if all(type(item.get(name)) in {str, int} for item in items) and all(
            len({_typed(item[name]) for item in side}) == len(side) for side in (old, new)
        ):
            return name
    return None


def _fields_of(value: Any) -> Mapping[str, Any]:
    if hasattr(type(value), "model_fields"):
        return dict(vars(value))
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name, None) for field in dataclasses.fields(value)}
    return {name: getattr(value, name) for name in value._fields}
