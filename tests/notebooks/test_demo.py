"""`make demo`: the first notebook's work without a browser."""

from __future__ import annotations

import runpy

import pytest

from tests.house.sources import ROOT


@pytest.fixture
def demo(tmp_path):
    """The script's `main`, which writes its page into an empty folder; and that page."""
    main = runpy.run_path(str(ROOT / "notebooks" / "demo.py"))["main"]
    main.__globals__["PAGE"] = tmp_path / "demo.html"
    return main, tmp_path / "demo.html"


def test_the_demo_prints_the_timeline_and_leaves_a_page_the_same_each_time(demo, capsys):
    main, left = demo
    main()
    printed, page = capsys.readouterr().out, left.read_bytes()
    main()

    assert "keep the truck" in printed
    assert b"data:image/svg+xml" in page
    assert b"<h2>History</h2>" in page
    assert (capsys.readouterr().out, left.read_bytes()) == (printed, page)
