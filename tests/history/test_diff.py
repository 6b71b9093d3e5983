"""What differs between two states."""

from __future__ import annotations

import dataclasses
import math
import re
import subprocess
import sys
from collections import OrderedDict
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weavenb.history.diff import diff_values
from weavenb.history.equality import same

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=20,
)
states = st.dictionaries(st.text(max_size=3), plain, max_size=5)


def lines(before, after):
    return repr(diff_values(before, after)).split("\n")


def rebuilt(value):
    if isinstance(value, dict):
        return {key: rebuilt(inner) for key, inner in value.items()}
    return [rebuilt(inner) for inner in value] if isinstance(value, list) else value


@given(states)
def test_a_state_does_not_differ_from_its_copy(state):
    assert len(diff_values(state, rebuilt(state))) == 0


@given(states, states)
def test_a_diff_is_empty_only_for_equal_states(before, after):
    assert (len(diff_values(before, after)) == 0) is same(before, after)


@given(st.dictionaries(st.sampled_from("abcd"), st.integers()), st.dictionaries(st.sampled_from("abcd"), st.integers()))
def test_the_older_state_and_the_changes_give_the_newer_one(before, after):
    made = dict(before)
    for change in diff_values(before, after):
        if change.kind == "removed":
            del made[change.path]
        else:
            made[change.path] = change.new

    assert made == after


@given(states, states)
def test_there_and_back_name_as_many_places_added_as_removed(before, after):
    there = [change.kind for change in diff_values(before, after)]
    back = [change.kind for change in diff_values(after, before)]

    assert there.count("added") == back.count("removed")


def test_places_are_named_by_path():
    before = {"plan": {"budget": 3, "a b": {"x": 1}}, "old": None}
    after = {"plan": {"budget": 5, "a b": {"x": 2}}, "new": [1]}

    assert lines(before, after) == [
        "~ plan.budget: 3 -> 5 (+2)",
        '~ plan["a b"].x: 1 -> 2 (+1)',
        "- old: None",
        "+ new: [1]",
    ]


def test_messages_are_matched_by_their_id():
    before = {"m": [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]}
    after = {"m": [{"id": 0, "text": "new"}, {"id": 1, "text": "a"}, {"id": 2, "text": "b!"}]}

    assert lines(before, after) == ["~ m[2].text: 'b' -> 'b!'", "+ m[0]: {'id': 0, 'text': 'new'}"]


def test_messages_that_only_changed_places_are_a_difference():
    before = {"m": [{"id": 1}, {"id": 2}]}

    assert lines(before, {"m": before["m"][::-1]}) == ["~ m[*].id: [1, 2] -> [2, 1]"]


def test_an_item_put_in_front_is_one_addition():
    assert lines({"l": [1, 2, 3]}, {"l": [0, 1, 2, 3]}) == ["+ l[0]: 0"]


def test_an_item_taken_from_within_is_one_removal():
    assert lines({"l": list("abcdef")}, {"l": list("abdefg")}) == ["- l[2]: 'c'", "+ l[5]: 'g'"]


def test_types_count():
    assert lines({"x": 1, "y": 1, "z": (1,)}, {"x": True, "y": 1.0, "z": [1]}) == [
        "~ x: 1 (int) -> True (bool)",
        "~ y: 1 (int) -> 1.0 (float)",
        "~ z: (1,) (tuple) -> [1] (list)",
    ]


def test_nan_is_nan():
    assert len(diff_values({"x": [float("nan")]}, {"x": [math.nan]})) == 0


@dataclasses.dataclass
class Point:
    x: int
    y: list[int]


def test_data_classes_are_looked_into():
    assert lines({"p": Point(1, [2])}, {"p": Point(1, [3])}) == ["~ p.y[0]: 2 -> 3 (+1)"]


class Hostile:
    __hash__ = None  # type: ignore[assignment]  # how Python itself spells unhashable

    def __eq__(self, other):
        raise RuntimeError

    def __repr__(self):
        raise RuntimeError


def test_an_object_that_cannot_be_compared_counts_as_changed():
    one = Hostile()

    assert lines({"x": one, "y": one}, {"x": Hostile(), "y": one}) == ["~ x: <Hostile> -> <Hostile>"]


class Pair(NamedTuple):
    left: int
    right: int


class Broken(dict):
    def __iter__(self):
        raise RuntimeError


def test_named_tuples_are_looked_into():
    assert lines({"p": Pair(1, 2)}, {"p": Pair(1, 3)}) == ["~ p.right: 2 -> 3 (+1)"]


def test_kinds_of_dict_are_compared_as_strictly_as_dicts():
    before, after = OrderedDict(a=1, b=math.nan), OrderedDict(a=True, b=float("nan"))

    assert lines({"x": before}, {"x": after}) == ["~ x.a: 1 (int) -> True (bool)"]


def test_a_container_that_cannot_be_read_counts_as_changed():
    assert len(diff_values({"x": Broken(a=1)}, {"x": Broken(a=2)})) == 1


def test_arrays_and_frames_are_compared_as_wholes():
    before = {"a": np.zeros(3), "f": pd.DataFrame({"c": [1]}), "n": np.array([math.nan])}
    after = {"a": np.ones(3), "f": pd.DataFrame({"c": [1]}), "n": np.array([math.nan])}

    assert lines(before, after) == ["~ a: ndarray[3] float64 -> ndarray[3] float64"]


def test_values_that_hold_themselves_are_compared():
    before: dict[str, list] = {"x": [1]}
    after: dict[str, list] = {"x": [1]}
    before["x"].append(before)
    after["x"].append(after)

    assert len(diff_values(before, after)) == 0


def test_values_nested_beyond_any_stack_are_compared():
    before: list = []
    after: list = [1]
    for _ in range(20_000):
        before, after = [before], [after]

    assert len(diff_values({"x": before}, {"x": after})) == 1


def test_the_text_does_not_change_from_process_to_process():
    program = (
        "from weavenb.history.diff import diff_values\n"
        "class A: pass\n"
        "print(diff_values({'s': {'a', 'b', 'c'}, 'o': A()}, {'s': {'x', 'y', 'z', 1}, 'o': A()}))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": str(seed)}, capture_output=True, check=True
        ).stdout
        for seed in (1, 2, 3)
    }

    assert len(texts) == 1
    assert b"0x" not in texts.pop()


def test_a_page_shows_hostile_text_as_text():
    shown = diff_values({}, {"<img src=x onerror=alert(1)>": "</td><script>alert(1)</script>\u202e"})._repr_html_()

    assert "<script" not in shown
    assert "<img" not in shown
    assert "\u202e" not in shown


def test_a_long_diff_is_cut_and_says_so():
    text = repr(diff_values({}, {f"k{i}": i for i in range(250)}))

    assert text.count("\n") == 100
    assert text.endswith("… 150 more")


def test_a_frame_keeps_values_as_they_are():
    frame = diff_values({"x": 1, "y": [1]}, {"x": 3, "z": {"a": 1}}).frame()

    assert {name: str(kind) for name, kind in frame.dtypes.items()} == {
        "path": "string",
        "kind": "string",
        "old": "object",
        "new": "object",
        "delta": "Float64",
    }
    assert list(frame["kind"]) == ["changed", "removed", "added"]
    assert list(frame["new"])[2] == {"a": 1}
    assert frame["delta"][0] == 2


def test_a_frame_of_texts_alone_has_the_same_types():
    frame = diff_values({"x": "a"}, {"x": "b"}).frame()

    assert str(frame["old"].dtype) == "object"


@pytest.mark.parametrize(("old", "new", "delta"), [(1, 3, 2), (1.5, 1, -0.5), (True, 2, None), (1, "1", None)])
def test_the_delta_is_there_for_numbers_only(old, new, delta):
    assert diff_values({"x": old}, {"x": new})[0].delta == delta


def test_no_difference_is_false():
    assert not diff_values({"x": 1}, {"x": 1})
    assert repr(diff_values({}, {})) == "Diff: no difference"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (20.13, 20.08, "~ price: 20.13 -> 20.08 (-0.05)"),
        (0.1, 0.3, "~ price: 0.1 -> 0.3 (+0.2)"),
        (3, 5, "~ price: 3 -> 5 (+2)"),
        (0, 10**15 + 1, "~ price: 0 -> 1000000000000001 (+1000000000000001)"),
        (1.0, 1.0000001, "~ price: 1.0 -> 1.0000001 (+1e-07)"),
        (0.0, math.inf, "~ price: 0.0 -> inf (+inf)"),
    ],
)
def test_a_change_of_a_number_is_told_without_binary_noise(old, new, told):
    assert lines({"price": old}, {"price": new}) == [told]


def test_an_absent_side_is_none_in_a_frame_and_dtypes_stay():
    mixed = diff_values({"a": 1.5, "b": 2}, {"b": 3.5, "c": math.nan}).frame()
    numbers = diff_values({}, {"a": 1.5}).frame()
    nothing = diff_values({}, {}).frame()

    assert mixed["old"].tolist() == [1.5, 2, None]
    assert mixed["new"].tolist()[0] is None
    assert math.isnan(mixed["new"].tolist()[2])
    assert numbers["old"].tolist() == [None]
    assert mixed.dtypes.equals(numbers.dtypes)
    assert mixed.dtypes.equals(nothing.dtypes)


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_signs_of_a_page_are_white_on_blue_orange_and_amber_with_contrast():
    page = diff_values({"gone": 1, "n": 1}, {"n": 2, "new": 1})._repr_html_()

    plates = re.findall(r"background-color:(#\w{6});color:#ffffff;font-weight:bold\">(.)</td>", page)
    assert {sign: colour for colour, sign in plates} == {"-": "#A63A00", "~": "#7A5200", "+": "#0B5CAD"}
    assert all(1.05 / (luminance(colour) + 0.05) >= 6.3 for colour, _ in plates)
