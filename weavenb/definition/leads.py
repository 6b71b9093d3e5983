"""Whether a node may lead somewhere by its own decision, read from how it is written."""

from __future__ import annotations

import builtins
import functools
import types
from collections.abc import Iterator
from typing import Any, Final

from weavenb.channels.naming import type_text

__all__ = ["may_lead_anywhere"]

_PLAIN: Final = {"dict", "None", "Mapping", "bool", "str", "int", "Literal"}
_WORDS: Final = ("Command", "Send")


def may_lead_anywhere(fn: Any) -> bool:
    """False only when `fn` surely returns neither a Command nor a Send.

    An annotation is believed. Without one, a function that calls nothing but builtins and names neither is sure.
    """
    while isinstance(fn, functools.partial):
        fn = fn.func
    if not isinstance(fn, types.FunctionType):
        return True
    annotation = fn.__annotations__.get("return", ...)
    if annotation is not ...:
        return not _plain(annotation)
    return any(_cannot_tell(name, fn) for name in _names(fn.__code__)) or any(
        callable(value) for value in _captured(fn)
    )


def _plain(annotation: Any) -> bool:
    text = type_text(annotation)
    if any(word in text for word in _WORDS):
        return False
    # A class of the user's own is a state, as its keys say.
    return text.split("[")[0].split(" ")[0] in _PLAIN or hasattr(annotation, "__required_keys__")


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _cannot_tell(name: str, fn: types.FunctionType) -> bool:
    if name in _WORDS:
        return True
    value = fn.__globals__.get(name)
    return callable(value) and not hasattr(builtins, name)


def _captured(fn: types.FunctionType) -> Iterator[Any]:
    for cell in fn.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not yet filled
            yield _captured
