from __future__ import annotations

import functools

import pytest

from weavenb.definition.nodes import make_node, name_for
from weavenb.errors import InvalidGraph


def plain(state):
    return {}


async def waiting(state):
    return {}


def both(state, runtime):
    return {}


class Called:
    def __call__(self, state):
        return {}


class Awaited:
    async def __call__(self, state, runtime):
        return {}


class Held:
    async def run(self, state):
        return {}


@pytest.mark.parametrize(
    ("fn", "is_async", "takes_runtime"),
    [
        (plain, False, False),
        (waiting, True, False),
        (both, False, True),
        (functools.partial(both, runtime=None), False, False),
        (functools.partial(waiting), True, False),
        (Called(), False, False),
        (Awaited(), True, True),
        (Held().run, True, False),
        (lambda state, i=3: {}, False, False),
        (lambda state, runtime=None: {}, False, True),
        (lambda *args: {}, False, False),
        (lambda state, *, note="x": {}, False, False),
    ],
)
def test_a_node_knows_how_to_be_called(fn, is_async, takes_runtime):
    node = make_node("a", fn, 0)

    assert (node.is_async, node.takes_runtime) == (is_async, takes_runtime)


@pytest.mark.parametrize(
    ("fn", "told"),
    [
        (lambda: None, "takes no arguments"),
        (lambda a, b, c: {}, "takes 3 arguments"),
        (lambda state, *, need: {}, "needs the keyword 'need'"),
    ],
)
def test_a_node_that_cannot_be_called_is_refused_with_the_accepted_forms(fn, told):
    with pytest.raises(InvalidGraph) as caught:
        make_node("a", fn, 0)

    assert told in str(caught.value)
    assert "`(state)` or `(state, runtime)`" in str(caught.value)


def test_a_generator_is_no_node():
    def stream(state):
        yield {}

    with pytest.raises(InvalidGraph, match="generator"):
        make_node("a", stream, 0)


def test_what_cannot_be_called_is_no_node():
    with pytest.raises(InvalidGraph, match="'fn'"):
        make_node("a", "fn", 0)


def test_a_class_is_no_node():
    with pytest.raises(InvalidGraph, match="is the class Called: give an instance"):
        make_node("a", Called, 0)


def test_a_compiled_graph_is_no_node_yet():
    class Compiled:
        def invoke(self): ...

        def get_state(self): ...

    with pytest.raises(InvalidGraph, match="nested graphs are not available yet"):
        make_node("a", Compiled(), 0)


def test_a_function_lends_its_name():
    assert name_for(plain) == name_for(functools.partial(plain)) == "plain"


@pytest.mark.parametrize("fn", [lambda state: {}, Called(), functools.partial(lambda state: {})])
def test_nameless_things_need_a_name(fn):
    with pytest.raises(InvalidGraph, match=r'add_node\("name", fn\)'):
        name_for(fn)


def test_a_node_shows_no_address():
    assert repr(make_node("a", plain, 0)) == (
        "Node(name='a', order=0, is_async=False, takes_runtime=False, input_keys=None)"
    )
