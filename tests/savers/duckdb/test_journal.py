from __future__ import annotations

import errno
import os
import random
import shutil
import threading

import pytest

from tests.savers.duckdb.steps import add, numbers
from weavenb.errors import StorageTrouble
from weavenb.savers.duckdb import drain, journal
from weavenb.savers.duckdb.journal import HEAD, Frame, Journal, Removal, pack, segments, unpack
from weavenb.savers.duckdb.recovery import read_journal
from weavenb.savers.duckdb.saver import DuckDBSaver


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs.duckdb"


@pytest.fixture
def log(path):
    """A journal on its own, beside a file that stands for the database."""
    path.touch()
    return Journal(path, "store", first=1)


def frame(prev, seq=None, **more):
    return Frame(prev, prev + 1 if seq is None else seq, {"annotations": [[prev + 1, "t"]]}, **more)


def test_a_frame_reads_as_it_was_written():
    blob = [5, "hash", "bytes", None, None, None, b"\x00\xff"]
    written = Frame(4, 6, {"value_blobs": [blob], "writes": [[6, "t"]]}, Removal(("gone",), {"writes": [1, 2]}))

    assert unpack(pack(written)[HEAD.size :]) == written


def test_frames_come_back_in_order_over_several_segments(log, path, monkeypatch):
    monkeypatch.setattr(journal, "ROTATE_AT", 200)
    for prev in range(20):
        log.append(frame(prev))
    log.sync_to()
    log.close()

    found = read_journal(path, store_id="store", drained=0)

    assert [f.seq for f in found.frames] == list(range(1, 21))
    assert len(found.segments) > 3
    assert found.damage is None
    assert [f.seq for f in read_journal(path, store_id="store", drained=15).frames] == list(range(16, 21))


def test_a_segment_goes_once_it_is_wholly_drained(log, path, monkeypatch):
    monkeypatch.setattr(journal, "ROTATE_AT", 200)
    for prev in range(20):
        log.append(frame(prev))
    before = len(segments(path))
    log.drained(10, idle=False)
    middle = len(segments(path))
    log.drained(20, idle=True)
    log.close()

    assert before > middle > 0
    assert segments(path) == []


def test_what_was_appended_is_on_disk_when_flushed(log, path, monkeypatch):
    segment = path.with_name("runs.duckdb.journal.1")
    synced = []
    real = journal.sync_data

    def watched(file):
        synced.append(segment.read_bytes().rstrip(b"\0"))
        real(file)

    monkeypatch.setattr(journal, "sync_data", watched)
    for prev in range(5):
        log.append(frame(prev))
    log.sync_to()
    log.close()

    assert max(synced, key=len) == segment.read_bytes()


def test_room_made_ahead_reads_as_the_end_of_a_segment_and_is_cut_off_at_close(log, path, monkeypatch):
    monkeypatch.setattr(journal, "ROOM", 4096)
    for prev in range(200):
        log.append(frame(prev))
    log.sync_to()
    segment = segments(path)[0]
    open_size = segment.stat().st_size
    open_found = read_journal(path, store_id="store", drained=0)
    log.close()

    assert open_size % 4096 == 0
    assert open_found.damage is None
    assert [f.seq for f in open_found.frames] == list(range(1, 201))
    assert segment.stat().st_size < open_size
    assert segment.read_bytes().endswith(b"}")


def test_a_frame_lost_before_one_that_is_there_is_damage(log, path):
    for prev in range(3):
        log.append(frame(prev))
    log.close()
    segment = segments(path)[0]
    data = segment.read_bytes()
    size = len(pack(frame(2)))
    segment.write_bytes(data[: -2 * size] + b"\0" * size + data[-size:])

    found = read_journal(path, store_id="store", drained=0)

    assert [f.seq for f in found.frames] == [1]
    assert found.damage is not None


def write_to_disk(saver, number):
    add(saver, number)
    saver.flush()


@pytest.mark.parametrize("what", ["folder", "database"])
def test_deleting_what_is_open_is_told_at_the_next_write(tmp_path, what):
    home = tmp_path / "home"
    home.mkdir()
    saver = DuckDBSaver(home / "runs.duckdb")
    add(saver, 1)
    if what == "folder":
        shutil.rmtree(home)
    else:
        (home / "runs.duckdb").unlink()

    with pytest.raises(StorageTrouble, match="deleted or moved"):
        write_to_disk(saver, 2)
    with pytest.raises(StorageTrouble, match="deleted or moved"):
        add(saver, 3)
    saver.close()


def test_a_full_disk_is_told_and_nothing_is_written_after_it(path, monkeypatch):
    with DuckDBSaver(path) as saver:
        add(saver, 1)
        real = os.write

        def half(file, data):
            if threading.current_thread() is not threading.main_thread():
                return real(file, data)
            if len(data) > 20:
                return real(file, data[:20])
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(os, "write", half)
        with pytest.raises(StorageTrouble, match="No space left"):
            add(saver, "x" * 100)
        monkeypatch.undo()

        with pytest.raises(StorageTrouble, match="No space left"):
            add(saver, 2)
        assert numbers(saver) == [1]
    with DuckDBSaver(path) as saver:
        add(saver, 3)

        assert saver.damage is None
        assert numbers(saver) == [1, 3]


def test_a_drain_that_fails_is_told_and_loses_nothing(path, monkeypatch):
    with DuckDBSaver(path) as saver:
        add(saver, 1)
        saver.cursor().close()

        def refuse(*args):
            raise ValueError("no")

        with monkeypatch.context() as patch:
            patch.setattr(drain, "write_frames", refuse)
            add(saver, 2)
            with pytest.raises(StorageTrouble, match="refused 1 steps"):
                saver.cursor()
            with pytest.raises(StorageTrouble, match="refused 1 steps"):
                add(saver, 3)
        saver.cursor().close()
        add(saver, 4)

        assert numbers(saver) == [1, 2, 4]


@pytest.mark.parametrize("seed", range(20))
def test_whatever_pages_a_power_cut_loses_what_was_synced_is_read(log, path, seed):
    chance = random.Random(seed)
    frames = [
        Frame(prev, prev + 1, {"annotations": [[prev + 1, "x" * chance.randrange(1, 400)]]}) for prev in range(200)
    ]
    for each in frames[:100]:
        log.append(each)
    log.sync_to()
    segment = segments(path)[0]
    synced = segment.read_bytes()
    for each in frames[100:]:
        log.append(each)
    written = segment.read_bytes()
    log.close()
    # The disk has of each page what was synced, or what was written since.
    pages = [chance.choice((synced, written))[at : at + 4096] for at in range(0, len(written), 4096)]
    segment.write_bytes(b"".join(pages))
    found = read_journal(path, store_id="store", drained=0).frames

    assert len(found) >= 100
    assert list(found) == frames[: len(found)]
