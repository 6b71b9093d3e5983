"""The reference page names each frame's columns as they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from weavenb.history.frames import COLUMNS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "history.md"


def documented():
    """Frame to ``{column: dtype}`` in the order of the page."""
    sections = re.split(r"^### `(\w+)`", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {
        name: dict(re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", body.split("\n## ")[0], flags=re.MULTILINE))
        for name, body in zip(sections[::2], sections[1::2], strict=True)
    }


def test_every_frame_has_a_section():
    assert list(documented()) == list(COLUMNS)


@pytest.mark.parametrize("name", list(COLUMNS))
def test_the_page_has_the_columns_of_the_frame_in_their_order(name):
    assert list(documented()[name].items()) == list(COLUMNS[name].items())
