"""A definition as far as it was declared: what the rules look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from weavenb.channels.base import Channel
from weavenb.definition.edges import Edge, Join, Router
from weavenb.definition.nodes import Node
from weavenb.model.topology import END, START

__all__ = ["Draft", "Way"]

Way = Edge | Join | Router


@dataclass(frozen=True, slots=True)
class Draft:
    """Everything declared, nothing checked."""

    name: str
    nodes: Mapping[str, Node]
    ways: tuple[Way, ...]
    """Edges, joins and routers in the order of their declaration."""
    channels: Mapping[str, Channel]
    open: bool
    types: Mapping[str, Any]
    input_types: Mapping[str, Any] | None = None
    output_types: Mapping[str, Any] | None = None

    @property
    def edges(self) -> tuple[Edge, ...]:
        return tuple(way for way in self.ways if isinstance(way, Edge))

    @property
    def joins(self) -> tuple[Join, ...]:
        return tuple(way for way in self.ways if isinstance(way, Join))

    @property
    def routers(self) -> tuple[Router, ...]:
        return tuple(way for way in self.ways if isinstance(way, Router))

    @property
    def subscribed(self) -> Mapping[str, tuple[str, ...]]:
        """Nodes by the key they subscribe to."""
        return {key: channel.subscribers for key, channel in self.channels.items() if channel.subscribers}

    def reached(self) -> set[str]:
        """Names that declared ways lead to, from the start or from a subscribed key."""
        found = {START, *[node for nodes in self.subscribed.values() for node in nodes]}
        todo = list(found)
        while todo:
            here = todo.pop()
            for target in self._targets(here):
                if target not in found and target != END:
                    found.add(target)
                    todo.append(target)
        return found

    def _targets(self, source: str) -> list[str]:
        found: list[str] = []
        for way in self.ways:
            sources = way.sources if isinstance(way, Join) else (way.source,)
            if source in sources:
                found += (way.targets or ()) if isinstance(way, Router) else (way.target,)
        return found
