from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from weavenb.serde import decode, encode, hash_of
from weavenb.serde.hashing import appended, hash_of_value, merged, state_hash

ITEMS = st.lists(st.integers() | st.text() | st.tuples(st.integers()) | st.lists(st.none()))
MAPS = st.dictionaries(st.text() | st.integers(), st.integers() | st.lists(st.text()))


@given(ITEMS, ITEMS)
def test_a_list_that_grew_has_the_hash_of_the_whole(old, new):
    assert appended(hash_of(encode(old)), encode(new)) == hash_of(encode(old + new))


@given(MAPS, MAPS)
def test_a_mapping_that_was_merged_has_the_hash_of_the_whole(old, new):
    before = hash_of_value(old, encode(old))

    assert merged(before, old, new) == hash_of(encode({**old, **new}))


@given(MAPS)
def test_the_order_of_keys_does_not_matter(value):
    turned = dict(reversed(value.items()))

    assert hash_of(encode(turned)) == hash_of(encode(value)) == hash_of_value(value, encode(value))


def test_different_values_have_different_hashes():
    values: list = [None, 0, 1, "", "0", "null", [], {}, [[]], [1], [11], [1, 1], {"a": 1}, {"a": "1"}]
    values += ["x" * 61 + "ab", "x" * 61 + "ba", ["a" * 60 + "b"], ["b" + "a" * 60], (1,), 1.0]
    hashes = [hash_of(encode(value)) for value in values]

    assert len(set(hashes)) == len(values)
    assert all(len(digest) == 16 for digest in hashes)


def test_a_state_is_the_same_whatever_the_order_of_its_channels():
    assert state_hash({"a": "1", "b": "2"}) == state_hash({"b": "2", "a": "1"})
    assert state_hash({"a": "1"}) != state_hash({"b": "1"})
    assert decode(encode({})) == {}
