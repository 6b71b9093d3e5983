from __future__ import annotations

import pickle

import pytest

from weavenb.channels.base import MISSING
from weavenb.channels.delta import DeltaChannel
from weavenb.channels.last_value import LastValue


def test_a_plain_key_keeps_the_last_write():
    assert LastValue().fold({"a": 1}, [{"b": 2}]) == {"b": 2}
    assert LastValue().initial() is MISSING


def test_a_plain_key_takes_one_write_a_step():
    assert not LastValue().takes_many
    with pytest.raises(ValueError, match="got 2"):
        LastValue().fold(MISSING, [1, 2])


def test_one_subscriber_may_be_given_as_a_text():
    assert LastValue(subscribers="notify").subscribers == ("notify",)


def test_missing_is_the_same_after_pickling():
    assert pickle.loads(pickle.dumps(MISSING)) is MISSING  # noqa: S301 - bytes of our own making


def flat(lines, writes):
    return lines + [line for write in writes for line in write]


def test_a_delta_function_gets_all_writes_of_a_step():
    calls = []

    def note(value, writes):
        calls.append(writes)
        return flat(value, writes)

    channel = DeltaChannel(note, initial=[])

    assert channel.takes_many
    assert channel.fold(MISSING, [["a"], ["b"]]) == ["a", "b"]
    assert calls == [[["a"], ["b"]]]


def test_a_delta_function_without_a_start_begins_with_none():
    assert DeltaChannel(lambda value, writes: (value, writes)).fold(MISSING, [1]) == (None, [1])


def test_writes_are_prepared_and_may_be_prepared_again():
    channel = DeltaChannel(flat, initial=[], prepare=lambda write: [f"* {line.lstrip('* ')}" for line in write])

    assert channel.prepare(["a"]) == ["* a"]
    assert channel.fold([], [["a"]]) == channel.fold([], [channel.prepare(["a"])]) == ["* a"]


def test_a_growing_delta_stores_only_what_is_new():
    channel = DeltaChannel(flat, initial=[])
    old = [{"n": 1}]

    assert channel.growth(old, [[{"n": 2}]], channel.fold(old, [[{"n": 2}]])) == ("append", [{"n": 2}])


def test_a_delta_function_harms_neither_value_nor_writes():
    def greedy(value, writes):
        value.extend(writes.pop())
        value[0].append("x")
        return value

    old, writes = [["a"]], [[["b"]]]
    channel = DeltaChannel(greedy)
    new = channel.fold(old, writes)

    assert new == [["a", "x"], ["b"]]
    assert (old, writes) == ([["a"]], [[["b"]]])
    assert channel.growth(old, writes, new) == ("set", new)


@pytest.mark.parametrize("part", ["function", "prepare function"])
def test_what_raises_is_named(part):
    def broken(*_):
        raise RuntimeError("no")

    channel = DeltaChannel(broken) if part == "function" else DeltaChannel(flat, initial=[], prepare=broken)

    with pytest.raises(ValueError, match=f"its {part} broken raised RuntimeError: no"):
        channel.fold(MISSING, [["a"]])


def test_a_delta_channel_wants_a_function():
    with pytest.raises(ValueError, match="'list'"):
        DeltaChannel("list")


def test_a_delta_function_takes_value_and_writes():
    def alone(value):
        return value

    with pytest.raises(ValueError, match=r"alone of a delta channel must be a plain function of \(value, writes\)"):
        DeltaChannel(alone)


def test_a_delta_channel_is_described_by_its_functions():
    told = DeltaChannel(flat, initial=[], prepare=sorted).describe()

    assert told == {
        "channel": "DeltaChannel",
        "reducer": "flat",
        "initial": "[]",
        "prepare": "sorted",
        "subscribers": [],
    }
