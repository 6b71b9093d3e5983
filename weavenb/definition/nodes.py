"""A node: a name and what it runs."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from weavenb.channels.naming import name_of, value_text
from weavenb.errors import InvalidGraph

__all__ = ["Node", "is_async_callable", "make_node", "name_for", "second_argument"]

_FORMS: Final = "a node takes `(state)` or `(state, runtime)`"
_POSITIONAL: Final = {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}


@dataclass(frozen=True, slots=True)
class Node:
    """One unit of work."""

    name: str
    fn: Callable[..., Any] = field(repr=False)
    order: int
    """Place in the order of declaration, from 0: the order in which writes of one step apply."""
    is_async: bool = False
    takes_runtime: bool = False
    """Whether `fn` wants a `Runtime` as its second argument."""
    input_keys: tuple[str, ...] | None = None
    """The keys it is given; None for all of the state."""


def name_for(fn: Any) -> str:
    """The name a node gets when none is given.

    Raises:
        InvalidGraph: for a lambda and other nameless things.
    """
    if not callable(fn):
        raise InvalidGraph(f"{value_text(fn)} cannot be a node: give a function, or a name and a function.")
    while isinstance(fn, functools.partial):
        fn = fn.func
    name = getattr(fn, "__name__", None)
    if not isinstance(name, str) or name == "<lambda>":
        raise InvalidGraph(f'This {name_of(fn)} has no name of its own: add_node("name", fn).')
    return name


def make_node(name: str, fn: Any, order: int, input_keys: tuple[str, ...] | None = None) -> Node:
    """A node from a function.

    Raises:
        InvalidGraph: if it cannot be called as a node.
    """
    if hasattr(fn, "invoke") and hasattr(fn, "get_state"):
        raise InvalidGraph(
            f"Node {name!r} is a compiled graph: nested graphs are not available yet."
            " Call its invoke() in a function and make that the node."
        )
    if not callable(fn):
        raise InvalidGraph(f"Node {name!r} is {value_text(fn)}, which cannot be called: {_FORMS}.")
    if isinstance(fn, type):
        raise InvalidGraph(f"Node {name!r} is the class {fn.__name__}: give an instance of it, or a function.")
    if _is_generator(fn):
        raise InvalidGraph(f"Node {name!r} is a generator function: return its update instead of yielding.")
    return Node(name, fn, order, is_async_callable(fn), second_argument(name, fn), input_keys)


def is_async_callable(fn: Any) -> bool:
    """Whether calling `fn` gives something to await."""
    while isinstance(fn, functools.partial):
        fn = fn.func
    return inspect.iscoroutinefunction(fn) or inspect.iscoroutinefunction(getattr(fn, "__call__", None))  # noqa: B004 - a callable object's own call


def _is_generator(fn: Any) -> bool:
    while isinstance(fn, functools.partial):
        fn = fn.func
    return inspect.isgeneratorfunction(fn) or inspect.isasyncgenfunction(fn)


def second_argument(name: str, fn: Any) -> bool:
    """Whether `fn` wants the runtime.

    A second parameter with a default is left alone, unless it is called ``runtime``: `lambda state, i=i: ...` is how
    a loop's variable is kept.
    """
    try:
        parameters = list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError):
        return False  # builtins without a signature
    required_keywords = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    if required_keywords:
        raise InvalidGraph(f"Node {name!r} needs the keyword {required_keywords[0]!r}, but {_FORMS}.")
    positional = [p for p in parameters if p.kind in _POSITIONAL]
    takes_any = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    required = [p for p in positional if p.default is p.empty]
    if len(required) > 2 or not (positional or takes_any):  # noqa: PLR2004 - state and runtime
        many = f"{len(required)} arguments" if required else "no arguments"
        raise InvalidGraph(f"Node {name!r} takes {many}, but {_FORMS}.")
    if len(positional) < 2:  # noqa: PLR2004 - as above
        return False
    return len(required) == 2 or positional[1].name == "runtime"  # noqa: PLR2004 - as above
