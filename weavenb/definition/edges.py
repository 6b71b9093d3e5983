"""Ways between nodes: edges, joins and routers."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from weavenb.channels.naming import name_of, value_text
from weavenb.definition.guards import Guard
from weavenb.definition.nodes import is_async_callable
from weavenb.errors import InvalidGraph, UnknownNode, nearest
from weavenb.model.tasks import Send

__all__ = ["Edge", "Join", "Router", "make_router"]


@dataclass(frozen=True, slots=True)
class Edge:
    """One way from `source` to `target`."""

    source: str
    target: str
    when: Guard | None = None
    """None for an edge that is always taken, or a default."""
    default: bool = False
    """Taken only when no guard of the same source matches."""

    def matches(self, state: Mapping[str, Any]) -> bool:
        """Whether the guard lets the run pass; True without one."""
        return self.when is None or self.when(state)

    @property
    def label(self) -> str:
        """What a drawing says beside it."""
        if self.when is not None:
            return self.when.label
        return "default" if self.default else ""


@dataclass(frozen=True, slots=True)
class Join:
    """`target` runs when all of `sources` have finished since it last ran."""

    key: str
    """The same in every process: under it, arrivals are saved."""
    sources: tuple[str, ...]
    """In order of declaration of the nodes."""
    target: str


@dataclass(frozen=True, slots=True)
class Router:
    """A function of the state that names the nodes to go to."""

    name: str
    fn: Callable[[Mapping[str, Any]], Any] = field(repr=False)
    targets: tuple[str, ...] | None = None
    """None when it may name any node."""
    by_result: Mapping[Any, str] | None = None
    """What each result stands for; None when results are names."""
    source: str = ""

    def decide(self, state: Mapping[str, Any]) -> list[str | Send]:
        """Where the run goes from `state`: names of nodes, ``__end__``, Sends; empty for nowhere.

        Raises:
            UnknownNode: if the answer is none of the declared targets.
            TypeError: if the answer is no name at all.
        """
        answer = self.fn(state)
        if isinstance(answer, list | tuple):
            return [part if isinstance(part, Send) else self._target(part) for part in answer]
        if answer is None and not (self.by_result and None in self.by_result):
            return []
        return [answer if isinstance(answer, Send) else self._target(answer)]

    def _target(self, answer: Any) -> str:
        if self.by_result is not None:
            found = self.by_result.get(answer) if _hashable(answer) else None
            if found is None:
                known = [key for key in self.by_result if isinstance(key, str)]
                raise UnknownNode(_name(answer), nearest(_name(answer), known), self._where)
            return found
        if not isinstance(answer, str):
            message = (
                f"router {self.name!r} returned {type(answer).__name__} {value_text(answer)}: return a node's name,"
                " END, a Send, a list of these, or None"
            )
            raise TypeError(message)
        if self.targets is not None and answer not in self.targets:
            raise UnknownNode(answer, nearest(answer, self.targets), self._where)
        return answer

    @property
    def _where(self) -> str:
        return f"the answer of router {self.name!r} after {self.source!r}"


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _name(answer: Any) -> str:
    return answer if isinstance(answer, str) else value_text(answer)


def make_router(source: str, fn: Any, targets: Iterable[str] | Mapping[Any, str] | None = None) -> Router:
    """A router from what `add_conditional_edges` was given.

    Without `targets`, names that its return annotation lists (``Literal["a", "b"]``) are the declared ones.

    Raises:
        InvalidGraph: if it cannot be called as a router.
    """
    if not callable(fn):
        raise InvalidGraph(
            f"The router after {source!r} is {value_text(fn)}: give a function of the state that returns a node's name."
        )
    if is_async_callable(fn):
        raise InvalidGraph(f"The router {name_of(fn)!r} after {source!r} is async: make it a plain function.")
    _check_takes_state(source, fn)
    if targets is None:
        return Router(name_of(fn), fn, _annotated(fn), None, source)
    if isinstance(targets, Mapping):
        return Router(name_of(fn), fn, tuple(dict.fromkeys(targets.values())), dict(targets), source)
    if isinstance(targets, str):
        targets = [targets]
    names = tuple(dict.fromkeys(targets))
    if not names:
        raise InvalidGraph(f"The router {name_of(fn)!r} after {source!r} has an empty list of targets: name them.")
    return Router(name_of(fn), fn, names, None, source)


def _check_takes_state(source: str, fn: Any) -> None:
    try:
        signature = inspect.signature(fn)
    except (TypeError, ValueError):
        return  # builtins without a signature
    try:
        signature.bind({})
    except TypeError:
        raise InvalidGraph(
            f"The router {name_of(fn)!r} after {source!r} has the parameters {signature}, but a router takes `(state)`."
        ) from None


def _annotated(fn: Any) -> tuple[str, ...] | None:
    try:
        hint = typing.get_type_hints(fn).get("return")
    except Exception:  # noqa: BLE001 - an annotation that cannot be read declares nothing
        return None
    names = _literals(hint)
    return tuple(dict.fromkeys(names)) if names else None


def _literals(hint: Any) -> list[str] | None:
    """The names of a Literal, a union or list of them; None when anything else is in it."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return list(arguments) if all(isinstance(name, str) for name in arguments) else None
    if hint is type(None):
        return []
    if origin is None or not arguments:
        return None
    found: list[str] = []
    for argument in arguments:
        if argument is Ellipsis:
            continue
        names = _literals(argument)
        if names is None:
            return None
        found += names
    return found
