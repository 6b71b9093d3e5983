from __future__ import annotations

import pytest

from tests.draw.shapes import AGENT, HOSTILE, chain
from weavenb.draw.outline import alternative, outline
from weavenb.draw.scene import Scene


def test_the_outline_names_each_node_and_the_ways_out_of_it():
    text = outline(Scene.of(AGENT, {"plan": "done"}, {("plan", "search"): 12}))

    assert text.split("\n") == [
        "graph agent: 3 nodes, 8 edges",
        "START",
        "  -> plan",
        "plan (done)",
        "  -> search  when score < .5, x12",
        "  -> draft  default",
        "search (nested graph)",
        "  -> plan  perhaps routed by again",
        "  -> draft  joined",
        "draft",
        "  -> draft  when too long",
        "  -> search  on notes",
        "  -> END",
    ]


def test_a_name_that_could_be_taken_for_something_else_is_quoted():
    text = outline(Scene.of(chain("START", "a b", "end", "line\nbreak")))

    assert text.split("\n")[1:] == [
        '"START"',
        '  -> "a b"',
        '"a b"',
        "  -> end",
        "end",
        '  -> "line\\nbreak"',
        '"line\\nbreak"',
    ]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_breaks_a_line(name):
    text = outline(Scene.of(chain("before", name)))

    assert len(text.split("\n")) == 4
    assert text.encode()


def test_the_alternative_is_one_line_that_says_states_first():
    text = alternative(Scene.of(AGENT, {"search": "failed"}))

    assert text.startswith("graph agent: 3 nodes, 8 edges. search is failed. START to plan. plan to search, when score")
    assert "\n" not in text


def test_the_alternative_of_a_large_graph_stays_short():
    text = alternative(Scene.of(chain(*(f"step{number}" for number in range(100)))))

    assert text.endswith("and 75 more edges.")
