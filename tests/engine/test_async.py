"""The same runs on an event loop."""

from __future__ import annotations

import asyncio
import threading
from contextvars import ContextVar

import pytest

from tests.engine.graphs import at, graph_of, in_line, says, side_by_side
from weavenb import START, interrupt
from weavenb.errors import AmbiguousUpdate, NodeFailed

mark: ContextVar[str] = ContextVar("mark", default="none")


def asays(name, where=None):
    async def node(state):
        await asyncio.sleep(0)
        if where is not None:
            where.append(threading.get_ident())
        return {"log": [name]}

    return node


def test_every_verb_has_an_async_twin_that_does_the_same(saver):
    async def story():
        app = in_line(saver, {"a": says("a"), "n": aask, "b": asays("b")})
        out = await app.ainvoke({}, thread="t")
        assert out.status == "interrupted"
        out = await app.aresume("yes", thread="t")
        assert out == {"log": ["a", "yes", "b"]}
        seen = await app.aget_state(thread="t")
        whole = [found async for found in app.aget_state_history(thread="t")]
        assert whole[0].config == seen.config
        out = await app.areplay(whole[1].config)
        assert out == {"log": ["a", "yes", "b"]}
        made = await app.aupdate_state("t", {"log": ["edit"]})
        return made, [event["type"] async for event in app.astream({}, thread="u")]

    async def aask(state):
        return {"log": [interrupt("ok?")]}

    app = in_line(saver, {"a": says("a")})
    made, events = asyncio.run(story())

    assert app.get_state(thread="t").config == made
    assert events[-1] == "stopped"
    assert len(list(app.get_state_history(thread="t"))) == 7


def test_async_nodes_run_on_the_callers_own_loop(saver):
    where: list[int] = []
    app = in_line(saver, {"a": asays("a", where)})

    async def story():
        await app.ainvoke({}, thread="t")
        return threading.get_ident()

    assert where == [asyncio.run(story())]


def test_async_nodes_of_a_step_run_at_the_same_time(saver):
    async def story():
        met = asyncio.Barrier(3)

        async def node(state):
            await asyncio.wait_for(met.wait(), 10)
            return {"log": ["n"]}

        return await side_by_side(saver, {"a": node, "b": node, "c": node}).ainvoke({}, thread="t")

    assert asyncio.run(story()) == {"log": ["n"] * 3}


def test_invoke_runs_async_nodes_on_one_background_loop(saver):
    where: list[int] = []
    app = in_line(saver, {"a": asays("a", where), "b": asays("b", where)})

    assert app.invoke({}, thread="t") == {"log": ["a", "b"]}
    assert len(set(where)) == 1
    assert where[0] != threading.get_ident()


def test_invoke_works_inside_a_running_loop(saver):
    app = in_line(saver, {"a": asays("a"), "b": says("b")})

    async def cell():
        return app.invoke({}, thread="t")

    assert asyncio.run(cell()) == {"log": ["a", "b"]}


def test_an_async_node_that_raises_fails_as_a_sync_one_does(saver):
    async def node(state):
        raise RuntimeError("late")

    app = side_by_side(saver, {"a": node, "b": asays("b")})
    with pytest.raises(NodeFailed, match="late"):
        app.invoke({}, thread="t")
    with pytest.raises(NodeFailed, match="late"):
        asyncio.run(app.ainvoke(None, thread="t"))

    assert app.get_state(thread="t").values["log"] == ["b"]


@pytest.mark.parametrize("verb", ["invoke", "ainvoke"])
def test_a_node_that_was_cancelled_by_itself_failed_and_its_run_was_not_cancelled(saver, verb):
    async def node(state):
        raise asyncio.CancelledError

    app = side_by_side(saver, {"a": node, "b": asays("b")})

    def run():
        if verb == "invoke":
            return app.invoke({}, thread="t")
        return asyncio.run(asyncio.wait_for(app.ainvoke({}, thread="t"), 10))

    with pytest.raises(NodeFailed):
        run()

    assert app.get_state(thread="t").next == ("a",)


def test_sync_and_async_edits_agree_on_whom_they_stand_for(saver):
    app = in_line(saver, {"a": says("a")})
    app.update_state("t1", {"log": ["s"]}, as_node=START)
    app.update_state("t1", {"log": ["2"]})

    async def story():
        await app.aupdate_state("t2", {"log": ["s"]}, as_node=START)
        await app.aupdate_state("t2", {"log": ["2"]})

    asyncio.run(story())

    assert app.get_state(thread="t1").values == app.get_state(thread="t2").values
    assert app.get_state(thread="t1").next == app.get_state(thread="t2").next


def test_an_async_edit_that_is_ambiguous_says_so_too(saver):
    app = side_by_side(saver, {"a": says("a"), "b": says("b")})
    app.invoke({}, thread="t")

    with pytest.raises(AmbiguousUpdate):
        asyncio.run(app.aupdate_state("t", {"log": ["x"]}))


def test_a_cancelled_run_keeps_what_it_had_and_writes_nothing_more(saver):
    async def story():
        third = asyncio.Event()

        async def node(state):
            if len(state["log"]) == 3:
                third.set()
                await asyncio.sleep(30)
            return {"log": ["n"]}

        app = graph_of(saver, {"n": node}, [(START, "n"), ("n", "n")])
        task = asyncio.create_task(app.ainvoke({}, thread="t", recursion_limit=100))
        await asyncio.wait_for(third.wait(), 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        then = app.get_state(thread="t")
        await asyncio.sleep(0.2)
        return app, then

    app, then = asyncio.run(story())

    assert len(then.values["log"]) == 3
    assert app.get_state(thread="t") == then
    assert then.next == ("n",)


def test_a_cancelled_sync_node_that_ends_later_writes_nothing(saver):
    began, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def node(state):
        began.set()
        go_on.wait(10)
        ended.set()
        return {"log": ["late"]}

    app = in_line(saver, {"a": says("a"), "n": node})

    async def story():
        task = asyncio.create_task(app.ainvoke({}, thread="t"))
        await asyncio.to_thread(began.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go_on.set()
        await asyncio.to_thread(ended.wait, 10)
        await asyncio.sleep(0.1)

    asyncio.run(story())

    assert app.get_state(thread="t").values == {"log": ["a"]}
    assert app.get_state(thread="t").next == ("n",)


@pytest.mark.parametrize("kind", ["sync", "async"])
@pytest.mark.parametrize("verb", ["invoke", "ainvoke"])
@pytest.mark.parametrize("width", [1, 2])
def test_a_context_variable_of_the_caller_reaches_the_nodes(kind, verb, width):
    seen: list[str] = []

    def node(state):
        seen.append(mark.get())

    async def anode(state):
        seen.append(mark.get())

    chosen = node if kind == "sync" else anode
    app = side_by_side(None, {f"n{i}": chosen for i in range(width)})
    token = mark.set("set")
    try:
        if verb == "invoke":
            app.invoke({})
        else:
            asyncio.run(app.ainvoke({}))
    finally:
        mark.reset(token)

    assert seen == ["set"] * width


def test_an_async_stream_left_early_stops_the_run(saver):
    async def story():
        app = in_line(saver, {name: asays(name) for name in "abc"})
        events = app.astream({}, thread="t")
        async for event in events:
            if event["type"] == "committed" and event["source"] == "loop":
                break
        await events.aclose()
        return app

    app = asyncio.run(story())

    assert app.get_state(thread="t").next == ("b",)
    assert app.invoke(None, thread="t") == {"log": ["a", "b", "c"]}


def test_a_replay_of_a_checkpoint_with_async_nodes(saver):
    app = in_line(saver, {"a": asays("a"), "b": asays("b")})
    app.invoke({}, thread="t")

    assert asyncio.run(app.areplay(at(app, "t", "b"))) == {"log": ["a", "b"]}
