from __future__ import annotations

import operator
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest

from weavenb.definition.builder import GraphBuilder
from weavenb.definition.json_schema import input_schema, object_schema, output_schema
from weavenb.model.topology import START


class Item(TypedDict):
    sku: str
    count: NotRequired[int]


class Order(TypedDict):
    items: Annotated[list[Item], operator.add]
    total: float


def built(schema=None, **options):
    return GraphBuilder(schema, **options).add_node("a", lambda state: {}).add_edge(START, "a").build()


def test_the_borders_are_what_was_declared_for_them():
    definition = built(input_schema={"subject": str}, output_schema={"reply": str})

    assert input_schema(definition) == {"type": "object", "properties": {"subject": {"type": "string"}}}
    assert output_schema(definition) == {"type": "object", "properties": {"reply": {"type": "string"}}}


def test_without_borders_the_state_is_what_crosses():
    item = {
        "type": "object",
        "properties": {"sku": {"type": "string"}, "count": {"type": "integer"}},
        "required": ["sku"],
    }

    assert input_schema(built(Order))["properties"] == {
        "items": {"type": "array", "items": item},
        "total": {"type": "number"},
    }


@pytest.mark.parametrize(
    ("hint", "told"),
    [
        (bool, {"type": "boolean"}),
        (None, {"type": "null"}),
        (list, {"type": "array"}),
        (tuple[int, str], {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}),
        (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
        (dict, {"type": "object"}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Literal["a", 1], {"enum": ["a", 1]}),
        (str | None, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        (Any, {}),
        ("int", {}),
        (complex, {}),
    ],
)
def test_types_are_said_in_the_words_of_json_schema(hint, told):
    assert object_schema({"key": hint})["properties"]["key"] == told
