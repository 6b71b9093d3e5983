from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import math
import pathlib
from collections import Counter, OrderedDict, defaultdict, deque
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weavenb.serde import Opaque, Unencodable, decode, encode, register
from weavenb.serde.types import _classes


class Colour(enum.Enum):
    RED = "red"


class Rank(enum.IntEnum):
    LOW = 1


@dataclasses.dataclass
class Point:
    x: int
    y: tuple[int, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Fixed:
    x: object


class Pair(NamedTuple):
    a: int
    b: object


class OwnZone(dt.tzinfo):
    def utcoffset(self, moment):
        return None

    dst = tzname = utcoffset


class Text(str):  # a subclass that would lose its class
    __slots__ = ()


ANY_TEXT = st.text(st.characters())  # lone surrogates included
ZONES = st.sampled_from(
    [
        None,
        dt.UTC,
        dt.timezone(dt.timedelta(hours=1)),
        dt.timezone(dt.timedelta(hours=-3, seconds=1)),
        dt.timezone(dt.timedelta(0), "name"),
        ZoneInfo("Europe/Berlin"),
    ]
)


def folded(strategy):
    return st.builds(lambda value, fold: value.replace(fold=fold), strategy, st.sampled_from([0, 1]))


HASHABLE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    ANY_TEXT,
    st.binary(),
    folded(st.datetimes(timezones=ZONES, allow_imaginary=True)),
    st.dates(),
    folded(st.times()),
    st.timedeltas(),
    st.decimals(allow_nan=False),
    st.fractions(),
    st.uuids(),
    st.complex_numbers(allow_nan=False),
    st.builds(range, st.integers(), st.integers(), st.integers(1)),
    st.sampled_from([Colour.RED, Rank.LOW, pathlib.PurePosixPath("a/b"), pathlib.Path("/x")]),
    st.sampled_from([pathlib.PureWindowsPath("c:\\x"), "$w", "v"]),
)
KEYS = st.one_of(HASHABLE, st.tuples(HASHABLE, HASHABLE), st.frozensets(HASHABLE, max_size=3))


def containers(inner):
    return st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(ANY_TEXT, inner, max_size=4),
        st.dictionaries(KEYS, inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.builds(deque, st.lists(inner, max_size=4), st.sampled_from([None, 2])),
        st.dictionaries(KEYS, inner, max_size=3).map(OrderedDict),
        st.builds(lambda d: defaultdict(list, d), st.dictionaries(KEYS, inner, max_size=3)),
        st.dictionaries(KEYS, st.integers(), max_size=3).map(Counter),
        st.sets(KEYS, max_size=4),
        st.builds(Point, st.integers(), st.tuples(st.integers())),
        st.builds(Fixed, inner),
        st.builds(Pair, st.integers(), inner),
    )


ANYTHING = st.recursive(st.one_of(HASHABLE, st.just(math.nan), st.binary().map(bytearray)), containers, max_leaves=25)


def shape(value):
    """What `==` does not see: the types, the order of keys, the sign of zero, folds and zones."""
    kind = type(value)
    if isinstance(value, dict):
        extra = value.default_factory if isinstance(value, defaultdict) else None
        return kind, extra, [(shape(k), shape(v)) for k, v in value.items()]
    if kind in (set, frozenset):
        return kind, sorted((shape(item) for item in value), key=repr)
    if isinstance(value, list | tuple | deque):
        return kind, getattr(value, "maxlen", None), [shape(item) for item in value]
    if dataclasses.is_dataclass(value):
        return kind, [shape(getattr(value, f.name)) for f in dataclasses.fields(value)]
    if isinstance(value, dt.datetime | dt.time):
        zone = value.tzinfo
        return kind, value.replace(tzinfo=None).isoformat(), value.fold, type(zone), repr(zone)
    return kind, repr(value)


@given(ANYTHING)
def test_a_value_comes_back_as_what_it_was(value):
    text = encode(value)

    assert shape(decode(text)) == shape(value)
    assert encode(decode(text)) == text or isinstance(value, set | frozenset | dict | list | tuple)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(2**63), 2**63)
        | st.text()
        | st.floats(allow_nan=False, allow_infinity=False),
        lambda inner: st.lists(inner) | st.dictionaries(st.text().filter(lambda k: k != "$w"), inner),
    )
)
def test_plain_values_stay_plain_json(value):
    text = encode(value)

    assert text == orjson.dumps(value).decode() or "$w" in text
    assert decode(text) == value


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (object(), ""),
        ({"rows": [1, {"x": object}]}, "['rows'][1]['x']"),
        (Text("x"), ""),
        ({Text("key"): 1}, " key Text"),
        ([(lambda: 1)], "[0]"),
        (Fixed(x=[object()]), ".x[0]"),
        (defaultdict(lambda: 1), ""),
        (dt.time(tzinfo=OwnZone()), ""),
    ],
)
def test_what_cannot_come_back_is_refused_where_it_is(value, path):
    with pytest.raises(Unencodable) as caught:
        encode(value)

    assert caught.value.path == path
    assert caught.value.type_name in str(caught.value)


@pytest.mark.parametrize("inner", [[], {}])
def test_what_contains_itself_is_refused(inner):
    loop = [inner]
    if isinstance(inner, list):
        inner += [loop, loop]
    else:
        inner["again"] = loop

    with pytest.raises(Unencodable, match="contains itself"):
        encode(loop)


@pytest.mark.parametrize("wrap", [lambda v: [v], lambda v: (v,), lambda v: {1: v}, lambda v: {"a": v}])
def test_deep_nesting_is_kept_or_refused_never_a_crash(wrap):
    deep: Any = 1
    kept = 0
    for _ in range(300):
        deep = wrap(deep)
        try:
            assert decode(encode(deep)) == deep
            kept += 1
        except Unencodable:
            break

    assert 60 <= kept < 300
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(Unencodable):
        encode(deep)


def test_extra_attributes_of_a_dataclass_are_not_lost_in_silence():
    point = Point(1)
    point.extra = 2  # type: ignore[attr-defined]  # not declared, on purpose

    with pytest.raises(Unencodable):
        encode(point)


def test_an_unknown_class_is_shown_and_stored_as_it_was():
    text = encode({"c": Colour.RED, "p": [Fixed((1, 2))]})
    known = dict(_classes)
    _classes.clear()
    try:
        found = decode(text)
        assert isinstance(found["c"], Opaque)
        assert found["c"].type == f"{__name__}:Colour"
        assert '"RED"' in found["c"].text
        again = encode(found)
    finally:
        _classes.update(known)

    assert again == text
    assert decode(again) == {"c": Colour.RED, "p": [Fixed((1, 2))]}


def test_an_unknown_tag_is_shown_and_stored_as_it_was():
    text = '[{"$w":"from the future","v":[1,{"$w":"tuple","v":[]}]}]'
    found = decode(text)

    assert found[0].type == "from the future"
    assert encode(found) == text


def test_a_class_defined_again_takes_the_place_of_the_old_one():
    text = encode(Colour.RED)
    old = Colour
    try:
        new: Any = register(enum.Enum(Colour.__name__, {"RED": "rot"}, module=__name__))  # type: ignore[type-var]  # a class made at run time
        assert decode(text) is new.RED
    finally:
        register(old)


def test_reading_runs_no_code_of_a_class():
    ran = []

    @dataclasses.dataclass
    class Loud:
        x: int

        def __post_init__(self):
            ran.append(self.x)

    text = encode(Loud(1))
    ran.clear()
    found = decode(text)

    assert found.x == 1
    assert ran == []


def test_each_reading_gives_new_objects():
    text = encode({"a": [[1]]})

    assert decode(text)["a"] is not decode(text)["a"]


@pytest.mark.parametrize("value", [Decimal("NaN"), Decimal("-0.00"), Decimal("1E+999999"), Fraction(-7, 3)])
def test_exact_numbers_keep_their_form(value):
    assert repr(decode(encode(value))) == repr(value)


def test_a_set_has_one_text_whatever_its_order():
    # -1 and -2 have the same hash, so these two sets are walked in different orders.
    one, other = {-1, -2}, {-2, -1}

    assert list(one) != list(other)
    assert encode(one) == encode(other)


def test_a_pydantic_model_is_kept_with_all_its_parts():
    class Model:  # what a pydantic model is made of, without pydantic
        __pydantic_fields__ = None
        __pydantic_validator__ = None
        __slots__ = ("__dict__", "__pydantic_extra__", "__pydantic_fields_set__", "__pydantic_private__")

    value: Any = Model()
    value.a = [(1,)]
    value.__pydantic_fields_set__ = {"a"}
    value.__pydantic_extra__ = None
    value.__pydantic_private__ = {"_p": 3}
    found: Any = decode(encode(value))
    kind: type = type(found)

    assert kind is Model
    assert found.__dict__ == {"a": [(1,)]}
    assert found.__pydantic_fields_set__ == {"a"}
    assert found.__pydantic_private__ == {"_p": 3}
