"""Named parameters in a user's SQL."""

from __future__ import annotations

import pytest

from weavenb.errors import QueryFailed
from weavenb.history.statements import bound


@pytest.mark.parametrize(
    ("query", "expected", "used"),
    [
        ("select :a", "select :a", {"a": 1}),
        ("select $a, :a", "select :a, :a", {"a": 1}),
        ("select ':a', \":a\" -- :a", "select ':a', \":a\" -- :a", {}),
        ("select /* :a */ x::int", "select /* :a */ x::int", {}),
        ("select $$ :a $$", "select $$ :a $$", {}),
        ("select {'k':v}", "select {'k':v}", {}),
        ("select l[i:j]", "select l[i:j]", {}),
        ("select 'it''s :a', :a", "select 'it''s :a', :a", {"a": 1}),
    ],
)
def test_a_colon_is_a_parameter_only_where_it_is_one(query, expected, used):
    assert bound(query, {}, {"a": 1}) == (expected, used)


def test_a_parameter_that_was_not_given_is_named_with_the_nearest():
    with pytest.raises(QueryFailed, match=r"uses :thraed.*Did you mean 'thread'"):
        bound("select * from checkpoints where thread_id = :thraed", {}, {"thread": "t"})


def test_a_parameter_that_the_caller_gave_is_handed_on_even_unused():
    assert bound("select 1", {"b": 2}, {"a": 1}) == ("select 1", {"b": 2})
