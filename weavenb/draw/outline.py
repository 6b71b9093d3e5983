"""The graph in plain text: the same bytes on every machine, for outputs that hold no picture."""

from __future__ import annotations

import json

from weavenb.draw.scene import Scene
from weavenb.model.texts import one_line
from weavenb.model.topology import END, START, TopologyEdge, TopologyNode

__all__ = ["alternative", "outline"]

_NAME = 120
_SPOKEN = 24


def outline(scene: Scene) -> str:
    """Each node with the ways out of it; no line break at the end."""
    lines = [_headline(scene)]
    leaving: dict[str, list[int]] = {}
    for number, edge in enumerate(scene.edges):
        leaving.setdefault(edge.source, []).append(number)
    for node in scene.nodes:
        ways = leaving.get(node.name, [])
        if node.kind == "end" and not ways:
            continue
        lines.append(f"{_name(node.name)}{_notes(scene, node)}")
        lines += [_way(scene, number) for number in ways]
    return "\n".join(lines)


def alternative(scene: Scene) -> str:
    """The graph as one spoken sentence after another, for who cannot see the picture."""
    said = [_headline(scene)]
    for node in scene.nodes:
        state = scene.state(node.name)
        if state != "idle":
            said.append(f"{one_line(node.name, _NAME)} is {state}")
    for number, edge in enumerate(scene.edges[:_SPOKEN]):
        words = " ".join(_way(scene, number).split()[2:])
        said.append(f"{_name(edge.source)} to {_name(edge.target)}{', ' + words if words else ''}")
    if len(scene.edges) > _SPOKEN:
        said.append(f"and {len(scene.edges) - _SPOKEN} more edges")
    return ". ".join(said) + "."


def _headline(scene: Scene) -> str:
    inner = sum(node.kind not in {"start", "end"} for node in scene.nodes)
    name = one_line(scene.topology.name, _NAME)
    return f"graph{' ' * bool(name)}{name}: {_some(inner, 'node')}, {_some(len(scene.edges), 'edge')}"


def _some(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _name(name: str) -> str:
    """As in the user's code where possible, quoted where it could be taken for something else."""
    if name in {START, END}:
        return "START" if name == START else "END"
    plain = name.replace("-", "_").replace(".", "_").isidentifier() and name not in {"START", "END"}
    return one_line(name if plain else json.dumps(name, ensure_ascii=False), _NAME)


def _notes(scene: Scene, node: TopologyNode) -> str:
    state = scene.state(node.name)
    notes = ["nested graph"] * (node.kind == "graph") + [state] * (state != "idle")
    return f" ({', '.join(notes)})" if notes else ""


def _way(scene: Scene, number: int) -> str:
    edge = scene.edges[number]
    count = scene.taken.get(number)
    notes = [_kind(edge), "" if count is None else f"x{count}"]
    said = ", ".join(note for note in notes if note)
    return f"  -> {_name(edge.target)}{'  ' + said if said else ''}"


def _kind(edge: TopologyEdge) -> str:
    label = one_line(edge.label, _NAME)
    match edge.kind:
        case "guard":
            return f"when {label}" if label else "guarded"
        case "default":
            return "default" if label in {"", "default"} else f"default {label}"
        case "route":
            word = "routed" if edge.declared else "perhaps routed"
            return f"{word} by {label}" if label else word
        case "join":
            return f"joined {label}".strip()
        case "subscription":
            return f"on {label}" if label else "subscribed"
        case _:
            return label
