"""What is found after a process was killed."""

from __future__ import annotations

import multiprocessing
import random
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tests.engine import crashing
from tests.engine.graphs import in_line, says
from weavenb import DuckDBSaver

KILLS = 15

# A kill may come within the write of a frame, of which nobody was told then.
pytestmark = pytest.mark.filterwarnings("ignore::weavenb.savers.duckdb.store.Damaged")


@pytest.fixture(scope="module")
def fresh() -> Any:
    """Processes that begin with everything imported, so that they are soon at work."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.engine.crashing", "duckdb"])
    return context


def lines(side: Path, *, kind: str = "") -> list[str]:
    found = side.read_text().splitlines() if side.exists() else []
    return [line.split(" ", 1)[1] for line in found if line.startswith(f"{kind} ")] if kind else found


def kill_after(process: Any, side: Path, turn: int, count: int, seconds: float) -> None:
    """Kill it when it has told `count` things since it was ready, and a moment later."""
    process.start()
    deadline = time.monotonic() + 30
    while len(told_since(side, turn)) < count:
        assert process.is_alive(), "the process ended by itself"
        assert time.monotonic() < deadline, "the process never came so far"
        time.sleep(0.002)
    time.sleep(seconds)
    process.kill()
    process.join()


def told_since(side: Path, turn: int) -> list[str]:
    found = [place for place, line in enumerate(lines(side)) if line == "ready"]
    return lines(side)[found[turn] :] if len(found) > turn else []


def check_whole(app: Any, thread: str) -> None:
    """Each checkpoint follows from its parent, with nothing half in it."""
    whole = list(reversed(list(app.get_state_history(thread=thread))))
    shapes = [(found.metadata["step"], found.values.get("log"), found.next) for found in whole]
    full = [(-1, [], ("a", "slow")), (0, ["a", "slow"], ("c",)), (1, crashing.EXPECTED, ())]

    assert shapes == full[: len(shapes)]


def check_goes_on(app: Any, side: Path, thread: str) -> None:
    """What was saved stays saved: it is there, and only the rest runs."""
    seen = app.get_state(thread=thread)
    pending = set(seen.next)
    done = [name for name in seen.values["log"] if name not in pending]
    before = lines(side, kind="ran")
    out = app.invoke(None, thread=thread)
    again = lines(side, kind="ran")[len(before) :]

    assert out["log"] == crashing.EXPECTED
    assert not {f"{thread} {name}" for name in done} & set(again)


@pytest.mark.parametrize("durability", ["async", "sync"])
def test_a_killed_process_leaves_whole_steps_finished_siblings_and_all_that_returned(fresh, tmp_path, durability):
    path, side = tmp_path / "runs.duckdb", tmp_path / "side.txt"
    chance = random.Random(7)
    halves = 0
    for turn in range(KILLS):
        process = fresh.Process(target=crashing.run_until_killed, args=(path, side, durability, turn))
        kill_after(process, side, turn, chance.randint(1, 16), chance.uniform(0, 0.03))
        with DuckDBSaver(path) as saver:
            app = crashing.app_of(saver, side)
            deleted = set(lines(side, kind="deleted"))
            for thread in lines(side, kind="returned"):
                if thread in deleted:
                    assert app.get_state(thread=thread) is None
                elif thread.startswith(f"{turn}-") and int(thread.split("-")[1]) % 3 != 2:
                    assert app.get_state(thread=thread).values["log"] == crashing.EXPECTED
            begun = dict.fromkeys(line.split()[0] for line in lines(side, kind="ran"))
            for thread in [found for found in begun if found.startswith(f"{turn}-")]:
                seen = app.get_state(thread=thread)
                if seen is None:
                    continue  # killed before its first checkpoint was written, or deleted
                check_whole(app, thread)
                halves += len(seen.values["log"]) == 1
                check_goes_on(app, side, thread)

    assert len(lines(side, kind="returned")) > KILLS, "the runs were killed too early to show anything"
    assert halves > 0, "no kill met a finished sibling: the test shows less than it says"


@pytest.mark.parametrize("stored", [True, False])
def test_by_the_plain_contract_too_a_crash_in_a_put_repeats_no_saved_node(fresh, tmp_path, stored):
    path, side = tmp_path / "runs.duckdb", tmp_path / "side.txt"
    process = fresh.Process(target=crashing.run_and_die, args=(path, side, stored))
    process.start()
    process.join(30)
    with DuckDBSaver(path) as saver:
        out = crashing.three_in_line(saver, side).invoke(None, thread="t")

    assert out["log"] == ["s1", "s2", "s3"]
    assert lines(side) == ["s1", "s2", "s3"]


def test_two_savers_on_one_path_in_two_threads_make_one_history(tmp_path):
    path = tmp_path / "runs.duckdb"
    errors: list[BaseException] = []

    def work(n):
        try:
            with DuckDBSaver(path) as saver:
                app = in_line(saver, {"a": says("a"), "b": says("b")})
                for turn in range(10):
                    app.invoke({"log": [f"{n}-{turn}"]}, thread=f"t{n}")
        except BaseException as error:  # noqa: BLE001 - told below
            errors.append(error)

    with DuckDBSaver(path) as outer:
        threads = [threading.Thread(target=work, args=(n,)) for n in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        app = in_line(outer, {"a": says("a"), "b": says("b")})
        found = {n: app.get_state(thread=f"t{n}").values["log"] for n in range(2)}

    assert errors == []
    assert found == {n: [each for turn in range(10) for each in (f"{n}-{turn}", "a", "b")] for n in range(2)}
