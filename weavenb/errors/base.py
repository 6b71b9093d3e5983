"""The root, and how a message is put together."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Any, ClassVar, Final

_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name closest in spelling, or None when none is close."""
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return found[0] if found else None


class WeaveError(Exception):
    """The root: catch it to catch all that weavenb raises on purpose."""

    code: ClassVar[str] = "error"
    fields: ClassVar[tuple[str, ...]] = ()
    """Names of the facts in ``args``, in order."""

    @property
    def details(self) -> dict[str, Any]:
        """The facts by name."""
        return dict(zip(self.fields, self.args, strict=False))


def hint(found: str | None) -> str:
    """The sentence that offers the nearest name, or nothing."""
    return f" Did you mean {found!r}?" if found else ""


def short(value: object, limit: int = 60) -> str:
    """A value's repr without addresses, cut to `limit` characters. Never raises."""
    try:
        text = _ADDRESS.sub("", repr(value))
    except Exception:  # noqa: BLE001 - a hostile repr must not hide the error that is told
        text = f"<{type(value).__name__}>"
    return text if len(text) <= limit else text[: limit - 1] + "…"
