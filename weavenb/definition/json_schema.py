"""Declared types as JSON Schema."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from typing import Any, Final

from weavenb.definition.definition import Definition

__all__ = ["input_schema", "object_schema", "output_schema"]

_ATOMS: Final[Mapping[Any, str]] = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
_LISTS: Final = (list, tuple, set, frozenset)


def input_schema(definition: Definition) -> dict[str, Any]:
    """What may enter the graph."""
    return object_schema(definition.types if definition.input_types is None else definition.input_types)


def output_schema(definition: Definition) -> dict[str, Any]:
    """What leaves it."""
    return object_schema(definition.types if definition.output_types is None else definition.output_types)


def object_schema(hints: Mapping[str, Any]) -> dict[str, Any]:
    """An object with these keys; none is required, since nodes may write what the caller leaves out."""
    return {"type": "object", "properties": {key: _schema(hint) for key, hint in hints.items()}}


def _schema(hint: Any) -> dict[str, Any]:
    """Empty, which allows everything, for a type that JSON Schema has no word for."""
    if hint is None or hint in _ATOMS:
        return {"type": _ATOMS[type(None) if hint is None else hint]}
    if typing.is_typeddict(hint):
        return _typeddict_schema(hint)
    origin, arguments = typing.get_origin(hint) or hint, typing.get_args(hint)
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_schema(argument) for argument in arguments]}
    if origin in (typing.Annotated, typing.Required, typing.NotRequired):
        return _schema(arguments[0])
    if origin in _LISTS:
        return _list_schema(origin, arguments)
    if origin is dict:
        return {"type": "object", **({"additionalProperties": _schema(arguments[1])} if arguments else {})}
    return {}


def _typeddict_schema(hint: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(hint, include_extras=True)
    marks = {key: typing.get_origin(inner) for key, inner in hints.items()}
    # Where annotations are texts, the class itself does not know of its NotRequired keys.
    required = [
        key
        for key, mark in marks.items()
        if mark is typing.Required or (key in hint.__required_keys__ and mark is not typing.NotRequired)
    ]
    return {**object_schema(hints), **({"required": required} if required else {})}


def _list_schema(origin: Any, arguments: tuple[Any, ...]) -> dict[str, Any]:
    if not arguments:
        return {"type": "array"}
    if origin is tuple and arguments[-1] is not Ellipsis:
        return {"type": "array", "prefixItems": [_schema(argument) for argument in arguments]}
    return {"type": "array", "items": _schema(arguments[0])}
