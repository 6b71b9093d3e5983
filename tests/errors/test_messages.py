"""What an error says of the values it names."""

from __future__ import annotations

import inspect

import pytest

from weavenb import errors
from weavenb.errors import AmbiguousResume, InvalidUpdate


class Odd:
    """Its repr holds an address."""


class Hostile:
    def __repr__(self) -> str:
        raise RuntimeError("no")


def sample(kind: type[errors.WeaveError]) -> errors.WeaveError:
    """One with plain facts."""
    plain = {"Mapping": {"a": 1}, "Iterable": ["a", "b"], "int": 2, "tuple": ("a",)}
    given = []
    for parameter in list(inspect.signature(kind.__init__).parameters.values())[1:]:
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            return kind("The sentence is whole.")
        if parameter.default is inspect.Parameter.empty:
            given.append(plain.get(str(parameter.annotation).split("[")[0], "A thing"))
    return kind(*given)


KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.WeaveError)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_message_begins_as_a_sentence_or_with_a_name_in_quotes(kind: type[errors.WeaveError]) -> None:
    said = str(sample(kind))

    assert said[0].isupper() or said[0] in "'0123456789"


def test_values_are_told_without_addresses_and_hostile_ones_by_their_type() -> None:
    assert "a wrote <tests.errors.test_messages.Odd object>, b wrote <Hostile>." in str(
        InvalidUpdate("x", {"a": Odd(), "b": Hostile()})
    )
    assert "('x" in str(AmbiguousResume({"1": "x" * 1000, "2": 1}))
    assert len(str(AmbiguousResume({"1": "x" * 1000, "2": 1}))) < 200
