"""Values to JSON text and back. Plain values stay plain JSON, the rest is tagged."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Collection, Iterator
from itertools import chain
from math import isfinite, isnan
from typing import Any, Final

import orjson

from weavenb.serde.types import (
    ATOMIC,
    FACTORIES,
    FACTORY_NAMES,
    MAPPINGS,
    MODEL_STATE,
    READERS,
    SEQUENCES,
    TAG,
    Opaque,
    Unencodable,
    class_name,
    is_enum,
    is_model,
    record_fields,
    register,
    registered,
)

__all__ = ["decode", "encode", "encode_known", "is_unicode"]

_ATOMS: Final = frozenset({str, int, bool, type(None)})
_SCALARS: Final = frozenset({str, int, bool, type(None), float})
_SAFE: Final = frozenset({bool, type(None)})
_NESTED: Final = frozenset({str, int, bool, type(None), float, dict, list})
_MARK: Final = b'"$w"'
_MARK_TEXT: Final = '"$w"'
_OPTIONS: Final = orjson.OPT_PASSTHROUGH_SUBCLASS | orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME
_SHOWN: Final = 40
"""Levels of a path, and letters of a key in it, that an error shows."""
_DEEPEST: Final = 250
"""orjson writes 254 levels."""

_dumps = orjson.dumps
_loads = orjson.loads
_flat = chain.from_iterable
_values = dict.values


def encode(value: Any) -> str:
    """JSON text that `decode` turns back into an equal value of the same types.

    Raises:
        Unencodable: if a part of it cannot be given back as it is.
    """
    # Written first: orjson stops at what contains itself, the look at the types below would not.
    try:
        text = _dumps(value, option=_OPTIONS)
    except (TypeError, ValueError):
        return _encode_tagged(value)  # a type orjson does not know, a lone surrogate, a big int
    if type(value) not in _ATOMS and (_MARK in text or not _is_plain(value)):
        return _encode_tagged(value)
    return text.decode()


def encode_known(value: Any) -> str:
    """`encode` for what the engine itself made of texts, ints, lists and mappings: spares the look at each type."""
    try:
        return _dumps(value).decode()
    except (TypeError, ValueError):
        return _encode_tagged(value)  # a lone surrogate in a name


def _encode_tagged(value: Any) -> str:
    try:
        return _dumps(_tagged(value, 0)).decode()
    except Unencodable as error:
        # Where it is, is looked for only now: a path a value would cost more than its text.
        raise Unencodable(find_refused(value), error.type_name, error.problem) from None


def find_refused(value: Any, depth: int = 0) -> str:
    """The path to the first part that `_tagged` refuses, empty when it is the value itself."""
    for step, part, levels in _parts(value):
        try:
            _tagged(part, depth + levels)
        except Unencodable:
            return "…" if depth > _SHOWN else step + find_refused(part, depth + levels)
    return ""


def _parts(value: Any) -> Iterator[tuple[str, Any, int]]:
    kind = type(value)
    if kind in MAPPINGS:
        for key, item in value.items():
            # Only plain keys are shown as they are: a stranger's `repr` may do anything.
            name = repr(key)[:_SHOWN] if type(key) in _SCALARS else type(key).__name__
            yield f" key {name}", key, 1
            yield f"[{name}]", item, 1
    elif kind in SEQUENCES or kind in {list, deque}:
        for i, item in enumerate(value):
            yield f"[{i}]", item, 1
    else:
        fields = value.__dict__ if is_model(kind) else record_fields(kind) or ()
        for name in fields:
            if hasattr(value, name):
                yield f".{name}", getattr(value, name), 1


def _is_plain(value: Any) -> bool:
    """Whether all in it is what JSON calls by the same name, seen level by level."""
    level = [value]
    while True:
        kinds = set(map(type, level))
        if kinds <= _ATOMS:
            return True
        if not kinds <= _NESTED:
            return False
        if float in kinds and not all(map(isfinite, _of_type(level, kinds, float))):
            return False
        below: list[Any] = []
        if dict in kinds:
            below.extend(_flat(map(_values, _of_type(level, kinds, dict))))
        if list in kinds:
            below.extend(_flat(_of_type(level, kinds, list)))
        level = below


def _of_type(level: list[Any], kinds: set[type], kind: type) -> list[Any]:
    return level if len(kinds) == 1 else [item for item in level if type(item) is kind]


def _refuse(value: Any, problem: str) -> Unencodable:
    return Unencodable("", type(value).__name__, problem)


def _tagged(value: Any, depth: int) -> Any:
    """`value` as plain JSON data, tags in place of what JSON lacks."""
    kind = type(value)
    if kind in _SCALARS:
        return _tagged_scalar(value, kind)
    if depth > _DEEPEST:
        raise _refuse(value, f"it is nested more than {_DEEPEST} levels deep, or contains itself")
    if kind is list:
        return _tagged_items(value, depth + 1)
    if kind is dict and TAG not in value and all(map(_is_plain_key, value)):
        return dict(zip(value, _tagged_items(value.values(), depth + 1), strict=True))
    if kind in ATOMIC:
        name, write, _ = ATOMIC[kind]
        try:
            return _tag(name, write(value))
        except TypeError as error:
            raise _refuse(value, str(error)) from None
    if kind in SEQUENCES or kind is deque:
        return _tagged_sequence(value, kind, depth)
    if kind in MAPPINGS:
        return _tagged_mapping(value, kind, depth)
    return _tagged_instance(value, kind, depth)


def _tagged_items(items: Collection[Any], depth: int) -> list[Any]:
    if _SAFE.issuperset(map(type, items)):
        return list(items)
    return [item if type(item) in _SAFE else _tagged(item, depth) for item in items]


def _tagged_scalar(value: Any, kind: type) -> Any:
    if kind is str:
        return value if is_unicode(value) else _tag("str", _escape(value))
    if kind is int:
        return value if -(1 << 63) <= value < 1 << 63 else _tag("int", hex(value))
    if kind is float and not isfinite(value):
        return _tag("float", "nan" if isnan(value) else ("inf" if value > 0 else "-inf"))
    return value


def _tag(name: str, data: Any) -> dict[str, Any]:
    return {TAG: name, "v": data}


def is_unicode(text: str) -> bool:
    """Whether all of `text` can be written: half a surrogate pair is no letter, and no file or table takes it."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_plain_key(key: Any) -> bool:
    return type(key) is str and is_unicode(key)


def _escape(text: str) -> str:
    return text.encode("utf-16-be", "surrogatepass").hex()


def _tagged_sequence(value: Any, kind: type, depth: int) -> Any:
    items = _tagged_items(value, depth + 2)
    if kind is deque:
        return {**_tag("deque", items), "max": value.maxlen}
    if kind is not tuple:
        items.sort(key=_dumps)  # the order of a set differs between processes, its hash must not
    return _tag(SEQUENCES[kind], items)


def _tagged_mapping(value: Any, kind: type, depth: int) -> Any:
    pairs = [[_tagged(key, depth + 3), _tagged(item, depth + 3)] for key, item in value.items()]
    found = _tag(MAPPINGS[kind], pairs)
    if kind is defaultdict:
        made = value.default_factory
        if made not in FACTORY_NAMES:
            raise _refuse(value, f"its default factory {made!r} is code")
        found["make"] = FACTORY_NAMES[made]
    return found


def _tagged_instance(value: Any, kind: Any, depth: int) -> Any:
    if kind is Opaque:
        return _loads(value.text)
    if is_enum(kind):
        if kind.__members__.get(value.name) is not value:
            raise _refuse(value, "a combination of flags cannot be kept")
        register(kind)
        return {TAG: "enum", "c": class_name(kind), "v": value.name}
    if is_model(kind):
        register(kind)
        state = {name: getattr(value, name, None) for name in MODEL_STATE}
        return {TAG: "model", "c": class_name(kind), "v": _tagged(state, depth + 1)}
    fields = record_fields(kind)
    if fields is None:
        raise _refuse(value, "its type is not one that can be kept")
    extra = set(getattr(value, "__dict__", ())) - set(fields)
    missing = [name for name in fields if not hasattr(value, name)]
    if extra or missing:
        raise _refuse(value, f"attributes and fields differ: {sorted(extra) or missing}")
    register(kind)
    data = {name: _tagged(getattr(value, name), depth + 2) for name in fields}
    return {TAG: "record", "c": class_name(kind), "v": data}


def decode(text: str | bytes) -> Any:
    """The value written by `encode`, new objects each time. Runs no code of the value's classes."""
    value = _loads(text)
    marked = _MARK in text if isinstance(text, bytes) else _MARK_TEXT in text
    return _revived(value) if marked else value


def _revived(value: Any) -> Any:
    if type(value) is list:
        return [_revived(item) if type(item) in (dict, list) else item for item in value]
    if type(value) is not dict:
        return value
    name = value.get(TAG)
    if name is None:
        return {key: _revived(i) if type(i) in (dict, list) else i for key, i in value.items()}
    if name in READERS:
        return READERS[name](value["v"])
    rebuild = _REBUILD.get(name)
    if rebuild is None:
        return Opaque(str(value.get("c", name)), _dumps(value).decode())
    return rebuild(value)


def _items(value: Any) -> list[Any]:
    return [_revived(item) for item in value["v"]]


def _pairs(value: Any) -> list[tuple[Any, Any]]:
    return [(_revived(key), _revived(item)) for key, item in value["v"]]


def _counter(value: Any) -> Any:
    found: Counter[Any] = Counter()
    dict.update(found, _pairs(value))
    return found


def _member(value: Any) -> Any:
    cls = registered(value["c"])
    if cls is None or not is_enum(cls) or value["v"] not in cls.__members__:
        return Opaque(value["c"], _dumps(value).decode())
    return cls.__members__[value["v"]]


def _record(value: Any) -> Any:
    cls = registered(value["c"])
    fields = None if cls is None else record_fields(cls)
    if cls is None or fields is None or set(fields) != set(value["v"]):
        return Opaque(value["c"], _dumps(value).decode())
    data = {name: _revived(value["v"][name]) for name in fields}
    if issubclass(cls, tuple):
        return tuple.__new__(cls, data.values())
    made = object.__new__(cls)
    for name, item in data.items():
        object.__setattr__(made, name, item)
    return made


def _model(value: Any) -> Any:
    cls = registered(value["c"])
    if cls is None or not is_model(cls):
        return Opaque(value["c"], _dumps(value).decode())
    made: Any = object.__new__(cls)
    for name, item in _revived(value["v"]).items():
        object.__setattr__(made, name, item)
    return made


_REBUILD: Final[dict[str, Callable[[Any], Any]]] = {
    "tuple": lambda value: tuple(_items(value)),
    "set": lambda value: set(_items(value)),
    "frozenset": lambda value: frozenset(_items(value)),
    "deque": lambda value: deque(_items(value), value["max"]),
    "dict": lambda value: dict(_pairs(value)),
    "OrderedDict": lambda value: OrderedDict(_pairs(value)),
    "Counter": _counter,
    "defaultdict": lambda value: defaultdict(FACTORIES[value["make"]], _pairs(value)),
    "str": lambda value: bytes.fromhex(value["v"]).decode("utf-16-be", "surrogatepass"),
    "int": lambda value: int(value["v"], 16),
    "float": lambda value: float(value["v"]),
    "enum": _member,
    "record": _record,
    "model": _model,
}
