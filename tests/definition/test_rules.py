"""One test or more for each rule: the code, what is wrong, and the nearest right name."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Literal, TypedDict

import pytest

from weavenb.channels.last_value import LastValue
from weavenb.definition.builder import GraphBuilder
from weavenb.errors import GraphError, InvalidGraph, UnknownKey, UnknownNode
from weavenb.model.tasks import Command
from weavenb.model.topology import END, START


class Ticket(TypedDict, total=False):
    category: str
    reply: str


def work(state) -> dict:
    return {}


def line(*names: str, schema=None, **options) -> GraphBuilder:
    """Nodes one after the other, from the start."""
    graph = GraphBuilder(schema, **options)
    for before, name in zip((START, *names), names, strict=False):
        graph.add_node(name, work)
        graph.add_edge(before, name)
    return graph


def broken(act: Callable[[], object]) -> GraphError:
    """The error that `act` raises."""
    with pytest.raises(GraphError) as caught:
        act()
    return caught.value


@pytest.mark.parametrize(
    ("add", "where"),
    [
        (lambda g: g.add_edge("reply", "clasify"), "the edge 'reply' -> 'clasify'"),
        (lambda g: g.add_edge("clasify", "reply"), "the edge 'clasify' -> 'reply'"),
        (lambda g: g.add_edge(["clasify", "reply"], "reply"), "the join ['reply', 'clasify'] -> 'reply'"),
        (lambda g: g.add_edge(["classify", "reply"], "clasify"), "the join ['classify', 'reply'] -> 'clasify'"),
        (lambda g: g.add_conditional_edges("reply", work, ["clasify"]), "the router 'work' after 'reply'"),
        (lambda g: g.add_conditional_edges("reply", work, {1: "clasify"}), "the router 'work' after 'reply'"),
        (lambda g: g.add_conditional_edges("clasify", work), "the router 'work' after 'clasify'"),
        (lambda g: g.add_channel("k", LastValue(subscribers=["clasify"])), "the subscribers of key 'k'"),
    ],
)
def test_a_way_to_or_from_an_unknown_node(add, where):
    graph = line("classify", "reply")
    add(graph)
    error = broken(graph.build)

    assert isinstance(error, UnknownNode)
    assert error.code == "unknown_node"
    assert error.details == {"name": "clasify", "nearest": "classify", "where": where}


def test_nodes_may_be_added_after_their_edges():
    graph = GraphBuilder().add_edge(START, "a").add_node("a", work)

    assert list(graph.build().nodes) == ["a"]


def test_two_nodes_of_one_name():
    error = broken(lambda: line("a").add_node("a", work))

    assert error.code == "invalid_graph"
    assert "two nodes 'a'" in str(error)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("a:b", "holds ':' or '/'"),
        ("a/b", "holds ':' or '/'"),
        (START, "is reserved"),
        ("__input__", "is reserved"),
        ("", "is empty"),
        ("  ", "is empty"),
        (3, "is a text, not 3"),
    ],
)
def test_names_that_no_node_may_have(name, told):
    error = broken(lambda: GraphBuilder().add_node(name, work))

    assert isinstance(error, InvalidGraph)
    assert told in str(error)


@pytest.mark.parametrize("name", ["A", "end", "class", "a b", "<x>", "ä", "1", "__", "constructor"])
def test_odd_names_are_fine(name):
    assert list(line(name).build().nodes) == [name]


def test_a_graph_without_nodes():
    assert "has no nodes" in str(broken(GraphBuilder(name="empty").build))


def test_a_graph_that_starts_nowhere():
    error = broken(GraphBuilder().add_node("a", work).build)

    assert error.code == "invalid_graph"
    assert "add_edge(START, 'a')" in str(error)


def test_a_router_may_begin_the_run():
    def first(state) -> Literal["a"]:
        return "a"

    graph = GraphBuilder().add_node("a", work).add_conditional_edges(START, first)

    assert graph.build().routers_from[START][0].targets == ("a",)


def test_nothing_follows_the_end():
    assert "from END" in str(broken(lambda: line("a").add_edge(END, "a")))
    assert "follows END" in str(broken(lambda: line("a").add_conditional_edges(END, work)))


@pytest.mark.parametrize(
    "add",
    [
        lambda g: g.add_edge("a", START),
        lambda g: g.add_edge(["a", "b"], START),
        lambda g: g.add_conditional_edges("a", work, [START]),
    ],
)
def test_nothing_leads_to_the_start(add):
    assert "leads to START" in str(broken(lambda: add(line("a"))))


def test_two_defaults_of_one_source():
    graph = line("a", "b").add_node("c", work).add_edge("a", "b", when={"x": 1})
    graph.add_edge("a", "b", default=True).add_edge("a", "c", default=True)

    assert str(broken(graph.build)) == "'a' has 2 default edges, to 'b' and 'c': keep one."


def test_a_default_without_a_guard():
    graph = line("A", "b").add_edge("A", "b", default=True)

    assert str(broken(graph.build)).startswith("The edge 'A' -> 'b' is a default, but no edge from 'A' has a guard")


def test_a_guard_that_is_a_default_too():
    assert "one of the two" in str(broken(lambda: line("a").add_edge("a", END, when={"x": 1}, default=True)))


def test_a_guard_reads_a_key_that_the_closed_state_lacks():
    error = broken(line("a", schema=Ticket).add_edge("a", END, when={"categry": "x"}).build)

    assert isinstance(error, UnknownKey)
    assert error.details == {
        "name": "categry",
        "nearest": "category",
        "where": "The guard of the edge 'a' -> '__end__'",
    }


def test_a_guard_of_an_open_state_may_read_any_key():
    assert line("a").add_edge("a", END, when={"anything": 1}).build().open


@pytest.mark.parametrize("key", ["__join__", "__route__", "__x__"])
def test_reserved_keys(key):
    assert "is reserved" in str(broken(lambda: GraphBuilder(state={key: int})))
    assert "is reserved" in str(broken(lambda: GraphBuilder().add_reducer(key, max)))


@pytest.mark.parametrize(
    ("sources", "told"),
    [
        (["a"], "fewer than two"),
        ([], "fewer than two"),
        (["a", "a"], "names 'a' twice"),
        ([START, "a"], "waits for START or END"),
        (["a", 3], "has the source 3"),
    ],
)
def test_joins_that_make_no_sense(sources, told):
    assert told in str(broken(lambda: line("a").add_edge(sources, "a")))


def test_a_join_has_no_guard():
    assert "guard the edges before it" in str(broken(lambda: line("a", "b").add_edge(["a", "b"], "c", when={"x": 1})))


def test_a_join_declared_twice_in_any_order():
    graph = line("a", "b", "c").add_edge(["a", "b"], "c").add_edge(["b", "a"], "c")

    assert str(broken(graph.build)) == "The join ['a', 'b'] -> 'c' is declared twice: keep one."


@pytest.mark.parametrize("source", [3, work])
def test_a_source_that_is_no_name(source):
    assert "a source is a node's name" in str(broken(lambda: line("a").add_edge(source, "a")))
    assert "its source is a node's name" in str(broken(lambda: line("a").add_conditional_edges(source, work)))


def test_a_target_that_is_no_name():
    three: Any = 3

    assert "leads to 3" in str(broken(lambda: line("a").add_edge("a", three)))


def test_a_node_that_nothing_leads_to():
    error = broken(line("a").add_node("lost", work).build)

    assert error.code == "invalid_graph"
    assert "Nothing leads to node 'lost'" in str(error)


def test_a_ring_that_nothing_leads_to():
    graph = line("a").add_node("x", work).add_node("y", work).add_edge("x", "y").add_edge("y", "x")

    assert "Nothing leads to node 'x'" in str(broken(graph.build))


def typed(state) -> Ticket:
    return {}


def optional(state) -> dict[str, int] | None:
    return None


def stops(state):
    for _ in range(3):
        operator.add(1, 2)
    raise RuntimeError(state)


SEEN: list[str] = []


@pytest.mark.parametrize(
    "fn",
    [
        typed,
        optional,
        stops,
        lambda state: {"n": len(state)},
        lambda state, i=3: {"n": i},
        lambda state: SEEN.append("x"),
    ],
)
def test_a_node_that_surely_returns_its_update_leads_nowhere(fn):
    graph = GraphBuilder().add_node("a", fn).add_edge(START, "a").add_node("lost", work)

    assert "'lost'" in str(broken(graph.build))


def jumps(state):
    return Command(goto="far")


def told(state) -> Command:
    return jumps(state)


def helped(state):
    return jumps(state)


def imports(state):
    from tests.definition.test_rules import jumps as found

    return found(state)


def asks(state, runtime):
    return runtime.context.decide(state)


def of_two(state) -> dict | list:
    return {}


def handled(state):
    return HANDLERS["far"](state)


HANDLERS = {"far": jumps}


@pytest.mark.parametrize("fn", [jumps, told, helped, imports, asks, of_two, handled, lambda state: [jumps(state)]])
def test_a_node_that_may_jump_can_reach_any_other(fn):
    graph = GraphBuilder().add_node("a", fn).add_edge(START, "a").add_node("far", work)

    assert list(graph.build().nodes) == ["a", "far"]


def test_a_router_without_targets_can_reach_any_node():
    graph = line("a").add_node("far", work).add_conditional_edges("a", lambda state: "far")

    assert "far" in graph.build().nodes


def test_a_router_with_targets_reaches_them():
    graph = line("a").add_node("far", work).add_node("lost", work).add_conditional_edges("a", work, {"x": "far"})

    assert "'lost'" in str(broken(graph.build))


def test_a_subscriber_is_reached_by_its_key():
    graph = line("a").add_node("notify", work).add_channel("alert", LastValue(subscribers=["notify"]))

    assert graph.build().subscribers_of("alert") == ("notify",)


@pytest.mark.parametrize("side", ["input_schema", "output_schema"])
def test_a_border_key_that_the_closed_state_lacks(side):
    error = broken(line("a", schema=Ticket, **{side: {"replay": str}}).build)

    assert error.details == {"name": "replay", "nearest": "reply", "where": side}


def test_an_input_key_of_a_node_that_the_closed_state_lacks():
    graph = GraphBuilder(Ticket).add_node("a", work, input=["replay"]).add_edge(START, "a")
    error = broken(graph.build)

    assert error.details == {"name": "replay", "nearest": "reply", "where": "The input of node 'a'"}


def test_a_channel_for_a_key_that_the_closed_state_lacks():
    error = broken(lambda: GraphBuilder(Ticket).add_reducer("replay", max))

    assert error.details == {"name": "replay", "nearest": "reply", "where": "add_channel"}


def test_a_channel_that_is_none():
    function: Any = max

    assert "give one such as" in str(broken(lambda: GraphBuilder().add_channel("k", function)))


def test_a_node_without_a_function():
    assert "add_node('a', fn)" in str(broken(lambda: GraphBuilder().add_node("a")))


def test_a_function_as_the_input_of_a_plain_node():
    assert "List the keys" in str(broken(lambda: GraphBuilder().add_node("a", work, input=lambda s: s)))


def test_an_edge_beside_a_guard_is_warned_of():
    graph = line("a", "b").add_edge("a", END, when={"x": 1})

    assert [text.split(":")[0] for text in graph.build().warnings] == [
        "The edge 'a' -> 'b' is always taken, also when a guard of 'a' matches",
    ]


def test_a_reducer_that_is_none_names_its_key():
    assert str(broken(lambda: GraphBuilder().add_reducer("total", "lst"))).startswith("The key 'total': a reducer is")
