"""The wire format."""

from __future__ import annotations

import math
import struct

import pytest

from weavenb.payload.columns import LaneNote, RowNote, Tables, encode_rows


def note(number, **facts):
    made = {
        "seq": 1000 + number,
        "parent": number - 1,
        "step": number - 1,
        "created_at": 1_700_000_000_000_000 + number * 2_000,
        "duration_ms": None,
        "nodes": ("plan",) if number else (),
        "changed": ("x", "y") if number else ("x",),
        "lane": 0,
        "source": "loop" if number else "input",
    }
    return RowNote(**{**made, **facts})


def encode(rows, *, start=0, tables=None):
    return encode_rows(
        rows,
        start=start,
        lanes=[LaneNote("main", "t", named=False, first=0, count=len(rows))],
        head=0,
        tables=tables or Tables(),
    )


CODES = {"u1": "B", "u2": "H", "u4": "I", "i4": "i", "f4": "f", "f8": "d"}


def read(block):
    found = {}
    for (name, kind), buffer in zip(block.content["columns"], block.buffers, strict=True):
        found[name] = list(struct.unpack(f"<{block.content['count']}{CODES[kind]}", buffer))
    return found


def test_a_row_takes_27_bytes():
    block = encode([note(number) for number in range(1000)])

    assert block.size == 27_000


def test_what_was_encoded_can_be_read():
    block = encode([note(0), note(1, duration_ms=1.5, error=True, labelled=True), note(2, question=True, open=True)])
    columns = read(block)

    assert columns["seq"] == [0, 1, 2]
    assert block.content["base"] == {"seq": 1000, "time": 1_700_000_000_000, "unit": 1}
    assert columns["parent"] == [-1, 0, 1]
    assert columns["step"] == [-1, 0, 1]
    assert columns["time"] == [0, 2, 4]
    assert columns["duration"][1] == 1.5
    assert math.isnan(columns["duration"][0])
    assert columns["node"] == [0, 1, 1]
    assert columns["flags"] == [0, 16 + 1 + 4, 16 + 2 + 8]
    assert block.content["tables"]["changed"] == {"from": 0, "names": ["", "x", "x\ny"]}


def test_a_name_is_told_once():
    tables = Tables()
    encode([note(0), note(1)], tables=tables)
    second = encode([note(2, nodes=("act",)), note(3)], start=2, tables=tables)

    assert second.content["from"] == 2
    assert second.content["tables"]["nodes"] == {"from": 2, "names": ["act"]}
    assert second.content["tables"]["changed"]["names"] == []


def test_a_table_that_outgrows_two_bytes_takes_four():
    block = encode([note(number, changed=(f"key{number}",)) for number in range(66_000)])

    assert ["changed", "u4"] in block.content["columns"]
    assert ["node", "u2"] in block.content["columns"]


@pytest.mark.parametrize(("days", "unit"), [(40, 1), (400, 9)])
def test_time_is_coarser_where_history_is_long(days, unit):
    later = note(1, created_at=note(0).created_at + days * 86_400_000_000)
    block = encode([note(0), later])

    assert block.content["base"]["unit"] == unit
    assert abs(read(block)["time"][1] * unit - days * 86_400_000) < unit


def test_numbers_far_apart_travel_whole():
    block = encode([note(0), note(1, seq=1 << 40)])

    assert ["seq", "f8"] in block.content["columns"]
    assert read(block)["seq"] == [1000, 1 << 40]
