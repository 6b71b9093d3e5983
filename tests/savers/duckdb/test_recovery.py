from __future__ import annotations

import shutil

import pytest

from tests.savers.duckdb.steps import add, numbers
from weavenb.errors import ConcurrentUpdate, StorageTrouble
from weavenb.savers.duckdb import drain, journal
from weavenb.savers.duckdb.journal import segments
from weavenb.savers.duckdb.saver import DuckDBSaver
from weavenb.savers.duckdb.store import Damaged
from weavenb.testing.commits import commit, config, record


@pytest.fixture
def crashed(tmp_path, monkeypatch):
    """A function that leaves a store as a crash would, with nothing drained after what was before."""

    def crash(act, *, drained=()):
        monkeypatch.setattr(drain, "PAUSE", 60)
        (tmp_path / "a").mkdir()
        (tmp_path / "b").mkdir()
        with DuckDBSaver(tmp_path / "a" / "runs.duckdb") as saver:
            for value in drained:
                add(saver, value)
            saver.cursor().close()
            act(saver)
            saver.flush()
            for file in (tmp_path / "a").iterdir():
                shutil.copy(file, tmp_path / "b" / file.name)
        return tmp_path / "b" / "runs.duckdb"

    return crash


def fill(saver, values=(1, 2, 3)):
    for value in values:
        add(saver, value)


def test_steps_that_were_not_drained_come_back(crashed):
    path = crashed(fill, drained=[0])

    with DuckDBSaver(path) as saver:
        add(saver, 4)

        assert numbers(saver) == [0, 1, 2, 3, 4]
        assert saver.damage is None
        assert saver.cursor().execute("select count(*), count(distinct seq) from checkpoints").fetchall() == [(5, 5)]
    assert segments(path) == []


def test_a_torn_tail_is_set_aside_and_told(crashed):
    path = crashed(fill)
    segment = segments(path)[-1]
    segment.write_bytes(segment.read_bytes().rstrip(b"\0")[:-7])

    with pytest.warns(Damaged, match="torn"):
        saver = DuckDBSaver(path)
    with saver:
        add(saver, 9)

        assert numbers(saver) == [1, 2, 9]
        assert saver.damage is not None
    assert len(list(path.parent.glob("*.damaged"))) == 1


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.9])
def test_a_flipped_byte_ends_what_is_believed(crashed, share):
    path = crashed(fill)
    segment = segments(path)[-1]
    data = bytearray(segment.read_bytes().rstrip(b"\0"))
    data[int(len(data) * share)] ^= 0x20
    segment.write_bytes(data)

    with pytest.warns(Damaged):
        saver = DuckDBSaver(path)
    with saver:
        assert (numbers(saver) or []) == [1, 2, 3][: len(numbers(saver) or [])]
        assert len(numbers(saver) or []) < 3
    with DuckDBSaver(path) as again:
        assert again.damage is None


def test_a_missing_segment_is_a_gap(crashed, monkeypatch):
    monkeypatch.setattr(journal, "ROTATE_AT", 100)
    path = crashed(lambda saver: fill(saver, range(6)))
    segments(path)[2].unlink()

    with pytest.warns(Damaged, match="missing"):
        saver = DuckDBSaver(path)
    with saver:
        assert numbers(saver) == [0, 1]
    assert len(list(path.parent.glob("*.damaged"))) == 3


def test_a_journal_of_another_file_is_not_believed(crashed, tmp_path):
    path = crashed(fill)
    with DuckDBSaver(tmp_path / "other.duckdb"):
        pass
    path.with_name("runs.duckdb.wal").unlink()
    shutil.copy(tmp_path / "other.duckdb", path)

    with pytest.warns(Damaged, match="another database"):
        saver = DuckDBSaver(path)
    with saver:
        assert numbers(saver) is None


def test_a_deleted_thread_does_not_come_back(crashed, monkeypatch):
    def act(saver):
        fill(saver)
        add(saver, 7, thread="kept")
        # As if the crash came between the journal and DuckDB.
        monkeypatch.setattr(saver._store, "drain", lambda: None)
        saver.delete_thread("t")
        monkeypatch.undo()

    path = crashed(act)

    with DuckDBSaver(path) as saver:
        assert numbers(saver) is None
        assert numbers(saver, "kept") == [7]
        assert saver.cursor().execute("select thread_id from threads").fetchall() == [("kept",)]


def test_a_reader_folds_the_journal_in_memory(crashed):
    path = crashed(fill, drained=[0])
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}

    with DuckDBSaver(path, read_only=True) as saver:
        assert numbers(saver) == [0, 1, 2, 3]
        assert saver.cursor().execute("select count(*) from checkpoints").fetchall() == [(4,)]
        with pytest.raises(StorageTrouble, match="reading only"):
            add(saver, 4)
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


def test_a_file_with_a_view_in_place_of_a_table_is_refused(tmp_path):
    with DuckDBSaver(tmp_path / "runs.duckdb") as saver:
        cursor = saver.cursor()
        cursor.execute("alter table checkpoints rename to hidden").fetchall()
        cursor.execute("create view checkpoints as select * from hidden").fetchall()
        cursor.close()

    with pytest.raises(StorageTrouble, match="no base table"):
        DuckDBSaver(tmp_path / "runs.duckdb", read_only=True)


@pytest.mark.parametrize("how", ["closed", "crashed"])
def test_a_step_that_lost_a_race_is_not_the_head_after_reopening(tmp_path, crashed, how):
    first = record("t", None, {"n": 0})
    won, lost = (record("t", first, {"n": n}) for n in (1, 2))

    def race(saver):
        saver.commit_step(commit(first), expected_head=None, run_started_seq=2**60, sync=True)
        saver.commit_step(commit(won), expected_head=first.id, run_started_seq=2**60, sync=True)
        with pytest.raises(ConcurrentUpdate):
            saver.commit_step(commit(lost), expected_head=first.id, run_started_seq=2**60, sync=True)

    if how == "crashed":
        path = crashed(race)
    else:
        path = tmp_path / "closed.duckdb"
        with DuckDBSaver(path) as saver:
            race(saver)
    with DuckDBSaver(path) as saver:
        head = saver.get_tuple(config("t"))
        told = saver.cursor().execute("select head_checkpoint_id from threads").fetchall()
        after = record("t", won, {"n": 3})
        saver.commit_step(commit(after), expected_head=won.id, run_started_seq=2**60, sync=True)
        then = saver.cursor().execute("select head_checkpoint_id from threads").fetchall()

        assert head is not None
        assert head.checkpoint["id"] == won.id
        assert told == [(won.id,)]
        assert then == [(after.id,)]
