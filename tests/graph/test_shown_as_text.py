"""What is left as the last line of a cell reads the same in every run: no address, no id, no time."""

from __future__ import annotations

import operator
import re
import subprocess
import sys
from typing import Any

import pytest

from tests.house.sources import ROOT
from weavenb.channels.delta import DeltaChannel
from weavenb.channels.last_value import LastValue
from weavenb.channels.reducer import Reducer
from weavenb.graph.builder import StateGraph
from weavenb.graph.output import Output
from weavenb.model.snapshots import Interrupt
from weavenb.model.texts import state_text
from weavenb.model.topology import START
from weavenb.runtime.context import Runtime, interrupt
from weavenb.savers.duckdb import DuckDBSaver
from weavenb.savers.memory import MemorySaver


class Odd:
    """Its repr holds an address."""


def ask(state: Any) -> dict[str, Any]:
    return {"said": interrupt({"sure": state["n"]})}


def asking() -> StateGraph:
    return StateGraph(state={}).add_node("ask", ask).add_edge(START, "ask")


def test_a_builder_tells_its_name_and_nodes() -> None:
    graph = asking()

    assert repr(graph) == "StateGraph('graph', nodes=['ask'])"
    assert repr(graph.build()) == "Definition('graph', nodes=['ask'])"


def test_a_saver_tells_what_it_is_and_no_folder(tmp_path: Any) -> None:
    with DuckDBSaver(tmp_path / "runs.duckdb") as saver:
        assert repr(saver) == "DuckDBSaver('runs.duckdb')"
    assert repr(MemorySaver()) == "MemorySaver()"


@pytest.mark.parametrize(
    ("channel", "told"),
    [
        (LastValue(), "LastValue()"),
        (LastValue(subscribers=["a"]), "LastValue(subscribers=['a'])"),
        (Reducer(operator.add), "Reducer(add)"),
        (Reducer("list"), "Reducer(list)"),
        (Reducer(lambda old, new: old or new), "Reducer(lambda)"),
        (DeltaChannel(lambda old, writes: [old, *writes]), "DeltaChannel(lambda)"),
    ],
)
def test_a_channel_tells_its_kind_and_function(channel: object, told: str) -> None:
    assert repr(channel) == told


def test_a_runtime_tells_where_it_is_and_not_the_context() -> None:
    runtime = Runtime(Odd(), {}, "t", 2, 1, "ask", lambda *_: None)

    assert repr(runtime) == "Runtime(node='ask', thread='t', step=2, attempt=1)"


def test_a_run_that_waits_reads_the_same_each_time() -> None:
    app = asking().compile(checkpointer=MemorySaver())

    out = app.invoke({"n": 3, "seen": {"b", "a", "c"}}, thread="t")
    state = app.get_state(thread="t")

    assert state is not None
    assert repr(out) == "{'n': 3, 'seen': {'a', 'b', 'c'}} <interrupted: {'sure': 3}>"
    assert repr(out.interrupts[0]) == "Interrupt(node='ask', value={'sure': 3})"
    assert repr(state.tasks) == "(TaskView(node='ask', status='interrupted', interrupts=1),)"
    assert repr(state).endswith("values={'n': 3, 'seen': {'a', 'b', 'c'}})")


def test_a_breakpoint_tells_its_kind() -> None:
    assert repr(Interrupt("before:a", None, "a", "before")) == "Interrupt(node='a', kind='before')"


def test_a_small_output_reads_as_the_dict_it_is() -> None:
    values = {"n": 1, "items": list(range(20)), "plan": {"a": [1.5, None, True]}, "text": "it's"}

    assert repr(Output(values, status="completed")) == repr(values)


def test_long_and_strange_values_are_shortened() -> None:
    values = {"text": "x" * 10_000, "items": list(range(1000)), "odd": Odd(), "big": 10**9000, "deep": [[[[[[[1]]]]]]]}

    told = repr(Output(values, status="completed"))

    assert len(told) < 1000
    assert "994 more" in told
    assert " at 0x" not in told


def test_a_state_of_very_many_keys_is_cut() -> None:
    told = state_text({f"k{n}": n for n in range(100)})

    assert told.startswith("{'k0': 0, 'k1': 1, ")
    assert told.endswith(", … 60 more}")


def test_sets_of_texts_read_the_same_in_every_process() -> None:
    program = (
        "from weavenb.graph.output import Output;"
        "print(Output({'s': set('abcdefgh'), 'l': [{'x', 'y', 'z'}]}, status='completed'))"
    )

    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }

    assert len(told) == 1
    assert re.search("'a', 'b'", told.pop())


def test_a_history_is_named_by_thread_config_or_snapshot() -> None:
    app = asking().compile(checkpointer=MemorySaver())
    out = app.invoke({"n": 1}, thread="t")
    app.update_state({"configurable": {"thread_id": "t"}}, {"n": 2}, as_node=None)

    whole = app.history("t")

    assert [app.history(given).thread for given in ("t", out.config, out, whole[0])] == ["t"] * 4
    assert [len(app.history(given)) for given in (out.config, whole[-1])] == [len(whole)] * 2


def test_a_lineage_is_passed_through() -> None:
    app = asking().compile(checkpointer=MemorySaver())
    first = app.invoke({"n": 1}, thread="t").config
    app.update_state(first, {"n": 2})
    app.update_state(first, {"n": 3})

    assert len(app.history("t")) == 3
    assert len(app.history("t", lineage=True)) == 2


def test_a_state_that_holds_itself_has_a_text() -> None:
    loop: list[Any] = []
    loop.append(loop)

    assert len(state_text({"loop": loop, "wide": [[[0] * 60] * 60] * 60})) < 600
