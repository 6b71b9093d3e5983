"""Copies that share no container with the original."""

from __future__ import annotations

import copy
from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any, Final

from weavenb.serde.types import ATOMIC, MODEL_STATE, Opaque, Unencodable, is_enum, is_model, record_fields

__all__ = ["isolate"]

_SHARED: Final = frozenset({str, int, bool, type(None), float, Opaque}) | frozenset(ATOMIC) - {bytearray}


def isolate(value: Any) -> Any:
    """A copy whose containers are rebuilt at every depth; what cannot change is shared.

    An object of a class the codec does not know is shared too.

    Raises:
        Unencodable: it is nested too deep.
    """
    kind = type(value)
    if kind in _SHARED:
        return value
    try:
        return _copied(value, kind)
    except RecursionError:
        pass
    try:
        return copy.deepcopy(value)  # keeps track of what contains itself
    except RecursionError:
        raise Unencodable("", kind.__qualname__, "it is nested too deep to be copied") from None


def _copied(value: Any, kind: type) -> Any:
    if kind is dict:
        if _SHARED.issuperset(map(type, value.values())):
            return value.copy()
        return {key: item if (inner := type(item)) in _SHARED else _copied(item, inner) for key, item in value.items()}
    if kind is list:
        if _SHARED.issuperset(map(type, value)):
            return value.copy()
        return [item if (inner := type(item)) in _SHARED else _copied(item, inner) for item in value]
    if kind in _SHARED:
        return value
    if kind is tuple or kind is frozenset:
        if _SHARED.issuperset(map(type, value)):
            return value
        return kind(_copied(item, type(item)) for item in value)
    return _copied_rare(value, kind)


def _copied_rare(value: Any, kind: type) -> Any:
    if kind is set:
        return {_copied(item, type(item)) for item in value}
    if kind is bytearray:
        return bytearray(value)
    if kind is deque:
        return deque((_copied(item, type(item)) for item in value), value.maxlen)
    if kind in (OrderedDict, defaultdict, Counter):
        made = value.copy()
        for key, item in value.items():
            dict.__setitem__(made, key, _copied(item, type(item)))
        return made
    if is_model(kind):
        return _copied_model(value, kind)
    fields = None if is_enum(kind) else record_fields(kind)
    return value if fields is None else _copied_record(value, kind, fields)


def _copied_model(value: Any, kind: type) -> Any:
    made: Any = object.__new__(kind)
    for name in MODEL_STATE:
        item = getattr(value, name, None)
        object.__setattr__(made, name, _copied(item, type(item)))
    return made


def _copied_record(value: Any, kind: type, fields: tuple[str, ...]) -> Any:
    if issubclass(kind, tuple):
        return tuple.__new__(kind, (_copied(item, type(item)) for item in value))
    made = copy.copy(value)
    for name in fields:
        if hasattr(value, name):
            item = getattr(value, name)
            object.__setattr__(made, name, _copied(item, type(item)))
    return made
