"""The lines of the README run as they stand."""

from __future__ import annotations

import ast
import re

import pytest

from tests.house.sources import ROOT

README = ROOT / "README.md"


def code():
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return "\n".join(blocks)


@pytest.fixture
def names(tmp_path, monkeypatch):
    """What the lines leave behind, run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    found: dict = {}
    exec(code(), found)  # noqa: S102 - the code of our own page
    yield found
    found["app"].settings.checkpointer.close()


def test_the_lines_are_twelve():
    statements = ast.parse(code()).body

    assert len(statements) == 12


def test_the_lines_leave_two_branches_the_newer_one_waiting_for_an_answer(names):
    app = names["app"]

    assert [(step.values.get("words"), step.next) for step in app.history("ticket-42")] == [
        (400, ("reply",)),
        (4, ()),
        (4, ("reply",)),
        (None, ("count",)),
    ]
    assert [asked.value for asked in app.get_state(thread="ticket-42").interrupts] == ["How do you answer 400 words?"]


def test_every_link_leads_to_a_file():
    pages = [README, *sorted((ROOT / "docs").rglob("*.md"))]
    broken = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]

    assert broken == []
