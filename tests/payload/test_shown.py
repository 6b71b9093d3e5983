"""Values on their way to a page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import pytest

from weavenb.history.diff import diff_values
from weavenb.payload.shown import shown, shown_diff


@dataclass
class Point:
    x: int
    y: int


class Hostile:
    def __repr__(self):
        message = "no"
        raise RuntimeError(message)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, {"t": "None", "s": "None"}),
        (True, {"t": "bool", "s": "True"}),
        (1.0, {"t": "float", "s": "1.0"}),
        ("a\n", {"t": "str", "s": "a\n"}),
        (b"ab", {"t": "bytes", "s": "b'ab'", "bytes": 2}),
        ((1,), {"t": "tuple", "n": 1, "items": [["0", {"t": "int", "s": "1"}]]}),
        ({2, 1}, {"t": "set", "n": 2, "items": [["", {"t": "int", "s": "1"}], ["", {"t": "int", "s": "2"}]]}),
        ({1: "a"}, {"t": "dict", "n": 1, "items": [["1", {"t": "str", "s": "a"}]], "odd": True}),
        (Point(1, 2), {"t": "Point", "n": 2, "items": [["x", {"t": "int", "s": "1"}], ["y", {"t": "int", "s": "2"}]]}),
        (Hostile(), {"t": "Hostile", "s": "<Hostile>"}),
    ],
)
def test_a_value_says_its_type(value, said):
    assert shown(value) == said


def test_a_date_is_no_text():
    assert shown(datetime(2026, 1, 2, tzinfo=UTC))["t"] == "datetime"


def test_a_large_array_is_told_and_not_sent():
    made = shown(np.zeros((1000, 3)))

    assert made == {"t": "ndarray", "s": "ndarray[1000, 3] float64", "bytes": 24_000}


@pytest.mark.parametrize("value", ["x" * 10_000_000, list(range(1_000_000)), {"a": [[["x" * 3000] * 100] * 100] * 100}])
def test_whatever_is_large_is_bounded(value):
    assert len(json.dumps(shown(value, budget=200))) < 1_000_000


def test_a_value_within_itself_ends():
    value: list = []
    value.append(value)

    assert len(json.dumps(shown(value))) < 2_000


def test_a_text_is_compared_word_by_word():
    made = shown_diff(diff_values({"draft": "The quick red fox"}, {"draft": "The quick brown fox"}))

    assert made["changes"][0]["words"] == [["=", "The quick "], ["-", "red"], ["+", "brown"], ["=", " fox"]]


def test_a_number_says_by_how_much():
    made = shown_diff(diff_values({"score": 0.41}, {"score": 0.73}))

    assert made["changes"][0]["delta"] == "+0.32"


def test_a_long_diff_is_cut_and_counted():
    made = shown_diff(diff_values({}, {f"k{number}": number for number in range(500)}))

    assert (len(made["changes"]), made["more"]) == (200, 300)
