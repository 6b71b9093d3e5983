"""The guide's code gives what the guide shows."""

from __future__ import annotations

import doctest
import re

from tests.house.sources import ROOT

PAGE = ROOT / "docs" / "guide" / "first-steps.md"


def test_the_examples_give_what_is_shown():
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    names: dict = {}
    exec(blocks[0], names)  # noqa: S102 - the code of our own page
    shown = doctest.DocTestParser().get_doctest("\n".join(blocks[1:]), names, PAGE.name, str(PAGE), 0)
    told: list[str] = []
    doctest.DocTestRunner(verbose=False).run(shown, out=told.append, clear_globs=False)
    names["app"].settings.checkpointer.close()

    assert "".join(told) == ""
    assert len(shown.examples) == 13
