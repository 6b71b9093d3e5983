"""What a notebook shows without a kernel: plain HTML and plain text, the same bytes each run.

No id, time, duration, address or path is in them. The HTML uses what the sanitizer of an untrusted
notebook lets through: a picture as a data address, tables, `<details>`, styles on the element.
Colours are middle tones, legible on white and on black.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from html import escape
from typing import Final

from weavenb.model.diff import Diff
from weavenb.model.texts import one_line, short

__all__ = ["StaticStep", "StaticView", "static_html", "static_text"]

_STEPS: Final = 20
_CHANGES: Final = 40
_NAMES: Final = 6
_LINE: Final = "rgba(128,128,128,.35)"
_BOX: Final = "font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:13px;line-height:1.45"
_HEAD: Final = f"text-align:left;padding:3px 12px 3px 0;border-bottom:1px solid {_LINE};font-weight:600"
_CELL: Final = f"text-align:left;padding:3px 12px 3px 0;border-bottom:1px solid {_LINE};vertical-align:top"
_MONO: Final = "font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12px;white-space:pre-wrap"
_SIGNS: Final = {"added": ("+", "#3d8bd4"), "removed": ("\u2212", "#d9692b"), "changed": ("~", "#b07d10")}
_STATES: Final = {
    "completed": "\u2713 completed",
    "interrupted": "\u2016 waiting for an answer",
    "failed": "\u2717 failed",
    "running": "running",
    "stopped": "stopped",
}


@dataclass(frozen=True, slots=True)
class StaticStep:
    """One row of the table."""

    step: int
    lane: str
    nodes: tuple[str, ...]
    source: str
    changed: tuple[str, ...]
    error: bool
    question: bool


@dataclass(frozen=True, slots=True)
class StaticView:
    """All that is told."""

    graph: str
    thread: str
    status: str | None
    """None when there is no such thread."""
    checkpoints: int
    lanes: tuple[str, ...]
    steps: tuple[StaticStep, ...]
    """The newest ones, newest first."""
    last: StaticStep | None
    """The head of the thread."""
    diff: Diff
    """Of the head against its parent."""
    next: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    error: str | None = None
    svg: str | None = None
    threads: tuple[str, ...] = ()
    """Named when there is no such thread."""


def static_text(view: StaticView) -> str:
    """Five lines."""
    if view.status is None:
        return "\n".join(_unknown(view))
    last = view.last
    changes = _some([f"{_SIGNS[change.kind][0]} {one_line(change.path, 40)}" for change in view.diff])
    lanes = _some([_plain(lane) for lane in view.lanes])
    return "\n".join(
        [
            f"{_plain(view.graph)} · thread {_plain(view.thread)} · {_status(view)}",
            f"{_counted(view.checkpoints, 'checkpoint')} in {_counted(len(view.lanes), 'lane')}: {lanes}",
            "no step yet" if last is None else f"last step {last.step}: {_who(last)}",
            "changed: " + (changes or "nothing"),
            _outlook(view),
        ]
    )


def static_html(view: StaticView) -> str:
    """The graph, the last steps and the last diff."""
    title = (
        f'<div style="padding:2px 0 6px"><strong>{escape(_plain(view.graph))}</strong>'
        f" &middot; thread <strong>{escape(_plain(view.thread))}</strong> &middot; {escape(_status(view))}"
        f" &middot; {escape(_counted(view.checkpoints, 'checkpoint'))}</div>"
    )
    parts = [f'<div style="{_BOX}">', title]
    if view.status is None:
        parts.append(f"<div>{'<br>'.join(escape(line) for line in _unknown(view)[1:])}</div>")
    if view.svg:
        parts.append(_picture(view))
    if view.status is not None:
        parts.append(f'<div style="padding:6px 0">{escape(_outlook(view))}</div>')
        parts += [_steps(view), _changes(view.diff)]
    return "".join([*parts, "</div>"])


def _picture(view: StaticView) -> str:
    data = b64encode((view.svg or "").encode()).decode()
    return (
        f'<img alt="Graph {escape(_plain(view.graph), quote=True)}" src="data:image/svg+xml;base64,{data}" '
        'style="max-width:100%;max-height:340px;background:#ffffff;border-radius:6px;padding:6px">'
    )


def _steps(view: StaticView) -> str:
    if not view.steps:
        return ""
    several = len(view.lanes) > 1
    heads = ["step", *(["lane"] if several else []), "node", "changed", ""]
    rows = "".join(_step(step, several=several) for step in view.steps[:_STEPS])
    left = view.checkpoints - min(len(view.steps), _STEPS)
    more = f'<div style="padding:3px 0;opacity:.75">{left} earlier not shown</div>' if left > 0 else ""
    head = "".join(f'<th style="{_HEAD}">{name}</th>' for name in heads)
    table = f'<table style="border-collapse:collapse;margin:0"><thead><tr>{head}</tr></thead>'
    return f"{table}<tbody>{rows}</tbody></table>{more}"


def _step(step: StaticStep, *, several: bool) -> str:
    sign = "\u2717 error" if step.error else "\u2016 asks" if step.question else ""
    cells = [str(step.step), *([_plain(step.lane)] if several else []), _who(step)]
    cells += [one_line(", ".join(step.changed), 100), sign]
    return "<tr>" + "".join(f'<td style="{_CELL}">{escape(text)}</td>' for text in cells) + "</tr>"


def _changes(diff: Diff) -> str:
    if not diff:
        return ""
    rows = ""
    for change in diff.changes[:_CHANGES]:
        sign, colour = _SIGNS[change.kind]
        rows += (
            f'<tr><td style="{_CELL};color:{colour};font-weight:700">{sign}</td>'
            f'<td style="{_CELL};{_MONO}">{escape(one_line(change.path, 120))}</td>'
            f'<td style="{_CELL};{_MONO}">{escape(change.text(120))}</td></tr>'
        )
    left = len(diff) - _CHANGES
    more = f"<div>{left} more</div>" if left > 0 else ""
    return (
        f'<details style="padding:6px 0"><summary>{_counted(len(diff), "change")} in the last step</summary>'
        f'<table style="border-collapse:collapse;margin:0"><tbody>{rows}</tbody></table>{more}</details>'
    )


def _status(view: StaticView) -> str:
    return "no such thread" if view.status is None else _STATES.get(view.status, view.status)


def _outlook(view: StaticView) -> str:
    if view.error:
        return f"failed: {one_line(view.error.strip().splitlines()[0], 200)}"
    if view.questions:
        return f"asks: {', '.join(one_line(question, 120) for question in view.questions)}"
    return f"next: {', '.join(_plain(node) for node in view.next) if view.next else 'nothing, the run is over'}"


def _unknown(view: StaticView) -> list[str]:
    first = f"{_plain(view.graph)} · thread {_plain(view.thread)} · no such thread"
    names = [_plain(name) for name in view.threads[:10]]
    known = f"threads here: {', '.join(names)}" if names else "no thread has run yet"
    return [first, known, f"to make one: app.invoke({{...}}, thread={short(view.thread)})"]


def _some(names: list[str]) -> str:
    more = [f"\u2026 {len(names) - _NAMES} more"] if len(names) > _NAMES else []
    return ", ".join([*names[:_NAMES], *more])


def _who(step: StaticStep) -> str:
    return ", ".join(_plain(node) for node in step.nodes) or step.source


def _counted(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}"


def _plain(text: str) -> str:
    return one_line(text, 60)
