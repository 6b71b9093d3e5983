"""Where things are on the page, and whether they lie on each other."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from playwright.sync_api import Locator


class Box(NamedTuple):
    """A rectangle of the page, in CSS pixels."""

    name: str
    """What a failure calls it."""
    left: float
    """Distance from the page's left side."""
    top: float
    """Distance from the page's top."""
    right: float
    """Where it ends."""
    bottom: float
    """Where it ends."""


def boxes(locator: Locator) -> list[Box]:
    """One box for each visible element, named by its label, its text or its tag."""
    found = []
    for element in locator.all():
        place = element.bounding_box()
        if not element.is_visible() or place is None:
            continue
        name = element.evaluate("e => e.getAttribute('aria-label') || e.textContent.trim().slice(0, 30) || e.tagName")
        right, bottom = place["x"] + place["width"], place["y"] + place["height"]
        found.append(Box(str(name), place["x"], place["y"], right, bottom))
    return found


def overlaps(found: list[Box], *, by: float = 0.5) -> list[tuple[str, str]]:
    """Pairs that share more than `by` pixels both ways; give it siblings, not parent and child."""
    return [
        (one.name, other.name)
        for one, other in itertools.combinations(found, 2)
        if min(one.right, other.right) - max(one.left, other.left) > by
        and min(one.bottom, other.bottom) - max(one.top, other.top) > by
    ]


def sticks_out(found: list[Box], frame: Box, *, by: float = 0.5) -> list[str]:
    """Names of the boxes that leave `frame` by more than `by` pixels to the left or right."""
    return [box.name for box in found if box.left < frame.left - by or box.right > frame.right + by]
