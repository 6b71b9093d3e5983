"""Driving a call to its end, in the four ways a caller may want it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING

from weavenb.graph.output import Output, output_of
from weavenb.model.events import RunEvent, Stopped
from weavenb.runtime.drive import adrive, drive

if TYPE_CHECKING:
    from weavenb.runtime.call import Call
    from weavenb.runtime.requests import Halt

__all__ = ["adriven", "atold", "driven", "told"]


def driven(call: Call) -> Output:
    """Run to the end in this thread."""
    for _ in _events(call):
        pass
    return _output(call, call.end())


async def adriven(call: Call) -> Output:
    """Run to the end on the caller's event loop."""
    async for _ in _aevents(call):
        pass
    return _output(call, await asyncio.to_thread(call.end))


def told(call: Call) -> Iterator[RunEvent]:
    """The same as `driven`, event by event."""
    yield from _events(call)
    halt = call.end()
    yield Stopped(halt.reason, _output(call, halt))


async def atold(call: Call) -> AsyncIterator[RunEvent]:
    """The same as `adriven`, event by event."""
    async for event in _aevents(call):
        yield event
    halt = await asyncio.to_thread(call.end)
    yield Stopped(halt.reason, _output(call, halt))


def _events(call: Call) -> Iterator[RunEvent]:
    try:
        yield from drive(call.loop, call.hands)
    except BaseException as error:
        call.broken(error)
        raise


async def _aevents(call: Call) -> AsyncIterator[RunEvent]:
    try:
        async for event in adrive(call.loop, call.hands):
            yield event
    except BaseException as error:
        call.broken(error)
        raise


def _output(call: Call, halt: Halt) -> Output:
    return output_of(call.definition, halt, call.config(halt.position))
