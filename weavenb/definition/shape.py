"""What a definition looks like from outside: its topology, and the manifest that its hash is taken of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from weavenb.channels.naming import type_text, value_text
from weavenb.definition.draft import Draft, Way
from weavenb.definition.edges import Edge, Join
from weavenb.definition.nodes import Node
from weavenb.model.topology import END, START, EdgeKind, Topology, TopologyEdge, TopologyNode

__all__ = ["hash_of_manifest", "manifest_of", "topology_of"]


def topology_of(draft: Draft) -> Topology:
    """Nodes and edges in the order of their declaration; a router without declared targets draws none.

    A subscription leads from a key, not from a node.
    """
    edges = [edge for way in draft.ways for edge in _drawn(way)]
    edges += [
        TopologyEdge(key, node, "subscription")
        for key, channel in draft.channels.items()
        for node in channel.subscribers
    ]
    ends = any(edge.target == END for edge in edges)
    drawn = [TopologyNode(START, "start"), *[TopologyNode(node) for node in draft.nodes]]
    return Topology(draft.name, (*drawn, *([TopologyNode(END, "end")] if ends else [])), tuple(dict.fromkeys(edges)))


def _drawn(way: Way) -> list[TopologyEdge]:
    if isinstance(way, Edge):
        kind: EdgeKind = "default" if way.default else "edge" if way.when is None else "guard"
        return [TopologyEdge(way.source, way.target, kind, way.label)]
    if isinstance(way, Join):
        return [TopologyEdge(source, way.target, "join") for source in way.sources]
    if way.by_result is not None:
        results: dict[str, list[str]] = {}
        for result, target in way.by_result.items():
            results.setdefault(target, []).append(result if isinstance(result, str) else value_text(result))
        return [TopologyEdge(way.source, target, "route", ", ".join(told)) for target, told in results.items()]
    return [TopologyEdge(way.source, target, "route", way.name) for target in way.targets or ()]


def manifest_of(draft: Draft, topology: Topology) -> str:
    """Canonical JSON.

    Nodes keep their order, since writes apply in it; ways and keys are sorted, since their order says nothing.
    """
    told = {
        "name": draft.name,
        "state": "open" if draft.open else "closed",
        "nodes": [_node_told(node) for node in draft.nodes.values()],
        "edges": sorted(
            [[edge.source, edge.target, edge.kind, edge.label] for edge in topology.edges if edge.kind != "join"]
        ),
        "joins": sorted([[join.key, join.target, *join.sources] for join in draft.joins]),
        "routers": sorted([[router.source, router.name] for router in draft.routers]),
        "channels": {
            key: {"type": type_text(draft.types.get(key, Any)), **channel.describe()}
            for key, channel in draft.channels.items()
        },
        "input": _types_told(draft.input_types),
        "output": _types_told(draft.output_types),
    }
    return json.dumps(told, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _node_told(node: Node) -> dict[str, Any]:
    told: dict[str, Any] = {"name": node.name}
    if node.input_keys is not None:
        told["input"] = sorted(node.input_keys)
    return told


def _types_told(types: Mapping[str, Any] | None) -> dict[str, str] | None:
    return None if types is None else {key: type_text(hint) for key, hint in types.items()}


def hash_of_manifest(manifest: str) -> str:
    """16 hex digits."""
    return hashlib.blake2b(manifest.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
