"""A history as a table to read: the same bytes each time the same run is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from weavenb.model.diff import Diff
from weavenb.model.texts import one_line
from weavenb.model.topology import START

__all__ = ["SHOWN", "Line", "count_text", "html_table", "text_table"]

SHOWN: Final = 20
"""How many of the newest checkpoints are shown."""

_CHANGES: Final = 3
_CELL: Final = (
    "padding:2px 10px 2px 0;text-align:left;vertical-align:top;white-space:pre-wrap;overflow-wrap:anywhere;"
    "border-top:1px solid rgba(128,128,128,.35)"
)
_STYLES: Final = {"changed": ";font-family:monospace", "marks": ";white-space:nowrap;overflow-wrap:normal"}
_HEADS: Final = ("step", "source", "by", "changed", "next", "marks")


@dataclass(frozen=True, slots=True)
class Line:
    """One checkpoint, as it is shown."""

    step: int
    source: str
    nodes: tuple[str, ...]
    next: tuple[str, ...]
    diff: Diff | None
    """Against the parent; None when either could not be read."""
    changed: tuple[str, ...]
    """Names of keys, for when there is no diff."""
    marks: tuple[str, ...]

    def cells(self, limit: int) -> tuple[str, str, str, list[str], str, str]:
        """In the order of the heads; changes one text each."""
        return (
            str(self.step),
            one_line(self.source, 12),
            one_line(", ".join(["input" if node == START else node for node in self.nodes]), 40),
            self._changes(limit),
            one_line(", ".join(self.next), 40),
            one_line(", ".join(self.marks), 60),
        )

    def _changes(self, limit: int) -> list[str]:
        if self.diff is None:
            return [one_line(", ".join(self.changed), limit)]
        lines = [one_line(change.line(limit // 2), limit) for change in self.diff.changes[:_CHANGES]]
        rest = len(self.diff) - _CHANGES
        return [*lines, f"… {rest} more"] if rest > 0 else lines


def text_table(title: str, lines: Sequence[Line], total: int) -> str:
    """Plain text, one line a checkpoint and one more for each further change."""
    if not total:
        return f"{title}: no checkpoints"
    rows: list[tuple[str, ...]] = [_HEADS]
    for line in lines:
        step, source, nodes, changes, next_, marks = line.cells(48)
        rows.append((step, source, nodes, changes[0] if changes else "", next_, marks))
        rows += [("", "", "", change, "", "") for change in changes[1:]]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADS))]
    body = ["  ".join([cell.ljust(width) for cell, width in zip(row, widths, strict=True)]).rstrip() for row in rows]
    return "\n".join([f"{title}: {count_text(total)}", *body, *_more(total, lines)])


def html_table(title: str, lines: Sequence[Line], total: int) -> str:
    """The same with inline styles that suit light and dark pages."""
    if not total:
        return f"<div><b>{escape(title)}</b>: no checkpoints</div>"
    head = "".join([f'<th style="padding:2px 10px 2px 0;text-align:left">{name}</th>' for name in _HEADS])
    body = "".join([_html_row(line) for line in lines])
    foot = "".join([f'<div style="opacity:.75">{escape(text)}</div>' for text in _more(total, lines)])
    return (
        f"<div><b>{escape(title)}</b>: {count_text(total)}"
        f'<table style="border-collapse:collapse;font-size:90%;color:inherit"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>{foot}</div>"
    )


def _html_row(line: Line) -> str:
    step, source, nodes, changes, next_, marks = line.cells(96)
    texts = [step, source, nodes, "\n".join(changes), next_, marks]
    cells = "".join(
        [
            f'<td style="{_CELL}{_STYLES.get(place, "")}">{escape(text)}</td>'
            for place, text in zip(_HEADS, texts, strict=True)
        ]
    )
    return f"<tr>{cells}</tr>"


def count_text(total: int) -> str:
    """``1 checkpoint``, ``3 checkpoints``."""
    return "1 checkpoint" if total == 1 else f"{total} checkpoints"


def _more(total: int, lines: Sequence[Line]) -> list[str]:
    rest = total - len(lines)
    return [f"… {rest} older {'one' if rest == 1 else 'ones'}; .frame() has them all"] if rest > 0 else []
