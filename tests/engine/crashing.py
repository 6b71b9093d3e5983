"""What a process does that will be killed. Imported by the process itself: it holds no tests."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.engine.graphs import graph_of
from tests.engine.plain import PlainSaver
from weavenb import START, DuckDBSaver
from weavenb.savers.contract import Config

EXPECTED = ["a", "slow", "c"]


def note(side: Path, line: str) -> None:
    """Add a line to the side file at once: what is written here outlives the process."""
    file = os.open(side, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, f"{line}\n".encode())
    os.close(file)


def app_of(saver: Any, side: Path, **options: Any) -> Any:
    """Two nodes side by side, one of them slow, then a third; each tells the side file that it ran."""

    def node(name: str, seconds: float = 0.0) -> Any:
        def run(state: Any, runtime: Any) -> dict[str, Any]:
            note(side, f"ran {runtime.thread} {name}")
            time.sleep(seconds)
            return {"log": [name]}

        return run

    nodes = {"a": node("a"), "slow": node("slow", 0.04), "c": node("c")}
    return graph_of(saver, nodes, [(START, "a"), (START, "slow"), (["a", "slow"], "c")], **options)


def run_until_killed(path: Path, side: Path, durability: str, turn: int) -> None:
    """Run one thread after the other; delete every third."""
    saver = DuckDBSaver(path)
    app = app_of(saver, side, durability=durability)
    note(side, "ready")
    for n in range(1000):
        thread = f"{turn}-{n}"
        app.invoke({}, thread=thread)
        note(side, f"returned {thread}")
        if n % 3 == 2:
            saver.delete_thread(thread)
            note(side, f"deleted {thread}")


class KillsItself(PlainSaver):
    """Kills the process in its fourth `put`, before or after it is stored."""

    def __init__(self, inner: Any, *, stored: bool) -> None:
        super().__init__(inner)
        self.stored = stored
        self.puts = 0

    def put(
        self,
        config: Config,
        checkpoint: Mapping[str, Any],
        metadata: Mapping[str, Any],
        versions: Mapping[str, Any],
    ) -> dict[str, Any]:
        self.puts += 1
        if self.puts == 3 and not self.stored:
            os.kill(os.getpid(), signal.SIGKILL)
        made = super().put(config, checkpoint, metadata, versions)
        if self.puts == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return made


def three_in_line(saver: Any, side: Path) -> Any:
    """Three nodes, each telling the side file that it ran."""

    def node(name: str) -> Any:
        def run(state: Any) -> dict[str, Any]:
            note(side, name)
            return {"log": [name]}

        return run

    names = ["s1", "s2", "s3"]
    return graph_of(saver, {name: node(name) for name in names}, [(START, "s1"), ("s1", "s2"), ("s2", "s3")])


def run_and_die(path: Path, side: Path, stored: bool) -> None:  # noqa: FBT001 - a process takes its arguments in order
    """Run by the plain contract alone, and die in the `put` of the second step."""
    three_in_line(KillsItself(DuckDBSaver(path), stored=stored), side).invoke({}, thread="t")
