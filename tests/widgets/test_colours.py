"""The palette can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from weavenb.widgets import inspector

CSS = (Path(inspector.__file__).parent / "js" / "theme.css").read_text(encoding="utf-8")
INKS = ("ink", "muted", "blue", "orange", "amber", "green")
PAIRS = [
    *[(ink, "back") for ink in INKS],
    *[(ink, "raised") for ink in ("ink", "muted", "blue")],
    ("orange", "orange-soft"),
    ("amber", "amber-soft"),
    ("blue", "blue-soft"),
    ("ink", "soft"),
    ("on-blue", "blue"),
]


def palettes():
    light, dark = re.findall(r"\.wn[^{]*\{([^}]*)\}", CSS)[:2]
    found = [dict(re.findall(r"--wn-([\w-]+): (#[0-9a-f]{6})", text)) for text in (light, dark)]
    return {"light": found[0], "dark": {**found[0], **found[1]}}


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_each_ink_can_be_read_on_its_ground(theme, ink, ground):
    palette = palettes()[theme]
    least = 6.3 if ground == "back" else 5.5

    assert contrast(palette[ink], palette[ground]) >= least
