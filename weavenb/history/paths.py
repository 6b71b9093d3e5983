"""Paths into a state, as a diff writes them: ``messages[2].text``, ``plan["a b"]``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from weavenb.errors import QueryFailed

__all__ = ["ABSENT", "Path", "parse_path", "value_at"]

Path = tuple[str | int, ...]

ABSENT: Final = object()
"""What `value_at` gives where the path leads nowhere."""

_STEP: Final = re.compile(r'\.?([^\W\d]\w*)|\[(-?\d+)\]|\[("(?:[^"\\]|\\.)*")\]')


def parse_path(text: str) -> Path:
    """The steps of a path, keys and indexes.

    Raises:
        QueryFailed: naming the place where it cannot be read.
    """
    steps: list[str | int] = []
    at = 0
    while at < len(text):
        found = _STEP.match(text, at)
        dotted = text.startswith(".", at)
        named = found is not None and found.group(1) is not None
        if found is None or (named and dotted is (at == 0)):
            raise QueryFailed(
                f'{text!r} is no path: write it as messages[2].text or ["a b"].rest '
                f"(cannot read it from {text[at:]!r} on)."
            )
        name, index, quoted = found.groups()
        steps.append(_step(name, index, quoted))
        at = found.end()
    if not steps:
        raise QueryFailed("An empty path names nothing.")
    return tuple(steps)


def _step(name: str | None, index: str | None, quoted: str | None) -> str | int:
    if name is not None:
        return name
    if index is not None:
        return int(index)
    return str(json.loads(quoted or '""', strict=False))


def value_at(values: Mapping[str, Any], path: Path) -> Any:
    """What is there, or `ABSENT`. Never raises."""
    here: Any = values
    for step in path:
        try:
            if isinstance(here, Mapping):
                here = here.get(step, ABSENT)
            elif isinstance(step, int):
                here = here[step]
            else:
                here = getattr(here, step) if _has_fields(here) else ABSENT
        except Exception:  # noqa: BLE001  a hostile value is as good as none
            return ABSENT
        if here is ABSENT:
            return ABSENT
    return here


def _has_fields(value: Any) -> bool:
    # Only data is looked into: a property of some other object would run its code.
    return hasattr(type(value), "__dataclass_fields__") or hasattr(type(value), "model_fields")
