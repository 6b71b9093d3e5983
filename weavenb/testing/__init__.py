"""For tests: contracts to subclass, and a clock and ids that hold still."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weavenb.testing.fixed import Fixed, fixed

if TYPE_CHECKING:
    from weavenb.testing.saver_contract import SaverContract

__all__ = ["Fixed", "SaverContract", "fixed"]


def __getattr__(name: str) -> object:
    """The contracts need pytest, the clock does not."""
    if name == "SaverContract":
        from weavenb.testing.saver_contract import SaverContract

        return SaverContract
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
