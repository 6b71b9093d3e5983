"""What a compiled graph says of itself, and how it refuses what cannot work."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any, TypedDict

import pytest

from weavenb.errors import (
    InvalidGraph,
    MissingThread,
    QueryFailed,
    RecursionLimit,
    UnknownKey,
    UnknownNode,
    ValidationFailed,
)
from weavenb.graph.builder import StateGraph
from weavenb.graph.compiled import CompiledGraph
from weavenb.model.topology import END, START
from weavenb.savers.memory import MemorySaver


def two_nodes(**options: object) -> CompiledGraph:
    graph = StateGraph(state={}, name="mail")
    graph.add_node("classify", lambda state: {"category": "billing"})
    graph.add_node("reply", lambda state: {"reply": f"to {state['category']}"})
    graph.add_edge(START, "classify")
    graph.add_edge("classify", "reply")
    graph.add_edge("reply", END)
    return graph.compile(**options)  # type: ignore[arg-type]  # each test names one option


def test_it_describes_its_nodes_and_edges_as_plain_data() -> None:
    told = two_nodes().describe()

    assert told["nodes"] == ["classify", "reply"]
    assert {"from": "classify", "to": "reply", "kind": "edge"} in told["edges"]


def test_its_repr_holds_no_address() -> None:
    assert repr(two_nodes()) == "CompiledGraph('mail', nodes=['classify', 'reply'])"


def test_two_compiles_of_one_definition_show_the_same_bytes() -> None:
    first, second = two_nodes()._repr_mimebundle_(), two_nodes()._repr_mimebundle_()

    assert first == second
    assert first["text/html"].startswith('<img src="data:image/svg+xml;base64,')


def test_the_hash_follows_the_definition_and_not_the_bodies() -> None:
    longer = StateGraph(state={}, name="mail")
    longer.add_node("classify", lambda state: {"category": "other"})
    longer.add_edge(START, "classify")

    assert two_nodes().def_hash == two_nodes().def_hash != longer.compile().def_hash


def test_history_without_a_saver_says_what_to_do() -> None:
    with pytest.raises(InvalidGraph, match="checkpointer="):
        two_nodes().get_state(thread="t")


def test_a_saver_needs_a_thread() -> None:
    with pytest.raises(MissingThread, match="thread="):
        two_nodes(checkpointer=MemorySaver()).invoke({})


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("durability", "later", "'async' or 'sync'"),
        ("checkpointer", object(), "no Saver"),
        ("executor", object(), "Executor"),
    ],
)
def test_compile_refuses_what_cannot_work(option: str, value: object, said: str) -> None:
    with pytest.raises(InvalidGraph, match=said):
        two_nodes(**{option: value})


def test_an_unknown_breakpoint_names_the_nearest_node() -> None:
    with pytest.raises(UnknownNode, match="reply"):
        two_nodes(interrupt_before=["replly"])


@pytest.mark.parametrize("limit", [0, -1, 1.5, True])
def test_a_recursion_limit_that_is_no_count_is_refused(limit: object) -> None:
    with pytest.raises(InvalidGraph, match="recursion_limit"):
        two_nodes().invoke({}, recursion_limit=limit)  # type: ignore[arg-type]  # wrong on purpose


def test_metadata_may_not_take_the_names_every_checkpoint_sets() -> None:
    app = two_nodes(checkpointer=MemorySaver())

    with pytest.raises(InvalidGraph, match="'source'"):
        app.invoke({}, thread="t", metadata={"source": "me"})


def test_metadata_that_is_no_mapping_is_refused() -> None:
    app = two_nodes(checkpointer=MemorySaver())

    with pytest.raises(InvalidGraph, match="metadata is int"):
        app.invoke({}, thread="t", metadata=5)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("given", [[], 5, "text"])
def test_an_input_that_is_no_mapping_is_refused(given: object) -> None:
    with pytest.raises(ValidationFailed, match="mapping"):
        two_nodes().invoke(given)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("branch", ["", 5])
def test_a_branch_without_a_name_is_refused(branch: object) -> None:
    app = two_nodes(checkpointer=MemorySaver())
    app.invoke({}, thread="t")

    with pytest.raises(InvalidGraph, match="branch"):
        app.update_state("t", {"reply": "x"}, branch=branch)  # type: ignore[arg-type]  # wrong on purpose


def test_a_question_that_is_no_text_is_refused() -> None:
    app = two_nodes(checkpointer=MemorySaver())
    app.invoke({}, thread="t")

    with pytest.raises(QueryFailed, match="text of SQL"):
        app.history("t").sql(5)  # type: ignore[arg-type]  # wrong on purpose


def test_deleting_a_thread_named_by_a_number_leaves_the_others_readable() -> None:
    saver = MemorySaver()
    app = two_nodes(checkpointer=saver)
    app.invoke({}, thread="t")
    app.invoke({}, thread="5")
    saver.delete_thread(5)  # type: ignore[arg-type]  # as a config may hold it

    assert app.get_state(thread="5") is None
    assert len(app.history("t").frame()) == 3


def test_an_output_survives_pickling_with_its_status() -> None:
    out = two_nodes().invoke({})
    again = pickle.loads(pickle.dumps(out))  # noqa: S301 - our own bytes

    assert dict(again) == dict(out)
    assert (again.status, again.interrupts, again.warnings) == ("completed", (), ())


def test_a_graph_runs_without_any_heavy_package() -> None:
    code = (
        "import sys, weavenb as w\n"
        "g = w.StateGraph(state={}); g.add_node('a', lambda s: {'x': 1}); g.add_edge(w.START, 'a')\n"
        "assert g.compile().invoke({}) == {'x': 1}\n"
        "print(sorted({'pandas', 'duckdb', 'pyarrow', 'anywidget', 'ipywidgets', 'graphviz'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, "No thread id was given: pass thread="),
        ({}, "No thread id is in {}, given as dict: pass thread="),
        (object(), "No thread id is in <object object>, given as object: pass thread="),
        (7.5, "No thread id is in 7.5, given as float: pass thread="),
        ("", "The thread id is empty: pass thread="),
        ({"configurable": {"thread_id": True}}, "A thread id is a text, not bool True: pass thread="),
    ],
)
def test_what_names_no_thread_is_refused_in_a_sentence(given: Any, said: str) -> None:
    app = two_nodes(checkpointer=MemorySaver())

    with pytest.raises(MissingThread) as raised:
        app.history(given)

    assert str(raised.value).startswith(said)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RecursionLimit(1, ("a",)), "The run used its 1 step and a is still waiting."),
        (RecursionLimit(25, ("a", "b")), "The run used its 25 steps and a, b are still waiting."),
    ],
)
def test_a_limit_is_told_in_good_grammar(error: RecursionLimit, said: str) -> None:
    assert str(error).startswith(said)


def test_a_frame_of_a_closed_state_knows_what_is_declared() -> None:
    class State(TypedDict):
        report: str
        later: str

    app = StateGraph(State).add_node("a", lambda _: {"report": "x"}).add_edge(START, "a").compile(MemorySaver())
    app.invoke({}, thread="t")
    history = app.history("t")

    assert history.frame("values", channels=["later"])["later"].isna().all()
    with pytest.raises(UnknownKey, match="Did you mean 'report'"):
        history.frame("values", channels=["reprot"])
    with pytest.raises(UnknownKey, match="'zzz'"):
        history.frame("values", channels=["zzz"])
