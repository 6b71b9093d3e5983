from __future__ import annotations

import re

import pytest

from tests.draw.shapes import AGENT, HOSTILE, chain
from weavenb.draw.dot import dot_source
from weavenb.draw.scene import LOOKS, Scene
from weavenb.model.topology import Topology, TopologyEdge, TopologyNode


def lines(scene: Scene) -> list[str]:
    """The nodes and edges alone."""
    return [line.strip() for line in dot_source(scene).splitlines() if re.match(r"\s+n\d+ ", line)]


def test_the_agent_becomes_this_source():
    assert lines(Scene.of(AGENT)) == [
        (
            'n0 [label=start class="start idle" color="#6a737d" fillcolor="#6a737d" fontcolor="#ffffff" fontsize=11 '
            'height=0.26 id=n0 margin="0.12,0.03" width=0.5]'
        ),
        'n1 [label=plan class="node idle" color="#6e7781" fillcolor="#ffffff" id=n1 penwidth=1.2]',
        'n2 [label=search class="graph idle" color="#6e7781" fillcolor="#ffffff" id=n2 penwidth=1.2 peripheries=2]',
        'n3 [label=draft class="node idle" color="#6e7781" fillcolor="#ffffff" id=n3 penwidth=1.2]',
        (
            'n4 [label=end class="end idle" color="#6a737d" fillcolor="#6a737d" fontcolor="#ffffff" fontsize=11 '
            'height=0.26 id=n4 margin="0.12,0.03" width=0.5]'
        ),
        'n0 -> n1 [class="edge" id=e0]',
        'n1 -> n2 [label=" score < .5 " class=guard id=e1]',
        'n1 -> n3 [label=" default " class=default id=e2 style=dashed]',
        'n2 -> n1 [label=" again " arrowhead=empty class="route possible" id=e3 style=dotted]',
        "n2 -> n3 [arrowhead=normaltee class=join id=e4 penwidth=1.8]",
        'n3 -> n3 [label=" too long " class=guard id=e5]',
        'n3 -> n2 [label=" notes " arrowhead=vee class=subscription id=e6 penwidth=1.6 style=dotted]',
        'n3 -> n4 [class="edge" id=e7]',
    ]


def test_the_graph_says_how_all_of_it_looks():
    source = dot_source(Scene.of(AGENT))

    for said in (
        "rankdir=TB",
        "bgcolor=transparent",
        "fontname=Helvetica",
        'margin="0.2,0.08"',
        'style="rounded,filled"',
    ):
        assert said in source


def test_every_colour_has_six_digits():
    source = dot_source(Scene.of(AGENT, {"plan": "failed", "search": "waiting", "draft": "current"}))

    assert re.findall(r"#[0-9a-fA-F]+", source)
    assert all(re.fullmatch(r"#[0-9a-f]{6}", colour) for colour in re.findall(r"#[0-9a-zA-Z]+", source))


def test_a_state_shows_by_sign_and_line_not_by_colour_alone():
    shown = set()
    for state in LOOKS:
        node = lines(Scene.of(chain("a"), {"a": state}))[0]
        shown.add(re.sub(r'"#\w+"|class="[^"]*"', "", node))

    assert len(shown) == len(LOOKS)


def test_a_count_stands_beside_the_guard():
    found = lines(Scene.of(AGENT, counts={("plan", "search"): 12, ("draft", "__end__"): 1}))

    assert 'n1 -> n2 [label=" score < .5 \xd712 " class=guard id=e1]' in found
    assert 'n3 -> n4 [label=" \xd71 " class="edge" id=e7]' in found


def test_the_order_of_the_overlay_makes_no_difference():
    one = Scene.of(AGENT, {"plan": "done", "draft": "failed"})
    other = Scene.of(AGENT, {"draft": "failed", "plan": "done"})

    assert dot_source(one) == dot_source(other)


def test_names_never_become_ids_or_html():
    source = dot_source(Scene.of(chain(*HOSTILE)))

    assert "label=<" not in source
    assert re.findall(r"id=(\w+)", source)[:3] == ["n0", "n1", "n2"]
    assert all(char.isprintable() or char in "\n\t" for char in source)


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_makes_one_line_each(name):
    scene = Scene.of(Topology(name, (TopologyNode(name),), (TopologyEdge(name, name, "guard", name),)))

    assert len(lines(scene)) == 2


def test_a_node_that_only_an_edge_names_is_drawn_too():
    scene = Scene.of(Topology("x", (TopologyNode("a"),), (TopologyEdge("a", "b"), TopologyEdge("a", "__end__"))))

    assert scene.ids == {"a": "n0", "b": "n1", "__end__": "n2"}
    assert "label=end" in lines(scene)[2]


def test_a_node_named_end_is_no_end():
    pill, node = lines(Scene.of(Topology("x", (TopologyNode("__end__", "end"), TopologyNode("end")), ())))

    assert 'class="end idle"' in pill
    assert 'class="node idle"' in node
