"""What a definition looks like from outside: its topology, and the manifest that its hash is taken of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from weavenb.channels.base import Channel
from weavenb.channels.naming import type_text, value_text
from weavenb.definition.edges import Edge, Join, Router
from weavenb.definition.nodes import Node
from weavenb.model.topology import END, START, Topology, TopologyEdge, TopologyNode

__all__ = ["Way", "hash_of_manifest", "manifest_of", "topology_of"]

Way = Edge | Join | Router


def topology_of(name: str, nodes: Mapping[str, Node], ways: Iterable[Way], channels: Mapping[str, Channel]) -> Topology:
    """Nodes and edges in the order of their declaration; a router without declared targets draws none."""
    edges = [edge for way in ways for edge in _drawn(way)]
    edges += [
        TopologyEdge(key, node, "subscription", key)
        for key, channel in channels.items()
        for node in channel.subscribers
    ]
    ends = any(edge.target == END for edge in edges)
    drawn = [TopologyNode(START, "start"), *[TopologyNode(node) for node in nodes]]
    return Topology(name, (*drawn, *([TopologyNode(END, "end")] if ends else [])), tuple(dict.fromkeys(edges)))


def _drawn(way: Way) -> list[TopologyEdge]:
    if isinstance(way, Edge):
        kind = "default" if way.default else "edge" if way.when is None else "guard"
        return [TopologyEdge(way.source, way.target, kind, way.label)]
    if isinstance(way, Join):
        return [TopologyEdge(source, way.target, "join") for source in way.sources]
    if way.by_result is not None:
        results: dict[str, list[str]] = {}
        for result, target in way.by_result.items():
            results.setdefault(target, []).append(result if isinstance(result, str) else value_text(result))
        return [TopologyEdge(way.source, target, "route", ", ".join(told)) for target, told in results.items()]
    return [TopologyEdge(way.source, target, "route", way.name) for target in way.targets or ()]


def manifest_of(
    topology: Topology,
    nodes: Mapping[str, Node],
    ways: Iterable[Way],
    channels: Mapping[str, Channel],
    types: Mapping[str, Any],
    boundary: Mapping[str, Mapping[str, Any] | None],
    *,
    open_state: bool,
) -> str:
    """Canonical JSON. Nodes keep their order, since writes apply in it; ways and keys are sorted, since theirs says nothing."""
    told = {
        "name": topology.name,
        "state": "open" if open_state else "closed",
        "nodes": [
            {"name": node.name, **({} if node.input_keys is None else {"input": sorted(node.input_keys)})}
            for node in nodes.values()
        ],
        "edges": sorted(
            [[edge.source, edge.target, edge.kind, edge.label] for edge in topology.edges if edge.kind != "join"]
        ),
        "joins": sorted([[way.key, way.target, *way.sources] for way in ways if isinstance(way, Join)]),
        "routers": sorted([[way.source, way.name] for way in ways if isinstance(way, Router)]),
        "channels": {
            key: {"type": type_text(types.get(key, Any)), **channel.describe()} for key, channel in channels.items()
        },
        **{
            side: None if keys is None else {key: type_text(hint) for key, hint in keys.items()}
            for side, keys in boundary.items()
        },
    }
    return json.dumps(told, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def hash_of_manifest(manifest: str) -> str:
    """16 hex digits."""
    return hashlib.blake2b(manifest.encode(), digest_size=8).hexdigest()
