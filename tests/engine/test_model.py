"""Random graphs run as the plain model says, step by step, however often they are stopped, broken or replayed."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.model import Model, Point, Spec, built, name, work
from tests.engine.plain import PlainSaver
from weavenb import DuckDBSaver, MemorySaver
from weavenb.errors import NodeFailed, RecursionLimit

LIMIT = 40


@st.composite
def specs(draw: Any) -> Spec:
    """Graphs that end: ways forward, and ways back while the log is short."""
    count = draw(st.integers(3, 7))
    nodes = st.integers(0, count - 1)

    def forward(*more: Any) -> Any:
        pair = st.tuples(st.integers(0, count - 2), st.integers(1, count - 1), *more)
        return pair.filter(lambda found: found[0] < found[1])

    # Each node is reached from an earlier one or from the start.
    parents = [-1, *(draw(st.integers(-1, node - 1)) for node in range(1, count))]
    spine = [(parent, node) for node, parent in enumerate(parents)]
    edges = list(dict.fromkeys([*spine, *draw(st.lists(forward(), max_size=4))]))
    guards = draw(st.lists(forward(st.integers(1, 3), st.integers(-1, 2)), max_size=4, unique_by=lambda g: g[:2]))
    plain = set(edges)
    guards = [guard for guard in guards if guard[:2] not in plain]
    taken = plain | {guard[:2] for guard in guards}
    # A default beside no guard is refused.
    guards = [g for g in guards if g[3] >= 0 or any(o[0] == g[0] and o[3] >= 0 for o in guards)]
    back = draw(st.lists(st.tuples(nodes, nodes).filter(lambda b: b[0] >= b[1]), max_size=1))
    joins = draw(
        st.lists(
            st.tuples(st.lists(nodes, min_size=2, max_size=3, unique=True).map(sorted).map(tuple), nodes).filter(
                lambda join: join[1] > max(join[0])
            ),
            min_size=draw(st.integers(0, 1)),
            max_size=2,
            unique=True,
        )
    )
    sends = draw(st.lists(forward(st.integers(0, 2)), max_size=2, unique_by=lambda s: s[0]))
    return Spec(count, edges, guards, [b for b in back if b not in taken], joins, sends)


def seen(app: Any, thread: str = "t") -> list[tuple[dict[str, Any], tuple[str, ...], tuple[str, ...]]]:
    """Values, next and producers of each checkpoint that is no fork, oldest first."""
    return [
        (found.values, found.next, found.produced_by)
        for found in reversed(list(app.get_state_history(thread=thread)))
        if found.metadata["source"] != "fork"
    ]


def expected(points: list[Point]) -> list[tuple[dict[str, Any], tuple[str, ...], tuple[str, ...]]]:
    return [
        (p.values, tuple(name(node) for node, _ in p.tasks), tuple("__start__" if n < 0 else name(n) for n in p.by))
        for p in points
    ]


class Breaks:
    """Runs the nodes, and raises in the calls named."""

    def __init__(self, calls: set[int]) -> None:
        self.calls = calls
        self.count = 0
        self.told = 0

    def __call__(self, node: int, state: dict[str, Any]) -> dict[str, Any]:
        self.count += 1
        if self.count in self.calls:
            self.told += 1
            raise RuntimeError("broken")
        return work(node, state)


@settings(max_examples=150)
@given(specs(), st.sampled_from([MemorySaver, lambda: PlainSaver(MemorySaver())]))
def test_a_run_and_a_second_turn_are_as_the_model_says(spec, make):
    app = built(spec, work, make())
    model = Model(spec)
    first = model.begin({"log": ["in"]})
    points = [first, *model.run(first, LIMIT)]
    if points[-1].tasks:
        with pytest.raises(RecursionLimit):
            app.invoke({"log": ["in"]}, thread="t", recursion_limit=LIMIT)
    else:
        app.invoke({"log": ["in"]}, thread="t", recursion_limit=LIMIT)
        second = model.begin({"log": ["again"]}, points[-1])
        more = [second, *model.run(second, LIMIT)]
        if not more[-1].tasks:
            points += more
            out = app.invoke({"log": ["again"]}, thread="t", recursion_limit=LIMIT)
            assert out == points[-1].values

    assert seen(app) == expected(points)


@settings(max_examples=120)
@given(specs(), st.sets(st.integers(0, 5), max_size=3), st.sets(st.integers(1, 9), max_size=4), st.booleans())
def test_a_run_that_is_stopped_and_broken_comes_to_the_same_end(spec, stops, calls, plain):
    breaks = Breaks(calls)
    app = built(spec, breaks, PlainSaver(MemorySaver()) if plain else MemorySaver())
    model = Model(spec)
    first = model.begin({})
    points = [first, *model.run(first, LIMIT)]
    if points[-1].tasks:
        return
    held = [name(node) for node in stops if node < spec.nodes]
    given_: Any = {}
    for _ in range(200):
        try:
            out = app.invoke(given_, thread="t", recursion_limit=LIMIT, **({"interrupt_before": held} if held else {}))
        except NodeFailed:
            pass
        else:
            if out.status == "completed":
                break
        given_ = None

    assert app.get_state(thread="t").next == ()
    assert seen(app) == expected(points)
    assert breaks.count - breaks.told == sum(len(point.tasks) for point in points)


@settings(max_examples=120)
@given(specs(), st.integers(0, 20))
def test_a_replay_from_any_checkpoint_comes_to_the_same_end(spec, chosen):
    app = built(spec, work, MemorySaver())
    model = Model(spec)
    first = model.begin({"log": ["in"]})
    points = [first, *model.run(first, LIMIT)]
    if points[-1].tasks:
        return
    out = app.invoke({"log": ["in"]}, thread="t", recursion_limit=LIMIT)
    history = list(reversed(list(app.get_state_history(thread="t"))))
    at = chosen % len(history)
    again = app.replay(history[at], recursion_limit=LIMIT)

    assert again == out
    assert seen(app) == expected([*points, *points[at + 1 :]])


@settings(max_examples=12)
@given(specs(), st.sets(st.integers(1, 9), min_size=1, max_size=3))
def test_a_run_whose_file_is_opened_anew_after_each_failure_comes_to_the_same_end(spec, calls):
    breaks = Breaks(calls)
    model = Model(spec)
    first = model.begin({})
    points = [first, *model.run(first, LIMIT)]
    if points[-1].tasks:
        return
    with tempfile.TemporaryDirectory() as folder:
        given_: Any = {}
        for _ in range(20):
            with DuckDBSaver(Path(folder) / "runs.duckdb") as saver:
                app = built(spec, breaks, saver)
                try:
                    app.invoke(given_, thread="t", recursion_limit=LIMIT)
                except NodeFailed:
                    given_ = None
                    continue
                found = seen(app)
                break

    assert found == expected(points)
    assert breaks.count - breaks.told == sum(len(point.tasks) for point in points)
