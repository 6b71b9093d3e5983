"""Which stores this process has open: one per file, counted."""

from __future__ import annotations

import atexit
import ctypes
import os
import sys
import threading
from pathlib import Path
from typing import Final

from weavenb.errors import OpenedDifferently, StorageTrouble, WeaveError
from weavenb.savers.duckdb.store import Store

__all__ = ["acquire", "forget", "release"]

# Reentrant: a saver may be collected, and so released, while its thread opens another.
_lock = threading.RLock()
_open: Final[dict[Path, Store]] = {}
_users: Final[dict[Store, int]] = {}
_inherited: Final[set[Path]] = set()
_watching = False


def acquire(path: str | os.PathLike[str], *, read_only: bool) -> Store:
    """The store of a file, opened when this process has it not open yet; ``":memory:"`` is a new one each time.

    Raises:
        OpenedDifferently: if it is open with other options.
        StorageLocked: if another process has it.
    """
    with _lock:
        _watch()
        if str(path) == ":memory:":
            return _count(Store(None))
        real = Path(path).expanduser().resolve()
        store = _open.get(real)
        if store is not None:
            store = _fitting(real, store, read_only=read_only)
        if store is None:
            store = _opened(real, read_only=read_only)
        return _count(store)


def release(store: Store) -> None:
    """Close the store when this was its last saver."""
    with _lock:
        _users[store] = _users.get(store, 1) - 1
        if _users[store] > 0:
            return
        _drop(store)
    store.close()


def forget(store: Store) -> None:
    """A saver was collected unclosed. The store stays, for a cell that is run again opens it again."""
    with _lock:
        if store in _users:
            _users[store] -= 1


def _count(store: Store) -> Store:
    _users[store] = _users.get(store, 0) + 1
    return store


def _drop(store: Store) -> None:
    _users.pop(store, None)
    if store.path is not None and _open.get(store.path) is store:
        del _open[store.path]


def _fitting(real: Path, store: Store, *, read_only: bool) -> Store | None:
    if not real.exists():
        raise StorageTrouble(
            f"{str(real)!r} was removed while a saver has it open. Close that saver first, or take another path."
        )
    if read_only == store.asked_read_only:
        return store
    if _users.get(store, 0) > 0:
        raise OpenedDifferently(str(real), "read_only", read_only, store.asked_read_only)
    _drop(store)
    store.close()
    return None


def _opened(real: Path, *, read_only: bool) -> Store:
    if real in _inherited:
        raise StorageTrouble(
            f"{str(real)!r} was open when this process was forked, and still belongs to its parent. Open another file"
            " here, or start the process by 'spawn'."
        )
    if not real.parent.is_dir():
        raise StorageTrouble(f"The folder {str(real.parent)!r} does not exist: make it, then open the saver again.")
    if read_only and not real.exists():
        raise StorageTrouble(f"There is no file {str(real)!r} to read.")
    fixed = not os.access(real.parent, os.W_OK) or (real.exists() and not os.access(real, os.W_OK))
    store = Store(real, read_only=read_only or fixed)
    store.asked_read_only = read_only
    _open[real] = store
    return store


def _watch() -> None:
    global _watching  # noqa: PLW0603 - hooks are set once a process, and only when a store is opened
    if _watching:
        return
    _watching = True
    atexit.register(_close_all)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_forked)


def _close_all() -> None:
    """Nothing is lost at the end of the interpreter, even if nobody closed."""
    with _lock:
        stores = list(_users)
        _users.clear()
        _open.clear()
    for store in stores:
        try:
            store.close()
        except WeaveError as error:
            sys.stderr.write(f"weavenb: {error}\n")


def _forked() -> None:
    global _lock  # noqa: PLW0603 - the parent's may be held by a thread that does not exist here
    _lock = threading.RLock()
    _inherited.update(_open)
    for store in _users:
        # Letting go of a database in the child would write to the parent's file: it is never let go of here.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(store))
        store.inherited = True
    _open.clear()
    _users.clear()
