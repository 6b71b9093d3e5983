"""What a call returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from weavenb.model.snapshots import Interrupt
from weavenb.model.texts import short, state_text
from weavenb.runtime.fold import public
from weavenb.serde import isolate

if TYPE_CHECKING:
    from weavenb.definition.definition import Definition
    from weavenb.runtime.requests import Halt

__all__ = ["Output", "output_of"]


class Output(dict[str, Any]):
    """The public state at the end of a call: a plain dict that also says how the call ended."""

    __slots__ = ("config", "interrupts", "status", "warnings")

    def __init__(
        self,
        values: dict[str, Any],
        *,
        status: Literal["completed", "interrupted"],
        interrupts: tuple[Interrupt, ...] = (),
        config: dict[str, Any] | None = None,
        warnings: tuple[str, ...] = (),
    ) -> None:
        super().__init__(values)
        self.status = status
        self.interrupts = interrupts
        """Open questions, and the breakpoints that hold the run."""
        self.config = config or {}
        """Names the checkpoint reached; empty without a saver."""
        self.warnings = warnings
        """What went on silently: a join that never fired, an input changed in place."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with what the dict itself does not hold."""
        return (_restored, (dict(self), self.status, self.interrupts, self.config, self.warnings))

    def __repr__(self) -> str:
        """The state, long values shortened; how it ended only when that is not plain completion. Byte-stable."""
        text = state_text(self)
        if self.status == "completed" and not self.warnings:
            return text
        asked = ", ".join(short(held.value) for held in self.interrupts)
        told = "".join(f" warning: {warning}" for warning in self.warnings)
        return f"{text} <{self.status}{': ' + asked if asked else ''}{told}>"


def _restored(
    values: dict[str, Any], status: Any, interrupts: tuple[Interrupt, ...], config: dict[str, Any], warnings: Any
) -> Output:
    return Output(values, status=status, interrupts=interrupts, config=config, warnings=warnings)


def output_of(definition: Definition, halt: Halt, config: dict[str, Any]) -> Output:
    """The output at the point where a run halted."""
    values = public(halt.position.values)
    if definition.output_keys is not None:
        values = {key: value for key, value in values.items() if key in definition.output_keys}
    held = [Interrupt(q.id, isolate(q.value), task.node) for task, q in halt.held]
    held += [Interrupt(f"{kind}:{node}", None, node, kind) for kind, node in halt.breakpoints]  # type: ignore[arg-type]  # the loop names the two kinds
    return Output(
        isolate(values),
        status="interrupted" if held else "completed",
        interrupts=tuple(held),
        config=config,
        warnings=halt.warnings,
    )
