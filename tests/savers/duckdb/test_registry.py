from __future__ import annotations

import gc
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings

import pytest

from tests.house.sources import ROOT
from tests.savers.duckdb.steps import add, numbers
from weavenb.errors import ConcurrentUpdate, OpenedDifferently, StorageTrouble, ThreadDeleted
from weavenb.savers.duckdb.saver import DuckDBSaver
from weavenb.savers.duckdb.store import Damaged

OPENS = """
import sys
from tests.savers.duckdb.steps import add, numbers
from weavenb.errors import StorageLocked
from weavenb.savers.duckdb.saver import DuckDBSaver
path = sys.argv[1]
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs.duckdb"


def python(text, *arguments):
    return [sys.executable, "-W", "error", "-c", OPENS + textwrap.dedent(text), *map(str, arguments)]


def told(text, *arguments):
    done = subprocess.run(python(text, *arguments), cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""
    return done.stdout.strip()


def test_opening_a_file_again_is_the_same_history(path):
    first = DuckDBSaver(path)
    add(first, 1)
    second = DuckDBSaver(str(path))
    add(second, 2)

    assert numbers(first) == numbers(second) == [1, 2]
    first.close()
    add(second, 3)
    assert numbers(second) == [1, 2, 3]
    second.close()


def test_a_cell_run_again_may_forget_the_saver_before(path):
    for value in range(3):
        saver = DuckDBSaver(path)
        add(saver, value)
    del saver
    gc.collect()

    with DuckDBSaver(path, read_only=True) as reader:
        assert numbers(reader) == [0, 1, 2]


def test_other_options_on_an_open_file_are_refused(path):
    with DuckDBSaver(path), pytest.raises(OpenedDifferently, match="read_only"):
        DuckDBSaver(path, read_only=True)


def test_a_closed_saver_says_so(path):
    saver = DuckDBSaver(path)
    saver.close()
    saver.close()

    for act in (lambda: numbers(saver), lambda: add(saver, 1), saver.cursor, saver.flush, lambda: list(saver.list())):
        with pytest.raises(StorageTrouble, match="closed"):
            act()


def test_each_saver_in_memory_is_alone():
    with DuckDBSaver() as one, DuckDBSaver(":memory:") as two:
        add(one, 1)

        assert numbers(two) is None
        assert one.cursor().execute("select count(*) from checkpoints").fetchall() == [(1,)]


def test_two_savers_in_two_threads_lose_nothing(path):
    losses = []

    def work(name):
        with DuckDBSaver(path) as saver:
            for value in range(20):
                try:
                    add(saver, f"{name}{value}")
                except ConcurrentUpdate:
                    losses.append(value)

    with DuckDBSaver(path) as saver:
        add(saver, "first")
        threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        kept = list(saver.list({"configurable": {"thread_id": "t"}}))

        assert len(kept) == 41
        assert len(numbers(saver)) <= 41 - len(losses)


def test_a_second_process_is_told_who_has_the_file(path):
    with DuckDBSaver(path) as saver:
        add(saver, 1)
        answer = told(
            """
            for read_only in (False, True):
                try:
                    DuckDBSaver(path, read_only=read_only)
                except StorageLocked as error:
                    print(error.details["pid"])
            """,
            path,
        )

    assert answer.split() == [str(os.getpid())] * 2


def test_nothing_is_lost_when_nobody_closes(path):
    told("saver = DuckDBSaver(path)\nfor i in range(50): add(saver, i)", path)

    assert [file.name for file in path.parent.iterdir()] == [path.name]
    with DuckDBSaver(path) as saver:
        assert numbers(saver) == list(range(50))


def test_a_forked_process_is_refused_and_harms_nothing(path):
    answer = told(
        """
        import os, warnings
        from weavenb.errors import StorageTrouble
        warnings.simplefilter("ignore", DeprecationWarning)
        saver = DuckDBSaver(path)
        add(saver, 1)
        child = os.fork()
        if child == 0:
            for act in (lambda: add(saver, 2), lambda: DuckDBSaver(path)):
                try:
                    act()
                except StorageTrouble:
                    print("refused", flush=True)
            sys.exit(0)
        os.waitpid(child, 0)
        add(saver, 3)
        saver.close()
        """,
        path,
    )

    assert answer.split() == ["refused", "refused"]
    with DuckDBSaver(path) as saver:
        assert numbers(saver) == [1, 3]


def test_a_late_step_of_a_deleted_thread_is_refused(path):
    with DuckDBSaver(path) as saver:
        add(saver, 1)
        began = saver.sequence()
        saver.delete_thread("t")
        with pytest.raises(ThreadDeleted):
            add(saver, 2, started=began)
        add(saver, 3, started=saver.sequence())

        assert numbers(saver) == [3]


@pytest.mark.parametrize("sync", [True, False])
def test_kill_loses_no_step_that_was_told(path, sync):
    chance = random.Random(7)
    program = python(
        f"""
        saver = DuckDBSaver(path)
        n = len(numbers(saver) or [])
        while True:
            add(saver, n, sync={sync})
            n += 1
            sys.stdout.write(f"{{n}}\\n")
            sys.stdout.flush()
        """,
        path,
    )
    last = 0
    for _ in range(6):
        child = subprocess.Popen(program, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        first = child.stdout.readline()
        time.sleep(chance.random() * 0.5)
        child.send_signal(signal.SIGKILL)
        said = [first, *child.stdout.read().splitlines()]
        child.wait()
        child.stdout.close()
        last = max(last, *(int(line) for line in said if line.strip()))

        with warnings.catch_warnings():
            # The kill may have come within the write of a frame, of which nobody was told then.
            warnings.simplefilter("ignore", Damaged)
            saver = DuckDBSaver(path)
        with saver:
            assert saver.damage is None or "torn" in str(saver.damage)
            kept = numbers(saver)
            assert kept == list(range(len(kept)))
            assert len(kept) >= last
