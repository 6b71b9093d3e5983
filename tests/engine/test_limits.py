"""What is bounded, and what is told."""

from __future__ import annotations

import pytest

from tests.engine.graphs import Log, graph_of, in_line, says
from weavenb import START, Command, StateGraph
from weavenb.errors import MissingThread, RecursionLimit, SerializationFailed, UnknownKey, ValidationFailed


def endless(saver):
    return graph_of(saver, {"a": says("a")}, [(START, "a"), ("a", "a")])


def test_the_limit_counts_the_steps_of_one_call(saver):
    app = endless(saver)
    for turn in (1, 2, 3):
        with pytest.raises(RecursionLimit) as found:
            app.invoke({} if turn == 1 else None, thread="t", recursion_limit=3)

        assert len(app.get_state(thread="t").values["log"]) == 3 * turn
        assert found.value.details["limit"] == 3


def test_the_limit_is_25_unless_told(saver):
    app = endless(saver)
    with pytest.raises(RecursionLimit):
        app.invoke({}, thread="t")

    assert len(app.get_state(thread="t").values["log"]) == 25


def test_a_run_of_exactly_the_limit_completes(saver):
    app = in_line(saver, {"a": says("a"), "b": says("b")})

    assert app.invoke({}, thread="t", recursion_limit=2).status == "completed"


@pytest.mark.parametrize("limit", [0, -1, True, "3", 2.5])
def test_a_limit_that_is_no_number_of_steps_is_refused(saver, limit):
    with pytest.raises(Exception, match="recursion_limit"):
        in_line(saver, {"a": says("a")}).invoke({}, thread="t", recursion_limit=limit)


def test_a_join_that_never_fires_is_told_with_who_arrived_and_who_is_missing(saver):
    graph = StateGraph(Log)
    for name in ("r", "a", "b", "j"):
        graph.add_node(name, says(name))
    graph.add_edge(START, "r")
    graph.add_conditional_edges("r", lambda state: ["a"], ["a", "b"])
    graph.add_edge(["a", "b"], "j")
    out = graph.compile(saver).invoke({}, thread="t")

    assert out["log"] == ["r", "a"]
    assert out.status == "completed"
    assert out.warnings == ("The join into 'j' never fired: a arrived, b never ran.",)


@pytest.mark.parametrize(("given", "nearest"), [({"lgo": []}, "log"), ({"zzz": 1}, None)])
def test_an_unknown_key_of_an_input_names_the_nearest_and_begins_nothing(saver, given, nearest):
    app = in_line(saver, {"a": says("a")})
    with pytest.raises(UnknownKey) as found:
        app.invoke(given, thread="t")

    assert found.value.details["nearest"] == nearest
    assert app.get_state(thread="t") is None


def test_an_open_state_takes_any_key(saver):
    app = graph_of(None, {"a": lambda state: {"z": 1}}, [(START, "a")], schema=None)

    assert app.invoke({"q": 1}) == {"q": 1, "z": 1}


def test_an_input_that_cannot_be_stored_begins_nothing(saver):
    app = in_line(saver, {"a": says("a")})
    with pytest.raises(SerializationFailed) as found:
        app.invoke({"x": object()}, thread="t")

    assert found.value.details["channel"] == "x"
    assert app.get_state(thread="t") is None


@pytest.mark.parametrize("given", [[1], "text", 7])
def test_an_input_that_is_no_mapping_is_refused(saver, given):
    with pytest.raises(ValidationFailed):
        in_line(saver, {"a": says("a")}).invoke(given, thread="t")


def test_a_saver_without_a_thread_is_refused(saver):
    with pytest.raises(MissingThread):
        in_line(saver, {"a": says("a")}).invoke({})


@pytest.mark.parametrize("key", ["source", "step", "run_id", "branch", "__run__"])
def test_metadata_that_every_checkpoint_sets_itself_is_refused(saver, key):
    with pytest.raises(Exception, match=key):
        in_line(saver, {"a": says("a")}).invoke({}, thread="t", metadata={key: 1})


def test_metadata_that_cannot_be_stored_is_refused(saver):
    app = in_line(saver, {"a": says("a")})
    with pytest.raises(SerializationFailed):
        app.invoke({}, thread="t", metadata={"who": object()})

    assert app.get_state(thread="t") is None


def test_a_command_without_a_goto_keeps_the_edges(saver):
    app = in_line(saver, {"a": lambda state: Command(update={"log": ["a"]}), "b": says("b")})

    assert app.invoke({}, thread="t")["log"] == ["a", "b"]
