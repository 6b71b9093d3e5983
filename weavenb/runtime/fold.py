"""Folding the writes of one step into the state. Pure."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from weavenb.channels.base import MISSING, Channel, Growth
from weavenb.errors import InvalidUpdate, SerializationFailed
from weavenb.model.records import RESERVED, Change, PendingWrite
from weavenb.model.tasks import Write
from weavenb.model.texts import error_text
from weavenb.serde import Unencodable, encode

if TYPE_CHECKING:
    from weavenb.definition.definition import Definition

__all__ = ["Folded", "LocalFold", "Unfit", "Written", "fold", "prepared", "public", "with_initial"]

Written = tuple[str, str, tuple[Write, ...]]
"""Node, task id, writes."""
_Entry = tuple[str, str, Write]


@dataclass(slots=True)
class Folded:
    """The state after a step."""

    values: dict[str, Any]
    changes: tuple[Change, ...]
    kept: tuple[PendingWrite, ...]
    """Writes that the changes do not already say."""


class Unfit(Exception):
    """The writes of a step do not fit together. `tasks` are those whose writes must be given again."""

    def __init__(self, error: Exception, tasks: frozenset[str]) -> None:
        super().__init__(error, tasks)
        self.error = error
        self.tasks = tasks


@dataclass(slots=True)
class LocalFold:
    """What a node's routers need to see the state with the node's own writes in it."""

    values: Mapping[str, Any]
    channels: Mapping[str, Channel]
    """Declared ones; another key is taken as it is written."""

    def state_after(self, writes: tuple[Write, ...]) -> dict[str, Any]:
        """The state as it would be if no other node ran in this step."""
        state = dict(self.values)
        for write in writes:
            channel = self.channels.get(write.channel)
            if channel is None:
                state[write.channel] = write.value
                continue
            old = state.get(write.channel, MISSING)
            state[write.channel] = channel.fold(channel.initial() if old is MISSING else old, [write.value])
        return state


def public(values: Mapping[str, Any]) -> dict[str, Any]:
    """The state without what the engine keeps in it for itself."""
    if RESERVED.isdisjoint(values):
        return dict(values)
    return {key: value for key, value in values.items() if key not in RESERVED}


def with_initial(definition: Definition, values: Mapping[str, Any]) -> dict[str, Any]:
    """The state with the starting value of each channel that has one and was never written."""
    state = dict(values)
    for key in definition.starting:
        if key not in state:
            state[key] = definition.channels[key].initial()
    return state


def prepared(definition: Definition, write: Write, node: str, *, encoded: bool) -> Write:
    """The write as its channel wants it kept, with its text when it will be stored.

    Raises:
        InvalidUpdate: the channel cannot prepare it.
        SerializationFailed: naming channel, node and type.
    """
    key, value = write.channel, write.value
    if key in definition.preparing:
        try:
            value = definition.channels[key].prepare(value)
        except Exception as error:
            raise InvalidUpdate(key, {node: value}, error_text(error) or type(error).__name__) from error
    if not encoded:
        return write if value is write.value else Write(key, value)
    try:
        return Write(key, value, encode(value))
    except Unencodable as problem:
        raise SerializationFailed(key, node, problem.type_name, problem.path, problem.problem) from problem


def fold(definition: Definition, values: Mapping[str, Any], written: Iterable[Written], *, encoded: bool) -> Folded:
    """The state after all `written`, which come in the order they apply.

    Raises:
        Unfit: a channel refuses its writes; nothing is changed.
    """
    by_channel: dict[str, list[_Entry]] = {}
    for node, task_id, writes in written:
        for write in writes:
            key = write.channel
            if key in by_channel:
                by_channel[key].append((node, task_id, write))
            else:
                by_channel[key] = [(node, task_id, write)]
    after = dict(values)
    changes: list[Change] = []
    kept: list[PendingWrite] = []
    channels = definition.channels
    for key, entries in by_channel.items():
        channel = channels[key] if key in channels else definition.channel_of(key)
        many = len(entries) > 1
        if many and not channel.takes_many:
            raise Unfit(InvalidUpdate(key, _writers(entries)), frozenset(task for _, task, _ in entries))
        old = values[key] if key in values else channel.initial()
        given = [write.value for _, _, write in entries]
        try:
            new = channel.fold(old, given)
        except Exception as error:
            raise Unfit(_refused(key, entries, error), frozenset(task for _, task, _ in entries)) from error
        after[key] = new
        if encoded:
            change = _change(key, channel.growth(old, given, new), entries)
            changes.append(change)
            if many or (change.op == "set" and channel.takes_many):
                kept += [PendingWrite(task, key, write.value, write.text or "") for _, task, write in entries]
    return Folded(after, tuple(changes), tuple(kept))


def _change(key: str, growth: Growth, entries: list[_Entry]) -> Change:
    op, added = growth
    if len(entries) == 1:
        # One write that is itself what is stored was encoded when its task ended.
        node, _, write = entries[0]
        if write.text is not None and (added is write.value or _alike(op, added, write.value)):
            return Change(key, op, added, write.text, (node,))  # type: ignore[arg-type]  # growth names the three ops
    nodes = tuple([node for node, _, _ in entries])
    try:
        return Change(key, op, added, encode(added), nodes)  # type: ignore[arg-type]  # growth names the three ops
    except Unencodable as problem:
        error = SerializationFailed(key, nodes[0], problem.type_name, problem.path, problem.problem)
        raise Unfit(error, frozenset(task for _, task, _ in entries)) from problem


def _alike(op: str, added: Any, value: Any) -> bool:
    """Whether what is stored is the write itself, element by element: a reducer may have made it over."""
    if op == "append" and type(added) is list and type(value) is list:
        return len(added) == len(value) and all(map(operator.is_, added, value))
    if op == "merge" and type(added) is dict and type(value) is dict:
        return added.keys() == value.keys() and all(added[key] is value[key] for key in added)
    return False


def _writers(entries: list[_Entry]) -> dict[str, Any]:
    names = [node for node, _, _ in entries]
    alone = len(set(names)) == len(names)
    return {(node if alone else task): write.value for node, task, write in entries}


def _refused(key: str, entries: list[_Entry], error: Exception) -> InvalidUpdate:
    return InvalidUpdate(key, _writers(entries), error_text(error) or type(error).__name__)
