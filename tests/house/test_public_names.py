"""The public names: listed once, importable, documented."""

from __future__ import annotations

import inspect
import re
import types

import pytest

import weavenb
from tests.house.sources import ROOT

REFERENCE = ROOT / "docs" / "reference"


def test_every_listed_name_can_be_imported():
    missing = [name for name in weavenb.__all__ if getattr(weavenb, name, None) is None]

    assert missing == []


def test_every_name_that_can_be_seen_is_listed():
    seen = {
        name
        for name in dir(weavenb)
        if not name.startswith("_") and not isinstance(inspect.getattr_static(weavenb, name, None), types.ModuleType)
    }

    assert seen == {name for name in weavenb.__all__ if not name.startswith("_")}


def test_names_are_listed_once():
    names = list(weavenb.__all__)

    assert sorted(set(names)) == sorted(names)


def test_a_name_that_is_not_there_is_an_attribute_error():
    name = "no_such_name"

    with pytest.raises(AttributeError, match=name):
        getattr(weavenb, name)


def test_every_public_name_is_in_the_reference():
    text = "\n".join(page.read_text(encoding="utf-8") for page in sorted(REFERENCE.glob("*.md")))
    words = set(re.findall(r"\w+", text))

    assert [name for name in weavenb.__all__ if name not in words] == []
