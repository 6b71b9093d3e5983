"""What nobody planned to be given is refused in words, or ends as the task's failure."""

from __future__ import annotations

import asyncio

import pytest

from tests.engine.graphs import in_line, says
from weavenb import Command, Send, interrupt
from weavenb.errors import InvalidGraph, MissingThread, NodeFailed, SerializationFailed, UnknownKey

HALF_A_LETTER = "a\ud800"


class Odd(BaseException):
    """Neither an Exception nor one of Python's own."""


def nested(depth=100_000):
    value: dict[str, object] = {}
    for _ in range(depth):
        value = {"x": value}
    return value


@pytest.mark.parametrize("raised", [Odd, GeneratorExit])
def test_an_async_call_ends_whatever_its_node_raises(raised, saver):
    def node(state):
        raise raised

    app = in_line(saver, {"n": node})
    with pytest.raises(NodeFailed) as failed:
        asyncio.run(asyncio.wait_for(app.ainvoke({}, thread="t"), 10))

    assert raised.__name__ in str(failed.value)


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        (Send("n", 5), "Send('n', ...) takes a dict"),
        (Send(["n"]), "named by its text"),
        (Command(goto={}), "named by its text"),
    ],
)
def test_a_way_that_leads_nowhere_by_its_type_is_the_nodes_failure(returned, told, saver):
    app = in_line(saver, {"n": lambda state: returned})
    with pytest.raises(NodeFailed, match="TypeError") as failed:
        app.invoke({}, thread="t")

    assert told in str(failed.value)


def test_a_value_nested_too_deep_to_copy_is_refused_at_each_door(saver):
    app = in_line(saver, {"n": lambda state: {"y": interrupt("?")}})
    with pytest.raises(SerializationFailed, match="nested too deep"):
        app.invoke({"x": nested()}, thread="t")
    app.invoke({}, thread="t")
    with pytest.raises(SerializationFailed, match="nested too deep"):
        app.resume(nested(), thread="t")
    with pytest.raises(SerializationFailed, match="nested too deep"):
        app.update_state("t", {"x": nested()})

    assert app.resume(1, thread="t")["y"] == 1


def test_a_name_that_cannot_be_written_is_refused_at_each_door(saver):
    app = in_line(saver, {"n": says("n")})
    with pytest.raises(MissingThread, match="lone surrogate"):
        app.invoke({}, thread=HALF_A_LETTER)
    with pytest.raises(UnknownKey):
        app.invoke({HALF_A_LETTER: 1}, thread="t")
    with pytest.raises(InvalidGraph, match="lone surrogate"):
        in_line(saver, {HALF_A_LETTER: says("n")})

    assert len(app.history("t")) == 0


@pytest.mark.parametrize("thread", ["", HALF_A_LETTER, True, None])
def test_a_fork_goes_to_a_thread_that_could_be_invoked(thread, saver):
    app = in_line(saver, {"n": says("n")})
    app.invoke({}, thread="t")

    with pytest.raises(MissingThread):
        app.fork("t", thread=thread)
