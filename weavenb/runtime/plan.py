"""What runs next: edges, guards, routes, joins, subscriptions. Pure but for the guards a user wrote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from weavenb.model.tasks import Route, Send, Task
from weavenb.model.topology import END
from weavenb.runtime.fold import public
from weavenb.serde import isolate

if TYPE_CHECKING:
    from weavenb.definition.definition import Definition
    from weavenb.definition.edges import Edge, Join

__all__ = ["GuardFailed", "Plan", "check_route", "plan", "renewed"]

JOINS = "__join__"


class GuardFailed(Exception):
    """A guard of `node` raised."""

    def __init__(self, node: str, error: Exception) -> None:
        super().__init__(node, error)
        self.node = node
        self.error = error


@dataclass(slots=True)
class Plan:
    """The tasks of the next step and what joins still wait."""

    tasks: tuple[Task, ...]
    joins: dict[str, list[str]]
    """Arrivals by join key; empty when none waits."""


def plan(
    definition: Definition,
    ended: Iterable[tuple[str, Route]],
    values: Mapping[str, Any],
    changed: Iterable[str],
    *,
    step: int,
    suffix: str,
    kept: Iterable[Task] = (),
) -> Plan:
    """Tasks that follow once the nodes of `ended` are through and `values` is the merged state.

    `suffix` makes their ids unique in the thread. `kept` tasks stay as they are.

    Raises:
        GuardFailed: a guard raised.
    """
    kept = tuple(kept)
    gathered = _Gathered(values.get(JOINS))
    edges_from = definition.edges_from
    seen = _Seen(values)
    fired = {join.key for join in definition.joins if _fired(join, kept)} if kept else ()
    for node, route in _in_order(ended, definition.order):
        if route.targets:
            gathered.lead(node, route.targets)
        if route.replaces_edges:
            continue
        if node in edges_from:
            gathered.lead(node, _edges_taken(node, edges_from[node], seen))
        for join in definition.joins_from.get(node, ()):
            if join.key not in fired:
                gathered.arrive(join.key, node)
    for join in definition.joins:
        gathered.release(join)
    if definition.subscribers:
        for key in changed:
            gathered.lead_all(definition.subscribers_of(key), key)
    return Plan(_tasks(definition, gathered, kept, step, suffix), gathered.arrivals)


def _in_order(ended: Iterable[tuple[str, Route]], order: Mapping[str, int]) -> list[tuple[str, Route]]:
    found = list(ended)
    if len(found) > 1:
        found.sort(key=lambda pair: order.get(pair[0], -1))
    return found


def _fired(join: Join, kept: tuple[Task, ...]) -> bool:
    """Whether one of the tasks that stay is what this join released: the arrivals at it are used up."""
    sources = set(join.sources)
    return any(task.node == join.target and task.input is None and sources <= set(task.triggered_by) for task in kept)


class _Gathered:
    """Where the ended nodes lead, as it is found."""

    __slots__ = ("arrivals", "pulled", "sends")

    def __init__(self, arrived: Mapping[str, list[str]] | None) -> None:
        self.arrivals = {key: list(nodes) for key, nodes in arrived.items()} if arrived else {}
        self.pulled: dict[str, dict[str, None]] = {}
        """Node to what led there."""
        self.sends: list[tuple[str, Send]] = []

    def lead(self, node: str, targets: Sequence[str | Send]) -> None:
        for target in targets:
            if isinstance(target, Send):
                self.sends.append((node, target))
            elif target in self.pulled:
                self.pulled[target][node] = None
            elif target != END:
                self.pulled[target] = {node: None}

    def lead_all(self, nodes: Iterable[str], key: str) -> None:
        """A write of `key` schedules those who subscribe to it."""
        for node in nodes:
            self.pulled.setdefault(node, {}).setdefault(key, None)

    def arrive(self, join: str, node: str) -> None:
        waiting = self.arrivals.setdefault(join, [])
        if node not in waiting:
            waiting.append(node)

    def release(self, join: Join) -> None:
        if set(self.arrivals.get(join.key, ())) >= set(join.sources):
            self.pulled.setdefault(join.target, {}).update(dict.fromkeys(self.arrivals.pop(join.key)))


class _Seen:
    """The merged state as guards see it, copied when the first guard asks."""

    __slots__ = ("state", "values")

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values
        self.state: dict[str, Any] | None = None

    def __call__(self) -> dict[str, Any]:
        if self.state is None:
            self.state = isolate(public(self.values))
        return self.state


def _edges_taken(node: str, edges: Iterable[Edge], seen: _Seen) -> list[str]:
    taken: list[str] = []
    fallback: list[str] = []
    guarded = False
    for edge in edges:
        if edge.default:
            fallback.append(edge.target)
        elif edge.when is None:
            taken.append(edge.target)
        else:
            try:
                matches = edge.matches(seen())
            except Exception as error:
                raise GuardFailed(node, error) from error
            if matches:
                guarded = True
                taken.append(edge.target)
    return taken if guarded else taken + fallback


def _tasks(
    definition: Definition, gathered: _Gathered, kept: tuple[Task, ...], step: int, suffix: str
) -> tuple[Task, ...]:
    if len(gathered.pulled) == 1 and not gathered.sends and not kept:
        # The commonest step by far.
        ((node, sources),) = gathered.pulled.items()
        return (Task(f"{step}.{node}.0.{suffix}", node, "", tuple(sources)),)
    order = definition.order
    count: dict[str, int] = {}

    def new_id(node: str) -> str:
        index = count.get(node, 0)
        count[node] = index + 1
        return f"{step}.{node}.{index}.{suffix}"

    waiting = {task.node for task in kept if task.input is None}
    found = [
        Task(new_id(node), node, "", tuple(sources)) for node, sources in gathered.pulled.items() if node not in waiting
    ]
    found += [
        Task(new_id(send.node), send.node, f"send.{n}", (source,), send.update)
        for n, (source, send) in enumerate(gathered.sends)
    ]
    # Declaration order of nodes, then Send index: never who was faster. The sort is stable.
    return tuple(sorted([*kept, *found], key=lambda task: (order.get(task.node, 0), task.input is not None)))


def check_route(definition: Definition, node: str, route: Route) -> None:
    """Refuse a route to a node that is not there.

    Raises:
        UnknownNode: naming the nearest node.
    """
    for target in route.targets:
        name = target.node if isinstance(target, Send) else target
        if name not in definition.nodes and (name != END or isinstance(target, Send)):
            definition.check_node(name, f"node {node!r} leads to it")


def renewed(tasks: Iterable[Task], step: int, suffix: str) -> dict[str, Task]:
    """The same tasks with ids of their own, by old id, in the same order."""
    count: dict[str, int] = {}
    found: dict[str, Task] = {}
    for task in tasks:
        index = count.get(task.node, 0)
        count[task.node] = index + 1
        found[task.id] = Task(
            f"{step}.{task.node}.{index}.{suffix}", task.node, task.path, task.triggered_by, task.input
        )
    return found
