from __future__ import annotations

import pytest

from weavenb.savers.duckdb.saver import DuckDBSaver
from weavenb.testing.saver_contract import SaverContract


class TestDuckDBSaverInAFile(SaverContract):
    @pytest.fixture
    def saver(self, tmp_path):
        with DuckDBSaver(tmp_path / "runs.duckdb") as saver:
            yield saver


class TestDuckDBSaverInMemory(SaverContract):
    @pytest.fixture
    def saver(self):
        with DuckDBSaver() as saver:
            yield saver
