from __future__ import annotations

import json
import operator
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, TypedDict

import pytest

from weavenb.channels.base import Channel
from weavenb.channels.last_value import LastValue
from weavenb.channels.reducer import Reducer
from weavenb.definition.builder import GraphBuilder
from weavenb.definition.definition import Definition
from weavenb.errors import UnknownKey, UnknownNode
from weavenb.model.topology import END, START, TopologyEdge

ROOT = Path(__file__).resolve().parents[2]


class Ticket(TypedDict, total=False):
    subject: str
    category: str
    notes: Annotated[list[str], operator.add]


def work(state):
    return {}


def big(state):
    return True


def desk() -> GraphBuilder:
    """Every kind of way between nodes."""
    graph = GraphBuilder(Ticket, name="desk", output_schema=["notes"])
    graph.add_channel("category", LastValue(subscribers=["audit"]))
    for name in ("classify", "billing", "shipping", "reply", "audit"):
        graph.add_node(name, work)
    graph.add_edge(START, "classify")
    graph.add_edge("classify", "billing", when={"category": "billing"})
    graph.add_edge("classify", "shipping", when=lambda state: "ship" in state)
    graph.add_edge("classify", "reply", default=True)
    graph.add_edge(["shipping", "billing"], "reply")
    graph.add_conditional_edges("reply", big, {True: "audit", False: END, None: END})
    graph.add_conditional_edges("audit", lambda state: "reply")
    return graph


def test_ways_are_grouped_by_their_source():
    definition = desk().build()

    assert [edge.target for edge in definition.edges_from["classify"]] == ["billing", "shipping", "reply"]
    assert [router.name for router in definition.routers_from["reply"]] == ["big"]
    assert [join.key for join in definition.joins] == ["billing+shipping->reply"]
    assert definition.joins_from["billing"] == definition.joins_from["shipping"] == definition.joins
    assert definition.order == {"classify": 0, "billing": 1, "shipping": 2, "reply": 3, "audit": 4}
    assert definition.output_keys == ("notes",)
    assert definition.input_keys is None


def test_the_topology_draws_what_was_declared_and_no_more():
    topology = desk().build().topology

    assert [node.name for node in topology.nodes] == [
        *(START, "classify", "billing", "shipping", "reply", "audit", END),
    ]
    assert topology.edges == (
        TopologyEdge(START, "classify"),
        TopologyEdge("classify", "billing", "guard", "category = billing"),
        TopologyEdge("classify", "shipping", "guard", "lambda"),
        TopologyEdge("classify", "reply", "default", "default"),
        TopologyEdge("billing", "reply", "join"),
        TopologyEdge("shipping", "reply", "join"),
        TopologyEdge("reply", "audit", "route", "True"),
        TopologyEdge("reply", END, "route", "False, None"),
        TopologyEdge("category", "audit", "subscription"),
    )


def test_an_end_that_nothing_leads_to_is_not_drawn():
    topology = GraphBuilder().add_node("a", work).add_edge(START, "a").build().topology

    assert [node.name for node in topology.nodes] == [START, "a"]


def test_a_join_of_the_end_is_a_plain_end_for_each():
    graph = GraphBuilder().add_node("a", work).add_node("b", work).add_edge(START, "a").add_edge(START, "b")
    definition = graph.add_edge(["a", "b"], END).build()

    assert definition.joins == ()
    assert [edge.target for edge in definition.edges_from["a"]] == [END]


def test_an_edge_declared_twice_is_one():
    graph = GraphBuilder().add_node("a", work).add_edge(START, "a").add_edge(START, "a")

    assert len(graph.build().edges_from[START]) == 1


def test_building_again_gives_the_same_and_later_declarations_leave_it_alone():
    graph = desk()
    first = graph.build()
    graph.add_node("late", work).add_edge("reply", "late")

    assert "late" not in first.nodes
    assert desk().build().def_hash == first.def_hash != graph.build().def_hash


def test_the_manifest_is_json_and_holds_no_address():
    manifest = desk().build().manifest

    assert json.loads(manifest)["name"] == "desk"
    assert "0x" not in manifest


def test_the_hash_does_not_depend_on_code_or_on_the_order_of_ways():
    def small(*, turned: bool, value: int) -> Definition:
        graph = GraphBuilder(state={"n": Reducer(lambda a, b: a + b + value)})
        graph.add_node("a", lambda state: {"n": value}).add_node("b", work)
        pairs = [(START, "a"), ("a", "b"), ("b", END)]
        for source, target in reversed(pairs) if turned else pairs:
            graph.add_edge(source, target)
        return graph.build()

    assert small(turned=False, value=1).def_hash == small(turned=True, value=2).def_hash


@pytest.mark.parametrize(
    "change",
    [
        lambda g: g.add_edge("billing", "audit"),
        lambda g: g.add_edge("billing", "audit", when={"category": "x"}),
        lambda g: g.add_channel("subject", Reducer("list")),
        lambda g: g.add_edge(["audit", "billing"], "reply"),
        lambda g: g.add_conditional_edges("billing", big),
        lambda g: g.add_node("more", work).add_edge("audit", "more"),
    ],
)
def test_the_hash_changes_with_what_was_declared(change):
    graph = desk()
    change(graph)

    assert graph.build().def_hash != desk().build().def_hash


def test_the_manifest_is_the_same_in_every_process():
    script = (
        "from tests.definition.test_definition import desk\n"
        "built = desk().build()\n"
        "print(built.def_hash, built.manifest)"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    built = desk().build()

    assert told == {f"{built.def_hash} {built.manifest}\n"}


def test_an_undeclared_key_of_a_closed_state_is_refused():
    definition = desk().build()

    with pytest.raises(UnknownKey) as caught:
        definition.check_key("subjct", "The input")
    assert caught.value.details == {"name": "subjct", "nearest": "subject", "where": "The input"}
    with pytest.raises(UnknownKey):
        definition.channel_of("subjct")


def test_an_undeclared_key_of_an_open_state_is_plain():
    definition = GraphBuilder().add_node("a", work).add_edge(START, "a").build()
    channel: Channel = definition.channel_of("anything")

    assert isinstance(channel, LastValue)


@pytest.mark.parametrize("key", ["__join__", 3])
def test_an_open_state_takes_no_reserved_key_and_no_other_type(key):
    definition = GraphBuilder().add_node("a", work).add_edge(START, "a").build()

    with pytest.raises(UnknownKey):
        definition.check_key(key, "The input")


def test_names_of_nodes_are_checked_one_or_several():
    definition = desk().build()

    assert definition.check_nodes("reply", "interrupt_before") == ("reply",)
    assert definition.check_nodes(["reply", "audit"], "interrupt_before") == ("reply", "audit")
    with pytest.raises(UnknownNode) as caught:
        definition.check_nodes(["replay"], "interrupt_before")
    assert caught.value.details == {"name": "replay", "nearest": "reply", "where": "interrupt_before"}
