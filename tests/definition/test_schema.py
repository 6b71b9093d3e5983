from __future__ import annotations

import dataclasses
import operator
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, NotRequired, Required, TypedDict, TypeVar

import pytest

from weavenb.channels.base import MISSING
from weavenb.channels.delta import DeltaChannel
from weavenb.channels.last_value import LastValue
from weavenb.channels.naming import type_text
from weavenb.channels.reducer import Reducer
from weavenb.definition.schema import read_keys, read_state
from weavenb.errors import InvalidGraph

if TYPE_CHECKING:
    from decimal import Decimal


def joined(have, new):
    return have + new


class Base(TypedDict):
    subject: str


class Ticket(Base, total=False):
    notes: Annotated[list[str], operator.add]
    total: Required[Annotated[int, operator.add]]
    checks: Annotated[NotRequired[dict[str, bool]], operator.or_]
    text: Annotated[str, joined]
    log: Annotated[list[str], DeltaChannel(joined, initial=[])]
    amount: Annotated[int, "in cents"]
    other: Any


def test_a_class_gives_its_own_and_inherited_keys_and_closes_the_state():
    schema = read_state(Ticket)

    assert not schema.open
    assert sorted(schema.channels) == ["amount", "checks", "log", "notes", "other", "subject", "text", "total"]


@pytest.mark.parametrize("key", ["subject", "amount", "other"])
def test_a_key_without_a_reducer_is_plain(key):
    assert isinstance(read_state(Ticket).channels[key], LastValue)


@pytest.mark.parametrize(("key", "first"), [("notes", []), ("total", 0), ("checks", {}), ("text", MISSING)])
def test_an_annotated_sum_starts_empty_and_other_functions_do_not(key, first):
    channel = read_state(Ticket).channels[key]

    assert isinstance(channel, Reducer)
    assert channel.initial() == first


def test_an_annotated_channel_is_used_as_it_is():
    assert isinstance(read_state(Ticket).channels["log"], DeltaChannel)


def test_types_are_kept_without_their_notes():
    types = read_state(Ticket).types

    assert (types["notes"], types["total"], types["checks"]) == (list[str], int, dict[str, bool])


def test_a_class_inside_a_function_may_name_what_only_the_function_knows():
    def local(have, new):
        return new

    class Inner(TypedDict):
        value: Annotated[list[str], local]

    assert read_state(Inner).channels["value"].describe()["reducer"] == "local"


def test_a_name_that_cannot_be_found_is_told():
    class Money(TypedDict):
        amount: Decimal

    with pytest.raises(InvalidGraph, match=r"Money name 'Decimal'.*TYPE_CHECKING"):
        read_state(Money)


T = TypeVar("T")


class Box(TypedDict, Generic[T]):
    value: T


def test_a_generic_class_can_be_a_state():
    assert list(read_state(Box).channels) == ["value"]


@dataclasses.dataclass
class Record:
    subject: str


class Pydantic:
    model_fields: Any = None


@pytest.mark.parametrize("schema", [Record, Pydantic])
def test_other_classes_come_later(schema):
    with pytest.raises(InvalidGraph, match=r"come later.*TypedDict"):
        read_state(schema)


@pytest.mark.parametrize("schema", [dict, {"a": int}])
def test_a_mapping_in_the_place_of_the_class_is_explained(schema):
    with pytest.raises(InvalidGraph, match=r"state=\{...\}"):
        read_state(schema)


@pytest.mark.parametrize("schema", [int, "Ticket", Ticket(subject="x", total=1)])
def test_what_is_no_class_of_keys_is_refused(schema):
    with pytest.raises(InvalidGraph, match="TypedDict"):
        read_state(schema)


def test_class_and_mapping_together_are_refused():
    with pytest.raises(InvalidGraph, match="not both"):
        read_state(Ticket, {})


def test_a_mapping_gives_channels_and_leaves_the_state_open():
    best = Reducer(max)
    schema = read_state(None, {"best": best, "n": int, "s": "str", "l": list[int], "a": Annotated[list, operator.add]})

    assert schema.open
    assert schema.channels["best"] is best
    assert [type(schema.channels[key]) for key in "nsl"] == [LastValue] * 3
    assert schema.channels["a"].initial() == []
    assert schema.types == {"best": Any, "n": int, "s": "str", "l": list[int], "a": list}


def test_nothing_declared_is_an_open_state():
    assert read_state().open
    assert read_state().channels == {}


def test_a_bare_function_in_a_mapping_is_explained():
    with pytest.raises(InvalidGraph, match=r"'n'.*wrap the function in Reducer"):
        read_state(None, {"n": operator.add})


def test_a_value_that_is_no_type_is_explained():
    with pytest.raises(InvalidGraph, match=r"'n'.*Reducer\('list'\)"):
        read_state(None, {"n": 3})


class Two(TypedDict):
    n: Annotated[int, operator.add, joined]


class Bare(TypedDict):
    n: Annotated[int, LastValue]


class Short(TypedDict):
    n: Annotated[list[int], len]


def test_a_function_that_cannot_fold_names_its_key():
    with pytest.raises(InvalidGraph, match=r"The key 'n': the reducer len must be"):
        read_state(Short)


def test_two_reducers_of_one_key_are_refused():
    with pytest.raises(InvalidGraph, match=r"'n' \(int\) has 2 reducers"):
        read_state(Two)


def test_a_channel_class_without_its_brackets_is_refused():
    with pytest.raises(InvalidGraph, match=r"'n'.*LastValue\(...\)"):
        read_state(Bare)
    with pytest.raises(InvalidGraph, match=r"'n'.*LastValue\(...\)"):
        read_state(None, {"n": LastValue})


def test_a_class_of_a_text_that_was_run_is_read():
    names: dict[str, Any] = {"__name__": "a_module_of_no_file"}
    text = """
from __future__ import annotations
from typing import TypedDict
from weavenb.definition.schema import read_state
class Mine: ...
class State(TypedDict):
    mine: Mine
def read():
    return read_state(State)
types = read().types
"""
    exec(text, names)  # noqa: S102 - a notebook runs its cells this way

    assert names["types"] == {"mine": names["Mine"]}


@pytest.mark.parametrize("key", [1, ""])
def test_keys_are_texts(key):
    with pytest.raises(InvalidGraph, match="not empty"):
        read_state(None, {key: int})


def test_keys_are_read_from_classes_mappings_and_lists():
    assert read_keys(Base, "input_schema") == {"subject": str}
    assert read_keys({"subject": str}, "input_schema") == {"subject": str}
    assert read_keys(["subject"], "input_schema") == {"subject": Any}


def test_one_text_is_no_list_of_keys():
    with pytest.raises(InvalidGraph, match="input_schema is the text 'subject'"):
        read_keys("subject", "input_schema")


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (int, "int"),
        (None, "None"),
        (Any, "Any"),
        (list[str], "list[str]"),
        (dict[str, list[int | None]], "dict[str, list[int | None]]"),
        (Literal["a", 1], "Literal['a', 1]"),
        (tuple[int, ...], "tuple[int, ...]"),
        (Record, "Record"),
        ("int", "int"),
    ],
)
def test_types_are_written_without_modules(hint, text):
    assert type_text(hint) == text
