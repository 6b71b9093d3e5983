from __future__ import annotations

import pytest

from weavenb.savers.memory import MemorySaver
from weavenb.testing.saver_contract import SaverContract


class TestMemorySaver(SaverContract):
    @pytest.fixture
    def saver(self):
        with MemorySaver() as saver:
            yield saver
