"""Named parameters in a user's SQL."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from weavenb.errors import QueryFailed
from weavenb.errors import nearest as nearest_name

__all__ = ["bound"]

# Texts, quoted names, dollar quotes, comments and casts come first, so that a colon in them stays.
_PARTS: Final = re.compile(
    r"""(?P<kept>'(?:[^']|'')*'|"(?:[^"]|"")*"|(?P<tag>\$\w*\$).*?(?P=tag)|--[^\n]*|/\*.*?\*/|::|:=)"""
    r"""|(?P<mark>[:$])(?P<name>[^\W\d]\w*)""",
    re.DOTALL,
)


def bound(query: str, params: Mapping[str, Any], own: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """`query` with ``:name`` for each parameter, and all of `params` with those of `own` that it uses.

    Raises:
        QueryFailed: a parameter is used that was not given.
    """
    known = {**own, **params}
    used = dict(params)

    def replaced(found: re.Match[str]) -> str:
        name = found["name"]
        if name is None:
            return found[0]
        # `{a:b}` and `x[a:b]` read a colon too; only a given name is taken for a parameter there.
        if name not in known:
            if found["mark"] == ":" and _after_word(query, found.start()):
                return found[0]
            raise QueryFailed(
                f"The question uses :{name}, which was not given: pass {name}=....", nearest_name(name, known)
            )
        used[name] = known[name]
        return f":{name}"

    return _PARTS.sub(replaced, query), used


def _after_word(query: str, at: int) -> bool:
    return at > 0 and (query[at - 1].isalnum() or query[at - 1] in "_'\"])")
