"""The plain contract told in rows: `put`, `put_writes`, `annotate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from weavenb.errors import SerializationFailed
from weavenb.model.ids import micros_now, new_id
from weavenb.savers.book import Book, Entry
from weavenb.savers.columns import VALUE
from weavenb.savers.rows import RESERVED_IDX, RowWriter, Take
from weavenb.savers.tables import Rows
from weavenb.serde import Unencodable, encode
from weavenb.serde.hashing import hash_of_value

__all__ = ["note_rows", "put_rows", "put_write_rows", "text_of"]

_OWN: Final = {"source": str, "step": int, "run_id": str, "branch": str}
"""Metadata that has a column, when it is of this type."""


def text_of(channel: str, value: Any, node: str = "") -> str:
    """The stored text of a channel's value.

    Raises:
        SerializationFailed: naming the channel and the place in it.
    """
    try:
        return encode(value)
    except Unencodable as error:
        raise SerializationFailed(channel, node, error.type_name, error.path, error.problem) from error


def put_rows(
    book: Book,
    take: Take,
    parent: Entry | str | None,
    checkpoint: Mapping[str, Any],
    metadata: Mapping[str, Any],
    *,
    versions: Mapping[str, Any],
    above: int | None = None,
) -> RowWriter:
    """The rows of a checkpoint put by itself, which becomes the head; `above` as in `step_rows`."""
    out = RowWriter(book, take)
    id_ = str(checkpoint.get("id") or new_id())
    values = checkpoint.get("channel_values") or {}
    texts = {str(name): text_of(str(name), value) for name, value in values.items()}
    own = {name: metadata[name] for name, kind in _OWN.items() if type(metadata.get(name)) is kind}
    rest = text_of("metadata", {k: v for k, v in metadata.items() if k not in own})
    tasks = list(checkpoint.get("next") or ())
    tasks_text = text_of("next", tasks)
    at = _micros(checkpoint.get("ts"))
    if not book.entries:
        out.add("thread_events", (take(), book.thread, book.namespace, "created", *[None] * 6, at))
    known = parent if isinstance(parent, Entry) else None
    seqs, size, changed = _put_values(out, id_, values, texts, parent=known, versions=versions)
    updated = checkpoint.get("updated_channels")
    state_hash, places = out.state(seqs)
    out.add("checkpoints", (
        take(), book.thread, book.namespace, id_, parent.id if isinstance(parent, Entry) else parent, above, None,
        own.get("run_id"), own.get("step"), own.get("source"), own.get("branch"), at,
        [str(name) for name in checkpoint.get("produced_by") or ()],
        [str(task["node"]) for task in tasks if isinstance(task, Mapping) and "node" in task],
        tasks_text, changed if updated is None else [str(name) for name in updated],
        size, state_hash, places, checkpoint.get("def_hash"), rest,
    ))  # fmt: skip
    return out


def _put_values(
    out: RowWriter,
    id_: str,
    values: Mapping[str, Any],
    texts: Mapping[str, str],
    *,
    parent: Entry | None,
    versions: Mapping[str, Any],
) -> tuple[dict[str, int], int, list[str]]:
    """Places of all values, their size, and the channels that were written."""
    old = {} if parent is None else parent.value_seqs
    seqs: dict[str, int] = {}
    size = 0
    changed = []
    for name, text in texts.items():
        if name in old and name not in versions:
            row = out.book.value_row(old[name])
            # Believed only when it is so: a forgotten version must not lose a value.
            if row[VALUE.hash] == hash_of_value(values[name], text):
                seqs[name] = old[name]
                size += out.book.size(old[name])
                continue
        seqs[name], added = out.value(id_, name, values[name], text)
        size += added
        changed.append(name)
    return seqs, size, changed


def _micros(moment: Any) -> int:
    if isinstance(moment, str):
        try:
            moment = datetime.fromisoformat(moment)
        except ValueError:
            return micros_now()
    if not isinstance(moment, datetime):
        return micros_now()
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    gone = aware - datetime(1970, 1, 1, tzinfo=UTC)
    return (gone.days * 86_400 + gone.seconds) * 1_000_000 + gone.microseconds


def put_write_rows(
    book: Book,
    take: Take,
    checkpoint: str | None,
    writes: Sequence[tuple[str, Any]],
    task_id: str,
) -> Rows:
    """The rows of writes kept beside a checkpoint."""
    out = RowWriter(book, take)
    texts = [text_of(channel, value) for channel, value in writes]
    for place, ((channel, value), text) in enumerate(zip(writes, texts, strict=True)):
        idx = RESERVED_IDX.get(channel, place)
        out.write(checkpoint, task_id, idx, (channel, value, text))
    return out.rows


def note_rows(
    book: Book,
    take: Take,
    checkpoint: str,
    *,
    label: str | None = None,
    tags: Sequence[str] = (),
    note: str | None = None,
    bookmark: bool | None = None,
    remove: Sequence[str] = (),
) -> Rows:
    """The rows of an annotation. An empty label or note takes it away; `remove` names tags."""
    out = RowWriter(book, take)
    at = micros_now()

    def fact(kind: str, text: str, *, removed: bool) -> None:
        out.add("annotations", (take(), book.thread, book.namespace, checkpoint, kind, text, removed, None, at))

    for kind, text in (("label", label), ("note", note)):
        if text is not None:
            fact(kind, text, removed=not text)
    for tag in remove:
        fact("tag", tag, removed=True)
    for tag in tags:
        fact("tag", tag, removed=False)
    if bookmark is not None:
        fact("bookmark", "", removed=not bookmark)
    return out.rows
