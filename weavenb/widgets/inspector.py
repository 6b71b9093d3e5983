"""One anywidget that draws the chosen panels of one session."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, cast

import anywidget
import traitlets

from weavenb.model.refs import CheckpointRef
from weavenb.payload.columns import Tables
from weavenb.session.code import Action
from weavenb.session.failure import failure_of
from weavenb.session.opening import Openable
from weavenb.session.session import DebugSession, Done, Event, Failed
from weavenb.widgets.cells import follow_cells
from weavenb.widgets.kept import kept_html, kept_text
from weavenb.widgets.messages import details_message, failure_json, graph_message, rows_block, stale, state_message
from weavenb.widgets.worker import Worker

__all__ = ["PANELS", "Inspector"]

PANELS: Final = ("header", "graph", "details", "timeline", "actions")
_STATIC: Final = Path(__file__).parent / "static"
_ACTIONS: Final = ("update", "fork", "replay", "resume")
_PROGRESS: Final = 0.2


class Inspector(anywidget.AnyWidget):
    """Draws the chosen panels of one session.

    Traits hold view settings only. Rows go to the page as binary columns, details when asked for. A
    message from the page is only enqueued: one thread reads, another one acts, so that the page
    stays alive during a long replay.
    """

    _esm = _STATIC / "inspector.js"
    _css = _STATIC / "inspector.css"

    panels = traitlets.List(traitlets.Unicode()).tag(sync=True)
    tab = traitlets.Unicode("diff").tag(sync=True)
    theme = traitlets.Enum(["auto", "light", "dark"], "auto").tag(sync=True)
    selected = traitlets.Unicode("").tag(sync=True)
    """Id of the selected checkpoint; set it to move the cursor."""

    def __init__(
        self,
        given: DebugSession | Openable,
        thread: str | None = None,
        *,
        panels: tuple[str, ...] = PANELS,
        theme: str = "auto",
        tab: str = "diff",
    ) -> None:
        session = _session_of(given, thread)
        super().__init__(panels=list(panels), theme=theme, tab=tab)
        self.session = session
        self._opened = len(session)
        self._tables = Tables()
        self._asking = Worker("weavenb-look")
        self._acting = Worker("weavenb-act")
        self._busy: Action | None = None
        self.views = 0
        """On how many pages it is shown now."""
        self._own_threads: set[int] = set()
        self._deaf = session.on_change(self._told)
        self._moving = False
        self._note_selected()
        self.on_msg(lambda _widget, content, _buffers: self._heard(content))
        self.observe(lambda change: self._goto(change["new"]), names="selected")
        follow_cells(self)

    # ------------------------------------------------------------ reprs
    def __repr__(self) -> str:
        return f"{type(self).__name__}(thread={self.session.thread!r}, checkpoints={len(self.session)})"

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        made = super()._repr_mimebundle_(**kwargs)
        data, metadata = made if isinstance(made, tuple) else (made or {}, {})
        kept = {"text/plain": kept_text(self.session), "text/html": kept_html(self.session)}
        return {**data, **kept}, metadata

    # ------------------------------------------------------------ for other cells
    def refresh(self) -> None:
        """Show what was committed since; the selection stays."""
        self._asking.submit(lambda: self._guarded(None, self._refresh))

    # ------------------------------------------------------------ messages
    def _heard(self, content: Mapping[str, Any]) -> None:
        kind, asked = content.get("type"), content.get("id")
        if kind in {"hello", "bye"}:
            self.views = max(0, self.views + (1 if kind == "hello" else -1))
        if kind == "act":
            self._acting.submit(lambda: self._guarded(asked, lambda: self._act(content)))
            return
        handlers: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "hello": self._hello,
            "resend": self._hello,
            "refresh": lambda _: self._refresh(),
            "details": self._details,
            "preview": self._preview,
            "thread": self._thread,
        }
        handler = handlers.get(str(kind))
        if handler is not None:
            self._asking.submit(lambda: self._guarded(asked, lambda: handler(content)))

    def _guarded(self, asked: Any, job: Callable[[], None]) -> None:
        own = threading.get_ident()
        self._own_threads.add(own)
        try:
            job()
        except Exception as error:  # noqa: BLE001  shown in the cell
            self.send({"kind": "failed", "id": asked, "failure": failure_json(failure_of(error))})
        finally:
            self._own_threads.discard(own)

    def _told(self, event: Event) -> None:
        """A cell, or another widget of the same session, did something: follow."""
        if threading.get_ident() in self._own_threads:
            return
        if event == "rows":
            self._asking.submit(lambda: self._guarded(None, self._catch_up))
        else:
            self._note_selected()
            at = self.session
            self.send({"kind": "goto", "row": at.selected, "a": at.a, "b": at.b})

    def _hello(self, _: Mapping[str, Any]) -> None:
        self.session.refresh()
        self._tables.renew()
        self.send(graph_message(self.session))
        self._send_rows(0)
        self.send(self._state())

    def _refresh(self) -> None:
        grown = self.session.refresh()
        if grown.reset:
            self._tables.renew()
        if grown:
            self._send_rows(grown.changed_from)
        self.send({**self._state(), "new": grown.new})

    def _details(self, content: Mapping[str, Any]) -> None:
        index = int(content["row"])
        self.session.mark(a=_index(content.get("a")), b=_index(content.get("b")))
        if content.get("select"):
            self.session.select(index)
            self._note_selected()
        self.send({**details_message(self.session, index), "id": content.get("id")})

    def _preview(self, content: Mapping[str, Any]) -> None:
        """The statement a press would run; it runs nothing."""
        at = self.session.ref(int(content["row"]))
        said = {"kind": "preview", "id": content.get("id"), "at": [at.thread, at.namespace, at.checkpoint]}
        try:
            code = self.session.code_for(_action(content), at=at, **_options(content))
        except ValueError as error:
            self.send({**said, "code": None, "problem": str(error)})
            return
        self.send({**said, "code": code, "problem": None})

    def _thread(self, content: Mapping[str, Any]) -> None:
        self._deaf()
        self.session = DebugSession(self.session.source, str(content["thread"]), steer=self.session.steer)
        self._opened = len(self.session)
        self._deaf = self.session.on_change(self._told)
        self._note_selected()
        self._hello(content)

    def _act(self, content: Mapping[str, Any]) -> None:
        action, options = _action(content), _options(content)
        # What the code on show names, wherever the cursor has gone since.
        options["at"] = _at(content) or self.session.ref(int(content["row"]))
        self._busy = action
        self.send({"kind": "busy", "action": action})
        ended = [False]
        self._asking.submit(lambda: self._follow(ended))
        try:
            done = self._do(action, options)
        finally:
            ended[0] = True
            self._busy = None
        self._asking.submit(lambda: self._guarded(content.get("id"), lambda: self._acted(content, done)))

    def _do(self, action: Action, options: dict[str, Any]) -> Done | Failed:
        at, branch = options["at"], options.get("branch")
        if action == "replay":
            return self.session.replay(at=at)
        if action == "resume":
            return self.session.resume(options.get("answer"), at=at)
        if action == "fork":
            return self.session.fork(options.get("values"), thread=options.get("thread"), branch=branch, at=at)
        return self.session.update(options.get("values") or {}, as_node=options.get("as_node"), branch=branch, at=at)

    def _follow(self, ended: list[bool]) -> None:
        """While a run goes on, show its steps as they come."""
        if ended[0]:
            return
        self._guarded(None, self._refresh)
        # By a timer, so that questions of the page are answered in between.
        again = threading.Timer(_PROGRESS, self._asking.submit, [lambda: self._follow(ended)])
        again.daemon = True
        again.start()

    def _acted(self, content: Mapping[str, Any], done: Done | Failed) -> None:
        # A store that cannot be read any more must not hide what became of the action.
        self._guarded(None, self._catch_up)
        failure = failure_json(done.failure) if isinstance(done, Failed) else None
        self._note_selected()
        self.send(
            {"kind": "acted", "id": content.get("id"), "action": done.action, "row": done.row, "failure": failure}
        )

    # ------------------------------------------------------------ inside
    def _catch_up(self) -> None:
        """Somebody's refresh took rows in: send the page whatever it has not seen."""
        self.session.refresh()
        self._send_rows(min(self._sent, len(self.session)))
        self.send(self._state())

    _sent = 0

    def _send_rows(self, start: int) -> None:
        # What the cache took in on behalf of an action was not sent yet.
        block = rows_block(self.session, self._tables, min(start, self._sent) if self._tables.told["nodes"] else 0)
        self._sent = max(len(self.session) - 1, 0)
        self.send(block.content, buffers=block.buffers)

    def _state(self) -> dict[str, Any]:
        return {**state_message(self.session), "busy": self._busy, "stale": stale(self.session, self._opened)}

    def _note_selected(self) -> None:
        at = self.session.selected
        self._moving = True
        try:
            self.selected = "" if at is None else self.session.rows[at].id
        finally:
            self._moving = False

    def _goto(self, checkpoint: str) -> None:
        if self._moving or not checkpoint:
            return
        self.session.goto(checkpoint)


def _session_of(given: DebugSession | Openable, thread: str | None) -> DebugSession:
    if isinstance(given, DebugSession) and thread in {None, given.thread}:
        return given
    return DebugSession(given.source if isinstance(given, DebugSession) else given, thread)


def _at(content: Mapping[str, Any]) -> CheckpointRef | None:
    at = content.get("at")
    return None if at is None else CheckpointRef(*map(str, at))


def _index(value: Any) -> int | None:
    return None if value is None else int(value)


def _action(content: Mapping[str, Any]) -> Action:
    action = content.get("action")
    if action not in _ACTIONS:
        message = f"there is no action {action!r}"
        raise ValueError(message)
    return cast("Action", action)


def _options(content: Mapping[str, Any]) -> dict[str, Any]:
    """Texts from the page as values; JSON is read here, so that 1 and 1.0 stay apart."""
    made: dict[str, Any] = {}
    text = content.get("values")
    if text:
        values = _read(text, "The edit")
        if not isinstance(values, dict):
            message = 'The edit is a mapping of keys to values, as {"category": "shipping"}.'
            raise ValueError(message)
        made["values"] = values
    if "answer" in content:
        made["answer"] = _answer(str(content["answer"]))
    for name in ("as_node", "branch", "thread"):
        if content.get(name):
            made[name] = str(content[name])
    return made


def _read(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        message = f"{what} is not JSON: {error.msg}, line {error.lineno}, column {error.colno}."
        raise ValueError(message) from error


def _answer(text: str) -> Any:
    """JSON where it is JSON, else the text as it is."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
