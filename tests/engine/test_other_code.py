"""Going on with code that is not the code that began."""

from __future__ import annotations

import pytest

from tests.engine.graphs import at, graph_of, in_line, says
from weavenb import START
from weavenb.errors import DefinitionMismatch


def test_a_node_that_waits_and_is_gone_is_told_before_anything_runs_or_is_written(saver):
    in_line(saver, {"a": says("a"), "b": says("b")}).invoke({}, thread="t", interrupt_before=["b"])
    ran: list[str] = []
    other = in_line(saver, {"a": says("a", ran), "bb": says("bb", ran)})
    with pytest.raises(DefinitionMismatch, match="'b'"):
        other.invoke(None, thread="t")

    assert ran == []
    assert other.get_state(thread="t").next == ("b",)
    assert len(list(other.get_state_history(thread="t"))) == 2


def test_a_replay_uses_the_new_code_on_the_old_state_and_history_says_which_made_what(saver):
    first = in_line(saver, {"a": says("a"), "b": says("b")})
    first.invoke({}, thread="t")
    second = graph_of(
        saver,
        {"a": says("a"), "b": lambda state: {"log": ["better"]}, "c": says("c")},
        [(START, "a"), ("a", "b"), ("b", "c")],
    )
    out = second.replay(at(second, "t", "b"))
    hashes = [found.def_hash for found in second.get_state_history(thread="t")]

    assert out["log"] == ["a", "better", "c"]
    assert first.def_hash != second.def_hash
    assert hashes == [second.def_hash] * 3 + [first.def_hash] * 3


def test_the_body_of_a_node_is_no_part_of_the_definition(saver):
    one = in_line(saver, {"a": says("a")})
    other = in_line(saver, {"a": lambda state: {"log": ["other"]}})

    assert one.def_hash == other.def_hash


def test_an_edit_may_be_made_by_other_code(saver):
    in_line(saver, {"a": says("a"), "b": says("b")}).invoke({}, thread="t", interrupt_before=["b"])
    other = in_line(saver, {"a": says("a"), "bb": says("bb")})
    other.update_state("t", {"log": ["edit"]}, as_node="a")

    assert other.invoke(None, thread="t")["log"] == ["a", "edit", "bb"]


def test_a_thread_whose_last_node_is_gone_can_still_be_edited_and_read(saver):
    in_line(saver, {"a": says("a"), "b": says("b")}).invoke({}, thread="t")
    other = in_line(saver, {"a": says("a")})
    other.update_state("t", {"log": ["edit"]})

    assert other.get_state(thread="t").values["log"] == ["a", "b", "edit"]
    assert other.get_state(thread="t").next == ()
