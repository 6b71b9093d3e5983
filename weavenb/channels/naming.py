"""Names of functions and types that are the same in every process and after a cell is run again."""

from __future__ import annotations

import functools
import inspect
import re
import types
import typing
from collections.abc import Callable
from typing import Any, Final

from weavenb.model.texts import short

__all__ = ["capital", "name_of", "parameters_fit", "type_text", "value_text"]

_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")


def name_of(fn: Callable[..., Any] | Any) -> str:
    """What a reader would call it: never an address, ``lambda`` for a lambda, the class for a callable object."""
    while isinstance(fn, functools.partial):
        fn = fn.func
    name = getattr(fn, "__name__", None)
    if not isinstance(name, str):
        return type(fn).__name__
    return "lambda" if name == "<lambda>" else name


def parameters_fit(fn: Callable[..., Any], count: int) -> bool:
    """Whether `fn` can be called with `count` arguments, as far as its signature says."""
    try:
        signature = inspect.signature(fn)
    except (TypeError, ValueError):
        return True  # builtins without a signature
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return False
    return not inspect.iscoroutinefunction(fn)


def type_text(hint: Any) -> str:
    """A type as it would be written, without the modules it came from."""
    if isinstance(hint, str):
        return hint
    if isinstance(hint, list):  # the parameters of a Callable
        return f"[{', '.join([type_text(part) for part in hint])}]"
    if typing.get_origin(hint) is not None:
        return _generic_text(hint)
    for known, text in ((Any, "Any"), (None, "None"), (type(None), "None"), (Ellipsis, "...")):
        if hint is known:
            return text
    name = getattr(hint, "__name__", None)
    return name if isinstance(name, str) else _ADDRESS.sub("", str(hint)).removeprefix("typing.")


def _generic_text(hint: Any) -> str:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in {typing.Union, types.UnionType}:
        return " | ".join([type_text(part) for part in arguments])
    if origin is typing.Annotated:
        return type_text(arguments[0])
    if origin is typing.Literal:
        return f"Literal[{', '.join([value_text(part) for part in arguments])}]"
    inside = f"[{', '.join([type_text(part) for part in arguments])}]" if arguments else ""
    return f"{name_of(origin)}{inside}"


def value_text(value: Any) -> str:
    """A setting's value as one short line."""
    return short(value)


def capital(text: str) -> str:
    """The text as a sentence begins; names further on stay as they are."""
    return text[:1].upper() + text[1:]
