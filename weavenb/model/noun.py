"""Small records that every step makes anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

__all__ = ["noun"]

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True)
def noun(cls: type[_T]) -> type[_T]:
    """A dataclass that the type checker keeps from being changed, and nobody else.

    A frozen one takes three times as long to make, which a step with its twenty of them would feel. What users make,
    and what history gives them, is frozen in truth.
    """
    return dataclass(slots=True)(cls)
