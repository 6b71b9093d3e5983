"""What a crash left in the journal: read, checked, and parted from what is damaged."""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass
from pathlib import Path

import orjson

from weavenb.savers.duckdb.journal import HEAD, Frame, segments, sync_folder, unpack

__all__ = ["Damage", "Found", "read_journal", "set_aside"]


@dataclass(frozen=True, slots=True)
class Damage:
    """Where a journal stops being readable."""

    segment: Path
    offset: int
    problem: str
    later: tuple[Path, ...] = ()
    """Segments after it, which cannot be trusted to follow."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a journal holds."""

    frames: tuple[Frame, ...]
    """Good frames not yet in DuckDB, in order."""
    segments: tuple[Path, ...]
    """All segments there are."""
    damage: Damage | None = None

    @property
    def next_number(self) -> int:
        """A number no segment has."""
        return max((int(path.name.rpartition(".")[2]) for path in self.segments), default=0) + 1


class _Broken(Exception):
    """What was met; it never leaves this module."""

    def __init__(self, offset: int, problem: str) -> None:
        super().__init__(offset, problem)
        self.offset = offset
        self.problem = problem


def read_journal(path: Path, *, store_id: str, drained: int) -> Found:
    """Read the journal beside the database `path`, whose tables hold everything up to `drained`."""
    paths = segments(path)
    frames: list[Frame] = []
    last = drained
    for index, segment in enumerate(paths):
        try:
            last = _read_segment(segment, frames, store_id=store_id, drained=drained, last=last)
        except _Broken as broken:
            damage = Damage(segment, broken.offset, broken.problem, tuple(paths[index + 1 :]))
            return Found(tuple(frames), tuple(paths), damage)
    return Found(tuple(frames), tuple(paths))


def set_aside(damage: Damage) -> tuple[Path, ...]:
    """Keep the damaged part under other names, durably; returns them.

    The damaged segment itself stays until its good frames are in DuckDB.
    """
    kept = []
    if damage.offset > 0:
        with damage.segment.open("rb") as source:
            source.seek(damage.offset)
            rest = source.read()
        copy = _free_name(damage.segment)
        with copy.open("xb") as target:
            target.write(rest)
            target.flush()
            os.fsync(target.fileno())
        kept.append(copy)
        moved = damage.later
    else:
        moved = (damage.segment, *damage.later)
    kept.extend([segment.rename(_free_name(segment)) for segment in moved])
    sync_folder(damage.segment.parent)
    return tuple(kept)


def _free_name(segment: Path) -> Path:
    name = segment.with_name(f"{segment.name}.damaged")
    count = 1
    while name.exists():
        count += 1
        name = segment.with_name(f"{segment.name}.{count}.damaged")
    return name


def _read_segment(segment: Path, frames: list[Frame], *, store_id: str, drained: int, last: int) -> int:
    # No frame ends with a zero: those at the end are room that was made and not used.
    data = segment.read_bytes().rstrip(b"\0")
    offset = 0
    while offset < len(data):
        text = _frame_text(data, offset)
        if offset == 0:
            _check_head(text, store_id, drained, last)
        else:
            frame = _frame(text, offset)
            _check_order(frame.prev, offset, drained, last)
            last = max(last, frame.seq)
            if frame.seq > drained:
                frames.append(frame)
        offset += HEAD.size + len(text)
    return last


def _frame_text(data: bytes, offset: int) -> bytes:
    if offset + HEAD.size > len(data):
        raise _Broken(offset, "the last frame is torn")
    length, checksum = HEAD.unpack_from(data, offset)
    start = offset + HEAD.size
    if start + length > len(data):
        raise _Broken(offset, "the last frame is torn")
    text = data[start : start + length]
    if length == 0 or zlib.crc32(text) != checksum:
        raise _Broken(offset, "a checksum does not fit")
    return text


def _check_head(text: bytes, store_id: str, drained: int, last: int) -> None:
    try:
        head = orjson.loads(text)
        owner, prev = head["store"], head["prev"]
    except (ValueError, KeyError, TypeError) as error:
        raise _Broken(0, "the segment does not say whose it is") from error
    if owner != store_id:
        raise _Broken(0, "it belongs to another database file")
    _check_order(prev, 0, drained, last)


def _frame(text: bytes, offset: int) -> Frame:
    try:
        return unpack(text)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _Broken(offset, "a frame cannot be read") from error


def _check_order(prev: int, offset: int, drained: int, last: int) -> None:
    # What is in DuckDB already may be named by frames whose segments are gone.
    if prev != last and not (prev <= drained and last <= drained):
        raise _Broken(offset, f"steps {last + 1} to {prev} are missing")
