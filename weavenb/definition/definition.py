"""The frozen definition: all that the runtime may know of a graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from weavenb.channels.base import Channel
from weavenb.channels.last_value import LastValue
from weavenb.definition.edges import Edge, Join, Router
from weavenb.definition.nodes import Node
from weavenb.errors import UnknownKey, UnknownNode, nearest
from weavenb.model.topology import Topology
from weavenb.serde import is_unicode

__all__ = ["Definition"]

_PLAIN = LastValue()


@dataclass(frozen=True, slots=True)
class Definition:
    """A graph that passed every rule."""

    name: str
    channels: Mapping[str, Channel]
    """Declared keys; an open state has others, which are plain."""
    open: bool
    """Whether undeclared keys are allowed."""
    nodes: Mapping[str, Node]
    """In the order of declaration."""
    edges_from: Mapping[str, tuple[Edge, ...]]
    """By source, ``__start__`` included, in the order of declaration."""
    routers_from: Mapping[str, tuple[Router, ...]]
    joins: tuple[Join, ...]
    joins_from: Mapping[str, tuple[Join, ...]]
    """By each of their sources."""
    topology: Topology
    manifest: str
    """Canonical JSON of all that `def_hash` stands for; the same in every process."""
    def_hash: str
    """16 hex digits."""
    types: Mapping[str, Any] = field(default_factory=dict)
    """Declared type per declared key, `Any` where none was given."""
    input_types: Mapping[str, Any] | None = None
    """Keys that may enter, with their types; None for all."""
    output_types: Mapping[str, Any] | None = None
    """Keys that leave, with their types; None for all."""
    subscribers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Nodes to schedule by the key whose writing schedules them."""
    starting: tuple[str, ...] = ()
    """Declared keys whose channels have a value before the first write."""
    preparing: frozenset[str] = frozenset()
    """Declared keys whose channels change a write before it is kept."""
    order: Mapping[str, int] = field(default_factory=dict)
    """Place of each node in the order of declaration, from 0."""
    warnings: tuple[str, ...] = ()
    """What is allowed but probably not meant."""

    def __repr__(self) -> str:
        """Byte-stable: name and nodes."""
        return f"Definition({self.name!r}, nodes={list(self.nodes)!r})"

    @property
    def input_keys(self) -> tuple[str, ...] | None:
        """Keys that may enter; None for all."""
        return None if self.input_types is None else tuple(self.input_types)

    @property
    def output_keys(self) -> tuple[str, ...] | None:
        """Keys that leave; None for all."""
        return None if self.output_types is None else tuple(self.output_types)

    def channel_of(self, key: str, where: str = "A write") -> Channel:
        """The channel of a key; a plain one for an undeclared key of an open state.

        Raises:
            UnknownKey: for an undeclared key of a closed state.
        """
        channel = self.channels.get(key)
        if channel is not None:
            return channel
        self.check_key(key, where)
        return _PLAIN

    def subscribers_of(self, key: str) -> tuple[str, ...]:
        """Nodes that a write of `key` schedules."""
        return self.subscribers.get(key, ())

    def check_key(self, key: str, where: str) -> None:
        """Refuse a key that the state cannot hold. `where` begins the sentence: ``The input``.

        Raises:
            UnknownKey: for an undeclared key of a closed state, and for one that is no text, empty or reserved.
        """
        if key in self.channels:
            return
        told = isinstance(key, str) and key and is_unicode(key)
        if not self.open or not told or (key.startswith("__") and key.endswith("__")):
            name = key if told else repr(key)
            raise UnknownKey(name, nearest(name, self.channels), where)

    def check_node(self, name: str, where: str) -> None:
        """Refuse a name that no node has.

        Raises:
            UnknownNode: with the nearest name.
        """
        if not isinstance(name, str) or name not in self.nodes:
            text = name if isinstance(name, str) else repr(name)
            raise UnknownNode(text, nearest(text, self.nodes), where)

    def check_nodes(self, names: str | Iterable[str], where: str) -> tuple[str, ...]:
        """The names as a tuple, each of them a node's; one text is one name."""
        found = (names,) if isinstance(names, str) else tuple(names)
        for name in found:
            self.check_node(name, where)
        return found
