"""Hashes of stored texts that grow with a list or a mapping instead of being taken afresh.

A text hashes as a number in base 256 modulo a prime, so appending to a text needs the old hash and
the new bytes only. They tell values apart; they are no protection against forgery.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from itertools import chain
from typing import Any, Final

from weavenb.serde.codec import decode, encode

__all__ = ["appended", "hash_of", "hash_of_value", "merged", "state_hash"]

_flat = chain.from_iterable
_PRIME: Final = (1 << 64) - 59
_EMPTY_LIST: Final = f"{ord('['):016x}"
_MASK: Final = (1 << 64) - 1


def _text_number(data: bytes, before: int = 0) -> int:
    tail = int.from_bytes(data)
    if before:
        return (before * pow(256, len(data), _PRIME) + tail) % _PRIME
    return tail % _PRIME


def _hex(data: bytes) -> str:
    return blake2b(data, digest_size=8).hexdigest()


def _digest(data: bytes) -> int:
    return int.from_bytes(blake2b(data, digest_size=8).digest())


def hash_of(text: str) -> str:
    """16 hex digits of an encoded value."""
    if text.startswith("["):  # without its end, which moves when items are appended
        return f"{_text_number(text[:-1].encode()):016x}"
    if text.startswith("{"):
        value = decode(text)
        if type(value) is dict:
            return hash_of_value(value, text)
    return _hex(text.encode())


def hash_of_value(value: Any, text: str) -> str:
    """`hash_of` for one who has the value that `text` stands for: spares reading it."""
    if type(value) is not dict:
        return hash_of(text) if type(value) is list else _hex(text.encode())
    return f"{sum(map(_entry, value.items())) & _MASK:016x}"


def _entry(item: tuple[Any, Any]) -> int:
    return _digest(f"{encode(item[0])}:{encode(item[1])}".encode())


def appended(before: str, text: str) -> str:
    """The hash of a list after the items of the list `text` were added to it."""
    added = text[1:-1].encode()
    if not added:
        return before
    if before != _EMPTY_LIST:
        added = b"," + added
    return f"{_text_number(added, int(before, 16)):016x}"


def merged(before: str, old: Mapping[Any, Any], new: Mapping[Any, Any]) -> str:
    """The hash of a mapping after `new` was set in it; `old` holds what it had under those keys."""
    total = int(before, 16)
    for key, item in new.items():
        if key in old:
            total -= _entry((key, old[key]))
        total += _entry((key, item))
    return f"{total & _MASK:016x}"


def state_hash(hashes: Mapping[str, str]) -> str:
    """One hash of a whole state, by channel, whatever their order."""
    joined = "\0".join(_flat(sorted(hashes.items())))
    return _hex(joined.encode("utf-8", "surrogatepass"))
