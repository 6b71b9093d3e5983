"""Types beyond JSON: how each is written, how it is read back, and the classes a program registered."""

from __future__ import annotations

import dataclasses
import datetime as dt
import pathlib
from binascii import a2b_base64, b2a_base64
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any, Final, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

__all__ = ["TAG", "Opaque", "Unencodable", "class_name", "register", "registered"]

TAG: Final = "$w"
"""The key that marks a tagged value."""


class Unencodable(ValueError):
    """A value that JSON text cannot hold and give back as it was."""

    def __init__(self, path: str, type_name: str, problem: str) -> None:
        super().__init__(path, type_name, problem)

    @property
    def path(self) -> str:
        """Where in the value it is, such as ``['rows'][2]``; empty for the value itself."""
        return str(self.args[0])

    @property
    def type_name(self) -> str:
        """The type that cannot be written."""
        return str(self.args[1])

    @property
    def problem(self) -> str:
        """Why not."""
        return str(self.args[2])

    def __str__(self) -> str:
        return f"{self.type_name}{f' at {self.path}' if self.path else ''}: {self.problem}"


@dataclasses.dataclass(frozen=True, slots=True)
class Opaque:
    """A stored value whose class this program has not registered. Stored again, it is what it was."""

    type: str
    """The class, as ``module:qualified name``."""
    text: str
    """The stored JSON text."""

    def __repr__(self) -> str:
        short = self.text if len(self.text) <= 80 else self.text[:79] + "…"  # noqa: PLR2004  a line
        return f"Opaque({self.type}, {short})"


_classes: dict[str, type] = {}
_C = TypeVar("_C", bound=type)


def class_name(cls: type) -> str:
    """The name a class is stored under."""
    return f"{cls.__module__}:{cls.__qualname__}"


def register(cls: _C) -> _C:
    """Let stored values of an Enum, dataclass or NamedTuple come back as `cls`; also a decorator.

    The last class registered under a name wins, so a notebook cell may be run again.
    """
    _classes[class_name(cls)] = cls
    return cls


def registered(name: str) -> Any:
    """The class registered under that name, or None."""
    return _classes.get(name)


# --- values that are one text or a few atoms ---------------------------------------------------------


def _write_moment(value: Any) -> Any:
    """Wall time, and the zone where the offset in the text does not say it all."""
    zone = value.tzinfo
    if not value.fold and (zone is None or zone is dt.UTC):
        return value.isoformat()
    return [value.replace(tzinfo=None).isoformat(), value.fold, _write_zone(zone)]


def _write_zone(zone: dt.tzinfo | None) -> Any:
    if zone is None:
        return None
    if type(zone) is ZoneInfo and zone.key:
        return zone.key
    if type(zone) is dt.timezone:
        offset = zone.utcoffset(None)
        plain = dt.timezone(offset)
        micros = offset // dt.timedelta(microseconds=1)
        name = zone.tzname(None)
        return [micros] if plain.tzname(None) == name else [micros, name]
    raise TypeError(f"its time zone is of type {type(zone).__name__}; ZoneInfo and timezone can be kept")


def _read_zone(data: Any) -> dt.tzinfo | None:
    if data is None:
        return None
    if isinstance(data, str):
        return ZoneInfo(data)
    offset = dt.timedelta(microseconds=data[0])
    if len(data) == 1:
        return dt.UTC if not offset else dt.timezone(offset)
    return dt.timezone(offset, data[1])


def _read_moment(cls: Any) -> Callable[[Any], Any]:
    def read(data: Any) -> Any:
        if isinstance(data, str):
            return cls.fromisoformat(data)
        text, fold, zone = data
        wall = cls.fromisoformat(text)
        return wall.replace(tzinfo=_read_zone(zone), fold=fold)

    return read


def _text_of(data: bytes | bytearray) -> str:
    return b2a_base64(data, newline=False).decode("ascii")


def _write_complex(value: complex) -> list[str]:
    return [value.real.hex(), value.imag.hex()]


def _read_complex(data: Any) -> complex:
    return complex(float.fromhex(data[0]), float.fromhex(data[1]))


def _write_delta(value: dt.timedelta) -> list[int]:
    return [value.days, value.seconds, value.microseconds]


def _write_fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _write_range(value: range) -> list[str]:
    return [str(value.start), str(value.stop), str(value.step)]


ATOMIC: Final[dict[type, tuple[str, Callable[[Any], Any], Callable[[Any], Any]]]] = {
    dt.datetime: ("datetime", _write_moment, _read_moment(dt.datetime)),
    dt.date: ("date", dt.date.isoformat, dt.date.fromisoformat),
    dt.time: ("time", _write_moment, _read_moment(dt.time)),
    dt.timedelta: ("timedelta", _write_delta, lambda data: dt.timedelta(*data)),
    bytes: ("bytes", _text_of, a2b_base64),
    bytearray: ("bytearray", _text_of, lambda data: bytearray(a2b_base64(data))),
    Decimal: ("decimal", str, Decimal),
    UUID: ("uuid", str, UUID),
    complex: ("complex", _write_complex, _read_complex),
    Fraction: ("fraction", _write_fraction, Fraction),
    range: ("range", _write_range, lambda data: range(*map(int, data))),
    pathlib.PurePosixPath: ("PurePosixPath", str, pathlib.PurePosixPath),
    pathlib.PureWindowsPath: ("PureWindowsPath", str, pathlib.PureWindowsPath),
    pathlib.PosixPath: ("PosixPath", str, pathlib.Path),
    pathlib.WindowsPath: ("WindowsPath", str, pathlib.Path),
}
"""Type -> (tag, what to write, how to read it)."""

READERS: Final = {tag: read for tag, _, read in ATOMIC.values()}

# --- containers --------------------------------------------------------------------------------------

SEQUENCES: Final[dict[type, str]] = {tuple: "tuple", set: "set", frozenset: "frozenset"}

MAPPINGS: Final[dict[type, str]] = {
    dict: "dict",
    OrderedDict: "OrderedDict",
    Counter: "Counter",
    defaultdict: "defaultdict",
}

FACTORIES: Final[dict[str, Callable[[], Any] | None]] = {
    "list": list,
    "dict": dict,
    "set": set,
    "int": int,
    "str": str,
    "float": float,
    "tuple": tuple,
    "bool": bool,
    "": None,
}
"""What a defaultdict may make; anything else is code."""

FACTORY_NAMES: Final = {made: name for name, made in FACTORIES.items()}

COPYABLE: Final = (dict, list, tuple, set, frozenset, deque, OrderedDict, Counter, defaultdict)


def record_fields(cls: type) -> tuple[str, ...] | None:
    """The fields of a dataclass or NamedTuple, None for any other class."""
    if dataclasses.is_dataclass(cls):
        return tuple(f.name for f in dataclasses.fields(cls))
    names = getattr(cls, "_fields", None)
    if issubclass(cls, tuple) and isinstance(names, tuple):
        return names
    return None


def is_enum(cls: type) -> bool:
    """Whether its instances are members of an Enum."""
    return issubclass(cls, Enum)


MODEL_STATE: Final = (
    "__dict__",
    "__pydantic_extra__",
    "__pydantic_fields_set__",
    "__pydantic_private__",
)
"""What a pydantic model consists of."""


def is_model(cls: type) -> bool:
    """Whether its instances are pydantic models. Does not import pydantic."""
    return "__pydantic_fields__" in dir(cls) and hasattr(cls, "__pydantic_validator__")
