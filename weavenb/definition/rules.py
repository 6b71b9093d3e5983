"""What a definition must obey: one function per rule, each raising the error that names what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from weavenb.channels.naming import capital, value_text
from weavenb.definition.draft import Draft
from weavenb.definition.edges import Edge, Join, Router
from weavenb.definition.leads import may_lead_anywhere
from weavenb.errors import InvalidGraph, UnknownKey, UnknownNode, nearest
from weavenb.model.topology import END, START
from weavenb.serde import is_unicode

__all__ = ["RULES", "check", "check_key_name", "check_node_name", "place_of", "warnings_of"]


def check_node_name(name: object) -> str:
    """A node's name, if it may be one.

    Raises:
        InvalidGraph: saying why not.
    """
    if not isinstance(name, str):
        raise InvalidGraph(f"A node's name is a text, not {value_text(name)}.")
    if not name.strip():
        raise InvalidGraph("A node's name is empty.")
    if not is_unicode(name):
        raise InvalidGraph(f"The node name {name!r} holds a lone surrogate, half a letter that nothing can store.")
    if ":" in name or "/" in name:
        raise InvalidGraph(f"The node name {name!r} holds ':' or '/', which part the names of nested runs.")
    if _reserved(name):
        raise InvalidGraph(f"The node name {name!r} is reserved, as all names between double underscores are.")
    return name


def check_key_name(key: object) -> str:
    """A key's name, if it may be one.

    Raises:
        InvalidGraph: saying why not.
    """
    if not isinstance(key, str) or not key:
        raise InvalidGraph(f"A key of the state is a text that is not empty, not {value_text(key)}.")
    if not is_unicode(key):
        raise InvalidGraph(f"The key {key!r} holds a lone surrogate, half a letter that nothing can store.")
    if _reserved(key):
        raise InvalidGraph(f"The key {key!r} is reserved, as all names between double underscores are.")
    return key


def _reserved(name: str) -> bool:
    return len(name) > len("____") and name.startswith("__") and name.endswith("__")


def place_of(way: Edge | Join | Router) -> str:
    """How a message calls an edge, a join or a router."""
    if isinstance(way, Edge):
        return f"the edge {way.source!r} -> {way.target!r}"
    if isinstance(way, Join):
        return f"the join {list(way.sources)!r} -> {way.target!r}"
    return f"the router {way.name!r} after {way.source!r}"


def has_nodes(draft: Draft) -> None:
    """A graph does something."""
    if not draft.nodes:
        raise InvalidGraph(f"The graph {draft.name!r} has no nodes: add_node(name, fn) adds one.")


def names_exist(draft: Draft) -> None:
    """Edges, joins and routers lead from and to nodes."""
    for way in draft.ways:
        sources = way.sources if isinstance(way, Join) else (way.source,)
        targets = (way.target,) if isinstance(way, Edge | Join) else way.targets or ()
        for name in sources:
            if name != START:
                _node(draft, name, place_of(way))
        for name in targets:
            if name != END:
                _node(draft, name, place_of(way))


def subscribers_exist(draft: Draft) -> None:
    """Subscribers are nodes."""
    for key, nodes in draft.subscribed.items():
        for name in nodes:
            _node(draft, name, f"the subscribers of key {key!r}")


def _node(draft: Draft, name: str, where: str) -> None:
    if name not in draft.nodes:
        raise UnknownNode(name, nearest(name, draft.nodes), where)


def starts_somewhere(draft: Draft) -> None:
    """Something follows the start."""
    if any(edge.source == START for edge in draft.edges) or any(router.source == START for router in draft.routers):
        return
    first = next(iter(draft.nodes))
    raise InvalidGraph(f"Nothing follows START: add_edge(START, {first!r}) says where a run begins.")


def defaults_are_one(draft: Draft) -> None:
    """A source has one default at most, beside a guard."""
    for source, edges in _by_source(draft).items():
        defaults = [edge for edge in edges if edge.default]
        if len(defaults) > 1:
            names = " and ".join([repr(edge.target) for edge in defaults])
            raise InvalidGraph(f"{source!r} has {len(defaults)} default edges, to {names}: keep one.")
        if defaults and not any(edge.when for edge in edges):
            raise InvalidGraph(
                f"{capital(place_of(defaults[0]))} is a default, but no edge from {source!r} has a guard:"
                " give another one when=, or leave default= out."
            )


def _by_source(draft: Draft) -> dict[str, list[Edge]]:
    found: dict[str, list[Edge]] = {}
    for edge in draft.edges:
        found.setdefault(edge.source, []).append(edge)
    return found


def guards_read_known_keys(draft: Draft) -> None:
    """A guard of a closed state reads keys that it has."""
    for edge in draft.edges:
        if edge.when is not None:
            _keys(draft, edge.when.keys, f"The guard of {place_of(edge)}")


def inputs_are_known_keys(draft: Draft) -> None:
    """What crosses a border of a closed state is part of it."""
    _keys(draft, draft.input_types or {}, "input_schema")
    _keys(draft, draft.output_types or {}, "output_schema")
    for node in draft.nodes.values():
        _keys(draft, node.input_keys or (), f"The input of node {node.name!r}")


def _keys(draft: Draft, keys: Mapping[str, Any] | tuple[str, ...], where: str) -> None:
    for key in keys:
        check_key_name(key)
        if not draft.open and key not in draft.channels:
            raise UnknownKey(key, nearest(key, draft.channels), where)


def keys_are_named_well(draft: Draft) -> None:
    """Keys of the state are texts that nothing else stands for."""
    for key in draft.channels:
        check_key_name(key)


def joins_differ(draft: Draft) -> None:
    """A join is declared once."""
    seen: set[str] = set()
    for join in draft.joins:
        if join.key in seen:
            raise InvalidGraph(f"{capital(place_of(join))} is declared twice: keep one.")
        seen.add(join.key)


def nodes_are_reached(draft: Draft) -> None:
    """Something leads to every node, as far as that can be told."""
    lost = _lost(draft)
    if lost and not _leads_unseen(draft):
        raise InvalidGraph(
            f"Nothing leads to node {lost[0]!r}: add an edge to it. If a node or router goes there by Command or Send,"
            " say so in its return annotation (`-> Command`), or declare it among the router's targets."
        )


def _lost(draft: Draft) -> list[str]:
    reached = draft.reached()
    return [name for name in draft.nodes if name not in reached]


def _leads_unseen(draft: Draft) -> bool:
    """Whether a router or a Command may lead where no edge does."""
    reached = draft.reached()
    if any(router.targets is None for router in draft.routers):
        return True
    return any(may_lead_anywhere(draft.nodes[name].fn) for name in draft.nodes if name in reached) or any(
        may_lead_anywhere(router.fn) for router in draft.routers if router.by_result is None
    )


Rule = Callable[[Draft], None]

RULES: Final[tuple[Rule, ...]] = (
    has_nodes,
    keys_are_named_well,
    names_exist,
    subscribers_exist,
    starts_somewhere,
    defaults_are_one,
    guards_read_known_keys,
    inputs_are_known_keys,
    joins_differ,
    nodes_are_reached,
)


def check(draft: Draft) -> None:
    """Hold the draft to every rule; the first that is broken raises."""
    for rule in RULES:
        rule(draft)


def warnings_of(draft: Draft) -> Iterator[str]:
    """What no rule forbids and few mean."""
    for source, edges in _by_source(draft).items():
        guarded = [edge for edge in edges if edge.when is not None]
        always = [edge for edge in edges if edge.when is None and not edge.default]
        if guarded and always:
            yield (
                f"{capital(place_of(always[0]))} is always taken, also when a guard of {source!r} matches:"
                " default=True takes it only when none does."
            )
