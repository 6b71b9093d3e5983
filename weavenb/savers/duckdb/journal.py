"""The journal: a step is durable here before DuckDB, which is slow at single commits, hears of it.

Segments ``<file>.journal.<n>`` hold frames: length and crc32 (u32, little endian), then JSON text. The first frame of
a segment names the store it belongs to; the others are transactions, each naming the sequence number before it.
"""

from __future__ import annotations

import base64
import errno
import os
import sys
import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from struct import Struct
from typing import Any, Final

import orjson

from weavenb.errors import StorageTrouble
from weavenb.model.noun import noun
from weavenb.savers.tables import TABLES, Rows

__all__ = ["HEAD", "Frame", "Journal", "Removal", "pack", "segments", "unpack"]

HEAD: Final = Struct("<II")
ROTATE_AT: Final = 16 * 1024 * 1024
"""Bytes after which a segment is followed by a new one, so that the old one can go once it is drained."""
ROOM: Final = 256 * 1024
"""Bytes of zeros by which a segment is made longer at once: a sync of what lies in them need not note a new length, and
takes two thirds of the time. What is not used is cut off when the segment is done."""
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
GATHER: Final = 0.1
"""Seconds the second thread waits for more before it syncs; whoever must wait for the disk does not wait for this. Each
time it waits for its turn in the interpreter it slows the run, whose every write then wakes it."""
BLOBS: Final = {
    table: at
    for table, columns in TABLES.items()
    if (at := [i for i, (_, kind) in enumerate(columns) if kind == "BLOB"])
}


@dataclass(frozen=True, slots=True)
class Removal:
    """Rows that a transaction takes away, besides those it adds."""

    threads: tuple[str, ...] = ()
    """Threads of which nothing older than the frame stays."""
    rows: dict[str, list[int]] = field(default_factory=dict)
    """Table to the `seq` of rows that go."""

    def __bool__(self) -> bool:
        return bool(self.threads or self.rows)


@noun
class Frame:
    """One transaction."""

    prev: int
    """The sequence number before it."""
    seq: int
    """Its own last one."""
    rows: Rows
    removal: Removal | None = None


def pack(frame: Frame) -> bytes:
    """The frame as it lies in a segment."""
    body: dict[str, Any] = {"prev": frame.prev, "seq": frame.seq, "rows": frame.rows}
    if frame.removal:
        body["removal"] = {"threads": frame.removal.threads, "rows": frame.removal.rows}
    return _framed(body)


def unpack(text: bytes) -> Frame:
    """A frame from its JSON text; raises ValueError, KeyError or TypeError on anything else."""
    body = orjson.loads(text)
    rows: Rows = body["rows"]
    for table in rows.keys() & BLOBS.keys():
        rows[table] = [
            [base64.b64decode(cell) if at in BLOBS[table] and isinstance(cell, str) else cell for at, cell in row]
            for row in map(enumerate, rows[table])
        ]
    removal = body.get("removal")
    gone = None if removal is None else Removal(tuple(removal["threads"]), removal["rows"])
    return Frame(body["prev"], body["seq"], rows, gone)


def segments(path: Path) -> list[Path]:
    """The journal's segments beside a database file, oldest first."""
    start = f"{path.name}.journal."
    numbered = [
        (int(found.name[len(start) :]), found)
        for found in path.parent.iterdir()
        if found.name.startswith(start) and found.name[len(start) :].isdigit()
    ]
    return [found for _, found in sorted(numbered)]


class Journal:
    """The segment being written. `append` is called under the store's lock, `sync_to` by anyone."""

    def __init__(self, path: Path, store_id: str, *, first: int) -> None:
        self._path = path
        self._store_id = store_id
        self._number = first
        self._file: int | None = None
        self._size = 0
        self._room = 0
        """Bytes the segment's file has, more than are written where the platform can make room."""
        self._old: list[tuple[int, Path]] = []
        self._last = 0
        self._written = 0
        self._synced = 0
        self._syncing = threading.Lock()
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._trouble: StorageTrouble | None = None
        self._thread = threading.Thread(target=self._sync_forever, name="weavenb-journal", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> StorageTrouble | None:
        """Why the journal refuses to be written, if it does."""
        return self._trouble

    def append(self, frame: Frame) -> int:
        """Write one frame; returns a position for `sync_to`.

        Raises:
            StorageTrouble: when the disk refuses; nothing can be written from then on, since order would be lost.
        """
        if self._trouble is not None:
            raise self._trouble
        data = pack(frame)
        if self._file is None:
            self._begin(frame.prev)
        elif self._size + len(data) > ROTATE_AT:
            self._retire()
            self._begin(frame.prev)
        self._write(data)
        self._last = frame.seq
        self._written += len(data)
        return self._written

    def sync_soon(self) -> None:
        """Have the second thread bring what was appended to the disk."""
        if not self._wake.is_set():
            self._wake.set()

    def sync_to(self, position: int | None = None) -> None:
        """Return when all up to `position` (everything, if None) is on disk."""
        wanted = self._written if position is None else position
        if self._synced >= wanted:
            return
        with self._syncing:
            if self._trouble is not None:
                raise self._trouble
            if self._synced >= wanted or self._file is None:
                return
            reached = self._written
            self._guarded(lambda: sync_data(self._file))
            self._synced = reached

    def drained(self, seq: int, *, idle: bool) -> None:
        """Unlink what is wholly in DuckDB up to `seq`; called under the store's lock."""
        if idle and self._file is not None and self._last <= seq:
            self._retire()
        for last, path in self._old:
            if last <= seq:
                path.unlink(missing_ok=True)
        self._old = [(last, path) for last, path in self._old if last > seq]

    def close(self) -> None:
        """Stop the second thread. What is drained must have been told by `drained` before."""
        self._closing.set()
        self._wake.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()
        with self._syncing:
            if self._file is not None:
                os.ftruncate(self._file, self._size)
                os.close(self._file)
                self._file = None

    def _begin(self, prev: int) -> None:
        path = self._path.with_name(f"{self._path.name}.journal.{self._number}")
        head = _framed({"store": self._store_id, "prev": prev})

        def start() -> None:
            self._file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o644)
            self._size = self._room = 0
            sync_folder(path.parent)

        self._guarded(start)
        self._number += 1
        self._write(head)

    def _retire(self) -> None:
        with self._syncing:
            if self._file is None:
                return
            file, size = self._file, self._size

            def end() -> None:
                os.ftruncate(file, size)
                sync_data(file)

            self._guarded(end)
            self._synced = self._written
            os.close(file)
            self._file = None
        number = self._number - 1
        self._old.append((self._last, self._path.with_name(f"{self._path.name}.journal.{number}")))

    def _write(self, data: bytes) -> None:
        file = self._file
        if file is None:
            raise StorageTrouble("The journal is closed.")
        before = self._size
        try:
            if before + len(data) > self._room:
                self._room = make_room(file, before, len(data))
            done = os.write(file, data)
            while done < len(data):
                done += os.write(file, data[done:])
            self._size = before + done
        except OSError as error:
            # Half a frame would read as damage at the next opening: what was never acknowledged is cut off.
            try:
                os.ftruncate(file, before)
            except OSError as second:
                sys.stderr.write(f"weavenb: half a frame stays in the journal of {self._path}: {second}\n")
            raise self._refused(error) from error

    def _guarded(self, act: Callable[[], None]) -> None:
        try:
            act()
        except OSError as error:
            raise self._refused(error) from error

    def check_present(self) -> None:
        """Refuse to go on in files that have no name any more."""
        with self._syncing:
            if self._file is None or (os.fstat(self._file).st_nlink and self._path.exists()):
                return
        self._trouble = StorageTrouble(
            f"{str(self._path)!r} or its journal was deleted or moved while it was open. Nothing more is taken, since"
            " nobody would find it: put the file back or leave it away, close the saver and open it again."
        )
        raise self._trouble

    def _refused(self, error: OSError) -> StorageTrouble:
        self._trouble = StorageTrouble(
            f"The journal beside {str(self._path)!r} cannot be written ({error.strerror or error}). Nothing more is"
            " taken, so that no step is lost between two that are kept: make room or mend the disk, close the"
            " saver and open it again."
        )
        return self._trouble

    def _sync_forever(self) -> None:
        self._wake.wait()
        # Steps that follow each other closely share one sync.
        while not self._closing.wait(GATHER):
            if self._synced >= self._written:
                self._wake.clear()
                if self._synced >= self._written:  # nothing came before the clearing either
                    self._wake.wait()
                continue
            try:
                self.sync_to()
            except StorageTrouble:
                # Kept in `trouble`: the next append or flush raises it to a caller who can act.
                return


def make_room(file: int, at: int, size: int) -> int:
    """Fill a file with zeros behind `at`, where the next `size` bytes go; how many bytes it has then."""
    room = -(-(at + size) // ROOM) * ROOM
    have = os.lseek(file, 0, os.SEEK_END)
    try:
        while have < room:
            have += os.write(file, bytes(room - have))
    except OSError as error:
        # On a full disk there may still be room for the frame itself: its own write tells.
        if error.errno not in _FULL:
            raise
    os.lseek(file, at, os.SEEK_SET)
    return have


def sync_data(file: int | None) -> None:
    """Bring a file's content to the disk by the strongest call the platform has for it."""
    if file is None:
        return
    if sys.platform == "darwin":
        import fcntl

        fcntl.fcntl(file, fcntl.F_FULLFSYNC)
    elif hasattr(os, "fdatasync"):
        os.fdatasync(file)
    else:
        os.fsync(file)


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder durable, where folders can be synced."""
    if os.name == "nt":
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _framed(body: dict[str, Any]) -> bytes:
    text = orjson.dumps(body, default=_plain)
    return HEAD.pack(len(text), zlib.crc32(text)) + text


def _plain(cell: object) -> object:
    if isinstance(cell, bytes | bytearray | memoryview):
        return base64.b64encode(cell).decode()
    raise TypeError(f"a row holds a {type(cell).__name__}")
