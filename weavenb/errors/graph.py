"""The definition is wrong, or a call does not fit it."""

from __future__ import annotations

from weavenb.errors.base import WeaveError, hint


class GraphError(WeaveError):
    """The definition, or what was asked of it, is wrong: the author of the graph must act."""


class InvalidGraph(GraphError):
    """A rule of the definition is broken; ``args[0]`` is the whole sentence."""

    code = "invalid_graph"
    fields = ("problem",)

    def __str__(self) -> str:
        return str(self.args[0])


class UnknownNode(GraphError):
    """A node is named that the graph does not have."""

    code = "unknown_node"
    fields = ("name", "nearest", "where")

    def __init__(self, name: str, nearest: str | None = None, where: str = "the graph") -> None:
        super().__init__(name, nearest, where)

    def __str__(self) -> str:
        name, found, where = self.args
        return f"There is no node {name!r} ({where}).{hint(found)}"


class UnknownKey(GraphError):
    """A key is written, edited or asked for that a closed state does not declare."""

    code = "unknown_key"
    fields = ("name", "nearest", "where")

    def __init__(self, name: str, nearest: str | None = None, where: str = "A write") -> None:
        super().__init__(name, nearest, where)

    def __str__(self) -> str:
        name, found, where = self.args
        return (
            f"{where} has the key {name!r}, which the state does not declare.{hint(found)}"
            " Declare it in the state's class, or fix the spelling."
        )


class DefinitionMismatch(GraphError):
    """The checkpoint was made by a definition that the present one cannot continue."""

    code = "def_hash_mismatch"
    fields = ("stored", "current", "diff", "recovery")

    def __init__(self, stored: str, current: str, diff: tuple[str, ...] = (), recovery: str = "") -> None:
        super().__init__(stored, current, diff, recovery)

    def __str__(self) -> str:
        stored, current, diff, recovery = self.args
        what = "; ".join(diff) or "the definition changed"
        way = recovery or "Bring the missing nodes back, or update the state and fork from an earlier checkpoint."
        return f"This checkpoint was made by definition {stored!r}, the graph is {current!r}: {what}. {way}"
