"""One value as one short line: the same bytes in every process, whatever the value's own repr does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

__all__ = ["error_text", "key_step", "one_line", "short", "state_text"]

_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")
_ITEMS: Final = 6
_KEYS: Final = 40
_SMALL: Final = 64
_TEXT: Final = 1000
_ATOMS: Final = frozenset({int, float, bool, str, type(None)})
_DEPTH: Final = 4


def short(value: Any, limit: int = 80) -> str:
    """A line of at most `limit` characters; sets are sorted, addresses left out. Never raises."""
    text = _text(value, limit, _DEPTH)
    return text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"


def state_text(values: Mapping[Any, Any], limit: int = 200) -> str:
    """A state as the dict it is, each long or strange value made `short`. Never raises."""
    pairs = [f"{short(key, limit)}: {_whole(values[key], limit)}" for key, _ in zip(values, range(_KEYS), strict=False)]
    more = [f"… {len(values) - _KEYS} more"] if len(values) > _KEYS else []
    return "{" + ", ".join([*pairs, *more]) + "}"


def _whole(value: Any, limit: int) -> str:
    """Plain small data as Python writes it; all else as `short` has it."""
    if not _is_small(value):
        return short(value, limit)
    try:
        text = repr(value)
    except ValueError:  # an int above the interpreter's limit of digits
        return short(value, limit)
    return text if len(text) <= limit else short(value, limit)


def _is_small(value: Any) -> bool:
    """Whether it is plain data of few parts; looks no further than that needs."""
    waiting, seen = [value], 0
    while waiting:
        part = waiting.pop()
        kind = type(part)
        seen += 1
        if kind is str and len(part) > _TEXT:
            return False
        if kind in {dict, list, tuple}:
            if seen + len(waiting) + len(part) > _SMALL:
                return False
            waiting += [*part, *part.values()] if kind is dict else part
        elif kind not in _ATOMS:
            return False
    return True


def one_line(text: str, limit: int) -> str:
    """`text` with all that does not print escaped, cut after `limit` characters."""
    cut = text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"
    return "".join(char if char.isprintable() else _escaped(char) for char in cut)


def error_text(error: BaseException) -> str:
    """What an error says; a user's error may not even be able to say that. Never raises."""
    try:
        return str(error)
    except Exception as trouble:  # noqa: BLE001 - whatever it raises, the failure itself is what counts
        return f"(its text cannot be had: {type(trouble).__name__})"


def key_step(path: str, key: Any) -> str:
    """`path` and one key further down: ``plan.budget``, ``plan["a b"]``, ``plan[3]``."""
    if isinstance(key, str):
        if key.isidentifier():
            return f"{path}.{key}" if path else key
        inner = key.replace("\\", "\\\\").replace('"', '\\"')
        return f'{path}["{one_line(inner, 200)}"]'
    return f"{path}[{short(key, 60)}]"


def _escaped(char: str) -> str:
    return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(char, f"\\u{ord(char):04x}")


def _text(value: Any, limit: int, depth: int) -> str:
    kind = type(value)
    if kind is str:
        return repr(value if len(value) <= limit else value[:limit] + "…")
    if kind in {int, float, complex, bool, type(None)}:
        return _number(value, limit)
    if kind is bytes:
        return repr(value[:limit]) if len(value) <= limit else f"bytes of {len(value)}"
    if kind in {dict, list, tuple, set, frozenset}:
        if depth == 0 and value:
            return "{…}" if kind is dict else "[…]"
        return _container(value, limit, depth - 1)
    return _instance(value, limit)


def _number(value: Any, limit: int) -> str:
    try:
        return repr(value)
    except ValueError:  # an int above the interpreter's limit of digits
        return hex(value)[:limit]


def _container(value: Any, limit: int, depth: int) -> str:
    kind = type(value)
    if kind is dict:
        pairs = [f"{_text(key, limit, depth)}: {_text(value[key], limit, depth)}" for key in _first(value)]
        return "{" + _joined(pairs, len(value)) + "}"
    if kind is list:
        return "[" + _joined([_text(item, limit, depth) for item in _first(value)], len(value)) + "]"
    if kind is tuple:
        parts = _joined([_text(item, limit, depth) for item in _first(value)], len(value))
        return f"({parts},)" if len(value) == 1 else f"({parts})"
    # The order of a set differs from process to process, that of its sorted texts does not.
    texts = sorted(_text(item, limit, depth) for item in value)[:_ITEMS]
    body = "{" + _joined(texts, len(value)) + "}" if texts else f"{kind.__name__}()"
    return f"frozenset({body})" if kind is frozenset and texts else body


def _first(items: Iterable[Any]) -> list[Any]:
    return [item for item, _ in zip(items, range(_ITEMS), strict=False)]


def _joined(parts: list[str], size: int) -> str:
    more = [f"… {size - len(parts)} more"] if size > len(parts) else []
    return ", ".join([*parts, *more])


def _instance(value: Any, limit: int) -> str:
    name = type(value).__name__
    try:
        shape = getattr(value, "shape", None)
        if isinstance(shape, tuple) and shape:
            dtype = getattr(value, "dtype", None)
            kind = "" if dtype is None else f" {dtype}"
            return f"{name}{list(shape)}{kind}"
        if isinstance(value, Mapping) and len(value) > _ITEMS:
            return f"{name} of {len(value)}"
        return one_line(_ADDRESS.sub("", repr(value)), limit)
    except Exception:  # noqa: BLE001  a hostile repr must not break a listing
        return f"<{name}>"
