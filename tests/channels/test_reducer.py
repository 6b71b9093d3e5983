from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weavenb.channels.base import MISSING
from weavenb.channels.reducer import Reducer


def test_the_first_write_to_an_empty_key_is_taken_as_it_is():
    calls = []

    def joined(have, new):
        calls.append((have, new))
        return have + new

    reducer = Reducer(joined)

    assert reducer.fold(MISSING, ["a"]) == "a"
    assert reducer.fold("a", ["b"]) == "ab"
    assert calls == [("a", "b")]


def test_several_first_writes_are_folded_in_their_order():
    assert Reducer(operator.add).fold(MISSING, ["a", "b", "c"]) == "abc"


def test_an_initial_value_is_what_the_first_write_meets():
    reducer = Reducer(lambda have, new: have * new, initial=10)

    assert reducer.initial() == 10
    assert reducer.fold(MISSING, [3]) == 30


def test_an_initial_value_is_not_shared_between_runs():
    reducer = Reducer(operator.add, initial=[])
    reducer.initial().append("stray")

    assert reducer.initial() == []


def test_list_and_map_start_empty():
    assert Reducer("list").initial() == []
    assert Reducer("map").initial() == {}


@pytest.mark.parametrize("write", [["b", "c"], ("b", "c"), (item for item in "bc"), {"b": 1, "c": 2}.keys()])
def test_list_is_extended_by_what_holds_items(write):
    assert Reducer("list").fold(["a"], [write]) == ["a", "b", "c"]


@pytest.mark.parametrize("write", ["bc", b"bc", 3, None, {"b": 1}])
def test_list_refuses_what_is_no_list_and_names_its_type(write):
    with pytest.raises(ValueError, match=type(write).__name__):
        Reducer("list").fold(["a"], [write])


def test_map_takes_in_entries_and_later_writes_win():
    assert Reducer("map").fold({"a": 1}, [{"b": 1}, {"b": 2}]) == {"a": 1, "b": 2}


def test_map_refuses_what_is_no_mapping_and_names_its_type():
    with pytest.raises(ValueError, match="list"):
        Reducer("map").fold({}, [["a"]])


def test_a_reducer_that_raises_is_named():
    def picky(have, new):
        raise KeyError(new)

    with pytest.raises(ValueError, match="its reducer picky raised KeyError: 'x'"):
        Reducer(picky).fold({}, ["x"])


def test_what_is_no_reducer_is_refused():
    word: Any = "lst"

    with pytest.raises(ValueError, match="'lst'"):
        Reducer(word)


async def later(have, new):
    return new


@pytest.mark.parametrize("fn", [len, later, lambda have: have, lambda a, b, c: a])
def test_a_function_that_cannot_fold_is_refused(fn):
    with pytest.raises(ValueError, match=r"a plain function of \(current, write\)"):
        Reducer(fn)


@pytest.mark.parametrize("kind", ["list", operator.add, operator.iadd, lambda have, new: have + new])
def test_old_value_and_writes_stay_as_they_were(kind):
    old, writes = [["x"]], [[["y"]], [["z"]]]

    assert Reducer(kind).fold(old, writes) == [["x"], ["y"], ["z"]]
    assert old == [["x"]]
    assert writes == [[["y"]], [["z"]]]


def test_a_reducer_that_changes_what_is_inside_harms_nobody():
    def stamped(have, new):
        for item in have:
            item["seen"] = True
        have.extend(new)
        return have

    old = [{"n": 1}]
    new = Reducer(stamped).fold(old, [[{"n": 2}], [{"n": 3}]])

    assert new == [{"n": 1, "seen": True}, {"n": 2, "seen": True}, {"n": 3}]
    assert old == [{"n": 1}]


def test_a_changed_item_is_stored_whole():
    def first_seen(have, new):
        have[0]["seen"] = True
        return have + new

    old = [{"n": 1}]
    reducer = Reducer(first_seen)
    new = reducer.fold(old, [[{"n": 2}]])

    assert reducer.growth(old, [[{"n": 2}]], new) == ("set", [{"n": 1, "seen": True}, {"n": 2}])


@dataclass
class Note:
    text: str
    tags: list[str]


@pytest.mark.parametrize(
    "kind", ["list", operator.add, operator.iadd, lambda have, new: have + new, lambda have, new: [*have, *new]]
)
def test_a_list_that_grew_stores_only_its_new_items(kind):
    old = [{"role": "user", "parts": [1, 2]}, Note("x", ["a"])]
    writes = [[{"n": 1}], [{"n": 2}]]
    reducer = Reducer(kind)

    assert reducer.growth(old, writes, reducer.fold(old, writes)) == ("append", [{"n": 1}, {"n": 2}])


def test_a_single_list_write_is_itself_what_is_stored():
    write = ["b"]

    assert Reducer("list").growth(["a"], [write], ["a", "b"])[1] is write
    assert Reducer(operator.add).growth(["a"], [write], ["a", "b"])[1] is write


@pytest.mark.parametrize("kind", ["map", operator.or_])
def test_a_map_that_grew_stores_only_its_new_entries(kind):
    old, writes = {"a": 1}, [{"b": 1}, {"b": 2}]
    reducer = Reducer(kind)

    assert reducer.growth(old, writes, reducer.fold(old, writes)) == ("merge", {"b": 2})


@pytest.mark.parametrize(
    ("kind", "old", "writes"),
    [(operator.add, 1, [2]), (operator.add, MISSING, [["a"]]), (max, 1, [2]), (lambda have, new: new, ["a"], [["b"]])],
)
def test_what_did_not_grow_is_stored_whole(kind, old, writes):
    reducer = Reducer(kind)
    new = reducer.fold(old, writes)

    assert reducer.growth(old, writes, new) == ("set", new)


def test_growth_of_a_list_turned_over_is_the_whole():
    reducer = Reducer(lambda have, new: [*new, *have])
    old = [{"a": 1}, {"b": 2}]

    assert reducer.growth(old, [[{"c": 3}]], reducer.fold(old, [[{"c": 3}]]))[0] == "set"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(old=st.lists(json_values), writes=st.lists(st.lists(json_values), min_size=1, max_size=3))
def test_growth_and_the_old_value_give_the_new_one(old, writes):
    for kind in ("list", operator.add, operator.iadd, lambda have, new: have + new):
        reducer = Reducer(kind)
        new = reducer.fold(old, writes)
        op, added = reducer.growth(old, writes, new)

        assert (
            (old + added if op == "append" else added) == new == [*old, *[item for write in writes for item in write]]
        )


def test_it_is_described_by_name_and_start():
    told = Reducer(operator.add, initial=0, subscribers=["a"]).describe()

    assert told == {"channel": "Reducer", "reducer": "add", "initial": "0", "subscribers": ["a"]}
    assert Reducer(lambda have, new: new).describe()["reducer"] == "lambda"
    assert repr(Reducer("list")) == "Reducer(list)"
