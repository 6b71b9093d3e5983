"""Collects declarations; errors come at the call where they can be told at once, the others from `build`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

from weavenb.channels.base import MISSING, Channel
from weavenb.channels.naming import capital, value_text
from weavenb.channels.reducer import Reducer
from weavenb.definition.definition import Definition
from weavenb.definition.draft import Draft, Way
from weavenb.definition.edges import Edge, Join, make_router
from weavenb.definition.guards import make_guard
from weavenb.definition.nodes import Node, make_node, name_for
from weavenb.definition.rules import check, check_key_name, check_node_name, warnings_of
from weavenb.definition.schema import read_keys, read_state
from weavenb.definition.shape import hash_of_manifest, manifest_of, topology_of
from weavenb.errors import InvalidGraph, UnknownKey, nearest
from weavenb.model.topology import END, START

__all__ = ["GraphBuilder"]


class GraphBuilder:
    """Declares a graph piece by piece. Every method returns the builder itself."""

    def __init__(
        self,
        schema: Any = None,
        *,
        state: Mapping[str, Any] | None = None,
        name: str = "graph",
        input_schema: Any = None,
        output_schema: Any = None,
    ) -> None:
        declared = read_state(schema, state)
        self.name = name
        self._channels = dict(declared.channels)
        self._types = dict(declared.types)
        self._open = declared.open
        self._input = None if input_schema is None else read_keys(input_schema, "input_schema")
        self._output = None if output_schema is None else read_keys(output_schema, "output_schema")
        self._nodes: dict[str, Node] = {}
        self._ways: list[Way] = []
        for key in self._channels:
            check_key_name(key)

    def __repr__(self) -> str:
        """Byte-stable: name and nodes so far, since a cell often ends with a call that returns the builder."""
        return f"{type(self).__name__}({self.name!r}, nodes={list(self._nodes)!r})"

    def add_node(self, name_or_fn: Any, fn: Any = None, *, input: Any = None) -> Self:
        """Add a node: a name and a function, or a function alone under its own name.

        `input` (a TypedDict, a mapping or a list of keys) is what the node is given of the state.
        """
        if fn is None:
            if isinstance(name_or_fn, str):
                raise InvalidGraph(f"Node {name_or_fn!r} has no function: add_node({name_or_fn!r}, fn).")
            name_or_fn, fn = name_for(name_or_fn), name_or_fn
        name = check_node_name(name_or_fn)
        if name in self._nodes:
            raise InvalidGraph(f"There are two nodes {name!r}: give one another name, or make the graph anew.")
        if callable(input) and not isinstance(input, type):
            raise InvalidGraph(f"The input of node {name!r} is a function; only nested graphs take one. List the keys.")
        keys = None if input is None else tuple(read_keys(input, f"The input of node {name!r}"))
        self._nodes[name] = make_node(name, fn, len(self._nodes), keys)
        return self

    def add_edge(self, source: str | Iterable[str], target: str, *, when: Any = None, default: bool = False) -> Self:
        """Go from `source` to `target`: always, `when` a guard matches, or by `default` when no guard does.

        Several sources make a join: `target` waits for all of them.
        """
        if not isinstance(source, str):
            if callable(source) or not isinstance(source, Iterable):
                raise InvalidGraph(
                    f"An edge comes from {value_text(source)}: a source is a node's name, or a list of them."
                )
            return self._add_join(source, target, guarded=when is not None or default)
        if source == END:
            raise InvalidGraph(f"An edge leads from END to {target!r}: nothing comes after END.")
        where = f"the edge {source!r} -> {target!r}"
        _check_target(target, where)
        if when is not None and default:
            raise InvalidGraph(f"{capital(where)} has a guard and is a default: it can be one of the two.")
        edge = Edge(source, target, None if when is None else make_guard(when, where), default)
        if when is not None or edge not in self._ways:
            self._ways.append(edge)
        return self

    def _add_join(self, sources: Iterable[str], target: str, *, guarded: bool) -> Self:
        names = list(sources)
        where = f"the join {names!r} -> {target!r}"
        _check_target(target, where)
        if guarded:
            raise InvalidGraph(f"{capital(where)} has a guard: guard the edges before it, or those after it.")
        if len(names) < 2:  # noqa: PLR2004 - one source is an edge
            raise InvalidGraph(f"{capital(where)} waits for fewer than two nodes: use add_edge(source, target).")
        wrong = [name for name in names if not isinstance(name, str)]
        if wrong:
            raise InvalidGraph(f"{capital(where)} has the source {value_text(wrong[0])}: sources are names.")
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise InvalidGraph(f"{capital(where)} names {twice[0]!r} twice.")
        if START in names or END in names:
            raise InvalidGraph(f"{capital(where)} waits for START or END: a join waits for nodes.")
        if target == END:
            # Nothing runs at the end, so nothing can wait there.
            for name in names:
                self.add_edge(name, END)
            return self
        self._ways.append(Join("", tuple(names), target))
        return self

    def add_conditional_edges(
        self,
        source: str,
        router: Callable[[Mapping[str, Any]], Any],
        targets: Iterable[str] | Mapping[Any, str] | None = None,
    ) -> Self:
        """After `source`, go where `router(state)` says: a name, a Send, a list of these, or None for nowhere.

        `targets` lists the names it may give, or maps its results to names.
        """
        if not isinstance(source, str):
            raise InvalidGraph(f"A router follows {value_text(source)}: its source is a node's name.")
        if source == END:
            raise InvalidGraph("A router follows END: nothing comes after END.")
        way = make_router(source, router, targets)
        for target in way.targets or ():
            _check_target(target, f"the router {way.name!r} after {source!r}")
        self._ways.append(way)
        return self

    def add_reducer(self, key: str, fn: Any, initial: Any = MISSING) -> Self:
        """Fold the writes of `key` with `fn(current, write)`."""
        try:
            channel = fn if isinstance(fn, Channel) else Reducer(fn, initial)
        except ValueError as error:
            raise InvalidGraph(f"The key {key!r}: {error}.") from error
        return self.add_channel(key, channel)

    def add_channel(self, key: str, channel: Channel) -> Self:
        """Say how the writes of `key` become its value."""
        check_key_name(key)
        if not isinstance(channel, Channel):
            raise InvalidGraph(
                f"The channel of key {key!r} is {value_text(channel)}: give one such as Reducer('list')."
            )
        if not self._open and key not in self._channels:
            raise UnknownKey(key, nearest(key, self._channels), "add_channel")
        self._channels[key] = channel
        self._types.setdefault(key, Any)
        return self

    def build(self) -> Definition:
        """The definition, if it obeys every rule.

        Raises:
            InvalidGraph: a rule is broken.
            UnknownNode: a way leads to no node.
            UnknownKey: a closed state does not have a key.
        """
        ways = tuple([self._with_key(way) if isinstance(way, Join) else way for way in self._ways])
        draft = Draft(
            self.name,
            dict(self._nodes),
            ways,
            dict(self._channels),
            self._open,
            dict(self._types),
            self._input,
            self._output,
        )
        check(draft)
        return _defined(draft)

    def _with_key(self, join: Join) -> Join:
        order = {name: place for place, name in enumerate(self._nodes)}
        sources = tuple(sorted(join.sources, key=lambda name: order.get(name, len(order))))
        return Join(f"{'+'.join(sources)}->{join.target}", sources, join.target)


def _check_target(target: object, where: str) -> None:
    if not isinstance(target, str):
        raise InvalidGraph(f"{capital(where)} leads to {value_text(target)}: a target is a node's name.")
    if target == START:
        raise InvalidGraph(f"{capital(where)} leads to START: a run starts once.")


def _grouped(pairs: Iterable[tuple[str, Any]]) -> dict[str, tuple[Any, ...]]:
    found: dict[str, list[Any]] = {}
    for source, way in pairs:
        found.setdefault(source, []).append(way)
    return {source: tuple(ways) for source, ways in found.items()}


def _defined(draft: Draft) -> Definition:
    topology = topology_of(draft)
    manifest = manifest_of(draft, topology)
    return Definition(
        name=draft.name,
        channels=draft.channels,
        open=draft.open,
        nodes=draft.nodes,
        edges_from=_grouped([(edge.source, edge) for edge in draft.edges]),
        routers_from=_grouped([(router.source, router) for router in draft.routers]),
        joins=draft.joins,
        joins_from=_grouped([(source, join) for join in draft.joins for source in join.sources]),
        topology=topology,
        manifest=manifest,
        def_hash=hash_of_manifest(manifest),
        types=draft.types,
        input_types=draft.input_types,
        output_types=draft.output_types,
        subscribers=draft.subscribed,
        preparing=frozenset(key for key, channel in draft.channels.items() if channel.prepares),
        starting=tuple(key for key, channel in draft.channels.items() if channel.initial() is not MISSING),
        order={name: node.order for name, node in draft.nodes.items()},
        warnings=tuple(warnings_of(draft)),
    )
