"""How graphs are to run, said once more in the plainest way: one task after the other, no saver, no threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from weavenb import END, START, Reducer, Send, StateGraph

State = dict[str, Any]


@dataclass
class Spec:
    """A graph as plain data: nodes are numbers."""

    nodes: int
    edges: list[tuple[int, int]] = field(default_factory=list)
    """-1 is the start."""
    guarded: list[tuple[int, int, int, int]] = field(default_factory=list)
    """Source, target, and ``len(log) % modulus == rest``; a rest of -1 makes a default."""
    back: list[tuple[int, int]] = field(default_factory=list)
    """Taken while the log is short."""
    joins: list[tuple[tuple[int, ...], int]] = field(default_factory=list)
    sends: list[tuple[int, int, int]] = field(default_factory=list)
    """Source, target, how many."""


@dataclass
class Point:
    """A checkpoint of the model."""

    values: State
    tasks: list[tuple[int, State | None]]
    arrived: dict[int, set[int]]
    by: list[int]


def name(node: int) -> str:
    return START if node < 0 else f"n{node}"


def work(node: int, seen: State) -> State:
    """What a node writes: it grows two keys, and says in a key of its own what it saw."""
    update: State = {"log": [f"n{node}"], "total": node + len(seen.get("log", []))}
    if "sent" not in seen:
        update[f"p{node}"] = [len(seen.get("log", [])), seen.get("total")]
    return update


def matches(state: State, modulus: int, rest: int) -> bool:
    return len(state["log"]) % modulus == rest


def is_short(state: State) -> bool:
    return len(state["log"]) < 12


def built(spec: Spec, fn: Callable[[int, State], State], saver: Any, **options: Any) -> Any:
    """The graph of `spec` whose nodes call `fn`."""
    graph = StateGraph(state={"log": Reducer("list"), "total": Reducer(lambda a, b: a + b, 0)})
    for node in range(spec.nodes):
        graph.add_node(name(node), lambda state, node=node: fn(node, state))
    for source, target in spec.edges:
        graph.add_edge(name(source), name(target))
    for source, target, modulus, rest in spec.guarded:
        if rest < 0:
            graph.add_edge(name(source), name(target), default=True)
        else:
            graph.add_edge(name(source), name(target), when=lambda s, m=modulus, r=rest: matches(s, m, r))
    for source, target in spec.back:
        graph.add_edge(name(source), name(target), when=is_short)
    for sources, target in spec.joins:
        graph.add_edge([name(source) for source in sources], name(target))
    for source, target, count in spec.sends:
        graph.add_conditional_edges(
            name(source),
            lambda state, t=target, c=count: [Send(name(t), {"log": state["log"], "sent": n}) for n in range(c)] or END,
        )
    return graph.compile(saver, **options)


class Model:
    """Runs a `Spec` and keeps every point it came by."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec

    def begin(self, given: State, before: Point | None = None) -> Point:
        values = {"log": [], "total": 0} if before is None else dict(before.values)
        arrived = {} if before is None else before.arrived
        values = {**values, "log": values["log"] + given.get("log", [])}
        return self.after(values, [(-1, [])], arrived)

    def step(self, point: Point) -> Point:
        values = dict(point.values)
        done = []
        for node, given in point.tasks:
            seen = point.values if given is None else given
            update = work(node, seen)
            local = {**point.values, "log": point.values["log"] + update["log"]}
            done.append((node, update, self.routed(node, local)))
        for _, update, _ in done:
            own = {key: value for key, value in update.items() if key.startswith("p")}
            values = {
                **values,
                **own,
                "log": values["log"] + update["log"],
                "total": values["total"] + update["total"],
            }
        return self.after(values, [(node, sends) for node, _, sends in done], point.arrived)

    def routed(self, node: int, local: State) -> list[tuple[int, State]]:
        return [
            (target, {"log": local["log"], "sent": n})
            for source, target, count in self.spec.sends
            if source == node
            for n in range(count)
        ]

    def after(
        self, values: State, ended: list[tuple[int, list[tuple[int, State]]]], arrived: dict[int, set[int]]
    ) -> Point:
        arrived = {key: set(nodes) for key, nodes in arrived.items()}
        plain: set[int] = set()
        sent: list[tuple[int, State]] = []
        for node, sends in ended:
            sent += sends
            plain |= {target for source, target in self.spec.edges if source == node}
            plain |= self.guards(node, values)
            for key, (sources, _) in enumerate(self.spec.joins):
                if node in sources:
                    arrived.setdefault(key, set()).add(node)
        for key, (sources, target) in enumerate(self.spec.joins):
            if arrived.get(key, set()) == set(sources):
                plain.add(target)
                del arrived[key]
        tasks: list[tuple[int, State | None]] = []
        for node in range(self.spec.nodes):
            tasks += [(node, None)] if node in plain else []
            tasks += [(target, state) for target, state in sent if target == node]
        return Point(values, tasks, arrived, list(dict.fromkeys(node for node, _ in ended)))

    def guards(self, node: int, values: State) -> set[int]:
        mine = [guard for guard in self.spec.guarded if guard[0] == node]
        taken = {target for _, target, modulus, rest in mine if rest >= 0 and matches(values, modulus, rest)}
        taken |= {target for source, target in self.spec.back if source == node and is_short(values)}
        return taken or {target for _, target, _, rest in mine if rest < 0}

    def run(self, point: Point, limit: int) -> list[Point]:
        """The points after `point`, at most `limit`."""
        found: list[Point] = []
        while point.tasks and len(found) < limit:
            point = self.step(point)
            found.append(point)
        return found
