"""Errors as values: what a cell shows when an action fails."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from weavenb.errors import WeaveError
from weavenb.model.texts import error_text

__all__ = ["Failure", "failure_of"]

_OWN: Final = str(Path(__file__).resolve().parents[1])
_CELL: Final = re.compile(r".*ipykernel_\d+/\d+\.py$|<ipython-input-.*>$")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an action did not do what was asked."""

    code: str
    """``WeaveError.code``, else the exception's class."""
    message: str
    """What happened and what to do."""
    where: str | None
    """The user's own frame: ``cell, line 3, in plan``."""
    line: str | None
    """The source line there."""
    traceback: str
    """All frames, the user's first."""


def failure_of(error: BaseException) -> Failure:
    """Describe `error`; the frames of its first cause that lie in the user's code come first."""
    chain = list(_chain(error))
    mine: traceback.FrameSummary | None = None
    for one in reversed(chain):
        own = [frame for frame in traceback.extract_tb(one.__traceback__) if _is_users(frame)]
        if own:
            mine = own[-1]
            break
    code = error.code if isinstance(error, WeaveError) else type(error).__name__
    message = error_text(error) or type(error).__name__
    told = [] if mine is None else [f"{_place(mine)}\n    {mine.line or ''}".rstrip(), ""]
    for one in reversed(chain):
        told += [line.rstrip() for line in traceback.format_exception(one, chain=False)]
        told.append("")
    return Failure(
        code,
        message,
        None if mine is None else _place(mine),
        None if mine is None else mine.line,
        "\n".join(told).rstrip(),
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        yield one
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)


def _is_users(frame: traceback.FrameSummary) -> bool:
    name = frame.filename
    if _CELL.match(name):
        return True
    return not (name.startswith((_OWN, "<frozen")) or "site-packages" in name or "/lib/python" in name)


def _place(frame: traceback.FrameSummary) -> str:
    file = "cell" if _CELL.match(frame.filename) else Path(frame.filename).name
    return f"{file}, line {frame.lineno}, in {frame.name}"
