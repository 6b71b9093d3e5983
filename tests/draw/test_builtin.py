from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from tests.draw.shapes import AGENT, HOSTILE, between, boxes, chain, groups, line, title, words
from weavenb.draw.builtin import draw_builtin
from weavenb.draw.scene import LOOKS, Scene
from weavenb.draw.svg import draw
from weavenb.model.topology import END, Topology, TopologyEdge, TopologyNode

PROGRAM = """
import sys
sockets = []
sys.addaudithook(lambda event, args: event.startswith(("socket.", "subprocess.")) and sockets.append(event))
from tests.draw.shapes import AGENT
from weavenb.draw.svg import draw
print(draw(AGENT, states={"plan": "done", "draft": "current"}, counts={("plan", "draft"): 3}).svg)
assert sockets == [], sockets
"""


def inside(point: tuple[float, float], box: tuple[float, float, float, float]) -> bool:
    x, y = point
    left, top, right, bottom = box
    return left < x < right and top < y < bottom


def random_graph(seed: int, nodes: int, edges: int) -> Topology:
    chance = random.Random(seed)
    names = [f"step {number}" for number in range(nodes)]
    labels = ("", "", "ok", "category == 'billing'")
    ways = tuple(
        TopologyEdge(chance.choice(names), chance.choice(names), "guard", chance.choice(labels)) for _ in range(edges)
    )
    return Topology("random", tuple(map(TopologyNode, names)), ways)


def test_each_node_and_edge_has_its_id_class_and_title():
    svg = draw_builtin(Scene.of(AGENT, {"search": "failed"}, {("plan", "search"): 2}))
    nodes, edges = groups(svg, "n"), groups(svg, "e")

    assert [node.get("class") for node in nodes.values()] == [
        "node start idle",
        "node node idle",
        "node graph failed",
        "node node idle",
        "node end idle",
    ]
    assert title(nodes["n2"]) == "search (nested graph, failed)"
    assert [edge.get("class") for edge in edges.values()] == [
        "edge edge",
        "edge guard",
        "edge default",
        "edge route possible",
        "edge join",
        "edge guard",
        "edge subscription",
        "edge edge",
    ]
    assert title(edges["e1"]) == "plan → search (guard, score < .5, taken 2 times)"


def test_the_root_is_an_image_with_a_text_equivalent():
    svg = draw_builtin(Scene.of(AGENT))
    root = ET.fromstring(svg)  # noqa: S314 - our own picture

    assert svg.startswith("<svg ")
    assert svg.endswith("</svg>")
    assert root.get("role") == "img"
    assert (root.get("aria-label") or "").startswith("graph agent: 3 nodes, 8 edges. START to plan.")


def test_kinds_of_edges_differ_in_more_than_colour():
    ways = (
        TopologyEdge("a", "b", "edge"),
        TopologyEdge("a", "b", "default"),
        TopologyEdge("a", "b", "route"),
        TopologyEdge("a", "b", "route", declared=False),
        TopologyEdge("a", "b", "join"),
        TopologyEdge("a", "b", "subscription"),
    )
    drawn = groups(draw_builtin(Scene.of(Topology("x", (), ways))), "e")
    looks = set()
    for edge in drawn.values():
        paths = [part.attrib for part in edge.iter() if part.tag.endswith("path")]
        looks.add((paths[0].get("stroke-dasharray"), *(path["d"] for path in paths[1:]), paths[-1].get("fill")))

    assert len(looks) == len(ways)


def test_states_differ_in_more_than_colour():
    looks = set()
    for state in LOOKS:
        node = groups(draw_builtin(Scene.of(chain("a"), {"a": state})), "n")["n0"]
        looks.add(tuple(part.get("d") for part in node.iter() if part.tag.endswith("path")))

    assert len(looks) == len(LOOKS)


def test_a_state_moves_no_node():
    plain, overlaid = draw_builtin(Scene.of(AGENT)), draw_builtin(Scene.of(AGENT, {"plan": "failed", "draft": "done"}))

    assert boxes(plain) == boxes(overlaid)


def test_nested_graphs_have_a_double_border():
    nodes = groups(draw_builtin(Scene.of(AGENT)), "n")

    assert [sum(part.tag.endswith("rect") for part in node.iter()) for node in nodes.values()] == [1, 1, 2, 1, 1]


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_gives_sound_xml(name):
    topology = Topology(name, (TopologyNode(name),), (TopologyEdge(name, name, "guard", name), TopologyEdge(name, END)))
    drawing = draw(topology, states={name: "done"})

    assert drawing.svg.encode()
    assert list(groups(drawing.svg, "n")) == ["n0", "n1"]
    assert "<script" not in drawing.svg
    assert drawing.nodes == (name, END)


def test_a_name_is_shown_as_it_is():
    nodes = groups(draw_builtin(Scene.of(chain('<x> & "q"', "a&amp;b", "back\\nslash"))), "n")

    assert [words(node) for node in nodes.values()] == ['<x> & "q"', "a&amp;b", "back\\nslash"]


@pytest.mark.parametrize("seed", range(12))
def test_no_edge_runs_through_a_node(seed):
    topology = random_graph(seed, nodes=4 + 2 * seed, edges=5 + 3 * seed)
    svg = draw_builtin(Scene.of(topology))
    rectangles = boxes(svg)
    hits = [
        (edge, node)
        for edge, group in groups(svg, "e").items()
        for node, box in rectangles.items()
        if any(inside(point, box) for point in line(group))
    ]

    assert hits == []


@pytest.mark.parametrize("seed", range(6))
def test_no_two_nodes_overlap_and_all_lie_in_the_picture(seed):
    svg = draw_builtin(Scene.of(random_graph(seed, nodes=30, edges=40)))
    root = ET.fromstring(svg)  # noqa: S314 - our own picture
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    found = list(boxes(svg).values())

    for number, (left, top, right, bottom) in enumerate(found):
        assert left >= 0
        assert top >= 0
        assert right <= width
        assert bottom <= height
        for other in found[:number]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top


def test_edges_go_down_but_for_those_that_close_a_circle():
    svg = draw_builtin(Scene.of(between(("a", "b"), ("b", "c"), ("c", "a"))))
    ways = [line(group) for group in groups(svg, "e").values()]

    assert [way[-1][1] > way[0][1] for way in ways] == [True, True, False]


def test_a_chain_is_one_straight_line():
    svg = draw_builtin(Scene.of(chain("a", "a much longer name", "b")))
    places = {x for group in groups(svg, "e").values() for x, _ in line(group)}

    assert len(places) == 1


def test_a_loop_stays_beside_its_node():
    svg = draw_builtin(Scene.of(between(("a", "a"), ("a", "a"))))
    right = boxes(svg)["n0"][2]

    for group in groups(svg, "e").values():
        assert all(x >= right for x, _ in line(group))


def test_parts_that_hang_on_nothing_stand_side_by_side():
    found = boxes(draw_builtin(Scene.of(between(("a", "b"), ("c", "d")))))

    assert found["n0"][1] == found["n2"][1]
    assert found["n0"][2] < found["n2"][0]


def test_an_empty_graph_is_a_picture_too():
    assert draw(Topology("empty", (), ())).svg.startswith("<svg ")


def test_the_same_bytes_in_every_process():
    pictures = set()
    for seed in ("0", "1", "77"):
        told = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PATH": "", "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        pictures.add(told.stdout)

    assert len(pictures) == 1


@pytest.mark.parametrize(("nodes", "edges"), [(200, 0), (200, 300), (60, 1500)])
def test_a_large_graph_is_drawn_soon(nodes, edges):
    topology = random_graph(7, nodes, edges)
    started = time.process_time()
    drawing = draw(topology)

    assert time.process_time() - started < 10
    assert len(groups(drawing.svg, "n")) == nodes
    assert len(groups(drawing.svg, "e")) == edges


def test_more_long_edges_than_there_is_room_for_are_drawn_all_the_same():
    names = [f"s{number}" for number in range(250)]
    svg = draw(between(*pairwise(names), *((name, END) for name in names))).svg

    assert len(groups(svg, "e")) == 499


def test_above_five_hundred_nodes_the_outline_is_the_picture():
    drawing = draw(chain(*(f"s{number}" for number in range(501))))

    assert drawing.backend == "outline"
    assert "graph chain: 501 nodes, 500 edges" in drawing.svg
    assert "more lines" in drawing.svg
    assert ET.fromstring(drawing.svg).get("role") == "img"  # noqa: S314 - our own picture
