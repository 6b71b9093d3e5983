from __future__ import annotations

import dataclasses
from collections import Counter, OrderedDict, defaultdict, deque

import pytest

from weavenb.serde import isolate


@dataclasses.dataclass
class Box:
    items: list


@pytest.mark.parametrize(
    ("value", "change"),
    [
        ({"a": {"b": [1]}}, lambda v: v["a"]["b"].append(2)),
        ([{"a": 1}, 5], lambda v: v[0].clear()),
        (([1], 2), lambda v: v[0].append(2)),
        ({1, 2}, lambda v: v.add(3)),
        ({"b": bytearray(b"x")}, lambda v: v["b"].extend(b"y")),
        (deque([[1]], 3), lambda v: v[0].append(2)),
        (OrderedDict(a=[1]), lambda v: v["a"].append(2)),
        (defaultdict(list, a=[1]), lambda v: v["a"].append(2)),
        (Counter("aa"), lambda v: v.update("b")),
        (Box([[1]]), lambda v: v.items[0].append(2)),
        ([Box([1])], lambda v: v[0].items.append(2)),
    ],
)
def test_a_change_of_the_copy_leaves_the_original(value, change):
    before = repr(value)
    copied = isolate(value)
    assert repr(copied) == before
    assert type(copied) is type(value)

    change(copied)
    assert repr(value) == before


def test_what_cannot_change_is_shared():
    text = "x" * 100
    flat = (1, text, (2, 3))

    assert isolate([text])[0] is text
    assert isolate(flat)[1] is text


def test_settings_of_a_container_are_kept():
    assert isolate(deque([1], 3)).maxlen == 3
    assert isolate(defaultdict(int)).default_factory is int


def test_what_contains_itself_is_copied():
    loop: list = [1]
    loop.append(loop)
    copied = isolate(loop)

    assert copied is not loop
    assert copied[1] is copied
