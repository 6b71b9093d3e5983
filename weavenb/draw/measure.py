"""How wide a text will be, without a font: the wider of Helvetica and DejaVu Sans, which stands in for it."""

from __future__ import annotations

import unicodedata
from typing import Final

__all__ = ["text_width"]

# Hundredths of the font size, and who has them.
_WIDTHS: Final = {
    char: width
    for width, chars in (
        (28, "'ijlIJ"),
        (33, " ,."),
        (34, "/:;\\|"),
        (36, "-f"),
        (40, "!()[]"),
        (41, "tr"),
        (47, '"'),
        (50, "*_`"),
        (53, "sz?"),
        (56, "cL"),
        (58, "Fk"),
        (60, "vxyP"),
        (62, "TYaoe"),
        (64, "ESbdghnpqu$0123456789{}"),
        (69, "KAVBRXZ"),
        (76, "CUHN"),
        (79, "DGOQ&"),
        (86, "w#+<=>^~M"),
        (97, "%m"),
        (100, "W@\u2026"),
    )
    for char in chars
}
_WIDE: Final = 105
_OTHER: Final = 72


def text_width(text: str, size: float) -> float:
    """The width in pixels at `size`."""
    total = 0
    for char in text:
        known = _WIDTHS.get(char)
        if known is not None:
            total += known
        elif not unicodedata.combining(char):
            total += _WIDE if unicodedata.east_asian_width(char) in "WF" or char > "\uffff" else _OTHER
    return total * size / 100
