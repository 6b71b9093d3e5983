"""How a compiled graph runs, and how one call's own wishes are laid over that."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from weavenb.errors import InvalidGraph, SerializationFailed
from weavenb.model.records import RESERVED
from weavenb.runtime.call import DEFAULT_LIMIT, Options
from weavenb.savers.contract import Saver
from weavenb.serde import Unencodable, encode

if TYPE_CHECKING:
    from weavenb.model.refs import Config

__all__ = ["Durability", "Settings", "options_of"]

Durability = Literal["async", "sync"]
_DURABILITIES = ("async", "sync")


@dataclass(frozen=True, slots=True)
class Settings:
    """What `compile` was given."""

    checkpointer: Saver | None = None
    executor: Executor | None = None
    durability: Durability = "async"
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    debug: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot work, where it is said."""
        check_durability(self.durability)
        if self.checkpointer is not None and not isinstance(self.checkpointer, Saver):
            raise InvalidGraph(
                f"checkpointer is {type(self.checkpointer).__name__}, which is no Saver:"
                " give a MemorySaver(), a DuckDBSaver(path) or None."
            )
        if self.executor is not None and not isinstance(self.executor, Executor):
            raise InvalidGraph(
                f"executor is {type(self.executor).__name__}: give a concurrent.futures.Executor, such as a"
                " ThreadPoolExecutor."
            )


def check_durability(given: str) -> None:
    """Refuse a durability that does not exist."""
    if given not in _DURABILITIES:
        raise InvalidGraph(f"durability is {given!r}: it is 'async' or 'sync'.")


def options_of(
    settings: Settings,
    config: Config | None,
    *,
    recursion_limit: int | None = None,
    durability: Durability | None = None,
    interrupt_before: Collection[str] | None = None,
    interrupt_after: Collection[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    context: Any = None,
    observed: bool = False,
) -> Options:
    """One call's options. A ``recursion_limit`` and ``metadata`` may also stand in the config, as in the field."""
    limit = recursion_limit
    told: dict[str, Any] = {}
    if isinstance(config, Mapping):
        limit = config.get("recursion_limit") if limit is None else limit
        told.update(_mapping(config.get("metadata")))
    told.update(_mapping(metadata))
    chosen = settings.durability if durability is None else durability
    check_durability(chosen)
    return Options(
        limit=DEFAULT_LIMIT if limit is None else limit,
        sync=chosen == "sync",
        before=interrupt_before if interrupt_before is not None else (settings.before or None),
        after=interrupt_after if interrupt_after is not None else (settings.after or None),
        metadata=_checked(told),
        context=context,
        executor=settings.executor,
        observed=observed,
        watch=settings.debug,
    )


def _mapping(metadata: Any) -> Mapping[str, Any]:
    if metadata is not None and not isinstance(metadata, Mapping):
        raise InvalidGraph(f"metadata is {type(metadata).__name__}: give a mapping of names to plain data.")
    return metadata or {}


def _checked(metadata: dict[str, Any]) -> dict[str, Any]:
    taken = ({"source", "step", "run_id", "branch"} | RESERVED) & metadata.keys()
    if taken:
        raise InvalidGraph(f"metadata has the key {min(taken)!r}, which every checkpoint sets itself: rename it.")
    try:
        encode(metadata)
    except Unencodable as problem:
        raise SerializationFailed("metadata", "the call", problem.type_name, problem.path, problem.problem) from problem
    return metadata
