"""The savers an engine is tried on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.engine.plain import PlainSaver
from weavenb import DuckDBSaver, MemorySaver
from weavenb.savers.contract import Saver


@dataclass
class Store:
    """A saver, and a way to close and open it again."""

    saver: Saver
    open: Callable[[], Saver] | None = None

    def reopened(self) -> Saver:
        """The saver as a new program finds it; memory lives on."""
        if self.open is not None:
            self.saver.close()
            self.saver = self.open()
        return self.saver


@pytest.fixture(params=["memory", "duckdb", "plain"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    kind: str = request.param
    if kind == "duckdb":

        def opened() -> Any:
            return DuckDBSaver(tmp_path / "runs.duckdb")

        found = Store(opened(), opened)
    else:
        found = Store(MemorySaver() if kind == "memory" else PlainSaver(MemorySaver()))
    yield found
    found.saver.close()


@pytest.fixture
def saver(store: Store) -> Saver:
    """In memory, in a file, and by the plain contract alone."""
    return store.saver
