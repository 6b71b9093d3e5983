"""A state's declaration read into channels: a TypedDict closes the state, a mapping leaves it open."""

from __future__ import annotations

import dataclasses
import operator
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from weavenb.channels.base import MISSING, Channel
from weavenb.channels.last_value import LastValue
from weavenb.channels.naming import type_text, value_text
from weavenb.channels.reducer import Reducer
from weavenb.errors import InvalidGraph

__all__ = ["StateSchema", "read_keys", "read_state"]

_EMPTY: Final[dict[Any, tuple[type, ...]]] = {
    operator.add: (list, str, tuple, int, float),
    operator.or_: (dict, set, frozenset),
}


@dataclass(frozen=True, slots=True)
class StateSchema:
    """What a declaration says of the state."""

    channels: Mapping[str, Channel]
    types: Mapping[str, Any]
    """Type per declared key, `Any` where none was given; a text where it was given as one."""
    open: bool
    """Whether undeclared keys are plain ones."""


def read_state(schema: Any = None, state: Mapping[str, Any] | None = None) -> StateSchema:
    """Channels of a class, or of a mapping of keys.

    Raises:
        InvalidGraph: if neither can be read, naming the key.
    """
    if schema is not None and state is not None:
        raise InvalidGraph("Give the state either as a class or as state={...}, not both.")
    if schema is None:
        return _of_mapping({} if state is None else state)
    hints = _hints_of(schema)
    channels = {key: _channel(key, hint) for key, hint in hints.items()}
    return StateSchema(channels, {key: _plain(hint) for key, hint in hints.items()}, open=False)


def read_keys(schema: Any, where: str) -> Mapping[str, Any]:
    """The keys that `schema` lets pass, each with its type: a TypedDict, a mapping of keys or a list of keys."""
    if isinstance(schema, str):
        raise InvalidGraph(f"{where} is the text {schema!r}; give a list of keys, a mapping, or a TypedDict.")
    if isinstance(schema, Mapping):
        return {_key(key): _plain(hint) for key, hint in schema.items()}
    if isinstance(schema, Iterable) and not isinstance(schema, type):
        return {_key(key): Any for key in schema}
    return {key: _plain(hint) for key, hint in _hints_of(schema, where).items()}


def _of_mapping(state: Mapping[str, Any]) -> StateSchema:
    if not isinstance(state, Mapping):
        raise InvalidGraph(f"state= takes a mapping of keys to channels or types, not {value_text(state)}.")
    channels: dict[str, Channel] = {}
    types: dict[str, Any] = {}
    for key, hint in state.items():
        channels[_key(key)] = hint if isinstance(hint, Channel) else _channel(key, _type(key, hint))
        types[key] = Any if isinstance(hint, Channel) else _plain(hint)
    return StateSchema(channels, types, open=True)


def _type(key: str, hint: Any) -> Any:
    if isinstance(hint, type) and issubclass(hint, Channel):
        raise InvalidGraph(f"The key {key!r} is declared as the class {hint.__name__}: write {hint.__name__}(...).")
    if isinstance(hint, type | str) or hint in (None, Any) or typing.get_origin(hint) is not None:
        return hint
    if isinstance(hint, typing.TypeVar | typing.NewType):
        return hint
    way = "wrap the function in Reducer(...)" if callable(hint) else "give a type, a channel such as Reducer('list')"
    raise InvalidGraph(f"The key {key!r} is declared as {value_text(hint)}, which is no type and no channel: {way}.")


def _hints_of(schema: Any, where: str = "The state") -> dict[str, Any]:
    if not typing.is_typeddict(schema):
        raise InvalidGraph(_no_class(schema, where))
    try:
        hints = typing.get_type_hints(schema, include_extras=True)
    except NameError as error:
        hints = _hints_by_caller(schema, error)
    except Exception as error:
        raise InvalidGraph(f"The annotations of {schema.__name__} cannot be read: {error}") from error
    return {_key(key): hint for key, hint in hints.items()}


def _hints_by_caller(schema: Any, error: NameError) -> dict[str, Any]:
    """A class written inside a function may name what only that function knows."""
    import sys

    frame = sys._getframe(1)  # noqa: SLF001 - there is no other way to a caller's names
    while frame is not None:
        if frame.f_globals.get("__name__") == schema.__module__:
            try:
                return typing.get_type_hints(schema, localns={**frame.f_globals, **frame.f_locals}, include_extras=True)
            except NameError:
                pass
        frame = frame.f_back  # type: ignore[assignment]  # None ends the walk
    raise InvalidGraph(
        f"The annotations of {schema.__name__} name {error.name!r}, which cannot be found where the class was written."
        " Import it at the top of the module (not under TYPE_CHECKING), or move the class there."
    ) from error


def _no_class(schema: Any, where: str) -> str:
    known = dataclasses.is_dataclass(schema) or hasattr(schema, "model_fields")
    if isinstance(schema, type) and known:
        return (
            f"{where} cannot be the class {schema.__name__} yet: dataclasses and pydantic models come later."
            " Use a TypedDict with the same fields."
        )
    if schema is dict or isinstance(schema, Mapping):
        return "For a state with undeclared keys pass state={...}, for a closed one a TypedDict."
    return f"{where} cannot be {value_text(schema)}: use a TypedDict, or a mapping of keys (state={{...}})."


def _key(key: Any) -> str:
    if not isinstance(key, str) or not key:
        raise InvalidGraph(f"A key of the state is a text that is not empty, not {value_text(key)}.")
    return key


def _unwrapped(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """The type inside Required, NotRequired and Annotated, and the notes of the latter, innermost first."""
    notes: tuple[Any, ...] = ()
    while True:
        origin = typing.get_origin(hint)
        if origin is typing.Annotated:
            inner, *more = typing.get_args(hint)
            hint, notes = inner, (*more, *notes)
        elif origin in (typing.Required, typing.NotRequired) or _is_read_only(origin):
            hint = typing.get_args(hint)[0]
        else:
            return hint, notes


def _is_read_only(origin: Any) -> bool:
    return getattr(origin, "_name", None) == "ReadOnly" or getattr(origin, "__name__", None) == "ReadOnly"


def _plain(hint: Any) -> Any:
    return Any if isinstance(hint, Channel) else _unwrapped(hint)[0]


def _channel(key: str, hint: Any) -> Channel:
    plain, notes = _unwrapped(hint)
    for note in notes:
        if isinstance(note, Channel):
            return note
        if isinstance(note, type) and issubclass(note, Channel):
            raise InvalidGraph(
                f"The key {key!r} is annotated with the class {note.__name__}: write {note.__name__}(...)."
            )
    # Other notes (a text, a Field) are none of ours; a function is the field's way to say "reducer".
    folds = [note for note in notes if callable(note) and not isinstance(note, type)]
    if len(folds) > 1:
        raise InvalidGraph(f"The key {key!r} ({type_text(plain)}) has {len(folds)} reducers: keep one.")
    if not folds:
        return LastValue()
    try:
        return Reducer(folds[0], initial=_empty(folds[0], plain))
    except ValueError as error:
        raise InvalidGraph(f"The key {key!r}: {error}.") from error


def _empty(fold: Any, plain: Any) -> Any:
    kind = typing.get_origin(plain) or plain
    return kind() if kind in _first(fold) else MISSING


def _first(fold: Any) -> tuple[type, ...]:
    for known, kinds in _EMPTY.items():
        if fold is known:
            return kinds
    return ()
