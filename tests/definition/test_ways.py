"""Guards and routers, by themselves."""

from __future__ import annotations

import functools
from typing import Literal

import pytest

from weavenb.definition.edges import Edge, make_router
from weavenb.definition.guards import make_guard
from weavenb.errors import InvalidGraph, UnknownNode
from weavenb.model.tasks import Send
from weavenb.model.topology import END


def test_a_guard_compares_each_key():
    guard = make_guard({"category": "billing", "n": 2}, "the edge")

    assert guard({"category": "billing", "n": 2, "more": 1})
    assert not guard({"category": "billing", "n": 3})
    assert guard.label == "category = billing, n = 2"
    assert guard.keys == ("category", "n")


def test_a_key_that_was_never_written_matches_nothing():
    assert not make_guard({"category": None}, "the edge")({})
    assert make_guard({"category": None}, "the edge")({"category": None})


def is_big(state):
    return state["n"]


@pytest.mark.parametrize(
    ("when", "label"), [(is_big, "is_big"), (lambda s: s["n"], "lambda"), (functools.partial(is_big), "is_big")]
)
def test_a_function_can_be_a_guard(when, label):
    guard = make_guard(when, "the edge")

    assert guard({"n": 1}) is True
    assert guard({"n": 0}) is False
    assert guard.label == label


@pytest.mark.parametrize("when", [{}, 3, "stop", {1: 2}])
def test_other_guards_are_refused_with_their_place(when):
    with pytest.raises(InvalidGraph, match="The guard of the edge 'a' -> 'b'"):
        make_guard(when, "the edge 'a' -> 'b'")


def test_an_edge_without_a_guard_always_matches():
    assert Edge("a", "b").matches({})
    assert not Edge("a", "b", make_guard({"x": 1}, "the edge")).matches({})


@pytest.mark.parametrize(
    ("answer", "decided"),
    [
        ("b", ["b"]),
        (END, [END]),
        (None, []),
        ([], []),
        (["b", "c"], ["b", "c"]),
        (("b", Send("c", {"n": 1})), ["b", Send("c", {"n": 1})]),
    ],
)
def test_a_router_names_nodes(answer, decided):
    assert make_router("a", lambda state: answer).decide({}) == decided


def test_a_router_maps_its_results():
    router = make_router("a", lambda state: state["ok"], {True: "b", False: END})

    assert router.decide({"ok": True}) == ["b"]
    assert router.decide({"ok": False}) == [END]
    assert router.targets == ("b", END)


def test_none_can_be_a_mapped_result():
    assert make_router("a", lambda state: None, {None: "b"}).decide({}) == ["b"]


@pytest.mark.parametrize("targets", [["billing", "shipping"], {"billing": "x", "shipping": "y"}])
def test_an_undeclared_answer_is_an_error_with_the_nearest_name(targets):
    def route(state):
        return "biling"

    with pytest.raises(UnknownNode) as caught:
        make_router("a", route, targets).decide({})

    assert caught.value.details == {
        "name": "biling",
        "nearest": "billing",
        "where": "the answer of router 'route' after 'a'",
    }


@pytest.mark.parametrize("answer", [3, {"b"}, {"b": 1}, True])
def test_an_answer_that_is_no_name_is_an_error(answer):
    with pytest.raises(TypeError, match="return a node's name"):
        make_router("a", lambda state: answer).decide({})


def typed(state) -> Literal["b", "c"]:
    return "b"


def listed(state) -> list[Literal["b", "__end__"]] | None:
    return None


def loose(state) -> Literal["b"] | Send:
    return "b"


def text(state) -> str:
    return "b"


@pytest.mark.parametrize(
    ("fn", "targets"), [(typed, ("b", "c")), (listed, ("b", "__end__")), (loose, None), (text, None)]
)
def test_targets_are_read_from_the_annotation(fn, targets):
    assert make_router("a", fn).targets == targets


async def later(state):
    return "b"


@pytest.mark.parametrize(
    ("fn", "told"), [("b", "give a function"), (later, "is async"), (lambda: "b", "takes `\\(state\\)`")]
)
def test_what_cannot_route_is_refused(fn, told):
    with pytest.raises(InvalidGraph, match=f"after 'a'.*{told}"):
        make_router("a", fn)


def test_an_empty_list_of_targets_is_refused():
    with pytest.raises(InvalidGraph, match="empty list of targets"):
        make_router("a", typed, [])
