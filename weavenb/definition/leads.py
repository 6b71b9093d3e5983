"""Whether a node may lead somewhere by its own decision, read from how it is written."""

from __future__ import annotations

import builtins
import dis
import functools
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any, Final

from weavenb.channels.naming import type_text

__all__ = ["may_lead_anywhere"]

_PLAIN: Final = {"dict", "None", "Mapping", "bool", "str", "int"}
_WORDS: Final = ("Command", "Send")


def may_lead_anywhere(fn: Any) -> bool:
    """False only when `fn` surely returns neither a Command nor a Send.

    An annotation is believed. Without one, a function is sure that calls nothing but builtins and the standard library.
    """
    while isinstance(fn, functools.partial):
        fn = fn.func
    if not isinstance(fn, types.FunctionType):
        return True
    try:
        hints = typing.get_type_hints(fn)
    except (NameError, TypeError, SyntaxError):  # names that are not there, or not yet
        return True
    if "return" in hints:
        return not _plain(hints["return"])
    extra = fn.__code__.co_varnames[1 : fn.__code__.co_argcount]
    if len(extra) > len(fn.__defaults__ or ()) or "runtime" in extra:
        return True  # what the runtime's context holds can do anything
    held = (*(fn.__defaults__ or ()), *(fn.__kwdefaults__ or {}).values(), *_captured(fn))
    return any(_may_call_on(value) for value in held) or _code_may_lead(fn.__code__, fn.__globals__)


def _plain(annotation: Any) -> bool:
    if hasattr(annotation, "__required_keys__"):  # a TypedDict
        return True
    return all(part.split("[")[0].strip() in _PLAIN for part in type_text(annotation).split("|")) and not any(
        word in type_text(annotation) for word in _WORDS
    )


def _code_may_lead(code: types.CodeType, known: Mapping[str, Any]) -> bool:
    for instruction in dis.get_instructions(code):
        name = instruction.argval
        if instruction.opname.startswith("IMPORT_") or name in _WORDS:
            return True
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            if name in known:
                if _may_call_on(known[name]):
                    return True
            elif not hasattr(builtins, name):  # defined later
                return True
    return any(_code_may_lead(part, known) for part in code.co_consts if isinstance(part, types.CodeType))


def _may_call_on(value: Any, depth: int = 3) -> bool:
    """Whether code that has `value` may get anything from it, a Command among others."""
    if isinstance(value, types.ModuleType):
        return value.__name__.split(".")[0] not in sys.stdlib_module_names
    if isinstance(value, dict | list | tuple | set | frozenset):
        items = value.values() if isinstance(value, dict) else value
        return depth == 0 or any(_may_call_on(item, depth - 1) for item in items)
    return not isinstance(value, str | bytes | int | float | types.NoneType)


def _captured(fn: types.FunctionType) -> Iterator[Any]:
    for cell in fn.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not yet filled
            yield fn
