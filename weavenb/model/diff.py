"""What differs between two states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final, Literal

from weavenb.model.texts import one_line, short

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Diff", "PathChange", "objects", "rounded"]

_SIGNS: Final = {"added": "+", "removed": "-", "changed": "~"}
# White on these is at least 6.3:1. A plate of its own is legible on light pages and dark ones, where no one tone is;
# the sign says it first, blue and orange differ for everyone.
_COLOURS: Final = {"added": "#0B5CAD", "removed": "#A63A00", "changed": "#7A5200"}
_SHOWN: Final = 100
_CELL: Final = (
    "padding:1px 8px;text-align:left;vertical-align:top;font-family:monospace;"
    "white-space:pre-wrap;overflow-wrap:anywhere"
)


@dataclass(frozen=True, slots=True, eq=False)
class PathChange:
    """One place that differs."""

    path: str
    """``messages[2].text``; an index counts in the newer list, of a removed item in the older one."""
    kind: Literal["added", "removed", "changed"]
    old: Any
    """None when added."""
    new: Any
    """None when removed."""

    @property
    def delta(self) -> float | int | None:
        """`new` minus `old`, if both are numbers."""
        if self.kind != "changed" or not (_is_number(self.old) and _is_number(self.new)):
            return None
        try:
            change: float | int = self.new - self.old
        except OverflowError:
            return None
        return change if change == change else None  # noqa: PLR0124  NaN says nothing

    def __repr__(self) -> str:
        return self.line()

    def line(self, limit: int = 60) -> str:
        """``~ plan.budget: 3 -> 5 (+2)``, at most about `limit` characters a value. Byte-stable."""
        return f"{_SIGNS[self.kind]} {one_line(self.path, 120)}: {self.text(limit)}"

    def text(self, limit: int = 60) -> str:
        """What `line` says after the path."""
        if self.kind == "added":
            return short(self.new, limit)
        if self.kind == "removed":
            return short(self.old, limit)
        before, after = short(self.old, limit), short(self.new, limit)
        if type(self.old) is not type(self.new):
            before += f" ({type(self.old).__name__})"
            after += f" ({type(self.new).__name__})"
        delta = self.delta
        by = "" if not delta else f" ({'+' if delta > 0 else ''}{short(rounded(delta), 24)})"
        return f"{before} -> {after}{by}"


@dataclass(frozen=True, slots=True, eq=False)
class Diff:
    """All places where two states differ; false when there is none."""

    changes: tuple[PathChange, ...] = ()
    """In the order of the older state's keys, new keys after them."""

    def __len__(self) -> int:
        return len(self.changes)

    def __iter__(self) -> Iterator[PathChange]:
        return iter(self.changes)

    def __getitem__(self, index: int) -> PathChange:
        return self.changes[index]

    def __repr__(self) -> str:
        """One line a change, byte-stable."""
        if not self.changes:
            return "Diff: no difference"
        lines = [change.line() for change in self.changes[:_SHOWN]]
        if len(self.changes) > _SHOWN:
            lines.append(f"… {len(self.changes) - _SHOWN} more")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        if not self.changes:
            return "<div>No difference</div>"
        rows = "".join(_html_row(change) for change in self.changes[:_SHOWN])
        rest = len(self.changes) - _SHOWN
        more = f"<div>… {rest} more</div>" if rest > 0 else ""
        return f'<table style="border-collapse:collapse;color:inherit"><tbody>{rows}</tbody></table>{more}'

    def frame(self) -> pd.DataFrame:
        """One row per change: ``path`` string, ``kind`` string, ``old`` and ``new`` object, ``delta`` Float64."""
        import pandas as pd

        deltas = [change.delta for change in self.changes]
        return pd.DataFrame(
            {
                "path": pd.array([c.path for c in self.changes], dtype="string"),
                "kind": pd.array([c.kind for c in self.changes], dtype="string"),
                "old": objects([c.old for c in self.changes]),
                "new": objects([c.new for c in self.changes]),
                "delta": pd.array([_float(delta) for delta in deltas], dtype="Float64"),
            }
        )


def objects(values: list[Any]) -> Any:
    """A column whose cells are `values` as they are: lists stay lists, None stays None."""
    import numpy as np
    import pandas as pd

    # Cell by cell, since an array made of lists would be one of two dimensions.
    column = np.empty(len(values), dtype=object)
    for index, value in enumerate(values):
        column[index] = value
    return pd.Series(column, dtype=object)


def _float(delta: float | None) -> float | None:
    try:
        return None if delta is None else float(delta)
    except OverflowError:
        return None


def rounded(delta: float) -> float:
    """Without the digits that only binary fractions have: 20.08 - 20.13 is -0.05 to a reader."""
    return float(f"{delta:.6g}") if type(delta) is float else delta


def _is_number(value: Any) -> bool:
    return type(value) in {int, float}


def _html_row(change: PathChange) -> str:
    colour = _COLOURS[change.kind]
    return (
        f'<tr><td style="{_CELL};background-color:{colour};color:#ffffff;font-weight:bold">{_SIGNS[change.kind]}</td>'
        f'<td style="{_CELL}">{escape(one_line(change.path, 120))}</td>'
        f'<td style="{_CELL}">{escape(change.text(120))}</td></tr>'
    )
